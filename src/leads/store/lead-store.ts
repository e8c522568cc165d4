import { randomBytes } from 'node:crypto';
import { dayMs } from '../../lib/calendar.ts';
import { type Row, type Sql, step, type Values, type Work } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import type { Delivery, DeliveryQueue, Outcome } from './delivery-queue.ts';
import type { DeliveryRecord, LeadState, LeadStore, NewLead, Note, Plan, Receipt } from './lead.ts';
import { newColumns, newRow, storable, stripping, toLead, toReceipt } from './lead-columns.ts';
import { keepLink } from './links.ts';

/** A lead whose sender still waits for the answer. */
type Waiting = { lead: NewLead; plan: Plan; resolve: (receipt: Receipt) => void; reject: (reason: unknown) => void };

type Claimed = Pick<DeliveryRecord, 'id' | 'reason' | 'attempts'> & { lead: number };

const portion = 200;
/** Leads that expire in one transaction: few enough not to hold up those that come in. */
const expiryPortion = 1_000;
/** Milliseconds for which the link of a message works: three days of attempts, and one more. */
const linkMs = 4 * dayMs;
/** Bytes that a check writes: no less than the largest lead that the form lets through. */
const ballast = 48 * 1024;

/**
 * Leads and their deliveries. The database stays the caller's: close the store first, then the database.
 *
 * Leads that arrive in one turn of the event loop, or while others are being written, share one commit, and with it
 * one wait for the disk.
 */
