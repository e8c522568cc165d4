export type Repetition = {
  /** Runs now, or right after the current run. */
  again(): void;
  /** Resolves after the current run. */
  stop(): Promise<void>;
};

/**
 * Never runs twice at once or keeps the process alive.
 *
 * @param work must not reject
 * @param interval milliseconds
 */
export function repeatedly(work: () => Promise<void>, interval: number): Repetition {
  let running: Promise<void> | undefined;
  let wanted = false;
  const begin = () => {
    running ??= work().finally(() => {
      running = undefined;
      if (wanted) begin();
    });
    wanted = false;
  };
  const timer = setInterval(begin, interval);
  timer.unref();
  begin();
  return {
    again() {
      const busy = running !== undefined;
      begin();
      wanted = busy;
    },
    async stop() {
      wanted = false;
      clearInterval(timer);
      await running;
    },
  };
}
