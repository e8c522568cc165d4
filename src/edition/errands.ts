import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { paths } from '../lib/paths.ts';

/** Milliseconds that an errand may take. */
const patience = 30 * 60_000;

/** Does a command of the operator in a process of its own: rendering and encoding would keep visitors waiting. */
export type Errand = (command: string, ...args: string[]) => Promise<void>;

/**
 * The processes end with this one, even if it is killed.
 *
 * @param stopping ends what runs
 * @returns a function that rejects with what the process said, if it failed
 */
export function errands(stopping: AbortSignal): Errand {
  return async (command, ...args) => {
    const child = fork(paths.commands, [command, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      timeout: patience,
      signal: stopping,
    });
    // An abort rejects below, too.
    child.on('error', () => {});
    const [said, [exitCode]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'close')]);
    if (exitCode !== 0) throw new Error(said.trim() || `"${command}" was ended.`);
  };
}

/** Pictures that wait to be made at most: a browser that asks for one more is told to come again. */
const picturesWaiting = 8;

/**
 * Makes pictures that are asked for before their turn, one after another, each once however many ask for it.
 *
 * @returns a function that resolves when there is nothing more to wait for, and never rejects
 */
export function pictureMaker(make: (path: string) => Promise<void>): (path: string) => Promise<void> {
  const waiting = new Map<string, Promise<void>>();
  let last = Promise.resolve();
  return (path) => {
    const known = waiting.get(path);
    if (known || waiting.size >= picturesWaiting) return known ?? Promise.resolve();
    const mine = last.then(() => make(path)).finally(() => waiting.delete(path));
    waiting.set(path, mine);
    last = mine;
    return mine;
  };
}
