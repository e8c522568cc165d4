import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/durations.ts';
import { sha256 } from '../../lib/hash.ts';
import { memoizedWeakly } from '../../lib/lazy.ts';
import type { Prose } from '../../model/prose.ts';
import { addCanary, findCanary, isCanary, removeCanary } from './canaries.ts';
import { queueNotifications, withdraw } from './deliveries.ts';
import { destroyLeads } from './destruction.ts';
import {
  allows,
  type Lead,
  type LeadEvent,
  type LeadRow,
  type LeadState,
  leadColumns,
  type NewLead,
  type Plan,
  type Range,
  strippedDetails,
  type Transition,
  toLead,
  transitions,
  wholeRange,
} from './lead.ts';
import type { Query, Sql, Value } from './sql.ts';

/** `repeated`: the same form had stored it before. */
type AddedLead = Lead & { repeated?: true };

/** Every method rejects with a `StoreError` while the database is unusable. */
export type Leads = {
  /**
   * Resolves once the commit is on disk. A repeated submission returns the existing lead unless that is done.
   *
   * @returns of a canary, a lead with the number 0, which only `receipt` finds
   */
  add(lead: NewLead, plan: Plan): Promise<AddedLead>;
  /** `undefined` if no text with this hash is stored. */
  consentText(hash: string): Promise<string | undefined>;
  receipt(token: string): Promise<Lead | undefined>;
  /** @returns whether the store had it */
  removeCanary(receipt: string): Promise<boolean>;
  find(number: number): Promise<Lead | undefined>;
  list(filter?: ListFilter): Promise<Lead[]>;
  /** Oldest first, read in batches to save memory. */
  all(range?: Range): AsyncIterable<Lead>;
  /**
   * Adds an event to the lead and changes its state. Does nothing if the state does not allow that, or if the form was
   * sent before.
   *
   * @returns `undefined` if the lead is gone or reduced to its evidence of consent
   */
  act(number: number, event: NewEvent, schedule: Schedule): Promise<Acted | undefined>;
  count(filter: LeadFilter): Promise<number>;
  /**
   * Deletes all leads of a number at its owner's request, and records that.
   *
   * @param by a user of the operating system
   * @returns how many there were
   */
  erase(phone: string, by: string): Promise<number>;
  /** Since when the lead that waits longest does. */
  oldestUntaken(): Promise<string | undefined>;
  /** Finds out whether leads can be stored: rehearses that, and writes to the disk. */
  probe(): Promise<void>;
};

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

export type NewEvent = Omit<LeadEvent, 'at' | 'kind'> & { kind: Transition | 'note' };

/** What an event leads to. */
export type Schedule = {
  /** When the call is due if the lead waits. */
  dueAt: string;
  /** When staff are reminded of the lead; `null` if it is done. After a note, this applies to a taken lead only. */
  remindAt: string | null;
  /** Notified of a lead that leaves quarantine. */
  channels?: readonly string[];
};

/** `changed`: this event did it, not an earlier one. */
type Acted = { lead: Lead; changed: boolean };

export function leadsIn(sql: Sql): Leads {
  const { dialect, query, transact } = sql;
  return {
    add: (lead, plan) => transact((query) => add(query, dialect, lead, plan)),
    consentText: (hash) => consentText(query, hash),
    receipt: async (token) => (await findOne(query, 'receipt', token)) ?? findCanary(query, token),
    removeCanary: (receipt) => removeCanary(query, receipt),
    find: (number) => findOne(query, 'number', number),
    list: (filter) => list(query, filter),
    all: (range) => all(query, range),
    act: (number, event, schedule) => transact((query) => act(query, number, event, schedule)),
    count: (filter) => count(query, filter),
    erase: (phone, by) => erase(sql, phone, by),
    oldestUntaken: () => oldestUntaken(query),
    probe: () => transact((query) => probe(query, dialect)),
  };
}

async function add(query: Query, dialect: Sql['dialect'], lead: NewLead, plan: Plan): Promise<AddedLead> {
  if (isCanary(lead)) {
    await rehearse(query, dialect);
    return addCanary(query, lead, newReceipt());
  }
  const key = keyOf(lead);
  await endRepeats(query, key);
  async function known(): Promise<AddedLead | undefined> {
    const found = await findOne(query, 'key', key);
    return found && { ...found, repeated: true };
  }
  // Look first, because a conflicting insert uses up a number in SQLite; look again, because another PostgreSQL client
  // may have added it meanwhile.
  const added = (await known()) ?? (await insert(query, key, lead, plan)) ?? (await known());
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
  plan: Plan,
  own: { number?: number } = {},
): Promise<Lead | undefined> {
  const { key, preset, phone, page, consent, ...details } = lead;
  const now = new Date().toISOString();
  const values = {
    ...own,
    receipt: newReceipt(),
    key: hash,
    state: plan.quarantined ? 'quarantined' : 'waiting',
    received_at: now,
    since: now,
    preset,
    phone,
    page,
    consent,
    details: JSON.stringify(details),
    remind_at: plan.quarantined ? null : plan.remindAt,
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

async function act(query: Query, number: number, event: NewEvent, schedule: Schedule): Promise<Acted | undefined> {
  const { kind, key, text } = event;
  // A no-op update that locks the row.
  const [row] = await query<LeadRow>(
    `UPDATE lead SET number = number WHERE number = $1 AND stripped_at IS NULL RETURNING ${leadColumns}`,
    [number],
  );
  if (row === undefined) return undefined;
  const lead = toLead(row);
  // All buttons of a page send the same key, and so does a note that was corrected after Back.
  const isRepeated = lead.events.some(
    (one) => one.key === key && one.kind === kind && (kind !== 'note' || one.text === text),
  );
  if (isRepeated || (kind !== 'note' && !allows(kind, lead.state))) return { lead, changed: false };
  const at = new Date().toISOString();
  const recorded = { ...event, at, text: kind === 'missed' ? schedule.dueAt : text };
  const events = JSON.stringify([...lead.events, recorded]);
  const after =
    kind === 'note'
      ? await addNote(query, lead, events, schedule)
      : await changeState(query, number, { state: transitions[kind].to, at, events }, schedule);
  return { lead: after, changed: true };
}

async function addNote(query: Query, lead: Lead, events: string, { remindAt }: Schedule): Promise<Lead> {
  // A note shows work in progress, so the reminder can wait.
  const taken = lead.state === 'taken';
  if (taken) await withdraw(query, lead.number);
  return update(query, lead.number, { events, ...(taken && { remind_at: remindAt }) });
}

type Change = { state: LeadState; at: string; events: string };

async function changeState(query: Query, number: number, change: Change, schedule: Schedule): Promise<Lead> {
  const { state, at, events } = change;
  const { dueAt, remindAt, channels = [] } = schedule;
  await withdraw(query, number);
  await queueNotifications(query, [number], channels, 'new');
  const since = state === 'waiting' ? dueAt : at;
  return update(query, number, { state, since, events, remind_at: remindAt, reminders: 0 });
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
  const plan = { quarantined: false, channels: ['rehearsal'], notifyAt: now, remindAt: now };
  await query('SAVEPOINT rehearsal');
  // PostgreSQL would use up a number.
  await insert(query, newReceipt(), rehearsed, plan, dialect === 'postgres' ? { number: 0 } : {});
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
