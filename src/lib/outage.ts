/** Told of a failure once, with the error, and once when it is over, without. */
export type OutageReport = (error: Error | undefined) => void;

/** Notes how each try of something went, and reports only when that changes. */
export type Outage = { failed(error: unknown): void; over(): void };

/** For what is tried again and again: one line in the log at each end says as much as one a second. */
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
