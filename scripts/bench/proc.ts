import { readFileSync } from 'node:fs';

/** Linux counts processor time for users in hundredths of a second, whatever the kernel's own clock. */
const tick = 10;

/** Milliseconds of processor time that all threads of a process have used so far. */
export function cpuTime(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold anything; 14 and 15 are counted from the start.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Megabytes of a process that are in memory, those that it shares among them. */
export function residentMemory(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kilobytes) / 1024;
}
