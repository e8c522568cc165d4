/** Called with the error when an outage starts, and with `undefined` when it ends. */
export type OutageReport = (error: Error | undefined) => void;

export type Outage = { failed(error: unknown): void; over(): void };

/** Reports an outage once, not on every retry. */
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
