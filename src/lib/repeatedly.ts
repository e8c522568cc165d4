/** Work that is done again and again. */
export type Repetition = {
  /** Does it now, or once more if it is being done. */
  again(): void;
  /** Begins no more, and waits for what was begun. */
  stop(): Promise<void>;
};

/**
 * Does something at once and then at every interval, never twice at a time. Does not keep the process from ending.
 *
 * @param work must not reject: no caller would hear of it
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
