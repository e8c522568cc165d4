import { randomBytes } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';
import { memoizedWeakly } from '../../lib/lazy.ts';
import type { Query, Sql, Value } from '../../lib/sql.ts';
import type { LegalDocument } from '../../model/content.ts';
import { queueNotifications, withdraw } from './deliveries.ts';
import { recordDestruction } from './destruction.ts';
import {
  type Lead,
  type LeadRow,
  type LeadState,
  leadColumns,
  type NewLead,
  type Note,
  type Plan,
  type Range,
  toLead,
} from './lead.ts';

/** Every method rejects with a `StoreError` while the database is unusable. */
export type Leads = {
  /** Resolves once the commit is on disk. A repeated submission returns the existing lead. */
  add(lead: NewLead, plan: Plan): Promise<Lead>;
  /** `undefined` if no text with this hash is stored. */
  consentText(hash: string): Promise<string | undefined>;
  receipt(token: string): Promise<Lead | undefined>;
  find(number: number): Promise<Lead | undefined>;
  /** Newest first; with `takenSince`, most recently taken first; with `after`, oldest first. */
  list(filter: ListFilter): Promise<Lead[]>;
  /** Oldest first, read in batches to save memory. */
  all(range?: Range): AsyncIterable<Lead>;
  /** Only the first call takes the lead; `undefined` if it does not exist. */
  take(number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined>;
  /** Ignores a repeated key; false if the lead is gone or reduced to its evidence of consent. */
  note(number: number, note: Omit<Note, 'at'>): Promise<boolean>;
  count(filter: { phone: string } | { state: LeadState }): Promise<number>;
  /**
   * Deletes all leads of a number at its owner's request, and records that.
   *
   * @param by a user of the operating system
   * @returns how many there were
   */
  erase(phone: string, by: string): Promise<number>;
  /** When the longest waiting lead arrived or was released from quarantine. */
  oldestUntaken(): Promise<string | undefined>;
  /** Writes to the disk to find out whether leads can be stored. */
  probe(): Promise<void>;
};

/** `before`, `after`: lead numbers; `takenSince`: an instant. */
type ListFilter = {
  phone?: string | undefined;
  state?: LeadState | undefined;
  before?: number | undefined;
  after?: number | undefined;
  takenSince?: string | undefined;
  limit: number;
};

export function leadsIn(sql: Sql): Leads {
  const { query, transact } = sql;
  return {
    add: (lead, plan) => transact((query) => add(query, lead, plan)),
    consentText: (hash) => consentText(query, hash),
    receipt: (token) => findOne(query, 'receipt', token),
    find: (number) => findOne(query, 'number', number),
    list: (filter) => list(query, filter),
    all: (range) => all(query, range),
    take: (number, by) => transact((query) => take(query, number, by)),
    note: (number, note) => transact((query) => addNote(query, number, note)),
    count: (filter) => count(query, filter),
    erase: (phone, by) => erase(sql, phone, by),
    oldestUntaken: () => oldestUntaken(query),
    probe: () => probe(query),
  };
}

async function add(query: Query, lead: NewLead, plan: Plan): Promise<Lead> {
  const key = keyOf(lead);
  const known = () => findOne(query, 'key', key);
  // Look first, because a conflicting insert uses up a number in SQLite; look again, because another PostgreSQL client
  // may have added it meanwhile.
  const added = (await known()) ?? (await insert(query, key, lead, plan)) ?? (await known());
  if (added === undefined) throw new Error('the lead was added and erased at once');
  return added;
}

/** Prices, signals and the consent may change between submissions. */
function keyOf({ calculation, signals, consent, ...sent }: NewLead): string {
  return sha256(JSON.stringify(sent));
}

async function insert(query: Query, hash: string, lead: NewLead, plan: Plan): Promise<Lead | undefined> {
  const { key, preset, phone, page, consent, ...details } = lead;
  const values = {
    receipt: randomBytes(16).toString('base64url'),
    key: hash,
    state: plan.quarantined ? 'quarantined' : 'new',
    received_at: new Date().toISOString(),
    preset,
    phone,
    page,
    consent,
    details: JSON.stringify(details),
    escalate_at: plan.quarantined ? null : plan.escalateAt,
  };
  const columns = Object.keys(values);
  const [row] = await query<LeadRow>(
    `INSERT INTO lead (${columns}) VALUES (${columns.map((_, index) => `$${index + 1}`)})
     ON CONFLICT DO NOTHING RETURNING ${leadColumns}`,
    Object.values(values),
  );
  if (row && plan.consentText !== undefined) await addConsentText(query, consent, plan.consentText);
  if (row && !plan.quarantined) await queueNotifications(query, [row.number], plan.channels, 'new', plan.notifyAt);
  return row && toLead(row);
}

async function consentText(query: Query, hash: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{64}$/.test(hash)) return undefined;
  const [stored] = await query<{ text: string }>('SELECT text FROM consent_text WHERE hash = $1', [hash]);
  return stored?.text;
}

export async function addConsentText(query: Query, hash: string, text: string): Promise<void> {
  await query('INSERT INTO consent_text (hash, text) VALUES ($1, $2) ON CONFLICT DO NOTHING', [hash, text]);
}

