import { existsSync } from 'node:fs';
import { type StoredBroadcast, storedBroadcast } from '../../broadcast/broadcast.ts';
import type { OutageReport } from '../../lib/outage.ts';
import type { Sql, Value } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { type Deliveries, deliveriesIn } from './deliveries.ts';
import { type Leads, leadsIn } from './leads.ts';
import { type Links, linksIn } from './links.ts';
import { databasePath, movedPath, openDatabase } from './sqlite.ts';

/** All that must survive a restart, wherever it is kept. */
export type Store = {
  sql: Sql;
  leads: Leads;
  deliveries: Deliveries;
  links: Links;
  broadcast: StoredBroadcast;
  /** Waits for what was begun. May be called twice. */
  close(): Promise<void>;
};

type Options = {
  /** Called when the broadcast's state becomes unknown, and when it is known again. */
  report?: OutageReport;
  /** Called for each failed database operation. */
  onError?: () => void;
};

/**
 * Opens PostgreSQL if there is a `DATABASE_URL`, and otherwise SQLite in `DATA_DIR`.
 *
 * @param options.existing refuses a `DATA_DIR` that no server has used: an empty store would look like a quiet day
 * @throws {StoreError}
 */
export async function openStore(
  config: { dataDir: string; databaseUrl: string | undefined },
  { existing = false, ...options }: Options & { existing?: boolean } = {},
): Promise<Store> {
  const { dataDir, databaseUrl } = config;
  if (databaseUrl) {
    // Loaded only where it is used: a server with SQLite needs none of it.
    const { openPostgres } = await import('./postgres.ts');
    return storeIn(await openPostgres(databaseUrl), options);
  }
  const [path, moved] = [databasePath(dataDir), movedPath(dataDir)];
  if (existsSync(moved)) {
    throw new StoreError(`The leads were moved to PostgreSQL: set DATABASE_URL. To begin anew, put ${moved} away.`);
  }
  if (existing && !existsSync(path)) {
    throw new StoreError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  return storeIn(openDatabase(dataDir), options);
}

/** The store in a database, which it closes with itself. */
export function storeIn(
  database: Sql & { close(): Promise<void> },
  { onError = () => {}, ...options }: Options = {},
): Store {
  const sql = watched(database, onError);
  return {
    sql,
    leads: leadsIn(sql),
    deliveries: deliveriesIn(sql),
    links: linksIn(sql),
    broadcast: storedBroadcast(sql, options),
    close: database.close,
  };
}

/** The same database, with every failure reported. */
function watched({ dialect, query, transact, forget }: Sql, failed: () => void): Sql {
  function watch<T>(work: Promise<T>): Promise<T> {
    work.catch(failed);
    return work;
  }
  return {
    dialect,
    query: <R extends object>(text: string, values?: readonly Value[]) => watch(query<R>(text, values)),
    transact: (work) => watch(transact(work)),
    forget: () => watch(forget()),
  };
}
