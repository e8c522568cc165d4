import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { dayMs, hourMs } from '../../lib/calendar.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import type { Sql, Values } from '../../lib/sql.ts';
import { asideDays, asides, removeAside } from './aside.ts';
import { type ConsentDocument, consentOf } from './consent.ts';
import { stripping } from './lead-columns.ts';

/** For how many days leads are kept whole, and then the evidence of consent alone. Both count from when a lead came. */
export type Retention = { requests: number; consents: number };

/**
 * Before which instants leads and evidence of consent have been kept for long enough. It moves at midnight
 * UTC, so that something is removed once a day, at night in Moscow: removing rewrites the database.
 *
 * @param now milliseconds since 1970
 */
export function expiry(now: number, { requests, consents }: Retention): { requests: string; consents: string } {
  const midnight = now - (now % dayMs);
  const before = (days: number) => new Date(midnight - days * dayMs).toISOString();
  return { requests: before(requests), consents: before(consents) };
}

/** Milliseconds; a clock that has moved further since the last check may be wrong. */
const jump = 2 * dayMs;
/** Milliseconds of uptime after which it is trusted anyway: the operator has had time to notice. */
const probation = dayMs;

/**
 * Keeps the text of consent as evidence, and removes what has been kept for long enough: at once, every hour, and when
 * it is told that the text may have changed. After a jump of the clock nothing is removed for a day.
 */
export function startRetention(options: {
  sql: Sql;
  /** The text that visitors agree to now. */
  consent: () => ConsentDocument;
  retention: Retention;
  dataDir: string;
  logger: Logger;
  /** Seconds that the server has run. */
  uptime?: () => number;
}): Repetition {
  const { sql, retention, dataDir, logger, uptime = process.uptime } = options;

  const expire = expiring(sql);

  async function believes(now: number): Promise<boolean> {
    const last = await believed(sql);
    const gone = last === null ? 0 : now - Date.parse(last);
    if (Math.abs(gone) > jump && uptime() * 1_000 < probation) {
      const fields = { last, days: Math.round(gone / dayMs) };
      logger.warn(fields, 'the clock has jumped; until the server has run for a day, nothing is removed for its age');
      return false;
    }
    await believe(sql, new Date(now).toISOString());
    return true;
  }

  async function look(): Promise<void> {
    try {
      await keepConsentText(sql, options.consent());
      const now = Date.now();
      if (!(await believes(now))) return;
      const { stripped, removed } = await expire(expiry(now, retention));
      if (stripped + removed > 0) logger.info({ stripped, removed }, 'leads have been kept for long enough');
      for (const aside of asides(dataDir)) {
        if (now - aside.since < asideDays(retention.requests) * dayMs) continue;
        removeAside(aside);
        logger.info({ file: aside.path }, 'what "restore" had put aside has been kept for long enough');
      }
    } catch (error) {
      logger.error({ err: error }, 'what has been kept for long enough is not removed; tried again in an hour');
    }
  }

  return repeatedly(look, hourMs);
}

/** Leads that expire in one transaction: few enough not to hold up those that come in. */
const portion = 1_000;

/**
 * What removes all that has been kept for long enough: of leads before `requests` all but the evidence of consent, leads
 * before `consents` altogether, and links that have ended.
 */
export function expiring({ run, forget }: Sql) {
  /** Something was removed and may still be in free space. */
  let unforgotten = false;

  async function inPortions(statement: string, condition: string, values: Values): Promise<number> {
    const text = `${statement} number IN (SELECT number FROM lead WHERE ${condition} ORDER BY number LIMIT ${portion})
      RETURNING number`;
    let total = 0;
    for (;;) {
      const { length } = await run(text, values);
      total += length;
      if (length < portion) return total;
    }
  }

  return async ({ requests, consents }: { requests: string; consents: string }) => {
    const now = new Date().toISOString();
    await run('DELETE FROM link WHERE ends_at <= :now', { now });
    const removed = await inPortions('DELETE FROM lead WHERE', 'received_at < :consents', { consents });
    // The digest is made of the words, so it goes with them; the receipt makes the key one of a kind beside it.
    const stripped = await inPortions(
      `UPDATE lead SET stripped_at = :now, ${stripping}, key = receipt, digest = :digest, escalate_at = NULL WHERE`,
      'received_at < :requests AND stripped_at IS NULL',
      { now, digest: randomBytes(32), requests },
    );
    unforgotten ||= removed + stripped > 0;
    if (unforgotten) await forget();
    unforgotten = false;
    return { stripped, removed };
  };
}

/** Stores the text of a consent under its hash, once. */
export async function keepConsentText({ run }: Sql, document: ConsentDocument): Promise<void> {
  await run('INSERT INTO consent_text (hash, text) VALUES (:hash, :text) ON CONFLICT DO NOTHING', consentOf(document));
}

/** When the clock was last found plausible; `null` if it was never checked. */
export async function believed({ ask }: Sql): Promise<string | null> {
  const [row] = await ask<{ at: string }>('SELECT at FROM clock');
  return row?.at ?? null;
}

export async function believe({ run }: Sql, at: string): Promise<void> {
  await run('INSERT INTO clock (id, at) VALUES (1, :at) ON CONFLICT (id) DO UPDATE SET at = excluded.at', { at });
}
