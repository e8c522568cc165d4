import { randomBytes } from 'node:crypto';
import type { Postgres } from '../../database/postgres.ts';
import { StoreError } from '../../database/store-error.ts';
import type { SpamSignal } from '../spam/spam.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRecord, Lead, LeadState, LeadStore, NewLead, Plan, Receipt } from './lead.ts';
import { digest, newDeliveryId, newReceipt, storable } from './lead-record.ts';
import type { TakeKeys } from './take-link.ts';

/** A lead whose sender still waits for the answer. */
type Waiting = { lead: NewLead; plan: Plan; resolve: (receipt: Receipt) => void; reject: (reason: unknown) => void };

type ReceiptRow = {
  number: number;
  receipt: string;
  received_at: Date;
  preset: string;
  calculation: string | null;
  taken_at: Date | null;
};

type LeadRow = ReceiptRow & {
  state: LeadState;
  name: string | null;
  phone: string;
  phone_typed: string;
  message: string | null;
  page: string;
  attribution: Record<string, string>;
  consent_version: string;
  consent_hash: string;
  signals: SpamSignal[];
  taken_by: string | null;
  escalation: number;
};

type DeliveryRow = {
  id: string;
  channel: string;
  reason: DeliveryRecord['reason'];
  state: DeliveryRecord['state'];
  attempts: number;
  due_at: Date;
  ended_at: Date | null;
  error: string | null;
};

const portion = 200;
/** Leads that expire in one transaction: few enough not to hold up those that come in. */
const expiryPortion = 1_000;
/** Bytes that a check writes: no less than the largest lead that the form lets through. */
const ballast = 48 * 1024;

/** Makes deliveries to the channels `$2`, under the ids `$3`, of the leads that `told` names. */
const tell = (told: string, reason: DeliveryRecord['reason']) => `
  INSERT INTO delivery (id, lead, channel, reason, state, due_at)
  SELECT given.id, ${told}.number, given.channel, '${reason}', 'waiting', $4
  FROM ${told}, unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (channel, id, position)
  ORDER BY given.position`;

/**
 * Leads and their deliveries in PostgreSQL, which any number of processes may share. The database stays
 * the caller's: close the store first, then the database.
 *
 * Leads that arrive while others are being written share the next commit, and with it one wait for the disk.
 */
