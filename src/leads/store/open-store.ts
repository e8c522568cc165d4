import { existsSync } from 'node:fs';
import { type StoredBroadcast, storedBroadcast } from '../../broadcast/broadcast.ts';
import type { OutageReport } from '../../lib/outage.ts';
import type { Sql } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { LeadStore } from './lead.ts';
import { leadStore } from './lead-store.ts';
import { type Links, linksIn } from './links.ts';
import { refuseMoved } from './moved.ts';
import { databasePath, openDatabase } from './sqlite.ts';

/** All that must survive a restart, wherever it is kept. */
export type Store = {
  leads: LeadStore & DeliveryQueue;
  links: Links;
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
export async function openLeadStore(
  config: { dataDir: string; databaseUrl: string | undefined },
  { existing = false, ...options }: Options = {},
): Promise<Store> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl) {
    // Loaded only where it is used: a server with SQLite needs none of it.
    const { openPostgres } = await import('./postgres.ts');
    return storeOf(await openPostgres(databaseUrl, { existing }), options);
  }
  const path = databasePath(dataDir);
  if (existing && !existsSync(path)) {
    throw new StoreError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  const database = openDatabase(dataDir);
  try {
    refuseMoved(database.connection, path);
    return storeOf(database, options);
  } catch (error) {
    database.close();
    throw error;
  }
}

function storeOf(database: Sql & { close(): void | Promise<void> }, options: Pick<Options, 'report'>): Store {
  const leads = leadStore(database);
  return {
    leads,
    links: linksIn(database),
    broadcast: storedBroadcast(database, options),
    async close() {
      await leads.close();
      await database.close();
    },
  };
}
