import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { minuteMs } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';

/** Milliseconds that a job may take. */
const patience = 30 * minuteMs;

/** Runs a command of the operator in a process of its own, so that rendering and encoding keep no visitor waiting. */
export type RunJob = (command: 'publish' | 'pictures') => Promise<void>;

/**
 * The processes end with this one, even if it is killed.
 *
 * @param stopping ends what runs
 * @returns a function that rejects with what the process said, if it failed
 */
export function jobs(stopping: AbortSignal): RunJob {
  return async (command) => {
    const child = fork(paths.commands, [command], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: patience,
      signal: stopping,
    });
    // An abort rejects below, too.
    child.on('error', () => {});
    const [output, [exitCode]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
    if (exitCode !== 0) throw new Error(output.trim() || `"${command}" was ended.`);
  };
}
