import { existsSync } from 'node:fs';
import type { OutageReport } from '../../lib/outage.ts';
import type { StoredBroadcast } from '../../model/broadcast.ts';
import { type Links, linksIn } from './access-links.ts';
import { checkTables } from './check-tables.ts';
import { type Deliveries, deliveriesIn } from './deliveries.ts';
import { type Destructions, destructionsIn } from './destruction.ts';
import { type Leads, leadsIn } from './leads.ts';
import type { Sql, Value } from './sql.ts';
import { databasePath, movedPath, openDatabase } from './sqlite.ts';
import { StoreError } from './store-error.ts';
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
    const postgres = await openPostgres(databaseUrl);
    return checked(postgres, postgres.place, options);
  }
  const [path, moved] = [databasePath(dataDir), movedPath(dataDir)];
  if (existsSync(moved)) {
    throw new StoreError(
      `The leads were moved to PostgreSQL: set DATABASE_URL. To start with an empty database, move ${moved} away.`,
    );
  }
  if (existing && !existsSync(path)) {
    throw new StoreError(`There is no ${path}: no server has run with this DATA_DIR; set DATA_DIR to the server's.`);
  }
  return checked(openDatabase(dataDir), path, options);
}

type Database = Sql & { close(): Promise<void> };

async function checked(database: Database, place: string, options: StoreOptions): Promise<Store> {
  try {
    await checkTables(database, place);
    return storeIn(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

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
