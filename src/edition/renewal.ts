import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { paths } from '../paths.ts';
import { type Repetition, repeatedly } from '../repeatedly.ts';
import type { Edition } from './open.ts';

const run = promisify(execFile);

/** Milliseconds between looks at the clock. A timer for hours ahead would not notice that somebody set the clock. */
const lookInterval = 2_000;
/** Milliseconds until the next try after one that failed. */
const retryInterval = 60_000;
/** Milliseconds that making an edition may take. */
const patience = 120_000;

type Options = {
  edition: Edition;
  /** Makes the edition for the present. */
  remake(): Promise<Edition>;
  onRenewed(edition: Edition): void;
  logger: Logger;
};

/**
 * Has a new edition made whenever the time of the present one is over: a post's day has come, a departure has
 * left. Until it is there, and if it cannot be made, the present one goes on.
 */
export function startRenewal({ edition, remake, onRenewed, logger }: Options): Repetition {
  let { until } = edition;
  let notBefore = 0;

  async function look(): Promise<void> {
    if (until === undefined || Date.now() < until.getTime() || Date.now() < notBefore) return;
    try {
      const next = await remake();
      until = next.until;
      onRenewed(next);
      logger.info({ edition: next.id, until }, 'a new edition is served, because the time of the last one was over');
    } catch (error) {
      notBefore = Date.now() + retryInterval;
      logger.error({ err: error }, 'the edition is out of date and a new one cannot be made; it is tried again');
    }
  }

  return repeatedly(look, lookInterval);
}

/**
 * Makes the edition for the present in a process of its own, because rendering would keep visitors waiting.
 *
 * @throws with what the process said, if it failed
 */
export async function prerenderApart(args: readonly string[] = []): Promise<void> {
  await run(process.execPath, [paths.commands, 'prerender', ...args], { timeout: patience });
}
