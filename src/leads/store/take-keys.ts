import type { Logger } from 'pino';
import { minuteMs } from '../../lib/calendar.ts';
import { outage } from '../../lib/outage.ts';
import { repeatedly } from '../../lib/repeatedly.ts';
import type { LeadStore } from './lead.ts';
import { keyDay, type TakeKeys } from './take-link.ts';

/** Milliseconds between looks at the keys, after which all processes know what one has changed. */
export const lookInterval = 1_000;
/** Milliseconds before its day at which a key is made, so that all processes know it once it signs. */
const ahead = 10 * minuteMs;

/** The keys of a store, in memory. */
export type KeyRing = {
  /** As they were a second ago, or when the store could last be read. */
  keys(): TakeKeys;
  stop(): Promise<void>;
};

/**
 * Follows the keys of a store, and makes one for each day.
 *
 * @throws {StoreError} if they cannot be read
 */
export async function followTakeKeys(store: Pick<LeadStore, 'takeKeys'>, logger: Logger): Promise<KeyRing> {
  const read = () => store.takeKeys([keyDay(Date.now()), keyDay(Date.now() + ahead)]);
  const { failed, over } = outage((error) => {
    if (error)
      logger.error({ err: error }, 'keys of links cannot be read; those known last go on, and it is tried again');
    else logger.info('keys of links can be read again');
  });
  let keys = await read();
  const looking = repeatedly(async () => {
    try {
      keys = await read();
      over();
    } catch (error) {
      failed(error);
    }
  }, lookInterval);
  return { keys: () => keys, stop: looking.stop };
}
