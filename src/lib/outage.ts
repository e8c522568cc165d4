/** Called with `undefined` when the outage ends, and how often something has failed by then. */
export type OutageReport = (error: Error | undefined, failures: number) => void;

export type Outage = { failed(error: unknown): void; over(): void };

/** Reports once, not on every retry. */
export function outage(report: OutageReport): Outage {
  let failures = 0;
  return {
    failed(error) {
      failures += 1;
      if (failures === 1) report(Error.isError(error) ? error : new Error(String(error)), failures);
    },
    over() {
      if (failures > 0) report(undefined, failures);
      failures = 0;
    },
  };
}