export function leadStore({ dialect, ask, run, transact, forget }: Sql): LeadStore & DeliveryQueue {
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
  let closed = false;
  /** Something was removed and may still be in free space. */
  let unforgotten = false;

  async function commitWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      // One that cannot be kept takes no other with it.
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

  function* keepEach(batch: readonly Waiting[]): Work<Row[]> {
    const rows: Row[] = [];
    for (const { lead, plan } of batch) {
      const values = newRow(lead, plan);
      const { key = '', digest = '' } = values;
      const same = () => step('SELECT * FROM lead WHERE key = :key AND digest = :digest', { key, digest });
      // Asked first, because SQLite uses up a number for an insertion that ends in a conflict.
      const [known] = yield* same();
      const [added] = known ? [] : yield* step(insertion, values);
      if (added && !plan.quarantined) yield* tell([Number(added.number)], plan.channels, 'new');
      // Neither: another process has added it meanwhile.
      const [row = {}] = known || added ? [known ?? added ?? {}] : yield* same();
      rows.push(row);
    }
    return rows;
  }

  function* tell(leads: readonly number[], channels: readonly string[], reason: DeliveryRecord['reason']): Work<void> {
    for (const lead of leads) {
      for (const channel of channels) {
        yield* step(
          `INSERT INTO delivery (id, lead, channel, reason, state, due_at)
           VALUES (:id, :lead, :channel, :reason, 'waiting', :now)`,
          { id: newDeliveryId(), lead, channel, reason, now: now() },
        );
      }
    }
  }

  async function inPortions(statement: string, condition: string, values: Values): Promise<number> {
    const text = `${statement} number IN (SELECT number FROM lead WHERE ${condition} ORDER BY number LIMIT ${expiryPortion})
      RETURNING number`;
    let total = 0;
    for (;;) {
      const { length } = await run(text, values);
      total += length;
      if (length < expiryPortion) return total;
    }
  }

  const byNumber = async (number: number) => {
    const [row] = await ask('SELECT * FROM lead WHERE number = :number', { number });
    return row && toLead(row);
  };

  return {
    add(lead, plan) {
      if (closed) return Promise.reject(new StoreError('The lead was not kept: the store is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ lead, plan, resolve, reject });
        // Those of one turn of the event loop go together.
        committing ??= new Promise(setImmediate).then(commitWaiting);
      });
    },

    async receipt(token) {
      const [row] = await ask('SELECT * FROM lead WHERE receipt = :token', { token });
      return row && toReceipt(row);
    },

    find: byNumber,

    async list({ limit, ...filter }) {
      const by = filter.takenSince === undefined ? 'number' : 'taken_at';
      const rows = await ask(`SELECT * FROM lead ${where(filter)} ORDER BY ${by} DESC LIMIT :limit`, {
        ...filter,
        limit,
      });
      return rows.map(toLead);
    },

    async *all({ since = ever.since, until = ever.until } = {}) {
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
    },

    async recent({ phone, message }, since) {
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
    },

    async take(number, by) {
      const [taken] = await run(
        `UPDATE lead SET state = 'taken', taken_at = :now, taken_by = :by, escalate_at = NULL
         WHERE number = :number AND state <> 'taken' RETURNING *`,
        { now: now(), by, number },
      );
      if (taken) return { lead: toLead(taken), first: true };
      const lead = await byNumber(number);
      return lead && { lead, first: false };
    },

    note(number, { key, by, text }) {
      return transact(function* () {
        // Changes nothing, and keeps others from changing it meanwhile.
        const [row] = yield* step(
          'UPDATE lead SET number = number WHERE number = :number AND stripped_at IS NULL RETURNING *',
          { number },
        );
        if (row === undefined) return false;
        const { notes } = toLead(row);
        if (notes.some((one) => one.key === key)) return true;
        const note: Note = { key, at: now(), by, text };
        yield* step('UPDATE lead SET notes = :notes WHERE number = :number', {
          notes: JSON.stringify(storable([...notes, note])),
          number,
        });
        return true;
      });
    },

    release(number, { channels, escalateAt }) {
      return transact(function* () {
        const released = yield* step(
          `UPDATE lead SET state = 'new', escalate_at = :escalateAt
           WHERE number = :number AND state = 'quarantined' RETURNING number`,
          { escalateAt, number },
        );
        if (released.length > 0) yield* tell([number], channels, 'new');
        return released.length > 0;
      });
    },

    redeliver(number, channels) {
      return transact(function* () {
        const known = yield* step('SELECT number FROM lead WHERE number = :number', { number });
        if (known.length > 0) yield* tell([number], channels, 'new');
        return known.length > 0;
      });
    },

    deliveries(number) {
      return ask(
        `SELECT id, channel, reason, state, attempts, coalesce(ended_at, due_at) AS at, error
         FROM delivery WHERE lead = :number ORDER BY position`,
        { number },
      );
    },

    async untaken(now, limit) {
      const rows = await ask<Row & { escalation: number }>(
        'SELECT * FROM lead WHERE escalate_at <= :now ORDER BY escalate_at, number LIMIT :limit',
        { now, limit },
      );
      return rows.map((row) => ({ lead: toLead(row), step: row.escalation }));
    },

    escalate({ lead: { number }, step: told }, channel, next) {
      return transact(function* () {
        const mine = yield* step(
          `UPDATE lead SET escalation = escalation + 1, escalate_at = :next
           WHERE number = :number AND escalation = :told AND escalate_at IS NOT NULL RETURNING number`,
          { next, number, told },
        );
        if (mine.length > 0) yield* tell([number], [channel], 'untaken');
        return mine.length > 0;
      });
    },

    digest(day, channels, limit) {
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
        yield* tell(numbers, channels, 'digest');
        yield* step('UPDATE digest SET lead = :last', { last: numbers.at(-1) ?? begun.last });
        return numbers.length;
      });
    },

    async count(filter, atMost = Number.MAX_SAFE_INTEGER) {
      const [row] = await ask<{ n: number }>(
        `SELECT count(*) AS n FROM (SELECT 1 FROM lead ${where(filter)} LIMIT :atMost) AS found`,
        { ...filter, atMost },
      );
      return row?.n ?? 0;
    },

    async erase(phone) {
      const erased = await run('DELETE FROM lead WHERE phone = :phone RETURNING number', { phone });
      // Also if there was none: an earlier attempt may have come no further than this.
      await forget();
      return erased.length;
    },

    async expire({ requests, consents }) {
      await run('DELETE FROM link WHERE ends_at <= :now', { now: now() });
      const removed = await inPortions('DELETE FROM lead WHERE', 'received_at < :consents', { consents });
      // The digest is made of the words, so it goes with them; the receipt makes the key one of a kind beside it.
      const stripped = await inPortions(
        `UPDATE lead SET stripped_at = :now, ${stripping}, key = receipt, digest = :digest, escalate_at = NULL WHERE`,
        'received_at < :requests AND stripped_at IS NULL',
        { now: now(), digest: randomBytes(32), requests },
      );
      unforgotten ||= removed + stripped > 0;
      if (unforgotten) await forget();
      unforgotten = false;
      return { stripped, removed };
    },

    async keepConsentText({ hash, version }, text) {
      await run(
        'INSERT INTO consent_text (hash, version, text) VALUES (:hash, :version, :text) ON CONFLICT DO NOTHING',
        {
          ...{ hash, version, text },
        },
      );
    },

    async believed() {
      const [row] = await ask<{ at: string }>('SELECT at FROM clock');
      return row?.at ?? null;
    },

    async believe(at) {
      await run('INSERT INTO clock (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = excluded.at', { at });
    },

    async stats() {
      const states = await ask<{ state: LeadState; n: number }>('SELECT state, count(*) AS n FROM lead GROUP BY state');
      const [oldest] = await ask<{ at: string | null }>(`SELECT min(received_at) AS at FROM lead WHERE state = 'new'`);
      const of = (wanted: LeadState) => states.find(({ state }) => state === wanted)?.n ?? 0;
      return {
        leads: { new: of('new'), taken: of('taken'), quarantined: of('quarantined') },
        oldestUntaken: oldest?.at ?? null,
        deliveries: await ask(
          `SELECT channel, state, count(*) AS count FROM delivery WHERE state <> 'delivered'
           GROUP BY state, channel ORDER BY state, channel`,
        ),
      };
    },

    async claim(channel, { limit, now, latest, leaseUntil, newest = false }) {
      const due = `state = 'waiting' AND channel = :channel AND (due_at <= :now OR due_at > :latest)`;
      const which = { channel, now, latest };
      // Looking is free, and mostly there is nothing: in SQLite, a statement that may write waits for the file.
      const look = () => ask(`SELECT 1 FROM delivery WHERE ${due} LIMIT 1`, which);
      if (dialect === 'sqlite' && (await look()).length === 0) return [];
      const until = new Date(Date.parse(now) + linkMs).toISOString();
      return transact(function* () {
        const deliveries = yield* step<Claimed>(
          `WITH due AS (
             SELECT id FROM delivery WHERE ${due}
             ORDER BY ${newest ? 'lead DESC' : 'due_at, position'} LIMIT :limit ${dialect === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}
           )
           UPDATE delivery SET attempts = attempts + 1, due_at = :leaseUntil WHERE id IN (SELECT id FROM due)
           RETURNING id, lead, reason, attempts`,
          { ...which, limit, leaseUntil },
        );
        const linked: Delivery[] = [];
        for (const { lead: number, ...delivery } of deliveries.toSorted((a, b) => a.lead - b.lead)) {
          const [row = {}] = yield* step('SELECT * FROM lead WHERE number = :number', { number });
          const token = yield* keepLink({ lead: number, name: channel, until });
          linked.push({ ...delivery, channel, lead: toLead(row), token });
        }
        return linked;
      });
    },
    async settle(outcomes) {
      // What has arrived has arrived, even if a slower attempt, or process, says otherwise.
      await transact(function* () {
        for (const outcome of outcomes) {
          yield* step(
            `UPDATE delivery SET state = coalesce(:state, state), error = :error, due_at = coalesce(:due_at, due_at),
               ended_at = coalesce(:ended_at, ended_at), attempts = attempts - :uncounted
             WHERE id = :id AND state <> 'delivered'`,
            asUpdate(outcome),
          );
        }
      });
    },

    async probe() {
      // A transaction that is rolled back stays in memory and succeeds on a full disk. Only a commit
      // meets the disk, and it must be as large as a lead may be.
      await run(
        `INSERT INTO heartbeat (id, at, ballast) VALUES (1, :at, :ballast)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, ballast = excluded.ballast`,
        { at: now(), ballast: randomBytes(ballast) },
      );
    },

    async close() {
      closed = true;
      await committing;
    },
  };
}

