import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/durations.ts';
import { sha256 } from '../../lib/hash.ts';
import { memoizedWeakly } from '../../lib/lazy.ts';
import type { Prose } from '../../model/prose.ts';
import type { WorkingHours } from '../../model/working-hours.ts';
import { addCanary, findCanary, isCanary, removeCanary } from './canaries.ts';
import { queueNotifications, withdraw } from './deliveries.ts';
import { destroyLeads } from './destruction.ts';
import {
  type Arrival,
  type Lead,
  type LeadRow,
  leadColumns,
  type NewLead,
  type Range,
  strippedDetails,
  toLead,
  wholeRange,
} from './lead.ts';
import { type EventName, type LeadEvent, type LeadState, leadEvents, reminderAfter } from './lead-events.ts';
import type { Query, Sql, Value } from './sql.ts';

/** `repeated`: the same form had stored it before. */
type AddedLead = Lead & { repeated?: true };

export type LeadFilter = {
  state?: LeadState | undefined;
  phone?: string | undefined;
  /** Of `Lead.since`. */
  since?: Range;
};

export type ListFilter = LeadFilter & {
  /** By default the newest lead comes first. `longest` and `latest` order by the start of the state. */
  order?: keyof typeof orders;
  /** The end of the page before, as it was then: that lead may have another state by now, or be erased. */
  after?: Position | undefined;
  /** By default all. */
  limit?: number;
};

/** Of a lead in any list. */
export type Position = Pick<Lead, 'since' | 'number'>;

export type NewEvent = Omit<LeadEvent, 'at' | 'eventName'> & { eventName: Exclude<EventName, 'resend'> };

/** What the meaning of an event depends on. */
export type Circumstances = {
  hours: WorkingHours;
  /** Notified of a lead that leaves quarantine. */
  channels: readonly string[];
  /** When the visitor wants to be called; by default now. */
  callAt?: Date | undefined;
};

/** Every method rejects with a `StoreError` while the database is unusable. */
export type Leads = ReturnType<typeof leadsIn>;

export function leadsIn(sql: Sql) {
  const { dialect, query, transact } = sql;
  return {
    /**
     * Resolves once the commit is on disk. A repeated submission returns the existing lead unless that is done.
     *
     * @returns of a canary, a lead with the number 0, which only `receipt` finds
     */
    add: (lead: NewLead, arrival: Arrival) => transact((query) => add(query, dialect, lead, arrival)),
    /** `undefined` if no text with this hash is stored. */
    consentText: (hash: string) => consentText(query, hash),
    receipt: async (token: string) => (await findOne(query, 'receipt', token)) ?? findCanary(query, token),
    /** @returns whether the store had it */
    removeCanary: (receipt: string) => removeCanary(query, receipt),
    find: (number: number) => findOne(query, 'number', number),
    list: (filter?: ListFilter) => list(query, filter),
    /** Oldest first, read in batches to save memory. */
    all: (range?: Range) => all(query, range),
    /**
     * Adds an event to the lead, and does what `leadEvents` says of it. Does nothing if the state does not allow that, or
     * if the form was sent before.
     *
     * @returns `undefined` if the lead is gone or reduced to its evidence of consent
     */
    act: (number: number, event: NewEvent, circumstances: Circumstances) =>
      transact((query) => act(query, number, event, circumstances)),
    count: (filter: LeadFilter) => count(query, filter),
    /**
     * Deletes all leads of a number at its owner's request, and records that.
     *
     * @param by a user of the operating system
     * @returns how many there were
     */
    erase: (phone: string, by: string) => erase(sql, phone, by),
    /** Since when the lead that waits longest does. */
    oldestUntaken: () => oldestUntaken(query),
    /** Finds out whether leads can be stored: rehearses that, and writes to the disk. */
    probe: () => transact((query) => probe(query, dialect)),
  };
}

async function add(query: Query, dialect: Sql['dialect'], lead: NewLead, arrival: Arrival): Promise<AddedLead> {
  if (isCanary(lead)) {
    await rehearse(query, dialect);
    return addCanary(query, lead, newReceipt());
  }
  const key = keyOf(lead);
  await endRepeats(query, key);
  async function findRepeated(): Promise<AddedLead | undefined> {
    const repeated = await findOne(query, 'key', key);
    return repeated && { ...repeated, repeated: true };
  }
  // Look first, because a conflicting insert uses up a number in SQLite; look again, because another PostgreSQL client
  // may have added it meanwhile.
  const added = (await findRepeated()) ?? (await insert(query, key, lead, arrival)) ?? (await findRepeated());
  if (added === undefined) throw new Error('the lead was added and erased at once');
  return added;
}

