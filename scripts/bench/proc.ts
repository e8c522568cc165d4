import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time for users in hundredths of a second, however fine the kernel's own clock is. */
const tick = 10;

/** Milliseconds of processor time that a process and those that it has started have used so far. */
export function cpuTime(pid: number): number {
  return tree(pid).reduce((all, one) => {
    const [user, system] = times(one);
    return all + user + system;
  }, 0);
}

/** The same for this process and all its children that have ended. */
export function cpuTimeOfOwnTree(): number {
  return times(process.pid).reduce((all, time) => all + time);
}

/** Milliseconds that the processors of the machine have worked for any process, or were taken from it by its host. */
export function cpuTimeOfMachine(): number {
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = readFileSync('/proc/stat', 'utf8')
    .slice('cpu '.length)
    .trim()
    .split(' ', 8)
    .map(Number);
  return (user + nice + system + steal) * tick;
}

/** Megabytes of a process that are in memory, those that it shares among them. */
export function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}

/**
 * Looks at a process and all that it starts, until they have ended.
 *
 * @returns a function that gives the most megabytes they have held at one time; what each held at its worst counts for
 *   as long as it lives
 */
export function watchMemory(pid: number): () => number {
  let peak = 0;
  const watching = setInterval(() => {
    peak = Math.max(
      peak,
      tree(pid).reduce((all, one) => all + mostMemory(one), 0),
    );
  }, 10);
  return () => {
    clearInterval(watching);
    return peak;
  };
}

/** A process, and those that it has started. */
function tree(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const started = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...started.flatMap(tree)];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

function mostMemory(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Milliseconds: user and system time of a process, then those of its children that have ended. */
function times(pid: number): [number, number, number, number] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold anything; these are the fields 14 to 17 of proc(5).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const at = (index: number) => Number(fields[index]) * tick;
  return [at(11), at(12), at(13), at(14)];
}
