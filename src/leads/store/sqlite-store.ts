import type { SQLOutputValue } from 'node:sqlite';
import { type Database, storeError } from '../../database/sqlite.ts';
import { StoreError } from '../../database/store-error.ts';
import type { DeliveryQueue } from './delivery-queue.ts';
import type { DeliveryRecord, Lead, LeadState, LeadStore, NewLead, Plan, Receipt } from './lead.ts';
import { digest, newDeliveryId, newReceipt, storable } from './lead-record.ts';

/** A lead whose sender still waits for the answer. */
type Waiting = { lead: NewLead; plan: Plan; resolve: (receipt: Receipt) => void; reject: (reason: StoreError) => void };
type Outcome = { receipt: Receipt } | { failure: unknown };
type Row = Record<string, SQLOutputValue>;

const portion = 200;
/** Bytes that a check writes: no less than the largest lead that the form lets through. */
const ballast = 48 * 1024;

/**
 * Leads and their deliveries in SQLite. The database stays the caller's: close the
 * store first, then the database.
 *
 * Leads that arrive in one turn of the event loop share one commit, and with it one wait for the disk.
 */
export function sqliteLeadStore(database: Database): LeadStore & DeliveryQueue {
  const sql = statements(database);
  const { connection, read, write } = database;
  let waiting: Waiting[] = [];
  /** One commit after another: what comes while the file is held shares the next one. */
  let committing = Promise.resolve();
  let closed = false;
  /** Something was removed and may still be in free space. */
  let unforgotten = false;

  function keep({ lead, plan }: Waiting): Receipt {
    const key = digest(lead);
    // Asked first, because an insertion that ends in a conflict uses up a number, and a gap looks like a lost lead.
    const same = sql.same.get(lead.key, key);
    if (same) return toReceipt(same);
    const row = sql.insert.get(
      newReceipt(),
      lead.key,
      key,
      plan.quarantined ? 'quarantined' : 'new',
      new Date().toISOString(),
      lead.preset,
      lead.name,
      lead.phone,
      lead.phoneTyped,
      lead.message,
      lead.calculation,
      lead.page,
      JSON.stringify(lead.attribution),
      lead.consent.version,
      lead.consent.hash,
      JSON.stringify(lead.signals),
      plan.quarantined ? null : plan.escalateAt,
    );
    if (row === undefined) throw new StoreError('The lead was not added');
    if (!plan.quarantined) tell(Number(row.number), plan.channels, 'new');
    return toReceipt(row);
  }

  function tell(number: number, channels: readonly string[], reason: DeliveryRecord['reason']): void {
    const now = new Date().toISOString();
    for (const channel of channels) {
      sql.deliver.run(newDeliveryId(), number, channel, reason, now);
    }
  }

  function keepAll(leads: readonly Waiting[]): Outcome[] {
    return leads.map((one) => {
      connection.exec('SAVEPOINT lead');
      try {
        const receipt = keep(one);
        connection.exec('RELEASE lead');
        return { receipt };
      } catch (failure) {
        // The neighbours are unharmed, unless the error was so bad that the whole transaction is gone.
        if (!connection.isTransaction) throw failure;
        connection.exec('ROLLBACK TO lead; RELEASE lead');
        return { failure };
      }
    });
  }

  async function commitWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    if (batch.length === 0) return;
    let outcomes: Outcome[];
    try {
      outcomes = await write(() => keepAll(batch));
    } catch (error) {
      for (const { reject } of batch) reject(storeError('The lead was not kept', error));
      return;
    }
    batch.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome && 'receipt' in outcome) resolve(outcome.receipt);
      else reject(storeError('The lead was not kept', outcome?.failure));
    });
  }

  function commitNext(): Promise<void> {
    committing = committing.then(commitWaiting);
    return committing;
  }

  return {
    add(lead, plan) {
      if (closed) return Promise.reject(new StoreError('The lead was not kept: the store is closed'));
      return new Promise((resolve, reject) => {
        waiting.push({ lead: storable(lead), plan, resolve, reject });
        if (waiting.length === 1) setImmediate(commitNext);
      });
    },

    async receipt(token) {
      const row = await read(() => sql.receipt.get(token));
      return row && toReceipt(row);
    },

    async find(number) {
      const row = await read(() => sql.byNumber.get(number));
      return row && toLead(row);
    },

    async list({ state, limit }) {
      return read(() => (state ? sql.newestIn.all(state, limit) : sql.newest.all(limit)).map(toLead));
    },

    async *all() {
      let last = 0;
      for (;;) {
        const leads = await read(() => sql.after.all(last, portion).map(toLead));
        yield* leads;
        if (leads.length < portion) return;
        last = leads.at(-1)?.number ?? last;
      }
    },

    async recent({ phone, message }, since) {
      const row = await read(() => sql.recent.get({ phone, message, since }));
      return { samePhone: Number(row?.same_phone ?? 0), sameMessage: Number(row?.same_message ?? 0) };
    },

    async take(number, by) {
      return write(() => {
        const first = sql.take.run(new Date().toISOString(), by, number).changes === 1;
        const row = sql.byNumber.get(number);
        return row && { lead: toLead(row), first };
      });
    },

    async release(number, { channels, escalateAt }) {
      return write(() => {
        const released = sql.release.run(escalateAt, number).changes === 1;
        if (released) tell(number, channels, 'new');
        return released;
      });
    },

    async redeliver(number, channels) {
      return write(() => {
        const known = sql.byNumber.get(number) !== undefined;
        if (known) tell(number, channels, 'new');
        return known;
      });
    },

    async deliveries(number) {
      return read(() => sql.deliveries.all(number).map(toDeliveryRecord));
    },

    async untaken(now, limit) {
      return read(() =>
        sql.untaken.all(now, limit).map((row) => ({ lead: toLead(row), step: Number(row.escalation) })),
      );
    },

    async escalate({ lead, step }, channel, next) {
      return write(() => {
        const mine = sql.escalate.run(step + 1, next, lead.number, step).changes === 1;
        if (mine) tell(lead.number, [channel], 'untaken');
        return mine;
      });
    },

    async digest(day, channels, limit) {
      return write(() => {
        const begun = sql.beginDigest.get({ day });
        if (begun === undefined) return 0;
        const numbers = sql.quarantinedAfter.all(Number(begun.lead), limit).map(({ number }) => Number(number));
        for (const number of numbers) tell(number, channels, 'digest');
        sql.endDigest.run(numbers.at(-1) ?? Number(begun.lead));
        return numbers.length;
      });
    },

    async erase(phone) {
      const erased = await write(() => Number(sql.erase.run(phone).changes));
      // Also if there was none: an earlier attempt may have come no further than this.
      await database.forget();
      return erased;
    },

    async expire({ requests, consents }) {
      const expired = await write(() => ({
        removed: Number(sql.remove.run(consents).changes),
        stripped: Number(sql.strip.run(new Date().toISOString(), requests).changes),
      }));
      unforgotten ||= expired.removed + expired.stripped > 0;
      if (unforgotten) await database.forget();
      unforgotten = false;
      return expired;
    },

    async keepConsentText({ hash, version }, text) {
      if (await read(() => sql.consentText.get(hash))) return;
      await write(() => sql.keepConsentText.run(hash, version, text));
    },

    async takeKeys(days) {
      const all = () => new Map(sql.takeKeys.all().map(({ day, value }) => [String(day), value as Uint8Array]));
      const known = await read(all);
      if (days.every((day) => known.has(day))) return known;
      return write(() => {
        for (const day of days) sql.makeTakeKey.run(day);
        return all();
      });
    },

    async dropTakeKeys(days) {
      await write(() => {
        if (days === undefined) sql.dropTakeKeys.run();
        else for (const day of days) sql.dropTakeKey.run(day);
      });
    },

    async believed() {
      return textOrNull((await read(() => sql.clock.get()))?.at);
    },

    async believe(at) {
      await write(() => sql.setClock.run(at));
    },

    async stats() {
      return read(() => {
        const counts = new Map(sql.countByState.all().map(({ state, n }) => [state, Number(n)]));
        const of = (state: LeadState) => counts.get(state) ?? 0;
        const oldest = sql.oldestUntaken.get()?.at;
        return {
          leads: { new: of('new'), taken: of('taken'), quarantined: of('quarantined') },
          oldestUntaken: typeof oldest === 'string' ? oldest : null,
          deliveries: sql.openDeliveries.all().map(({ channel, state, n }) => ({
            channel: String(channel),
            state: String(state) as DeliveryRecord['state'],
            count: Number(n),
          })),
        };
      });
    },

    async claim(channel, { limit, now, latest, leaseUntil, newest = false }) {
      // Looking is free, and mostly there is nothing: only a claim waits for the disk.
      if ((await read(() => sql.due.get({ channel, now, latest }))) === undefined) return [];
      return write(() =>
        (newest ? sql.claimNewest : sql.claim).all({ leaseUntil, channel, now, latest, limit }).map((row) => ({
          id: String(row.id),
          channel,
          reason: String(row.reason) as DeliveryRecord['reason'],
          attempts: Number(row.attempts),
          lead: toLead(sql.byNumber.get(Number(row.lead)) as Row),
        })),
      );
    },

    async settle(outcomes) {
      await write(() => {
        for (const outcome of outcomes) {
          if ('delivered' in outcome) sql.end.run('delivered', outcome.at, null, outcome.id);
          else if (outcome.retryAt === null) sql.end.run('dead', outcome.at, outcome.error, outcome.id);
          else sql.retry.run(outcome.retryAt, outcome.error, outcome.uncounted ? 1 : 0, outcome.id);
        }
      });
    },

    async check() {
      // A transaction that is rolled back stays in memory and succeeds on a full disk. Only a commit
      // meets the disk, and it must be as large as a lead may be.
      await write(() => sql.beat.run(new Date().toISOString(), ballast));
    },

    async close() {
      closed = true;
      await commitNext();
    },
  };
}

