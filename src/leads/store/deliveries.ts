import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/calendar.ts';
import { type Row, type Sql, step, type Values, type Work } from '../../lib/sql.ts';
import type { Lead, Plan } from './lead.ts';
import { toLead } from './lead-columns.ts';
import { dropLink, keepLink } from './links.ts';

/** What an operator is shown of one delivery. */
export type DeliveryRecord = {
  id: string;
  channel: string;
  reason: 'new' | 'untaken' | 'digest';
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  /** When it is tried next, or when it came to its end. */
  at: string;
  /** Why the last attempt failed. */
  error: string | null;
};

/** A message on its way, claimed by this process. */
export type Delivery = Pick<DeliveryRecord, 'id' | 'channel' | 'reason'> & {
  lead: Lead;
  /** Of a link to the lead, made for this attempt and kept nowhere. */
  token: string;
  /** Counts this attempt, too. */
  attempts: number;
};

/**
 * How an attempt ended. Without `retryAt`, a delivery that failed is not tried again. `unused`: the token of an attempt
 * that does not count, because the other side took no messages at all; its link goes, or a channel that is busy for
 * days would leave one every few seconds.
 */
export type Outcome = { id: string; at: string } & (
  | { delivered: true }
  | { error: string; retryAt: string | null; unused?: string }
);

/** A lead that was not taken in time; `step` counts the channels that were told of that so far. */
export type Untaken = { lead: Lead; step: number };

/** Who is told of leads. Several processes may share them. Every method rejects with a `StoreError`, as of leads. */
export type Deliveries = {
  /** Of one lead, the oldest first. */
  of(lead: number): Promise<DeliveryRecord[]>;
  /** How many wait or were given up. */
  open(): Promise<{ channel: string; state: DeliveryRecord['state']; count: number }[]>;
  /** Lets a lead out of quarantine; false if it is not there. */
  release(lead: number, plan: Plan): Promise<boolean>;
  /** Tells channels of a lead once more; false if there is no such lead. */
  redeliver(lead: number, channels: readonly string[]): Promise<boolean>;
  /** Leads whose time to be taken has passed, the longest overdue first. */
  untaken(now: string, limit: number): Promise<Untaken[]>;
  /**
   * Tells a further channel of a lead, unless it was taken or another process was quicker.
   *
   * @param next when it is told to one more
   */
  escalate(untaken: Untaken, channel: string, next: string | null): Promise<boolean>;
  /**
   * Tells channels of what has come into quarantine since the last digest, the oldest first, unless that was done for
   * this day already. What is beyond the limit waits for the next one.
   *
   * @param day any name; another one than last time is another day
   * @returns how many leads are told of
   */
  digest(day: string, channels: readonly string[], limit: number): Promise<number>;
  /**
   * Takes deliveries of a channel that are due, the longest overdue first, and counts an
   * attempt of each. Until `leaseUntil` no other process gets them; then they are due again,
   * for a process that has not come back with an outcome has died. One that is due after `latest`
   * was put off by a clock that went wrong, and is due, too. `newest`: those of the newest leads first.
   */
  claim(channel: string, options: ClaimOptions): Promise<Delivery[]>;
  settle(outcomes: readonly Outcome[]): Promise<void>;
};

type ClaimOptions = { limit: number; now: string; latest: string; leaseUntil: string; newest?: boolean };

export function deliveriesIn(sql: Sql): Deliveries {
  return {
    of: (lead) => ofLead(sql, lead),
    open: () => open(sql),
    release: (lead, plan) => release(sql, lead, plan),
    redeliver: (lead, channels) => redeliver(sql, lead, channels),
    untaken: (now, limit) => untaken(sql, now, limit),
    escalate: (late, channel, next) => escalate(sql, late, channel, next),
    digest: (day, channels, limit) => digest(sql, day, channels, limit),
    claim: (channel, options) => claim(sql, channel, options),
    settle: (outcomes) => settle(sql, outcomes),
  };
}

/** Part of a transaction: has each channel told of each lead. */
export function* tellOf(
  leads: readonly number[],
  channels: readonly string[],
  reason: DeliveryRecord['reason'],
): Work<void> {
  const now = new Date().toISOString();
  for (const lead of leads) {
    for (const channel of channels) {
      // In the form that Standard Webhooks wants of a message.
      const id = `msg_${randomBytes(16).toString('base64url')}`;
      yield* step(
        `INSERT INTO delivery (id, lead, channel, reason, state, due_at)
         VALUES (:id, :lead, :channel, :reason, 'waiting', :now)`,
        { id, lead, channel, reason, now },
      );
    }
  }
}

function ofLead({ ask }: Sql, lead: number): Promise<DeliveryRecord[]> {
  return ask(
    `SELECT id, channel, reason, state, attempts, coalesce(ended_at, due_at) AS at, error
     FROM delivery WHERE lead = :lead ORDER BY position`,
    { lead },
  );
}

function open({ ask }: Sql): ReturnType<Deliveries['open']> {
  return ask(
    `SELECT channel, state, count(*) AS count FROM delivery WHERE state <> 'delivered'
     GROUP BY state, channel ORDER BY state, channel`,
  );
}

