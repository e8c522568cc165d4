/** Work that is done again and again. */
export type Repetition = {
  /** Begins no more, and waits for what was begun. */
  stop(): Promise<void>;
};

/**
 * Does something at once and then at every interval, never twice at a time. Does not keep the process from ending.
 *
 * @param work must not reject: nobody would hear of it
 * @param interval milliseconds
 */
export function repeatedly(work: () => Promise<void>, interval: number): Repetition {
  let running: Promise<void> | undefined;
  const begin = () => {
    running ??= work().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(begin, interval);
  timer.unref();
  begin();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
