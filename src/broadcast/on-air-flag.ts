import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type OutageReport, outage } from '../outage.ts';
import type { Broadcast } from './broadcast.ts';

/**
 * Tells a web server in front whether a broadcast is on: an empty file is there
 * as long as one is. A file that someone else made or removed is put right, too.
 *
 * @param file absolute path; its folder is made if it is missing
 * @returns `stop`, after which the file stays as it is
 */
export function keepOnAirFlag(options: {
  file: string;
  broadcast: Broadcast;
  /** Milliseconds between two looks. */
  everyMs?: number;
  report: OutageReport;
}): { stop(): void } {
  const { file, broadcast, everyMs = 5_000, report } = options;
  const writing = outage(report);
  let stopped = false;

  async function look(): Promise<void> {
    const { status } = await broadcast.current();
    // The next process may be looking after the file already.
    if (stopped) return;
    try {
      if (existsSync(file) !== status) put(status);
      writing.over();
    } catch (error) {
      writing.failed(error);
    }
  }

  function put(status: boolean): void {
    if (status) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, '');
    } else {
      rmSync(file, { force: true });
    }
  }

  look();
  const timer = setInterval(look, everyMs).unref();
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
