import type { Pool, PoolClient } from 'pg';
import { hourMs, minuteMs } from '../../lib/calendar.ts';
import type { Row, Sql, Values } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { schemaFor } from './schema.ts';

/** Runs one statement of a transaction. */
export type Query = <R extends object = Row>(text: string, values?: Values) => Promise<R[]>;

export type Postgres = Sql & {
  /** Its host, port and name, for people. */
  readonly place: string;
  /**
   * Runs `work` in one transaction that may take its time; if anything fails, nothing of it is kept.
   *
   * @throws {StoreError}
   */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Waits for what is running. May be called twice. */
  close(): Promise<void>;
};

/** Milliseconds. PostgreSQL gives up first, so no work is left that nobody waits for. */
const timeouts = { connect: 2_000, statement: 3_000, answer: 4_000, idleInTransaction: 10_000 };
/** Milliseconds for slow work, such as a migration. */
const patience = { answer: hourMs, lock: minuteMs };
/** Of one process. PostgreSQL allows 100 in all, unless it is told otherwise. */
const connectionsAtMost = 10;

/** The first with `gen_random_uuid`. */
const oldestVersion = 13;

/** Held while tables are made or changed; any number of our own. */
const migrationLock = 5_562_071;

/**
 * Opens the database at a `DATABASE_URL`, creating and upgrading what is missing. Several processes may do
 * this at once. Connections that break are replaced when they are next needed.
 *
 * @param options.existing refuses a database in which nothing was ever made
 * @throws {StoreError} when the database cannot be used
 */
export async function openPostgres(
  url: string,
  { existing = false, steps = schemaFor('postgres') }: { existing?: boolean; steps?: readonly string[] } = {},
): Promise<Postgres> {
  const { default: pg } = await import('pg');
  const pool = new pg.Pool({
    connectionString: url,
    types: { getTypeParser: (type, format) => parsers[type] ?? pg.types.getTypeParser(type, format) },
    application_name: 'korob',
    max: connectionsAtMost,
    keepAlive: true,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: timeouts.idleInTransaction,
    // In place of PostgreSQL's own settings: a commit waits for the disk, and a statement sees what is there.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
  });
  // A connection broke while it was idle. It has left the pool already; without a listener the process would end.
  pool.on('error', ignore);
  const place = placeOf(url);
  const postgres = wrap(pool, place);
  try {
    await postgres.transaction((query) => migrate(query, { place, steps, existing }));
    return postgres;
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

function ignore(): void {}

/** Parsers by type number: times become what `Row` says, and counts become numbers. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1184: (text) => new Date(text).toISOString(),
};

/** By the original text: the text with `$1` and so on, as the driver wants it, and the names in that order. */
const translations = new Map<string, { text: string; names: string[] }>();

function translated(text: string, values: Values = {}): { text: string; values: unknown[] } {
  let known = translations.get(text);
  if (known === undefined) {
    const names = [...new Set(text.match(/(?<=(?<!:):)[a-z]\w*/gi))];
    known = { text: text.replace(/(?<!:):([a-z]\w*)/gi, (_, name) => `$${names.indexOf(name) + 1}`), names };
    translations.set(text, known);
  }
  return { text: known.text, values: known.names.map((name) => values[name]) };
}

/** The address of the database without its password. */
function placeOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = hostname || searchParams.get('host') || 'localhost';
  return `${host}:${port || 5432}${pathname}`;
}

function wrap(pool: Pool, place: string): Postgres {
  const begun = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** No work begins once the database is closing, which waits for all work that runs. */
  async function using<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new StoreError(`The database ${place} cannot be used: it is closed`);
    const running = work();
    begun.add(running);
    try {
      return await running;
    } catch (error) {
      throw postgresError(place, error);
    } finally {
      begun.delete(running);
    }
  }

  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    client.on('error', ignore); // The statement that is affected fails by itself.
    let failed = true;
    try {
      const result = await work(client);
      failed = false;
      return result;
    } finally {
      client.off('error', ignore);
      // A connection that is closed takes its transaction back.
      client.release(failed);
    }
  }

  const patient = (client: PoolClient): Query => {
    return async (text, values) => {
      // Types of the driver lack this one.
      const statement = { ...translated(text, values), query_timeout: patience.answer };
      return (await client.query(statement)).rows;
    };
  };

  function inTransaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    return using(() =>
      withClient(async (client) => {
        await client.query('BEGIN');
        const result = await work(client);
        await client.query('COMMIT');
        return result;
      }),
    );
  }

  const run = <R extends object = Row>(text: string, values?: Values): Promise<R[]> =>
    using(async () => (await pool.query(translated(text, values))).rows);

  return {
    dialect: 'postgres',
    place,
    ask: run,
    run,
    transact: (work) =>
      inTransaction(async (client) => {
        const steps = work();
        let result = steps.next();
        while (!result.done) result = steps.next((await client.query<Row>(translated(...result.value))).rows);
        return result.value;
      }),
    transaction: (work) =>
      inTransaction(async (client) => {
        const query = patient(client);
        await query('SET LOCAL statement_timeout = 0');
        await query(`SET LOCAL lock_timeout = ${patience.lock}`);
        return work(query);
      }),
    // Gives the space of rows that are gone to new ones, which overwrite it. It cannot be part of a transaction.
    forget: () =>
      using(() =>
        withClient(async (client) => {
          const query = patient(client);
          await query('SET statement_timeout = 0');
          await query('VACUUM lead, delivery');
          await query(`SET statement_timeout = ${timeouts.statement}`);
        }),
      ),
    close() {
      closed ??= Promise.allSettled(begun).then(() => pool.end());
      return closed;
    },
  };
}