function newReceipt(): string {
  return randomBytes(16).toString('base64url');
}

/** Prices, signals and the consent may change between submissions. */
function keyOf({ calculation, signals, consent, ...sent }: NewLead): string {
  return sha256(JSON.stringify(sent));
}

/** After that, the same form is a new lead. */
const maxRepeatMs = dayMs;

/**
 * Browsers keep a sent form for weeks. Sent again, it is the same lead while staff are reminded of the lead, and for a day
 * while they have it. Otherwise they would not learn of the form, and its visitor would read what became of the earlier one.
 */
async function endRepeats(query: Query, key: string): Promise<void> {
  await query(
    `UPDATE lead SET key = receipt WHERE key = $1 AND (state = 'done' OR (state <> 'waiting' AND received_at < $2))`,
    [key, new Date(Date.now() - maxRepeatMs).toISOString()],
  );
}

async function insert(
  query: Query,
  hash: string,
  lead: NewLead,
  arrival: Arrival,
  own: { number?: number } = {},
): Promise<Lead | undefined> {
  const { key, preset, phone, page, consent, ...details } = lead;
  const now = new Date().toISOString();
  const values = {
    ...own,
    receipt: newReceipt(),
    key: hash,
    state: arrival.quarantined ? 'quarantined' : 'waiting',
    received_at: now,
    since: now,
    preset,
    phone,
    page,
    consent,
    details: JSON.stringify(details),
    remind_at: arrival.quarantined ? null : arrival.remindAt,
  };
  const columns = Object.keys(values);
  const [row] = await query<LeadRow>(
    `INSERT INTO lead (${columns}) VALUES (${columns.map((_, index) => `$${index + 1}`)})
     ON CONFLICT DO NOTHING RETURNING ${leadColumns}`,
    Object.values(values),
  );
  if (row && arrival.consentText !== undefined) await addConsentText(query, consent, arrival.consentText);
  if (row && !arrival.quarantined)
    await queueNotifications(query, [row.number], arrival.channels, 'new', arrival.notifyAt);
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

export type ConsentDocument = { body: Pick<Prose, 'lines'> };

/** The current consent text and its hash, which every lead stores. */
export const consentOf = memoizedWeakly(({ body }: ConsentDocument) => {
  const text = body.lines.join('\n');
  return { hash: sha256(text), text };
});

async function findOne(query: Query, column: 'number' | 'receipt' | 'key', value: Value): Promise<Lead | undefined> {
  const [row] = await query<LeadRow>(`SELECT ${leadColumns} FROM lead WHERE ${column} = $1`, [value]);
  return row && toLead(row);
}

const orders = {
  newest: { columns: ['number'], direction: 'DESC', beyond: '<' },
  longest: { columns: ['since', 'number'], direction: 'ASC', beyond: '>' },
  latest: { columns: ['since', 'number'], direction: 'DESC', beyond: '<' },
} as const;

async function list(query: Query, { order = 'newest', after, limit, ...filter }: ListFilter = {}): Promise<Lead[]> {
  const { columns, direction, beyond } = orders[order];
  const { where, values } = whereOf(filter, [`(${columns}) ${beyond}`, ...columns.map((column) => after?.[column])]);
  const rows = await query<LeadRow>(
    `SELECT ${leadColumns} FROM lead WHERE ${where} ORDER BY ${columns.map((column) => `${column} ${direction}`)}
     ${limit === undefined ? '' : `LIMIT ${limit}`}`,
    values,
  );
  return rows.map(toLead);
}

/** Left out without a value. */
type Comparison = readonly [left: string, ...right: (Value | undefined)[]];

function whereOf({ state, phone, since }: LeadFilter, ...others: Comparison[]): { where: string; values: Value[] } {
  const own: Comparison[] = [
    ['state =', state],
    ['phone =', phone],
    ['since >=', since?.since],
    ['since <', since?.until],
  ];
  const values: Value[] = [];
  const conditions = [...own, ...others].flatMap(([left, ...right]) => {
    const places = right.flatMap((value) => (value === undefined ? [] : `$${values.push(value)}`));
    return places.length > 0 ? `${left} (${places})` : [];
  });
  return { where: conditions.join(' AND ') || 'true', values };
}

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

/** `changed`: this event did it, not an earlier one. */
type Acted = { lead: Lead; changed: boolean };

async function act(
  query: Query,
  number: number,
  event: NewEvent,
  { hours, channels, callAt }: Circumstances,
): Promise<Acted | undefined> {
  // A no-op update that locks the row.
  const [row] = await query<LeadRow>(
    `UPDATE lead SET number = number WHERE number = $1 AND stripped_at IS NULL RETURNING ${leadColumns}`,
    [number],
  );
  if (row === undefined) return undefined;
  const lead = toLead(row);
  const { eventName } = event;
  const { from, to, notifies, remindsOnlyIf = lead.state, callsAgain, text } = leadEvents[eventName];
  // All buttons of a page send the same key, and so does a note that was corrected after Back.
  const isRepeated = lead.events.some(
    (one) => one.key === event.key && one.eventName === eventName && (text !== 'note' || one.text === event.text),
  );
  if (isRepeated || !from.includes(lead.state)) return { lead, changed: false };
  const now = new Date();
  const at = now.toISOString();
  const remindAt = reminderAfter(eventName, hours, callAt ?? now);
  const recorded = { ...event, at, ...(text === 'call' && { text: remindAt }) };
  if (notifies) await queueNotifications(query, [number], channels, 'new');
  const reminder = lead.state === remindsOnlyIf && { remind_at: remindAt };
  if (reminder) await withdraw(query, number);
  const changed = await update(query, number, {
    events: JSON.stringify([...lead.events, recorded]),
    ...reminder,
    ...(to && { state: to, since: callsAgain ? remindAt : at, reminders: 0 }),
  });
  return { lead: changed, changed: true };
}

async function update(query: Query, number: number, values: Readonly<Record<string, Value>>): Promise<Lead> {
  const set = Object.keys(values).map((column, index) => `${column} = $${index + 2}`);
  const [row] = await query<LeadRow>(`UPDATE lead SET ${set} WHERE number = $1 RETURNING ${leadColumns}`, [
    number,
    ...Object.values(values),
  ]);
  if (row === undefined) throw new Error('a locked lead is gone');
  return toLead(row);
}

async function count(query: Query, filter: LeadFilter): Promise<number> {
  const { where, values } = whereOf(filter);
  const [found] = await query<{ n: number }>(`SELECT count(*) AS n FROM lead WHERE ${where}`, values);
  return found?.n ?? 0;
}

async function erase({ transact, forget }: Sql, phone: string, by: string): Promise<number> {
  const erased = await transact((query) => destroyLeads(query, 'phone = $1', [phone], { by, reason: 'withdrawal' }));
  // Even if there was none: an earlier attempt may have failed before this.
  await forget();
  return erased;
}

async function oldestUntaken(query: Query): Promise<string | undefined> {
  const [oldest] = await query<{ at: string | null }>(`SELECT min(since) AS at FROM lead WHERE state = 'waiting'`);
  return oldest?.at ?? undefined;
}

const rehearsed: NewLead = {
  ...strippedDetails,
  ...{ key: '', preset: 'request', phone: '+70000000000', page: '/', consent: '' },
};

/** Stores a lead with a delivery, and undoes that before the commit. */
async function rehearse(query: Query, dialect: Sql['dialect']): Promise<void> {
  const now = new Date().toISOString();
  const arrival = { quarantined: false, channels: ['rehearsal'], notifyAt: now, remindAt: now };
  await query('SAVEPOINT rehearsal');
  // PostgreSQL would use up a number.
  await insert(query, newReceipt(), rehearsed, arrival, dialect === 'postgres' ? { number: 0 } : {});
  await query('ROLLBACK TO SAVEPOINT rehearsal');
}

/** At least the size of the largest lead. */
const probeSizeBytes = 48 * 1024;

async function probe(query: Query, dialect: Sql['dialect']): Promise<void> {
  await rehearse(query, dialect);
  // Only a commit meets a full disk; a rolled-back transaction stays in memory.
  await query(
    `INSERT INTO heartbeat (id, at, ballast) VALUES (1, $1, $2)
     ON CONFLICT (id) DO UPDATE SET at = excluded.at, ballast = excluded.ballast`,
    [new Date().toISOString(), randomBytes(probeSizeBytes)],
  );
}
