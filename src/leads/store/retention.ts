import type { Logger } from 'pino';
import { dayMs, hourMs } from '../../lib/calendar.ts';
import { type Repetition, repeatedly } from '../../lib/repeatedly.ts';
import { asideDays, asides, removeAside } from './aside.ts';
import { type ConsentDocument, consentOf } from './consent.ts';
import type { LeadStore } from './lead.ts';

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

/** Milliseconds since the clock was last believed, after which it may be wrong, or the server was off for days. */
const jump = 2 * dayMs;
/** Milliseconds of uptime after which a clock that has jumped is believed: the operator has had time to notice. */
const probation = dayMs;

/**
 * Keeps the text of consent as evidence, and removes leads whose time is over: at once, then every hour, and when it is
 * told that the text may have changed. A failure is logged, and the next hour tries again. After a jump of the clock
 * nothing is removed for a day. Links that have ended and databases that were put aside in `dataDir` go, too.
 */
export function startRetention(options: {
  store: LeadStore;
  /** The text that visitors agree to now. */
  consent: () => ConsentDocument;
  retention: Retention;
  dataDir: string;
  logger: Logger;
  /** Seconds that the server has run. */
  uptime?: () => number;
}): Repetition {
  const { store, retention, dataDir, logger, uptime = process.uptime } = options;

  async function believes(now: number): Promise<boolean> {
    const last = await store.believed();
    const gone = last === null ? 0 : now - Date.parse(last);
    if (Math.abs(gone) > jump && uptime() * 1_000 < probation) {
      const fields = { last, days: Math.round(gone / dayMs) };
      logger.warn(fields, 'the clock has jumped; until the server has run for a day, nothing is removed for its age');
      return false;
    }
    await store.believe(new Date(now).toISOString());
    return true;
  }

  async function look(): Promise<void> {
    try {
      const { consent, text } = consentOf(options.consent());
      await store.keepConsentText(consent, text);
      const now = Date.now();
      if (!(await believes(now))) return;
      const { stripped, removed } = await store.expire(expiry(now, retention));
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
