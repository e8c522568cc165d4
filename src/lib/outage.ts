/** Called with `undefined` when the outage ends. */
export type OutageReport = (error: Error | undefined) => void;

export type Outage = { failed(error: unknown): void; over(): void };

/** Reports once, not on every retry. */
export function outage(report: OutageReport): Outage {
  let failing = false;
  return {
    failed(error) {
      if (!failing) report(Error.isError(error) ? error : new Error(String(error)));
      failing = true;
    },
    over() {
      if (failing) report(undefined);
      failing = false;
    },
  };
}
