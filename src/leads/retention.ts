import type { Logger } from 'pino';
import type { Retention } from '../config.ts';
import { type Repetition, repeatedly } from '../repeatedly.ts';
import type { LegalDocument } from '../site/content.ts';
import { consentOf } from './consent.ts';
import type { LeadStore } from './lead.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

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

/**
 * Keeps what visitors agree to as evidence, and nothing of theirs for longer than is said: looks at once and
 * then every hour, and when it is told that the text may be another one. A failure is logged and waits for the next hour.
 */
export function startRetention(options: {
  store: LeadStore;
  /** The text that visitors agree to now. */
  consent: () => Pick<LegalDocument, 'version' | 'body'>;
  retention: Retention;
  logger: Logger;
}): Repetition {
  const { store, retention, logger } = options;

  async function look(): Promise<void> {
    try {
      const { consent, text } = consentOf(options.consent());
      await store.keepConsentText(consent, text);
      const { stripped, removed } = await store.expire(expiry(Date.now(), retention));
      if (stripped + removed > 0) logger.info({ stripped, removed }, 'leads have been kept for long enough');
    } catch (error) {
      logger.error({ err: error }, 'leads that have been kept for long enough are not removed; tried again in an hour');
    }
  }

  return repeatedly(look, hourMs);
}