/** Long before and after all leads, as both databases know instants. */
const ever = { since: '0001-01-01T00:00:00.000Z', until: '9999-12-31T00:00:00.000Z' };

const filters = {
  state: 'state = :state',
  phone: 'phone = :phone',
  before: 'number < :before',
  takenSince: 'taken_at >= :takenSince',
};

function where(filter: Partial<Record<keyof typeof filters, unknown>>): string {
  const wanted = Object.keys(filter).map((name) => filters[name as keyof typeof filters]);
  return wanted.length > 0 ? `WHERE ${wanted.join(' AND ')}` : '';
}

const insertion = `INSERT INTO lead (${newColumns}) VALUES (${newColumns.map((name) => `:${name}`)})
  ON CONFLICT DO NOTHING RETURNING *`;

/** In the form that Standard Webhooks wants of a message. */
function newDeliveryId(): string {
  return `msg_${randomBytes(16).toString('base64url')}`;
}

function now(): string {
  return new Date().toISOString();
}

/** What becomes of a delivery, by column. */
function asUpdate(outcome: Outcome): Values {
  const { id, at } = outcome;
  const values = { id, state: null, error: null, due_at: null, ended_at: null, uncounted: 0 };
  if ('delivered' in outcome) return { ...values, state: 'delivered', ended_at: at };
  const { error, retryAt, uncounted } = outcome;
  if (retryAt === null) return { ...values, state: 'dead', ended_at: at, error };
  return { ...values, due_at: retryAt, error, uncounted: uncounted ? 1 : 0 };
}