function claimBy(order: 'due_at' | 'lead DESC'): string {
  return `
    UPDATE delivery SET attempts = attempts + 1, due_at = :leaseUntil
    WHERE id IN (
      SELECT id FROM delivery
      WHERE state = 'waiting' AND channel = :channel AND (due_at <= :now OR due_at > :latest)
      ORDER BY ${order} LIMIT :limit)
    RETURNING id, lead, reason, attempts`;
}

function statements({ connection }: Database) {
  const receipt = 'number, receipt, received_at, preset, calculation, taken_at';
  const prepare = (text: string) => connection.prepare(text);
  return {
    insert: prepare(`
      INSERT INTO lead (receipt, key, digest, state, received_at, preset, name, phone, phone_typed, message,
        calculation, page, attribution, consent_version, consent_hash, signals, escalate_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      RETURNING ${receipt}`),
    same: prepare(`SELECT ${receipt} FROM lead WHERE key = ? AND digest = ?`),
    receipt: prepare(`SELECT ${receipt} FROM lead WHERE receipt = ?`),
    byNumber: prepare('SELECT * FROM lead WHERE number = ?'),
    newest: prepare('SELECT * FROM lead ORDER BY number DESC LIMIT ?'),
    newestIn: prepare('SELECT * FROM lead WHERE state = ? ORDER BY number DESC LIMIT ?'),
    after: prepare('SELECT * FROM lead WHERE number > ? ORDER BY number LIMIT ?'),
    // Bounded, however many leads begin with the same words: every visitor waits for it.
    recent: prepare(`
      SELECT
        (SELECT count(*) FROM (
          SELECT 1 FROM lead WHERE phone = :phone AND received_at >= :since LIMIT 50)) AS same_phone,
        (SELECT count(*) FROM (
          SELECT DISTINCT phone FROM (
            SELECT phone, message FROM lead
            WHERE substr(message, 1, 40) = substr(:message, 1, 40) AND message IS NOT NULL AND received_at >= :since
            ORDER BY received_at DESC LIMIT 200)
          WHERE message = :message AND phone <> :phone LIMIT 50)) AS same_message`),
    take: prepare(`
      UPDATE lead SET state = 'taken', taken_at = ?, taken_by = ?, escalate_at = NULL
      WHERE number = ? AND state <> 'taken'`),
    release: prepare(`UPDATE lead SET state = 'new', escalate_at = ? WHERE number = ? AND state = 'quarantined'`),
    untaken: prepare('SELECT * FROM lead WHERE escalate_at <= ? ORDER BY escalate_at LIMIT ?'),
    escalate: prepare(`
      UPDATE lead SET escalation = ?, escalate_at = ? WHERE number = ? AND escalation = ? AND escalate_at IS NOT NULL`),
    beginDigest: prepare('UPDATE digest SET day = :day WHERE day <> :day RETURNING lead'),
    quarantinedAfter: prepare(`
      SELECT number FROM lead WHERE state = 'quarantined' AND number > ? ORDER BY number LIMIT ?`),
    endDigest: prepare('UPDATE digest SET lead = ?'),
    erase: prepare('DELETE FROM lead WHERE phone = ?'),
    remove: prepare('DELETE FROM lead WHERE received_at < ?'),
    // The digest is made of the words, so it goes with them.
    strip: prepare(`
      UPDATE lead SET stripped_at = ?, name = NULL, phone_typed = '', message = NULL, calculation = NULL,
        attribution = '{}', signals = '[]', digest = randomblob(32), escalate_at = NULL
      WHERE received_at < ? AND stripped_at IS NULL`),
    deliver: prepare(`
      INSERT INTO delivery (id, lead, channel, reason, state, due_at) VALUES (?, ?, ?, ?, 'waiting', ?)`),
    deliveries: prepare('SELECT * FROM delivery WHERE lead = ? ORDER BY rowid'),
    due: prepare(`
      SELECT 1 FROM delivery
      WHERE state = 'waiting' AND channel = :channel AND (due_at <= :now OR due_at > :latest) LIMIT 1`),
    claim: prepare(claimBy('due_at')),
    claimNewest: prepare(claimBy('lead DESC')),
    // What has arrived has arrived, whatever a slower process says of its own attempt.
    end: prepare(`UPDATE delivery SET state = ?, ended_at = ?, error = ? WHERE id = ? AND state <> 'delivered'`),
    retry: prepare(`
      UPDATE delivery SET due_at = ?, error = ?, attempts = attempts - ? WHERE id = ? AND state <> 'delivered'`),
    countByState: prepare('SELECT state, count(*) AS n FROM lead GROUP BY state'),
    oldestUntaken: prepare(`SELECT min(received_at) AS at FROM lead WHERE state = 'new'`),
    openDeliveries: prepare(`
      SELECT channel, state, count(*) AS n FROM delivery WHERE state <> 'delivered' GROUP BY state, channel`),
    consentText: prepare('SELECT 1 FROM consent_text WHERE hash = ?'),
    keepConsentText: prepare('INSERT OR IGNORE INTO consent_text (hash, version, text) VALUES (?, ?, ?)'),
    takeKeys: prepare('SELECT day, value FROM take_key'),
    makeTakeKey: prepare('INSERT OR IGNORE INTO take_key (day, value) VALUES (?, randomblob(32))'),
    dropTakeKeys: prepare('DELETE FROM take_key'),
    dropTakeKey: prepare('DELETE FROM take_key WHERE day = ?'),
    clock: prepare('SELECT at FROM clock'),
    setClock: prepare('INSERT OR REPLACE INTO clock (id, at) VALUES (1, ?)'),
    beat: prepare('INSERT OR REPLACE INTO heartbeat (id, at, ballast) VALUES (1, ?, randomblob(?))'),
  };
}

function toReceipt(row: Row): Receipt {
  return {
    number: Number(row.number),
    receipt: String(row.receipt),
    receivedAt: String(row.received_at),
    preset: String(row.preset),
    calculation: textOrNull(row.calculation),
    takenAt: textOrNull(row.taken_at),
  };
}

function toLead(row: Row): Lead {
  return {
    ...toReceipt(row),
    state: String(row.state) as LeadState,
    name: textOrNull(row.name),
    phone: String(row.phone),
    phoneTyped: String(row.phone_typed),
    message: textOrNull(row.message),
    page: String(row.page),
    attribution: JSON.parse(String(row.attribution)),
    consent: { version: String(row.consent_version), hash: String(row.consent_hash) },
    signals: JSON.parse(String(row.signals)),
    takenBy: textOrNull(row.taken_by),
  };
}

function toDeliveryRecord(row: Row): DeliveryRecord {
  return {
    id: String(row.id),
    channel: String(row.channel),
    reason: String(row.reason) as DeliveryRecord['reason'],
    state: String(row.state) as DeliveryRecord['state'],
    attempts: Number(row.attempts),
    at: String(row.ended_at ?? row.due_at),
    error: textOrNull(row.error),
  };
}

function textOrNull(value: SQLOutputValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value);
}
