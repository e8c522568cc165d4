import pg from 'pg';
import { messageOf } from '../../lib/message-of.ts';
import { codeOf, explainCode } from '../../lib/remote-error.ts';
import { schemaFor } from './migrations.ts';
import { type Query, type Sql, StoreError } from './sql.ts';

export type Postgres = Sql & {
  /** Host and database name, without credentials. */
  readonly place: string;
  /** Waits for work in flight. May be called twice. */
  close(): Promise<void>;
};

/** Milliseconds. PostgreSQL times out before the client, so no abandoned work remains. */
const timeouts = { connect: 2_000, statement: 3_000, answer: 4_000, idleInTransaction: 10_000 };
/** Per process; PostgreSQL allows 100 in all by default. */
const maxConnections = 10;

/** PostgreSQL ends one of two transactions that wait for each other, or that conflict. */
const conflictCodes = ['40P01', '40001'];
/** A deadlock is found after a second. */
const maxTries = 4;

/** An arbitrary number for the advisory lock. */
const migrationLock = 5_562_071;

/** By type OID: counts become numbers, times ISO 8601. */
const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  20: Number,
  1184: (text) => new Date(text).toISOString(),
};

/** Creates and upgrades the schema; several processes may do so at once. */
export async function openPostgres(url: string, steps = schemaFor('postgres')): Promise<Postgres> {
  const pool = new pg.Pool({
    connectionString: url,
    types: { getTypeParser: (type, format) => parsers[type] ?? pg.types.getTypeParser(type, format) },
    application_name: 'korob',
    max: maxConnections,
    keepAlive: true,
    connectionTimeoutMillis: timeouts.connect,
    query_timeout: timeouts.answer,
    statement_timeout: timeouts.statement,
    idle_in_transaction_session_timeout: timeouts.idleInTransaction,
    // Overrides the server's settings: commits wait for the disk, and statements see all committed data.
    options: '-c synchronous_commit=on -c default_transaction_isolation=read\\ committed',
  });
  // An idle connection broke and has left the pool; without a listener the process would end.
  pool.on('error', ignore);
  const { host, pathname } = new URL(url);
  const postgres = wrap(pool, `${host}${pathname}`);
  try {
    await postgres.transact((query) => migrate(query, steps));
    return postgres;
  } catch (error) {
    await postgres.close();
    throw error;
  }
}

function ignore(): void {}

function wrap(pool: pg.Pool, place: string): Postgres {
  const begun = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  /** A pool that ends drops callers that wait for a connection, so `close` waits for all work. */
  async function unlessClosed<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new StoreError(`The database ${place} cannot be used: it is closed`);
    const running = repeatConflicts(work);
    begun.add(running);
    try {
      return await running;
    } catch (error) {
      throw postgresError(place, error);
    } finally {
      begun.delete(running);
    }
  }

  async function commit<T>(work: (query: Query) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    client.on('error', ignore); // The affected statement rejects, too.
    let failed = true;
    try {
      await client.query('BEGIN');
      const result = await work(async (text, values = []) => (await client.query(text, [...values])).rows);
      await client.query('COMMIT');
      failed = false;
      return result;
    } finally {
      client.off('error', ignore);
      // Closing the connection rolls back its transaction.
      client.release(failed);
    }
  }

  return {
    dialect: 'postgres',
    place,
    query: (text, values = []) => unlessClosed(async () => (await pool.query(text, [...values])).rows),
    transact: (work) => unlessClosed(() => commit(work)),
    // Vacuum reuses the space.
    forget: async () => undefined,
    close() {
      closed ??= Promise.allSettled(begun).then(() => pool.end());
      return closed;
    },
  };
}

async function repeatConflicts<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (!conflictCodes.includes(codeOf(error) ?? '') || tries === maxTries) throw error;
    }
  }
}

async function migrate(query: Query, steps: readonly string[]): Promise<void> {
  const [server] = await query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`);
  // Other encodings lack characters, so some leads would be refused.
  if (server?.encoding !== 'UTF8') {
    throw new Error(`its encoding is ${server?.encoding}; create a database with ENCODING 'UTF8' TEMPLATE template0`);
  }
  await query('SELECT pg_advisory_xact_lock($1)', [migrationLock]);
  await query('CREATE TABLE IF NOT EXISTS korob_version (version integer NOT NULL)');
  const [known] = await query<{ version: number }>('SELECT version FROM korob_version');
  if (known === undefined) await query('INSERT INTO korob_version VALUES (0)');
  for (const step of steps.slice(known?.version ?? 0)) await query(step);
  await query('UPDATE korob_version SET version = $1 WHERE version < $1', [steps.length]);
}

/** Omits PostgreSQL's messages about values, which quote the visitor. */
function postgresError(place: string, error: unknown): StoreError {
  return new StoreError(`The database ${place} cannot be used: ${reasonOf(error, codeOf(error) ?? '')}`);
}

function reasonOf(error: unknown, code: string): string {
  if (/^2[23]/.test(code)) return `it refuses a value (${code})`;
  // System codes such as ECONNREFUSED; PostgreSQL's own begin with a digit.
  if (/^E[A-Z]/.test(code)) return explainCode(code);
  const message = messageOf(error);
  return /timeout/i.test(message) ? 'it does not answer; see whether PostgreSQL and the network work' : message;
}
