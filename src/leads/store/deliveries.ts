import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/durations.ts';
import type { Query, Sql } from '../../lib/sql.ts';
import { addLink, dropLink } from './access-links.ts';
import { type Lead, type LeadRow, leadColumns, type Plan, toLead } from './lead.ts';

export type DeliveryRecord = {
  id: string;
  channel: string;
  reason: 'new' | 'untaken' | 'digest';
  state: 'waiting' | 'delivered' | 'dead';
  attempts: number;
  /** Time of the next attempt, or of the end. */
  at: string;
  /** Of the last attempt. */
  error: string | null;
};

/** Claimed by this process. */
export type Delivery = Pick<DeliveryRecord, 'id' | 'channel' | 'reason'> & {
  lead: Lead;
  /** For a link made for this attempt; the store only has its hash. */
  token: string;
  /** Including this one. */
  attempts: number;
};

/**
 * Without `retryAt`, a failed delivery is given up. `unused` is the token of an attempt that does not count because the
 * channel is busy; its link is deleted, or one would be left every maxSeparateMessages seconds.
 */
export type Outcome = { id: string; at: string } & (
  | { delivered: true }
  | { error: string; retryAt: string | null; unused?: string }
);

/** `step` counts the channels reminded so far. */
export type Untaken = { lead: Lead; step: number };

/** Notifications, shared by all processes. Methods reject with a `StoreError`. */
export type Deliveries = {
  /** Oldest first. */
  of(lead: number): Promise<DeliveryRecord[]>;
  /** Waiting and given-up deliveries. */
  open(): Promise<{ channel: string; state: DeliveryRecord['state']; count: number }[]>;
  /** False if it is not in quarantine. */
  release(lead: number, plan: Plan): Promise<boolean>;
  /** Longest overdue first. */
  untaken(now: string, limit: number): Promise<Untaken[]>;
  /**
   * False if the lead was taken or another process was first.
   *
   * @param next when the channel after it is due
   */
  escalate(untaken: Untaken, channel: string, next: string | null): Promise<boolean>;
  /**
   * Notifies channels of leads quarantined since the last digest, oldest first, at most once a day. Leads beyond the
   * limit wait for the next digest.
   *
   * @param day any name; a new one starts a new digest
   * @returns the number of leads
   */
  queueQuarantineDigest(day: string, channels: readonly string[], limit: number): Promise<number>;
  /**
   * Claims the due deliveries of one message, oldest first, so that what was refused goes before what came later, and
   * counts an attempt of each. All have one reason, so that reminders are not overlooked. A delivery waits for earlier
   * ones of its lead and channel, because a channel may create the lead in another system. A claim expires at
   * `leaseUntil`, in case the process dies. Deliveries due after `latest` were postponed by a wrong clock, so they are
   * due too.
   */
  claim(channel: string, options: ClaimOptions): Promise<Delivery[]>;
  settle(outcomes: readonly Outcome[]): Promise<void>;
};

/** Up to `maxSeparateMessages` leads get separate messages, except in a digest. More are joined, up to `limit`. */
type ClaimOptions = { limit: number; maxSeparateMessages: number; now: string; latest: string; leaseUntil: string };

export function deliveriesIn(sql: Sql): Deliveries {
  const { query, transact } = sql;
  return {
    of: (lead) => ofLead(query, lead),
    open: () => open(query),
    release: (lead, plan) => transact((query) => release(query, lead, plan)),
    untaken: (now, limit) => untaken(query, now, limit),
    escalate: (late, channel, next) => transact((query) => escalate(query, late, channel, next)),
    queueQuarantineDigest: (day, channels, limit) =>
      transact((query) => queueQuarantineDigest(query, day, channels, limit)),
    claim: (channel, options) => claim(sql, channel, options),
    settle: (outcomes) => transact((query) => settle(query, outcomes)),
  };
}

/** Queues a notification for each lead and channel; `query` belongs to a transaction. */
export async function queueNotifications(
  query: Query,
  leads: readonly number[],
  channels: readonly string[],
  reason: DeliveryRecord['reason'],
  dueAt = new Date().toISOString(),
): Promise<void> {
  for (const lead of leads) {
    for (const channel of channels) {
      // The message id format of Standard Webhooks.
      const id = `msg_${randomBytes(16).toString('base64url')}`;
      await query(
        `INSERT INTO delivery (id, lead, channel, reason, state, due_at) VALUES ($1, $2, $3, $4, 'waiting', $5)`,
        [id, lead, channel, reason, dueAt],
      );
    }
  }
}

/** Removes waiting messages that say that the lead is untaken or quarantined; `query` belongs to a transaction. */
export async function withdraw(query: Query, lead: number): Promise<void> {
  await query(`DELETE FROM delivery WHERE lead = $1 AND state = 'waiting' AND reason IN ('untaken', 'digest')`, [lead]);
}

function ofLead(query: Query, lead: number): Promise<DeliveryRecord[]> {
  return query(
    `SELECT id, channel, reason, state, attempts, coalesce(ended_at, due_at) AS at, error
     FROM delivery WHERE lead = $1 ORDER BY position`,
    [lead],
  );
}

function open(query: Query): ReturnType<Deliveries['open']> {
  return query(
    `SELECT channel, state, count(*) AS count FROM delivery WHERE state <> 'delivered'
     GROUP BY state, channel ORDER BY state, channel`,
  );
}