function release({ transact }: Sql, lead: number, { channels, escalateAt }: Plan): Promise<boolean> {
  return transact(function* () {
    const released = yield* step(
      `UPDATE lead SET state = 'new', escalate_at = :escalateAt
       WHERE number = :lead AND state = 'quarantined' RETURNING number`,
      { escalateAt, lead },
    );
    if (released.length > 0) yield* tellOf([lead], channels, 'new');
    return released.length > 0;
  });
}

function redeliver({ transact }: Sql, lead: number, channels: readonly string[]): Promise<boolean> {
  return transact(function* () {
    const known = yield* step('SELECT number FROM lead WHERE number = :lead', { lead });
    if (known.length > 0) yield* tellOf([lead], channels, 'new');
    return known.length > 0;
  });
}

async function untaken({ ask }: Sql, now: string, limit: number): Promise<Untaken[]> {
  const rows = await ask<Row & { escalation: number }>(
    'SELECT * FROM lead WHERE escalate_at <= :now ORDER BY escalate_at, number LIMIT :limit',
    { now, limit },
  );
  return rows.map((row) => ({ lead: toLead(row), step: row.escalation }));
}

function escalate({ transact }: Sql, late: Untaken, channel: string, next: string | null): Promise<boolean> {
  const { number } = late.lead;
  return transact(function* () {
    const mine = yield* step(
      `UPDATE lead SET escalation = escalation + 1, escalate_at = :next
       WHERE number = :number AND escalation = :told AND escalate_at IS NOT NULL RETURNING number`,
      { next, number, told: late.step },
    );
    if (mine.length > 0) yield* tellOf([number], [channel], 'untaken');
    return mine.length > 0;
  });
}

function digest({ transact }: Sql, day: string, channels: readonly string[], limit: number): Promise<number> {
  return transact(function* () {
    const [begun] = yield* step<{ last: number }>(
      'UPDATE digest SET day = :day WHERE day <> :day RETURNING lead AS last',
      { day },
    );
    if (begun === undefined) return 0;
    const rows = yield* step<{ number: number }>(
      `SELECT number FROM lead WHERE state = 'quarantined' AND number > :last ORDER BY number LIMIT :limit`,
      { ...begun, limit },
    );
    const numbers = rows.map(({ number }) => number);
    yield* tellOf(numbers, channels, 'digest');
    yield* step('UPDATE digest SET lead = :last', { last: numbers.at(-1) ?? begun.last });
    return numbers.length;
  });
}

/** Milliseconds for which the link of a message works: three days of attempts, and one more. */
const linkMs = 4 * dayMs;

async function claim(
  { dialect, ask, transact }: Sql,
  channel: string,
  { limit, now, latest, leaseUntil, newest = false }: ClaimOptions,
): Promise<Delivery[]> {
  const due = `state = 'waiting' AND channel = :channel AND (due_at <= :now OR due_at > :latest)`;
  const which = { channel, now, latest };
  // Mostly there is nothing, and in SQLite a statement that may write waits for the file.
  const look = () => ask(`SELECT 1 FROM delivery WHERE ${due} LIMIT 1`, which);
  if (dialect === 'sqlite' && (await look()).length === 0) return [];
  const order = newest ? 'lead DESC' : 'due_at, position';
  const until = new Date(Date.parse(now) + linkMs).toISOString();
  return transact(function* () {
    const claimed = yield* step<Omit<DeliveryRecord, 'channel'> & { lead: number }>(
      `WITH due AS (
         SELECT id FROM delivery WHERE ${due}
         ORDER BY ${order} LIMIT :limit ${dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}
       )
       UPDATE delivery SET attempts = attempts + 1, due_at = :leaseUntil WHERE id IN (SELECT id FROM due)
       RETURNING id, lead, reason, attempts`,
      { ...which, limit, leaseUntil },
    );
    const deliveries: Delivery[] = [];
    for (const { lead: number, ...delivery } of claimed.toSorted((a, b) => a.lead - b.lead)) {
      const [row = {}] = yield* step('SELECT * FROM lead WHERE number = :number', { number });
      const token = yield* keepLink({ lead: number, name: channel, until });
      deliveries.push({ ...delivery, channel, lead: toLead(row), token });
    }
    return deliveries;
  });
}

function settle({ transact }: Sql, outcomes: readonly Outcome[]): Promise<void> {
  return transact(function* () {
    for (const outcome of outcomes) {
      // What has arrived has arrived, even if a slower attempt, or process, says otherwise.
      yield* step(
        `UPDATE delivery SET state = coalesce(:state, state), error = :error, due_at = coalesce(:due_at, due_at),
           ended_at = coalesce(:ended_at, ended_at), attempts = attempts - :uncounted
         WHERE id = :id AND state <> 'delivered'`,
        asUpdate(outcome),
      );
      if ('unused' in outcome && outcome.unused) yield* dropLink(outcome.unused);
    }
  });
}

/** What becomes of a delivery, by column. */
function asUpdate(outcome: Outcome): Values {
  const { id, at } = outcome;
  const values = { id, state: null, error: null, due_at: null, ended_at: null, uncounted: 0 };
  if ('delivered' in outcome) return { ...values, state: 'delivered', ended_at: at };
  const { error, retryAt, unused } = outcome;
  if (retryAt === null) return { ...values, state: 'dead', ended_at: at, error };
  return { ...values, due_at: retryAt, error, uncounted: unused ? 1 : 0 };
}
