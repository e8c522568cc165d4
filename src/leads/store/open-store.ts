import { existsSync } from 'node:fs';
import type { OutageReport } from '../../lib/outage.ts';
import { linksIn } from './access-links.ts';
import { deliveriesIn } from './deliveries.ts';
import { destructionsIn } from './destruction.ts';
import { leadsIn } from './leads.ts';
import { type Sql, StoreError, type Value } from './sql.ts';
import { databasePath, openDatabase } from './sqlite.ts';
import { storedBroadcast } from './stored-broadcast.ts';

export type Store = ReturnType<typeof storeIn>;

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
export function storeIn(database: Database, { onError = () => {}, ...options }: StoreOptions = {}) {
  const sql = watched(database, onError);
  return {
    sql,
    leads: leadsIn(sql),
    deliveries: deliveriesIn(sql),
    destructions: destructionsIn(sql),
    links: linksIn(sql),
    broadcast: storedBroadcast(sql, options),
    /** Waits for work in flight. May be called twice. */
    close: database.close,
  };
}

function watched(sql: Sql, failed: () => void): Sql {
  function watch<T>(work: Promise<T>): Promise<T> {
    work.catch(failed);
    return work;
  }
  return {
    // `forget` fails while a backup reads, and is then tried again.
    ...sql,
    query: <R extends object>(text: string, values?: readonly Value[]) => watch(sql.query<R>(text, values)),
    transact: (work) => watch(sql.transact(work)),
  };
}
