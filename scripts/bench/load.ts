import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuTime } from './proc.ts';
import { onCpu, type RunningServer } from './servers.ts';

/** `cpuMs`: the processor time of the server. */
export type Load = { requests: number; seconds: number; cpuMs: number };

/** Requests per second. */
export function rate({ requests, seconds }: Load): number {
  return requests / seconds;
}

export function sum(loads: readonly Load[]): Load {
  const total = (value: (load: Load) => number) => loads.reduce((all, load) => all + value(load), 0);
  return {
    requests: total(({ requests }) => requests),
    seconds: total(({ seconds }) => seconds),
    cpuMs: total(({ cpuMs }) => cpuMs),
  };
}

/** Asks a server on the first CPU for its home page, from the second, for so many seconds. @throws if it met errors */
export async function load(
  { server, headers }: { server: RunningServer; headers: readonly string[] },
  duration: number,
): Promise<Load> {
  const before = cpuTime(server.pid);
  const [command = '', ...args] = onCpu(1, [
    'wrk',
    '-t1',
    '-c32',
    `-d${duration}s`,
    ...headers.flatMap((header) => ['-H', header]),
    `http://127.0.0.1:${server.port}/`,
  ]);
  const { stdout } = await promisify(execFile)(command, args);
  const [, requests, time] = /(\d+) requests in ([\d.]+)s,/.exec(stdout) ?? [];
  if (requests === undefined || time === undefined || /Non-2xx|Socket errors/.test(stdout)) {
    throw new Error(`wrk met errors:\n${stdout}`);
  }
  return { requests: Number(requests), seconds: Number(time), cpuMs: cpuTime(server.pid) - before };
}
