import type { Logger } from 'pino';
import { outage } from './outage.ts';

export type Repetition = {
  /** Runs now, or right after the current run. */
  again(): void;
  /** Resolves after the current run. */
  stop(): Promise<void>;
};

/**
 * Never runs twice at once or keeps the process alive. Work that fails is repeated like any other, and logged once until
 * it succeeds.
 */
export function repeatedly(
  work: () => Promise<void>,
  { intervalMs, logger }: { intervalMs: number; logger: Pick<Logger, 'error' | 'info'> },
): Repetition {
  let running: Promise<void> | undefined;
  let wanted = false;
  let stopped = false;
  const { failed, over } = outage((error) => {
    if (error) logger.error({ err: error }, 'a repeated task failed; it is repeated');
    else logger.info('the repeated task works again');
  });

  async function run(): Promise<void> {
    try {
      await work();
      over();
    } catch (error) {
      // Stopping may abort the work.
      if (!stopped) failed(error);
    }
  }

  function begin(): void {
    if (running || stopped) return;
    wanted = false;
    running = run().finally(() => {
      running = undefined;
      if (wanted) begin();
    });
  }

  const timer = setInterval(begin, intervalMs);
  timer.unref();
  begin();
  return {
    again() {
      wanted = true;
      begin();
    },
    async stop() {
      stopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
