import { randomBytes } from 'node:crypto';
import { type Row, type Sql, step, type Values, type Work } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { tellOf } from './deliveries.ts';
import type { Lead, LeadState, NewLead, Note, Plan, Range, Receipt } from './lead.ts';
import { newColumns, newRow, storable, toLead, toReceipt } from './lead-columns.ts';

/** Where leads are kept. Every method rejects with a `StoreError` while the database cannot be used. */
export type Leads = {
  /**
   * Resolves only after the commit is on disk. The same `key` with the same words
   * resolves to the receipt of the first; with other words it is a lead of its own.
   */
  add(lead: NewLead, plan: Plan): Promise<Receipt>;
  receipt(token: string): Promise<Receipt | undefined>;
  find(number: number): Promise<Lead | undefined>;
  /** Newest first; with `takenSince`, those taken last come first. */
  list(filter: ListFilter): Promise<Lead[]>;
  /** Oldest first, read in portions, so that an export of any size needs little memory. */
  all(range?: Range): AsyncIterable<Lead>;
  /** From how many other phones the same message came since an instant; 50 at most. */
  recent(words: Pick<NewLead, 'phone' | 'message'>, since: string): Promise<{ sameMessage: number }>;
  /** The first who takes a lead has it. `undefined`: there is no such lead. */
  take(number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined>;
  /** Adds a note, unless one with its key is there; false if there is no such lead, or only its evidence of consent. */
  note(number: number, note: Omit<Note, 'at'>): Promise<boolean>;
  /** Counts no further than to `atMost`. */
  count(filter: { phone: string } | { state: LeadState }, atMost?: number): Promise<number>;
  /** Removes every lead of a phone number for good. @returns how many there were */
  erase(phone: string): Promise<number>;
  stats(): Promise<LeadStats>;
  /** Resolves if a lead could be stored now, which it finds out by storing something. */
  probe(): Promise<void>;
  /** Finishes adding what was given before, and refuses what comes later. */
  close(): Promise<void>;
};

/** `before`: numbers below it; `takenSince`: an instant. */
type ListFilter = { state?: LeadState; before?: number; takenSince?: string; limit: number };

export type LeadStats = {
  counts: Readonly<Record<LeadState, number>>;
  /** When the oldest lead came that is not taken. */
  oldestUntaken: string | null;
};

export function leadsIn(sql: Sql): Leads {
  return {
    ...adding(sql),
    receipt: (token) => receipt(sql, token),
    find: (number) => find(sql, number),
    list: (filter) => list(sql, filter),
    all: (range) => all(sql, range),
    recent: (words, since) => recent(sql, words, since),
    take: (number, by) => take(sql, number, by),
    note: (number, note) => addNote(sql, number, note),
    count: (filter, atMost) => count(sql, filter, atMost),
    erase: (phone) => erase(sql, phone),
    stats: () => stats(sql),
    probe: () => probe(sql),
  };
}

/** A lead whose sender still waits for the answer. */
type Waiting = { lead: NewLead; plan: Plan; resolve: (receipt: Receipt) => void; reject: (reason: unknown) => void };

/** Leads that arrive in one turn of the event loop, or while others are written, share one wait for the disk. */
function adding({ transact }: Sql): Pick<Leads, 'add' | 'close'> {
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
  let closed = false;

  async function commitWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      // A lead that cannot be stored must not take its batch with it.
      if (!(await keepTogether(batch))) for (const one of batch) await keepTogether([one]);
    }
    committing = undefined;
  }

  /** @returns false if those of several leads are to be tried alone */
  async function keepTogether(batch: readonly Waiting[]): Promise<boolean> {
    try {
      const rows = await transact(() => keepEach(batch));
      batch.forEach(({ resolve }, index) => void resolve(toReceipt(rows[index] ?? {})));
      return true;
    } catch (error) {
      if (batch.length > 1 && error instanceof StoreError && error.alone) return false;
      for (const { reject } of batch) reject(error);
      return true;
    }
  }

  return {
    add(lead, plan) {
      if (closed) return Promise.reject(new StoreError('The lead was not kept: the store is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ lead, plan, resolve, reject });
        committing ??= new Promise(setImmediate).then(commitWaiting);
      });
    },
    async close() {
      closed = true;
      await committing;
    },
  };
}

function* keepEach(batch: readonly Waiting[]): Work<Row[]> {
  const rows: Row[] = [];
  for (const { lead, plan } of batch) rows.push(yield* keepOne(lead, plan));
  return rows;
}

const insertion = `INSERT INTO lead (${newColumns}) VALUES (${newColumns.map((name) => `:${name}`)})
  ON CONFLICT DO NOTHING RETURNING *`;

function* keepOne(lead: NewLead, plan: Plan): Work<Row> {
  const values = newRow(lead, plan);
  const { key = '', digest = '' } = values;
  const same = () => step('SELECT * FROM lead WHERE key = :key AND digest = :digest', { key, digest });
  // Asked first, because SQLite uses up a number for an insertion that ends in a conflict.
  const [known] = yield* same();
  if (known) return known;
  const [added] = yield* step(insertion, values);
  if (added) {
    if (!plan.quarantined) yield* tellOf([Number(added.number)], plan.channels, 'new');
    return added;
  }
  // In PostgreSQL, another process may have added it meanwhile.
  const [row = {}] = yield* same();
  return row;
}