async function release(query: Query, lead: number, { channels, notifyAt, escalateAt }: Plan): Promise<boolean> {
  const released = await query(
    `UPDATE lead SET state = 'new', released_at = $1, escalate_at = $2
     WHERE number = $3 AND state = 'quarantined' RETURNING number`,
    [new Date().toISOString(), escalateAt, lead],
  );
  if (released.length === 0) return false;
  await withdraw(query, lead);
  await queueNotifications(query, [lead], channels, 'new', notifyAt);
  return true;
}

async function untaken(query: Query, now: string, limit: number): Promise<Untaken[]> {
  const rows = await query<LeadRow & { escalation: number }>(
    `SELECT escalation, ${leadColumns} FROM lead WHERE escalate_at <= $1 ORDER BY escalate_at, number LIMIT $2`,
    [now, limit],
  );
  return rows.map(({ escalation, ...row }) => ({ lead: toLead(row), step: escalation }));
}

async function escalate(query: Query, { lead, step }: Untaken, channel: string, next: string | null): Promise<boolean> {
  const mine = await query(
    `UPDATE lead SET escalation = escalation + 1, escalate_at = $1
     WHERE number = $2 AND escalation = $3 AND escalate_at IS NOT NULL RETURNING number`,
    [next, lead.number, step],
  );
  if (mine.length > 0) await queueNotifications(query, [lead.number], [channel], 'untaken');
  return mine.length > 0;
}

async function queueQuarantineDigest(
  query: Query,
  day: string,
  channels: readonly string[],
  limit: number,
): Promise<number> {
  const [begun] = await query<{ last: number }>('UPDATE digest SET day = $1 WHERE day <> $1 RETURNING lead AS last', [
    day,
  ]);
  if (begun === undefined) return 0;
  const rows = await query<{ number: number }>(
    `SELECT number FROM lead WHERE state = 'quarantined' AND number > $1 ORDER BY number LIMIT $2`,
    [begun.last, limit],
  );
  const numbers = rows.map(({ number }) => number);
  await queueNotifications(query, numbers, channels, 'digest');
  await query('UPDATE digest SET lead = $1', [numbers.at(-1) ?? begun.last]);
  return numbers.length;
}

/** For links in messages: three days of retries and one more. */
const linkLifetimeMs = 4 * dayMs;

async function claim({ dialect, query, transact }: Sql, channel: string, options: ClaimOptions): Promise<Delivery[]> {
  const { limit, maxSeparateMessages, now, latest, leaseUntil } = options;
  const due = `FROM delivery AS next WHERE state = 'waiting' AND channel = $1 AND (due_at <= $2 OR due_at > $3)
    AND NOT EXISTS (
      SELECT 1 FROM delivery AS earlier
      WHERE earlier.lead = next.lead AND earlier.channel = $1 AND earlier.state = 'waiting'
        AND earlier.position < next.position
    )`;
  const which = [channel, now, latest];
  // Usually nothing is due, and a SQLite transaction would wait for the file.
  const waiting = await query<Pick<Delivery, 'reason'>>(`SELECT reason ${due} ORDER BY position LIMIT ${limit}`, which);
  const [oldest] = waiting;
  if (oldest === undefined) return [];
  const { reason } = oldest;
  const alike = waiting.filter((one) => one.reason === reason).length;
  const size = reason === 'digest' || alike > maxSeparateMessages ? limit : 1;
  const until = new Date(Date.parse(now) + linkLifetimeMs).toISOString();
  return transact(async (query) => {
    const claimed = await query<Omit<DeliveryRecord, 'channel'> & { lead: number }>(
      `WITH due AS (
         SELECT id ${due} AND reason = $5 ORDER BY position
         LIMIT ${size} ${dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}
       )
       UPDATE delivery SET attempts = attempts + 1, due_at = $4 WHERE id IN (SELECT id FROM due)
       RETURNING id, lead, reason, attempts`,
      [...which, leaseUntil, reason],
    );
    const deliveries: Delivery[] = [];
    for (const { lead: number, ...delivery } of claimed.toSorted((a, b) => a.lead - b.lead)) {
      const [row] = await query<LeadRow>(`SELECT ${leadColumns} FROM lead WHERE number = $1`, [number]);
      const token = await addLink(query, { lead: number, name: channel, until });
      if (row) deliveries.push({ ...delivery, channel, lead: toLead(row), token });
    }
    return deliveries;
  });
}

async function settle(query: Query, outcomes: readonly Outcome[]): Promise<void> {
  for (const outcome of outcomes) {
    const { id, at } = outcome;
    if ('delivered' in outcome) {
      await query(`UPDATE delivery SET state = 'delivered', ended_at = $1, error = NULL WHERE id = $2`, [at, id]);
      continue;
    }
    const { error, retryAt, unused } = outcome;
    // A delivered message stays delivered, even if a slower attempt fails.
    if (retryAt === null) {
      await query(
        `UPDATE delivery SET state = 'dead', ended_at = $1, error = $2 WHERE id = $3 AND state <> 'delivered'`,
        [at, error, id],
      );
    } else {
      await query(
        `UPDATE delivery SET due_at = $1, error = $2, attempts = attempts - $3 WHERE id = $4 AND state <> 'delivered'`,
        [retryAt, error, unused ? 1 : 0, id],
      );
    }
    if (unused) await dropLink(query, unused);
  }
}