export function postgresLeadStore(postgres: Postgres): LeadStore & DeliveryQueue {
  const { query } = postgres;
  let waiting: Waiting[] = [];
  let committing: Promise<void> | undefined;
  let closed = false;
  /** Whether something has expired whose space was not cleaned up, because that failed. */
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
      const given = JSON.stringify(batch.map(toGiven));
      const { rows } = await query<ReceiptRow>(
        'SELECT number, receipt, received_at, preset, calculation, taken_at FROM add_leads($1)',
        [given],
      );
      batch.forEach(({ resolve }, index) => void resolve(toReceipt(rows[index] as ReceiptRow)));
      return true;
    } catch (error) {
      if (batch.length > 1 && error instanceof StoreError && refusesValue(error)) return false;
      for (const { reject } of batch) reject(error);
      return true;
    }
  }

  const tellValues = (channels: readonly string[]) => [channels, channels.map(newDeliveryId), new Date()];

  const store: LeadStore & DeliveryQueue = {
    add(lead, plan) {
      if (closed) return Promise.reject(new StoreError('The lead was not kept: the store is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ lead: storable(lead), plan, resolve, reject });
        // Those of one turn of the event loop go together.
        committing ??= new Promise(setImmediate).then(commitWaiting);
      });
    },

    async receipt(token) {
      const { rows } = await query<LeadRow>('SELECT * FROM lead WHERE receipt = $1', [token]);
      return rows[0] && toReceipt(rows[0]);
    },

    async find(number) {
      const { rows } = await query<LeadRow>('SELECT * FROM lead WHERE number = $1', [number]);
      return rows[0] && toLead(rows[0]);
    },

    async list({ state, limit }) {
      const { rows } = await query<LeadRow>(
        'SELECT * FROM lead WHERE $1::text IS NULL OR state = $1 ORDER BY number DESC LIMIT $2',
        [state ?? null, limit],
      );
      return rows.map(toLead);
    },

    async *all() {
      let last = 0;
      for (;;) {
        const { rows } = await query<LeadRow>('SELECT * FROM lead WHERE number > $1 ORDER BY number LIMIT $2', [
          last,
          portion,
        ]);
        yield* rows.map(toLead);
        if (rows.length < portion) return;
        last = rows.at(-1)?.number ?? last;
      }
    },

    async recent({ phone, message }, since) {
      const { rows } = await query<{ samePhone: number; sameMessage: number }>(
        `SELECT
           (SELECT count(*)::int FROM (
             SELECT 1 FROM lead WHERE phone = $1 AND received_at >= $3 LIMIT 50) AS same) AS "samePhone",
           (SELECT count(*)::int FROM (
             SELECT DISTINCT phone FROM (
               SELECT phone, message FROM lead
               WHERE substr(message, 1, 40) = substr($2, 1, 40) AND message IS NOT NULL AND received_at >= $3
               ORDER BY received_at DESC LIMIT 200) AS begun
             WHERE message = $2 AND phone <> $1 LIMIT 50) AS same) AS "sameMessage"`,
        [phone, message, since],
      );
      return rows[0] ?? { samePhone: 0, sameMessage: 0 };
    },

    async take(number, by) {
      const taken = await query<LeadRow>(
        `UPDATE lead SET state = 'taken', taken_at = $1, taken_by = $2, escalate_at = NULL
         WHERE number = $3 AND state <> 'taken' RETURNING *`,
        [new Date(), by, number],
      );
      if (taken.rows[0]) return { lead: toLead(taken.rows[0]), first: true };
      const lead = await store.find(number);
      return lead && { lead, first: false };
    },

    async release(number, { channels, escalateAt }) {
      const { count } = await query(
        `WITH released AS (
           UPDATE lead SET state = 'new', escalate_at = $5 WHERE number = $1 AND state = 'quarantined' RETURNING number
         ), told AS (${tell('released', 'new')}) SELECT FROM released`,
        [number, ...tellValues(channels), escalateAt],
      );
      return count === 1;
    },

    async redeliver(number, channels) {
      const { count } = await query(
        `WITH known AS (SELECT number FROM lead WHERE number = $1 FOR KEY SHARE), told AS (${tell('known', 'new')})
         SELECT FROM known`,
        [number, ...tellValues(channels)],
      );
      return count === 1;
    },

    async deliveries(number) {
      const { rows } = await query<DeliveryRow>('SELECT * FROM delivery WHERE lead = $1 ORDER BY position', [number]);
      return rows.map(toDeliveryRecord);
    },

    async untaken(now, limit) {
      const { rows } = await query<LeadRow>(
        'SELECT * FROM lead WHERE escalate_at <= $1 ORDER BY escalate_at, number LIMIT $2',
        [now, limit],
      );
      return rows.map((row) => ({ lead: toLead(row), step: row.escalation }));
    },

    async escalate({ lead, step }, channel, next) {
      const { count } = await query(
        `WITH mine AS (
           UPDATE lead SET escalation = escalation + 1, escalate_at = $5
           WHERE number = $1 AND escalation = $6 AND escalate_at IS NOT NULL RETURNING number
         ), told AS (${tell('mine', 'untaken')}) SELECT FROM mine`,
        [lead.number, ...tellValues([channel]), next, step],
      );
      return count === 1;
    },

    async digest(day, channels, limit) {
      // An id is that of `newDeliveryId`: how many are needed is known here alone.
      const { count } = await query(
        `WITH quarantined AS (
           SELECT number FROM lead WHERE state = 'quarantined' AND number > (SELECT lead FROM digest)
           ORDER BY number LIMIT $4 FOR KEY SHARE
         ), begun AS (
           UPDATE digest SET day = $1, lead = coalesce((SELECT max(number) FROM quarantined), lead) WHERE day <> $1
           RETURNING day
         ), told AS (
           INSERT INTO delivery (id, lead, channel, reason, state, due_at)
           SELECT 'msg_' || translate(rtrim(encode(uuid_send(gen_random_uuid()), 'base64'), '='), '+/', '-_'),
             number, given.channel, 'digest', 'waiting', $3
           FROM begun, quarantined, unnest($2::text[]) WITH ORDINALITY AS given (channel, position)
           ORDER BY number, given.position
         )
         SELECT FROM begun, quarantined`,
        [day, channels, new Date(), limit],
      );
      return count;
    },

    async erase(phone) {
      const { count } = await query('DELETE FROM lead WHERE phone = $1', [phone]);
      // Also if there was none: an earlier attempt may have come no further than this.
      await forget();
      return count;
    },

    async expire({ requests, consents }) {
      const removed = await inPortions('DELETE FROM lead WHERE', 'received_at < $1', [consents]);
      // The digest is made of the words, so it goes with them.
      const stripped = await inPortions(
        `UPDATE lead SET stripped_at = now(), name = NULL, phone_typed = '', message = NULL, calculation = NULL,
           attribution = '{}', signals = '[]', digest = sha256(convert_to(gen_random_uuid()::text, 'UTF8')), escalate_at = NULL
         WHERE`,
        'received_at < $1 AND stripped_at IS NULL',
        [requests],
      );
      unforgotten ||= removed + stripped > 0;
      if (unforgotten) await forget();
      unforgotten = false;
      return { stripped, removed };
    },

    async keepConsentText({ hash, version }, text) {
      await query('INSERT INTO consent_text (hash, version, text) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
        hash,
        version,
        text,
      ]);
    },

    async takeKeys(days) {
      const known = await takeKeys();
      const missing = days.filter((day) => !known.has(day));
      if (missing.length === 0) return known;
      await query(
        'INSERT INTO take_key (day, value) SELECT * FROM unnest($1::text[], $2::bytea[]) ON CONFLICT DO NOTHING',
        [missing, missing.map(() => randomBytes(32))],
      );
      return takeKeys();
    },

    async dropTakeKeys(days) {
      await query('DELETE FROM take_key WHERE $1::text[] IS NULL OR day = ANY ($1)', [days ?? null]);
    },

    async stats() {
      const states = await query<{ state: LeadState; count: number }>(
        'SELECT state, count(*)::int AS count FROM lead GROUP BY state',
      );
      const oldest = await query<{ at: Date | null }>(`SELECT min(received_at) AS at FROM lead WHERE state = 'new'`);
      const deliveries = await query<{ channel: string; state: DeliveryRecord['state']; count: number }>(
        `SELECT channel, state, count(*)::int AS count FROM delivery WHERE state <> 'delivered'
         GROUP BY state, channel ORDER BY state, channel`,
      );
      const of = (wanted: LeadState) => states.rows.find(({ state }) => state === wanted)?.count ?? 0;
      return {
        leads: { new: of('new'), taken: of('taken'), quarantined: of('quarantined') },
        oldestUntaken: iso(oldest.rows[0]?.at ?? null),
        deliveries: deliveries.rows,
      };
    },

    async claim(channel, { limit, now, latest, leaseUntil, newest = false }) {
      const { rows } = await query<LeadRow & Pick<DeliveryRow, 'id' | 'reason' | 'attempts'>>(
        `WITH due AS (
           SELECT id FROM delivery WHERE state = 'waiting' AND channel = $1 AND (due_at <= $2 OR due_at > $5)
           ORDER BY ${newest ? 'lead DESC' : 'due_at, position'} LIMIT $3 FOR UPDATE SKIP LOCKED
         ), claimed AS (
           UPDATE delivery SET attempts = attempts + 1, due_at = $4 FROM due WHERE delivery.id = due.id
           RETURNING delivery.id, delivery.lead, delivery.reason, delivery.attempts, delivery.position
         )
         SELECT lead.*, claimed.id, claimed.reason, claimed.attempts FROM claimed JOIN lead ON lead.number = claimed.lead
         ORDER BY claimed.position`,
        [channel, now, limit, leaseUntil, latest],
      );
      return rows.map((row) => ({
        id: row.id,
        channel,
        reason: row.reason,
        attempts: row.attempts,
        lead: toLead(row),
      }));
    },

    async settle(outcomes) {
      const given = outcomes.map((outcome) => {
        if ('delivered' in outcome) return { id: outcome.id, state: 'delivered', ended_at: outcome.at };
        const { id, at, error, retryAt, uncounted } = outcome;
        if (retryAt === null) return { id, state: 'dead', ended_at: at, error };
        return { id, due_at: retryAt, error, uncounted: uncounted ? 1 : 0 };
      });
      // What has arrived has arrived, whatever a slower process says of its own attempt.
      await query(
        `UPDATE delivery SET state = coalesce(given.state, delivery.state), due_at = coalesce(given.due_at, delivery.due_at),
           ended_at = coalesce(given.ended_at, delivery.ended_at), error = given.error,
           attempts = delivery.attempts - coalesce(given.uncounted, 0)
         FROM (
           SELECT DISTINCT ON (id) * FROM ROWS FROM (
             json_to_recordset($1) AS (id text, state text, due_at timestamptz, ended_at timestamptz, error text, uncounted integer)
           ) WITH ORDINALITY AS one (id, state, due_at, ended_at, error, uncounted, position)
           ORDER BY id, coalesce(state = 'delivered', false) DESC, position DESC
         ) AS given
         WHERE delivery.id = given.id AND delivery.state <> 'delivered'`,
        [JSON.stringify(given)],
      );
    },

    async believed() {
      const { rows } = await query<{ at: Date }>('SELECT at FROM clock');
      return iso(rows[0]?.at ?? null);
    },

    async believe(at) {
      await query('INSERT INTO clock (id, at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET at = excluded.at', [at]);
    },

    async check() {
      await query(
        `INSERT INTO heartbeat (id, at, ballast) VALUES (1, $1, $2)
         ON CONFLICT (id) DO UPDATE SET at = excluded.at, ballast = excluded.ballast`,
        [new Date(), randomBytes(ballast)],
      );
    },

    async close() {
      closed = true;
      await committing;
    },
  };

  async function takeKeys(): Promise<TakeKeys> {
    const { rows } = await query<{ day: string; value: Uint8Array }>('SELECT day, value FROM take_key');
    return new Map(rows.map(({ day, value }) => [day, value]));
  }

  async function inPortions(statement: string, condition: string, values: readonly unknown[]): Promise<number> {
    let total = 0;
    for (;;) {
      const { count } = await query(
        `${statement} number IN (SELECT number FROM lead WHERE ${condition} ORDER BY number LIMIT ${expiryPortion})`,
        values,
      );
      total += count;
      if (count < expiryPortion) return total;
    }
  }

  /** Gives the space of rows that are gone to new ones, which overwrite it. */
  function forget(): Promise<void> {
    return postgres.maintain('VACUUM lead, delivery');
  }

  return store;
}