export type ConsentDocument = { body: Pick<LegalDocument['body'], 'html'> };

/** The current consent text and its hash, which every lead stores. */
export const consentOf = memoizedWeakly(({ body: { html: text } }: ConsentDocument) => ({ hash: sha256(text), text }));

async function findOne(query: Query, column: 'number' | 'receipt' | 'key', value: Value): Promise<Lead | undefined> {
  const [row] = await query<LeadRow>(`SELECT ${leadColumns} FROM lead WHERE ${column} = $1`, [value]);
  return row && toLead(row);
}

async function list(query: Query, { limit, ...filter }: ListFilter): Promise<Lead[]> {
  const { where, values } = conditions(filter);
  const by = filter.takenSince === undefined ? 'number' : 'taken_at';
  const direction = filter.after === undefined ? 'DESC' : 'ASC';
  const rows = await query<LeadRow>(
    `SELECT ${leadColumns} FROM lead WHERE ${where} ORDER BY ${by} ${direction} LIMIT ${limit}`,
    values,
  );
  return rows.map(toLead);
}

const comparisons: Readonly<Record<string, string>> = {
  state: 'state =',
  phone: 'phone =',
  before: 'number <',
  after: 'number >',
  takenSince: 'taken_at >=',
};

function conditions(filter: Readonly<Record<string, Value | undefined>>): { where: string; values: Value[] } {
  const given = Object.entries(filter).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  const wanted = given.map(({ name }, index) => `${comparisons[name]} $${index + 1}`);
  return { where: wanted.join(' AND ') || 'true', values: given.map(({ value }) => value) };
}

/** Bounds that both databases accept. */
const wholeRange = { since: '0001-01-01T00:00:00.000Z', until: '9999-12-31T00:00:00.000Z' };
const batchSize = 200;

async function* all(
  query: Query,
  { since = wholeRange.since, until = wholeRange.until }: Range = {},
): AsyncGenerator<Lead> {
  let after = { since, number: 0 };
  for (;;) {
    const rows = await query<LeadRow>(
      `SELECT ${leadColumns} FROM lead WHERE (received_at, number) > ($1, $2) AND received_at < $3
       ORDER BY received_at, number LIMIT ${batchSize}`,
      [after.since, after.number, until],
    );
    yield* rows.map(toLead);
    const last = rows.at(-1);
    if (last === undefined || rows.length < batchSize) return;
    after = { since: last.receivedAt, number: last.number };
  }
}

async function take(query: Query, number: number, by: string): Promise<{ lead: Lead; first: boolean } | undefined> {
  const [taken] = await query<LeadRow>(
    `UPDATE lead SET state = 'taken', taken_at = $1, taken_by = $2, escalate_at = NULL
     WHERE number = $3 AND state <> 'taken' RETURNING ${leadColumns}`,
    [new Date().toISOString(), by, number],
  );
  if (taken) {
    await withdraw(query, number);
    return { lead: toLead(taken), first: true };
  }
  const lead = await findOne(query, 'number', number);
  return lead && { lead, first: false };
}

async function addNote(query: Query, number: number, { key, by, text }: Omit<Note, 'at'>): Promise<boolean> {
  // A no-op update that locks the row.
  const [row] = await query<LeadRow>(
    `UPDATE lead SET number = number WHERE number = $1 AND stripped_at IS NULL RETURNING ${leadColumns}`,
    [number],
  );
  if (row === undefined) return false;
  const { notes } = toLead(row);
  if (notes.some((one) => one.key === key)) return true;
  const note: Note = { key, at: new Date().toISOString(), by, text };
  await query('UPDATE lead SET notes = $1 WHERE number = $2', [JSON.stringify([...notes, note]), number]);
  return true;
}

async function count(query: Query, filter: Readonly<Record<string, Value>>): Promise<number> {
  const { where, values } = conditions(filter);
  const [found] = await query<{ n: number }>(`SELECT count(*) AS n FROM lead WHERE ${where}`, values);
  return found?.n ?? 0;
}

async function erase({ transact, forget }: Sql, phone: string, by: string): Promise<number> {
  const erased = await transact(async (query) => {
    const rows = await query<LeadRow>(`DELETE FROM lead WHERE phone = $1 RETURNING ${leadColumns}`, [phone]);
    await recordDestruction(query, { by, reason: 'withdrawal', leads: rows.map(toLead), destroyed: 'all' });
    return rows;
  });
  // Even if there was none: an earlier attempt may have failed before this.
  await forget();
  return erased.length;
}

async function oldestUntaken(query: Query): Promise<string | undefined> {
  const [oldest] = await query<{ at: string | null }>(
    `SELECT min(coalesce(released_at, received_at)) AS at FROM lead WHERE state = 'new'`,
  );
  return oldest?.at ?? undefined;
}

/** At least the size of the largest lead. */
const probeSizeBytes = 48 * 1024;

async function probe(query: Query): Promise<void> {
  // Only a commit meets a full disk; a rolled-back transaction stays in memory.
  await query(
    `INSERT INTO heartbeat (id, at, ballast) VALUES (1, $1, $2)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, ballast = excluded.ballast`,
    [new Date().toISOString(), randomBytes(probeSizeBytes)],
  );
}
