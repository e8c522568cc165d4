import { setTimeout as sleep } from 'node:timers/promises';
import { cpuTime, cpuTimeOfMachine, cpuTimeOfOwnTree } from './proc.ts';
import { runningServers } from './servers.ts';

/** What others may take of one processor while something is measured. */
const tolerable = 0.1;
/** Milliseconds that a run waits in all for others to be done. */
let patience = 180_000;

/** Measures again while the rest of the machine is at work, until that takes too long. */
export async function undisturbed<T>(measure: () => Promise<T>): Promise<T> {
  for (;;) {
    const begun = performance.now();
    const before = timeOfOthers();
    const value = await measure();
    const share = (timeOfOthers() - before) / (performance.now() - begun);
    if (share <= tolerable || patience <= 0) return value;
    await sleep(200);
    patience -= performance.now() - begun;
    if (patience <= 0) {
      process.stderr.write('SOMETHING ELSE KEEPS THIS MACHINE BUSY: times and rates are off. Measure again later.\n');
    }
  }
}

function timeOfOthers(): number {
  const ours = runningServers().reduce((all, pid) => all + cpuTime(pid), cpuTimeOfOwnTree());
  return cpuTimeOfMachine() - ours;
}
