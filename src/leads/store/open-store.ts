import { existsSync } from 'node:fs';
import type { OutageReport } from '../../lib/outage.ts';
import type { StoredBroadcast } from '../../model/broadcast.ts';
import { type Links, linksIn } from './access-links.ts';
import { type Deliveries, deliveriesIn } from './deliveries.ts';
import { type Destructions, destructionsIn } from './destruction.ts';
import { type Leads, leadsIn } from './leads.ts';
import { type Sql, StoreError, type Value } from './sql.ts';
import { databasePath, openDatabase } from './sqlite.ts';
import { storedBroadcast } from './stored-broadcast.ts';

export type Store = {
  sql: Sql;
  leads: Leads;
  deliveries: Deliveries;
  destructions: Destructions;
  links: Links;
  broadcast: StoredBroadcast;
  /** Waits for work in flight. May be called twice. */
  close(): Promise<void>;
};

export type StoreOptions = {
  /** Called when the broadcast becomes unavailable, and when it is back. */
  report?: OutageReport;
  /** Called for each failed database operation but `forget`. */
  onError?: () => void;
};

/**
 * Opens PostgreSQL if there is a `DATABASE_URL`, otherwise SQLite in `DATA_DIR`.
 *
 * @param options.existing rejects an unused `DATA_DIR`, because an empty store would look like a quiet day
 */
export async function openStore(
  config: { dataDir: string; databaseUrl: string | undefined },
  { existing = false, ...options }: StoreOptions & { existing?: boolean } = {},
): Promise<Store> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl) {
    const { openPostgres } = await import('./postgres.ts');
    return storeIn(await openPostgres(databaseUrl), options);
  }
  const path = databasePath(dataDir);
  if (existing && !existsSync(path)) {
    throw new StoreError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  return storeIn(openDatabase(dataDir), options);
}

type Database = Sql & { close(): Promise<void> };

/** @param database closed with the store */
export function storeIn(database: Database, { onError = () => {}, ...options }: StoreOptions = {}): Store {
  const sql = watched(database, onError);
  return {
    sql,
    leads: leadsIn(sql),
    deliveries: deliveriesIn(sql),
    destructions: destructionsIn(sql),
    links: linksIn(sql),
    broadcast: storedBroadcast(sql, options),
    close: database.close,
  };
}

function watched({ dialect, query, transact, forget }: Sql, failed: () => void): Sql {
  function watch<T>(work: Promise<T>): Promise<T> {
    work.catch(failed);
    return work;
  }
  return {
    dialect,
    query: <R extends object>(text: string, values?: readonly Value[]) => watch(query<R>(text, values)),
    transact: (work) => watch(transact(work)),
    // Fails while a backup reads, and is then tried again.
    forget,
  };
}
