import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { minuteMs } from '../lib/durations.ts';
import { paths } from '../lib/paths.ts';

const jobTimeoutMs = 30 * minuteMs;

/** In a child process, so that requests are not delayed. */
export type RunJob = (command: 'publish' | 'pictures') => Promise<void>;

/**
 * Children exit with this process, even if it is killed.
 *
 * @returns a function that rejects with stderr
 */
export function jobs(stopping: AbortSignal): RunJob {
  return async (command) => {
    const child = fork(paths.commands, [command], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: jobTimeoutMs,
      signal: stopping,
    });
    // Aborts also reject below.
    child.on('error', () => {});
    const [output, [exitCode]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
    if (exitCode !== 0) throw new Error(output.trim() || `"${command}" was ended.`);
  };
}
