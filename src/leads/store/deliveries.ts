import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/durations.ts';
import { addLink, dropLink } from './access-links.ts';
import { type Lead, type LeadRow, leadColumns, type Range, toLead, wholeRange } from './lead.ts';
import type { LeadEvent } from './lead-events.ts';
import type { Query, Sql } from './sql.ts';

/**
 * `new`: the lead arrived. `due`: it waits again. `reminder`: it still waits, or has no outcome. `morningDigest`: so it is in
 * the morning. `quarantineDigest`: it is in quarantine.
 */
export type Reason = 'new' | 'due' | 'reminder' | 'morningDigest' | 'quarantineDigest';

/** A digest lists its leads in one message. */
const digests: readonly Reason[] = ['morningDigest', 'quarantineDigest'];

export type DeliveryRecord = {
  id: string;
  channel: string;
  reason: Reason;
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
 * `unused` is the token of an attempt that does not count because the channel is busy; its link is deleted, or one would be
 * left every maxSeparateMessages seconds.
 */
export type Outcome = { id: string } & ({ deliveredAt: string } | { error: string; retryAt: string; unused?: string });

/** The deliveries of a channel that have not arrived. */
export type OpenDeliveries = {
  channel: string;
  waiting: number;
  /** When the oldest of them was first due. */
  waitingSince: string | null;
  /** Of one that waits. */
  error: string | null;
  givenUp: number;
};

export type GivenUp = Pick<DeliveryRecord, 'id' | 'channel'> & { lead: number; error: string };

/** A lead of which staff are to be reminded. */
export type OverdueLead = Pick<Lead, 'number' | 'state' | 'since'> & {
  remindAt: string;
  /** In the lead's state so far. */
  reminders: number;
};

export type Reminder = {
  reason: Reason;
  channels: readonly string[];
  /** When the next one is due. */
  next: string;
};

/** `latest`: what is due later was postponed by a wrong clock, so it is due, too. */
type Times = { now: string; latest: string };

/** Up to `maxSeparateMessages` leads get separate messages, except in a digest. More are joined, up to `limit`. */
type ClaimOptions = Times & { limit: number; maxSeparateMessages: number; leaseUntil: string };

type Limits = { queuedBefore: string; channels: readonly string[] };

/** All leads received in a range, or one. */
type Which = Range | { number: number };

type By = Pick<LeadEvent, 'by' | 'key'>;

/** Notifications, shared by all processes. Methods reject with a `StoreError`. */
export type Deliveries = ReturnType<typeof deliveriesIn>;

export function deliveriesIn(sql: Sql) {
  const { query, transact } = sql;
  return {
    /** Oldest first. */
    of: (lead: number) => ofLead(query, lead),
    open: () => open(query),
    /** Ends deliveries that have waited for too long, whatever their attempts brought, and those that no channel will send. */
    giveUp: (now: string, limits: Limits) => transact((query) => giveUp(query, now, limits)),
    /**
     * Sends given-up notifications of new leads again, under their ids, and records that in the leads. Reminders are not sent
     * again, because new ones follow while the lead needs them.
     *
     * @returns the numbers of the leads
     */
    resend: (channel: string, which: Which, by: By) => transact((query) => resend(query, channel, which, by)),
    /** Longest overdue first. */
    overdue: (times: Times, limit: number) => overdue(query, times, limit),
    /** False if the lead has changed, or another process was first. */
    remind: (lead: OverdueLead, reminder: Reminder) => transact((query) => remind(query, lead, reminder)),
    /**
     * Notifies channels of quarantined leads that were in no digest, oldest first, at most once a day. Leads beyond the limit
     * wait for the next digest.
     *
     * @param day any name; a new one starts a new digest
     * @returns the number of leads
     */
    queueQuarantineDigest: (day: string, channels: readonly string[], limit: number) =>
      transact((query) => queueQuarantineDigest(query, day, channels, limit)),
    /**
     * Claims the due deliveries of one message, oldest first, so that what was refused goes before what came later, and
     * counts an attempt of each. All have one reason, so that reminders are not overlooked. A delivery waits for earlier
     * ones of its lead and channel, because a channel may create the lead in another system. A claim expires at
     * `leaseUntil`, in case the process dies.
     */
    claim: (channel: string, options: ClaimOptions) => claim(sql, channel, options),
    settle: (outcomes: readonly Outcome[]) => transact((query) => settle(query, outcomes)),
  };
}

const isWaiting = 'delivered_at IS NULL AND given_up_at IS NULL';

/** Queues a notification for each lead and channel; `query` belongs to a transaction. */
export async function queueNotifications(
  query: Query,
  leads: readonly number[],
  channels: readonly string[],
  reason: Reason,
  dueAt = new Date().toISOString(),
): Promise<void> {
  for (const lead of leads) {
    for (const channel of channels) {
      // The message id format of Standard Webhooks.
      const id = `msg_${randomBytes(16).toString('base64url')}`;
      await query(
        'INSERT INTO delivery (id, lead, channel, reason, queued_at, due_at) VALUES ($1, $2, $3, $4, $5, $5)',
        [id, lead, channel, reason, dueAt],
      );
    }
  }
}

/** Removes waiting messages about the state that the lead leaves; `query` belongs to a transaction. */
export async function withdraw(query: Query, lead: number): Promise<void> {
  await query(`DELETE FROM delivery WHERE lead = $1 AND ${isWaiting} AND reason <> 'new'`, [lead]);
}

function ofLead(query: Query, lead: number): Promise<DeliveryRecord[]> {
  return query(
    `SELECT id, channel, reason, attempts, error, coalesce(delivered_at, given_up_at, due_at) AS at,
       CASE WHEN delivered_at IS NOT NULL THEN 'delivered' WHEN given_up_at IS NOT NULL THEN 'dead' ELSE 'waiting' END AS state
     FROM delivery WHERE lead = $1 ORDER BY position`,
    [lead],
  );
}

function open(query: Query): Promise<OpenDeliveries[]> {
  return query(
    `SELECT channel, count(*) - count(given_up_at) AS waiting, count(given_up_at) AS "givenUp",
       min(CASE WHEN given_up_at IS NULL THEN queued_at END) AS "waitingSince",
       max(CASE WHEN given_up_at IS NULL THEN error END) AS error
     FROM delivery WHERE delivered_at IS NULL GROUP BY channel ORDER BY channel`,
  );
}

async function giveUp(query: Query, now: string, { queuedBefore, channels }: Limits): Promise<GivenUp[]> {
  // A clock that was ahead has queued them; their time begins now.
  await query(`UPDATE delivery SET queued_at = $1 WHERE ${isWaiting} AND queued_at > $1`, [now]);
  const waiting = await query<Pick<GivenUp, 'channel'>>(`SELECT DISTINCT channel FROM delivery WHERE ${isWaiting}`);
  const ended: GivenUp[] = [];
  for (const { channel } of waiting) {
    const limit = channels.includes(channel)
      ? { before: queuedBefore, error: null }
      : { before: now, error: 'the channel is not configured' };
    const some = await query<GivenUp>(
      `UPDATE delivery SET given_up_at = $1, error = coalesce($2, error, 'no attempt has ended')
       WHERE ${isWaiting} AND channel = $3 AND queued_at <= $4 RETURNING id, channel, lead, error`,
      [now, limit.error, channel, limit.before],
    );
    ended.push(...some);
  }
  return ended;
}

async function resend(query: Query, channel: string, which: Which, { by, key }: By): Promise<number[]> {
  const now = new Date().toISOString();
  const { since, until } = { ...wholeRange, ...('number' in which ? {} : which) };
  const number = 'number' in which ? which.number : null;
  const revived = await query<{ lead: number }>(
    `UPDATE delivery SET given_up_at = NULL, attempts = 0, queued_at = $1, due_at = $1, error = NULL
     WHERE channel = $2 AND given_up_at IS NOT NULL AND reason = 'new' AND lead IN (
       SELECT number FROM lead WHERE received_at >= $3 AND received_at < $4 AND stripped_at IS NULL
         AND number = coalesce($5, number)
     ) RETURNING lead`,
    [now, channel, since, until, number],
  );
  const numbers = revived.map(({ lead }) => lead).toSorted((a, b) => a - b);
  for (const lead of numbers) await addEvent(query, lead, { key, at: now, by, eventName: 'resend', text: channel });
  return numbers;
}

async function addEvent(query: Query, lead: number, event: LeadEvent): Promise<void> {
  // A no-op update that locks the row.
  const [row] = await query<Pick<LeadRow, 'events'>>(
    'UPDATE lead SET number = number WHERE number = $1 RETURNING events',
    [lead],
  );
  if (row === undefined) return;
  await query('UPDATE lead SET events = $1 WHERE number = $2', [
    JSON.stringify([...JSON.parse(row.events), event]),
    lead,
  ]);
}

function overdue(query: Query, { now, latest }: Times, limit: number): Promise<OverdueLead[]> {
  return query(
    `SELECT number, state, since, remind_at AS "remindAt", reminders FROM lead WHERE remind_at <= $1 OR remind_at > $2
     ORDER BY remind_at, number LIMIT $3`,
    [now, latest, limit],
  );
}

async function remind(query: Query, lead: OverdueLead, { reason, channels, next }: Reminder): Promise<boolean> {
  const { number, state, remindAt } = lead;
  const mine = await query(
    `UPDATE lead SET reminders = reminders + $1, remind_at = $2
     WHERE number = $3 AND state = $4 AND remind_at = $5 RETURNING number`,
    [reason === 'due' ? 0 : 1, next, number, state, remindAt],
  );
  if (mine.length > 0) await queueNotifications(query, [number], channels, reason);
  return mine.length > 0;
}

async function queueQuarantineDigest(
  query: Query,
  day: string,
  channels: readonly string[],
  limit: number,
): Promise<number> {
  const begun = await query('UPDATE digest SET day = $1 WHERE day <> $1 RETURNING day', [day]);
  if (begun.length === 0) return 0;
  const rows = await query<{ number: number }>(
    `SELECT number FROM lead WHERE state = 'quarantined'
       AND NOT EXISTS (SELECT 1 FROM delivery WHERE delivery.lead = lead.number AND reason = 'quarantineDigest')
     ORDER BY number LIMIT $1`,
    [limit],
  );
  const numbers = rows.map(({ number }) => number);
  await queueNotifications(query, numbers, channels, 'quarantineDigest');
  return numbers.length;
}

/** For links in messages: three days of retries and one more. */
const linkLifetimeMs = 4 * dayMs;

async function claim({ dialect, query, transact }: Sql, channel: string, options: ClaimOptions): Promise<Delivery[]> {
  const { limit, maxSeparateMessages, now, latest, leaseUntil } = options;
  const due = `FROM delivery AS next WHERE ${isWaiting} AND channel = $1 AND (due_at <= $2 OR due_at > $3)
    AND NOT EXISTS (
      SELECT 1 FROM delivery AS earlier
      WHERE earlier.lead = next.lead AND earlier.channel = $1 AND earlier.position < next.position
        AND earlier.delivered_at IS NULL AND earlier.given_up_at IS NULL
    )`;
  const which = [channel, now, latest];
  // Usually nothing is due, and a SQLite transaction would wait for the file.
  const waiting = await query<Pick<Delivery, 'reason'>>(`SELECT reason ${due} ORDER BY position LIMIT ${limit}`, which);
  const [oldest] = waiting;
  if (oldest === undefined) return [];
  const { reason } = oldest;
  const alike = waiting.filter((one) => one.reason === reason).length;
  const size = digests.includes(reason) || alike > maxSeparateMessages ? limit : 1;
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
    const { id } = outcome;
    if ('deliveredAt' in outcome) {
      await query('UPDATE delivery SET delivered_at = $1, given_up_at = NULL, error = NULL WHERE id = $2', [
        outcome.deliveredAt,
        id,
      ]);
      continue;
    }
    const { error, retryAt, unused } = outcome;
    // A delivered message stays delivered, even if a slower attempt fails.
    await query(
      `UPDATE delivery SET due_at = $1, error = $2, attempts = attempts - $3 WHERE id = $4 AND ${isWaiting}`,
      [retryAt, error, unused ? 1 : 0, id],
    );
    if (unused) await dropLink(query, unused);
  }
}
