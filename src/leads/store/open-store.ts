import { existsSync } from 'node:fs';
import { type StoredBroadcast, storedBroadcast } from '../../broadcast/broadcast.ts';
import { databasePath, openDatabase } from '../../database/sqlite.ts';
import { StoreError } from '../../database/store-error.ts';
import type { OutageReport } from '../../lib/outage.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { LeadStore } from './lead.ts';
import { sqliteLeadStore } from './sqlite-store.ts';

/** All that must survive a restart, wherever it is kept. */
export type Store = {
  leads: LeadStore & DeliveryQueue;
  broadcast: StoredBroadcast;
  /** Finishes what was begun. */
  close(): Promise<void>;
};

type Options = {
  /** Refuses a store that no server has used: an empty one would look like a company without requests. */
  existing?: boolean;
  /** Told when the state of the broadcast is not known, and when it is again. */
  report?: OutageReport;
};

/**
 * Opens PostgreSQL if there is a `DATABASE_URL`, and otherwise SQLite in `DATA_DIR`.
 *
 * @throws {StoreError}
 */
export function openStore(
  config: { dataDir: string; databaseUrl: string | undefined },
  options: Options = {},
): Promise<Store> {
  return config.databaseUrl ? openShared(config.databaseUrl, options) : openOwn(config.dataDir, options);
}

async function openOwn(dataDir: string, { existing = false, ...options }: Options): Promise<Store> {
  const path = databasePath(dataDir);
  if (existing && !existsSync(path)) {
    throw new StoreError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  const database = openDatabase(dataDir);
  const leads = sqliteLeadStore(database);
  return {
    leads,
    broadcast: storedBroadcast(database, options),
    async close() {
      await leads.close();
      database.close();
    },
  };
}

/** Loaded only where it is used: a server with SQLite needs none of it. */
async function openShared(url: string, { existing = false, ...options }: Options): Promise<Store> {
  const [{ openPostgres }, { postgresLeadStore }, { postgresBroadcast }] = await Promise.all([
    import('../../database/postgres.ts'),
    import('./postgres-store.ts'),
    import('../../broadcast/postgres-broadcast.ts'),
  ]);
  const postgres = await openPostgres(url, { existing });
  const leads = postgresLeadStore(postgres);
  return {
    leads,
    broadcast: postgresBroadcast(postgres, options),
    async close() {
      await leads.close();
      await postgres.close();
    },
  };
}
