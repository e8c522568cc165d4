import type { Logger } from 'pino';
import { dayMs, hourMs } from '../../lib/durations.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Retention } from '../../model/retention-periods.ts';
import { destroyLeads, recordDestruction, removeOldDestructions } from './destruction.ts';
import { keepErasures } from './erasures.ts';
import { type LeadRow, leadColumns, strippedDetails, toLead } from './lead.ts';
import { addConsentText, type ConsentDocument, consentOf } from './leads.ts';
import type { Query, Sql } from './sql.ts';

/**
 * The instants move at midnight UTC, at night in Moscow, because removal rewrites the database.
 *
 * @param now milliseconds since 1970
 */
export function expiry(now: number, { leads, consents }: Retention): { leads: string; consents: string } {
  const midnight = now - (now % dayMs);
  const before = (days: number) => new Date(midnight - days * dayMs).toISOString();
  return { leads: before(leads), consents: before(consents) };
}

/** @returns the midnights at which a lead is reduced, and removed */
export function removalOf(receivedAt: string, { leads, consents }: Retention): { leads: string; consents: string } {
  const received = Date.parse(receivedAt);
  const midnight = received - (received % dayMs);
  const after = (days: number) => new Date(midnight + (days + 1) * dayMs).toISOString();
  return { leads: after(leads), consents: after(consents) };
}

/** A clock that moved further since the last check has jumped, or no server ran. */
const maxClockStepMs = 2 * dayMs;

/**
 * Stores the consent text, so that forms which are open when it changes are accepted, lists erasures, and removes expired
 * data: at once, hourly, and when the text may have changed.
 */
export function startRetention(options: {
  sql: Sql;
  dataDir: string;
  consent: () => ConsentDocument;
  retention: Retention;
  logger: Logger;
}): Repetition {
  const { sql, dataDir, retention, logger } = options;
  /** Whether removed data may remain in free space. */
  let vacuumPending = false;

  /**
   * After a jump, no lead is removed by age for as long as the jump was, at most for the retention period, because the clock
   * may be wrong now, or may have been wrong when leads came.
   */
  async function isClockTrusted(now: number): Promise<boolean> {
    const { seenAt, trustedAt, steadySince } = (await readClock(sql)) ?? {
      seenAt: now,
      trustedAt: now,
      steadySince: now,
    };
    const since = hasJumped(seenAt, now) ? now : steadySince;
    const waitMs = hasJumped(trustedAt, now) ? Math.min(Math.abs(since - trustedAt), retention.leads * dayMs) : 0;
    const isTrusted = now - since >= waitMs;
    await storeClock(sql, { seenAt: now, trustedAt: isTrusted ? now : trustedAt, steadySince: since });
    if (!isTrusted) {
      const fields = { before: iso(trustedAt), after: iso(since), until: iso(since + waitMs) };
      logger.warn(fields, 'clock jumped; no lead is removed by age until it has been right for as long');
    }
    return isTrusted;
  }

  /** A backup may have been restored without this program. */
  async function repeatErasures(): Promise<void> {
    try {
      const { erased } = await keepErasures(sql, dataDir, 'retention');
      if (erased === 0) return;
      vacuumPending = true;
      logger.warn({ erased }, 'a restored backup held erased leads; they were erased again');
    } catch (error) {
      logger.error({ err: error }, 'erasures could not be listed in DATA_DIR; retrying in 1 h');
    }
  }

  async function removeExpired(): Promise<void> {
    const now = Date.now();
    if (!(await isClockTrusted(now))) return;
    const expired = await expire(sql, expiry(now, retention));
    if (expired.stripped + expired.removed === 0) return;
    vacuumPending = true;
    logger.info(expired, 'expired leads removed');
  }

  async function run(): Promise<void> {
    await repeatErasures();
    try {
      await keepConsentText(sql, options.consent());
      await removeExpired();
      if (vacuumPending) await sql.forget();
      vacuumPending = false;
    } catch (error) {
      logger.error({ err: error }, 'expired leads could not be removed; retrying in 1 h');
    }
  }

  return repeatedly(run, { intervalMs: hourMs, logger });
}

/**
 * Numbers show the order of arrival even if the clock was wrong: a lead after a recent one is recent, and a lead from the
 * future is as old as the leads after it. $1 is now, $2 the limit.
 */
const expired = `number <= (
  SELECT max(number) FROM lead WHERE received_at < $2 AND number < (
    SELECT coalesce(min(number), 2147483647) FROM lead WHERE received_at BETWEEN $2 AND $1
  )
)`;

export function expire({ transact }: Sql, { leads, consents }: { leads: string; consents: string }) {
  const now = new Date().toISOString();
  return transact(async (query) => {
    await query('DELETE FROM link WHERE ends_at <= $1', [now]);
    await removeOldDestructions(query, Date.parse(now));
    return {
      removed: await destroyLeads(query, expired, [now, consents], byAge),
      stripped: await strip(query, now, leads),
    };
  });
}

const byAge = { by: 'retention', reason: 'age' } as const;

async function strip(query: Query, now: string, before: string): Promise<number> {
  const due = await query<LeadRow>(`SELECT ${leadColumns} FROM lead WHERE ${expired} AND stripped_at IS NULL`, [
    now,
    before,
  ]);
  // The key is a hash of the words, so it goes with them. A time in the future is corrected, because it will be past
  // before the evidence of consent expires.
  const stripped = await query<{ number: number }>(
    `UPDATE lead SET stripped_at = $1, details = $3, events = '[]', key = receipt, state = 'done', remind_at = NULL,
       received_at = CASE WHEN received_at > $2 THEN $2 ELSE received_at END
     WHERE ${expired} AND stripped_at IS NULL RETURNING number`,
    [now, before, JSON.stringify(strippedDetails)],
  );
  // Another server may have stripped some of them, and recorded that.
  const numbers = new Set(stripped.map(({ number }) => number));
  const leads = due.filter(({ number }) => numbers.has(number)).map(toLead);
  await recordDestruction(query, { ...byAge, leads, destroyed: 'details' });
  return stripped.length;
}

export async function keepConsentText({ query }: Sql, document: ConsentDocument): Promise<void> {
  const { hash, text } = consentOf(document);
  await addConsentText(query, hash, text);
}

/** Milliseconds since 1970: the last check of the clock, the last that trusted it, and the first since its last jump. */
type Clock = { seenAt: number; trustedAt: number; steadySince: number };

export async function readClock({ query }: Sql): Promise<Clock | undefined> {
  const [row] = await query<{ found: string }>('SELECT found FROM clock');
  return row && JSON.parse(row.found);
}

export async function storeClock({ query }: Sql, clock: Clock): Promise<void> {
  await query('INSERT INTO clock (id, found) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET found = excluded.found', [
    JSON.stringify(clock),
  ]);
}

function hasJumped(from: number, to: number): boolean {
  return Math.abs(to - from) > maxClockStepMs;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
