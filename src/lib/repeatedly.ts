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
  let stopped = false;
  function begin(): void {
    if (running || stopped) return;
    wanted = false;
    running = work().finally(() => {
      running = undefined;
      if (wanted) begin();
    });
  }
  const timer = setInterval(begin, interval);
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