/** A lead as the function in the database reads it: names of columns, and those who are told. */
function toGiven({ lead, plan }: Waiting): object {
  const channels = plan.quarantined ? [] : plan.channels;
  return {
    receipt: newReceipt(),
    key: lead.key,
    digest: `\\x${digest(lead).toString('hex')}`,
    state: plan.quarantined ? 'quarantined' : 'new',
    received_at: new Date().toISOString(),
    preset: lead.preset,
    name: lead.name,
    phone: lead.phone,
    phone_typed: lead.phoneTyped,
    message: lead.message,
    calculation: lead.calculation,
    page: lead.page,
    attribution: lead.attribution,
    consent_version: lead.consent.version,
    consent_hash: lead.consent.hash,
    signals: lead.signals,
    escalate_at: plan.quarantined ? null : plan.escalateAt,
    deliveries: channels.map((channel) => ({ id: newDeliveryId(), channel })),
  };
}

function refusesValue({ cause }: StoreError): boolean {
  return Error.isError(cause) && /\(2[23]\w{3}\)$/.test(cause.message);
}

function toReceipt(row: ReceiptRow): Receipt {
  const { number, receipt, received_at, preset, calculation, taken_at } = row;
  return { number, receipt, receivedAt: received_at.toISOString(), preset, calculation, takenAt: iso(taken_at) };
}

function toLead(row: LeadRow): Lead {
  const { state, name, phone, phone_typed, message, page, attribution, signals, taken_by } = row;
  return {
    ...toReceipt(row),
    state,
    name,
    phone,
    phoneTyped: phone_typed,
    message,
    page,
    attribution,
    consent: { version: row.consent_version, hash: row.consent_hash },
    signals,
    takenBy: taken_by,
  };
}

function toDeliveryRecord({
  id,
  channel,
  reason,
  state,
  attempts,
  due_at,
  ended_at,
  error,
}: DeliveryRow): DeliveryRecord {
  return { id, channel, reason, state, attempts, at: (ended_at ?? due_at).toISOString(), error };
}

function iso(at: Date | null): string | null {
  return at?.toISOString() ?? null;
}