async function migrate(
  query: Query,
  { place, steps, existing }: { place: string; steps: readonly string[]; existing: boolean },
): Promise<void> {
  const [setting] = await query<{ encoding: string; version: number }>(
    `SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int / 10000 AS version`,
  );
  const { encoding = '', version: server = 0 } = setting ?? {};
  if (server < oldestVersion) {
    throw unusable(place, `it is PostgreSQL ${server}; upgrade it to version ${oldestVersion} or later`);
  }
  // Any other encoding lacks characters, and a lead that holds one of them would be refused.
  if (encoding !== 'UTF8') {
    throw unusable(place, `its encoding is ${encoding}; create a database with ENCODING 'UTF8' TEMPLATE template0`);
  }
  await query('SELECT pg_advisory_xact_lock(:migrationLock)', { migrationLock });
  await query('CREATE TABLE IF NOT EXISTS korob_version (version integer NOT NULL)');
  const [known] = await query<{ version: number }>('SELECT version FROM korob_version');
  const current = known?.version ?? 0;
  if (current === 0 && existing) {
    throw unusable(place, 'no server has run with it; set DATABASE_URL to that of the server');
  }
  for (const step of steps.slice(current)) await query(step);
  if (current === 0) await query('INSERT INTO korob_version VALUES (0)');
  await query('UPDATE korob_version SET version = :newest WHERE version < :newest', { newest: steps.length });
}

/** By code of the system or of PostgreSQL: what it means for an operator, and what to do. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there; start PostgreSQL or correct DATABASE_URL',
  ECONNRESET: 'it ended the connection; see whether PostgreSQL runs',
  ENOTFOUND: 'there is no such host; correct DATABASE_URL',
  EAI_AGAIN: 'its host cannot be looked up; check the name service, or correct DATABASE_URL',
  EHOSTUNREACH: 'its host cannot be reached; check the network, or correct DATABASE_URL',
  '25006': 'it takes no changes; set DATABASE_URL to the primary server',
  '28000': 'it does not let this user in; correct DATABASE_URL or pg_hba.conf',
  '28P01': 'it does not accept the password; correct DATABASE_URL',
  '3D000': 'there is no such database; create it or correct DATABASE_URL',
  '40P01': 'processes waited for each other; do it again',
  '42501': 'the user lacks a right; make it the owner of the database and its tables',
  '53100': 'its disk is full; free some space',
  '53300': 'it has no connection left; raise max_connections or run fewer processes',
  '55P03': 'another process holds a lock; find it in pg_stat_activity and end it',
  '57014': 'it took too long; see in pg_stat_activity what it is busy with',
  '57P01': 'it is being stopped; see whether PostgreSQL runs',
  '57P02': 'it has crashed and restarts; look into its log',
  '57P03': 'it is starting or stopping; wait a moment',
};

/**
 * What went wrong, why, and what to do. The server's own words about values are left out: they repeat
 * what a visitor wrote.
 */
function postgresError(place: string, error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!Error.isError(error)) return unusable(place, String(error));
  const code = 'code' in error ? String(error.code) : '';
  const aboutValues = /^2[23]/.test(code);
  const words = aboutValues ? `it refuses a value (${code})` : error.message;
  const why = explanations[code] ?? timedOut(error.message) ?? words;
  const cause = new Error(code ? `${words} (${code})` : words);
  // 40P01: processes that wait for each other, as two may do that add the same leads in another order.
  return unusable(place, why, { cause, alone: aboutValues || code === '40P01' });
}

function unusable(place: string, why: string, options?: ConstructorParameters<typeof StoreError>[1]): StoreError {
  return new StoreError(`The database ${place} cannot be used: ${why}`, options);
}

function timedOut(message: string): string | undefined {
  return /timeout/i.test(message) ? 'it does not answer; see whether PostgreSQL and the network work' : undefined;
}