async function receipt({ ask }: Sql, token: string): Promise<Receipt | undefined> {
  const [row] = await ask('SELECT * FROM lead WHERE receipt = :token', { token });
  return row && toReceipt(row);
}

async function find({ ask }: Sql, number: number): Promise<Lead | undefined> {
  const [row] = await ask('SELECT * FROM lead WHERE number = :number', { number });
  return row && toLead(row);
}

async function list({ ask }: Sql, { limit, ...filter }: ListFilter): Promise<Lead[]> {
  const by = filter.takenSince === undefined ? 'number' : 'taken_at';
  const text = `SELECT * FROM lead ${where(filter)} ORDER BY ${by} DESC LIMIT :limit`;
  return (await ask(text, { ...filter, limit })).map(toLead);
}

/** Long before and after all leads, as both databases know instants. */
const ever = { since: '0001-01-01T00:00:00.000Z', until: '9999-12-31T00:00:00.000Z' };
const portion = 200;

async function* all({ ask }: Sql, { since = ever.since, until = ever.until }: Range = {}): AsyncGenerator<Lead> {
  let after = { since, number: 0 };
  for (;;) {
    const rows = await ask(
      `SELECT * FROM lead WHERE (received_at, number) > (:since, :number) AND received_at < :until
       ORDER BY received_at, number LIMIT :portion`,
      { ...after, until, portion },
    );
    const leads = rows.map(toLead);
    yield* leads;
    const last = leads.at(-1);
    if (last === undefined || leads.length < portion) return;
    after = { since: last.receivedAt, number: last.number };
  }
}

async function recent({ ask }: Sql, { phone, message }: Pick<NewLead, 'phone' | 'message'>, since: string) {
  // Bounded, however many leads begin with the same words: every visitor waits for it.
  const [row] = await ask<{ n: number }>(
    `SELECT count(*) AS n FROM (
       SELECT DISTINCT phone FROM (
         SELECT phone, message FROM lead
         WHERE substr(message, 1, 40) = substr(:message, 1, 40) AND message IS NOT NULL AND received_at >= :since
         ORDER BY received_at DESC LIMIT 200) AS begun
       WHERE message = :message AND phone <> :phone LIMIT 50) AS same`,
    { phone, message, since },
  );
  return { sameMessage: row?.n ?? 0 };
}

async function take(sql: Sql, number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined> {
  const [taken] = await sql.run(
    `UPDATE lead SET state = 'taken', taken_at = :now, taken_by = :by, escalate_at = NULL
     WHERE number = :number AND state <> 'taken' RETURNING *`,
    { now: new Date().toISOString(), by, number },
  );
  if (taken) return { lead: toLead(taken), first: true };
  const lead = await find(sql, number);
  return lead && { lead, first: false };
}

function addNote({ transact }: Sql, number: number, { key, by, text }: Omit<Note, 'at'>): Promise<boolean> {
  return transact(function* () {
    // Changes nothing, and keeps others from changing it meanwhile.
    const [row] = yield* step(
      'UPDATE lead SET number = number WHERE number = :number AND stripped_at IS NULL RETURNING *',
      { number },
    );
    if (row === undefined) return false;
    const { notes } = toLead(row);
    if (notes.some((one) => one.key === key)) return true;
    const note: Note = { key, at: new Date().toISOString(), by, text };
    yield* step('UPDATE lead SET notes = :notes WHERE number = :number', {
      ...{ notes: JSON.stringify(storable([...notes, note])), number },
    });
    return true;
  });
}

async function count({ ask }: Sql, filter: Values, atMost = Number.MAX_SAFE_INTEGER): Promise<number> {
  const text = `SELECT count(*) AS n FROM (SELECT 1 FROM lead ${where(filter)} LIMIT :atMost) AS found`;
  const [row] = await ask<{ n: number }>(text, { ...filter, atMost });
  return row?.n ?? 0;
}

const filters: Readonly<Record<string, string>> = {
  state: 'state = :state',
  phone: 'phone = :phone',
  before: 'number < :before',
  takenSince: 'taken_at >= :takenSince',
};

function where(filter: object): string {
  const wanted = Object.keys(filter).map((name) => filters[name]);
  return wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '';
}

async function erase({ run, forget }: Sql, phone: string): Promise<number> {
  const erased = await run('DELETE FROM lead WHERE phone = :phone RETURNING number', { phone });
  // Also if there was none: an earlier attempt may have come no further than this.
  await forget();
  return erased.length;
}

async function stats({ ask }: Sql): Promise<LeadStats> {
  const states = await ask<{ state: LeadState; n: number }>('SELECT state, count(*) AS n FROM lead GROUP BY state');
  const [oldest] = await ask<{ at: string | null }>(`SELECT min(received_at) AS at FROM lead WHERE state = 'new'`);
  const of = (wanted: LeadState) => states.find(({ state }) => state === wanted)?.n ?? 0;
  return {
    counts: { new: of('new'), taken: of('taken'), quarantined: of('quarantined') },
    oldestUntaken: oldest?.at ?? null,
  };
}

/** Bytes that a check writes: no less than the largest lead that the form lets through. */
const ballast = 48 * 1024;

async function probe({ run }: Sql): Promise<void> {
  // A transaction that is rolled back stays in memory and succeeds on a full disk; only a commit meets the disk.
  await run(
    `INSERT INTO heartbeat (id, at, ballast) VALUES (1, :at, :ballast)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, ballast = excluded.ballast`,
    { at: new Date().toISOString(), ballast: randomBytes(ballast) },
  );
}
