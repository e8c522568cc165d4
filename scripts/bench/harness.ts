import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { paths } from '../../src/lib/paths.ts';
import { folder, type Server, startServer } from '../server-process.ts';

/** `ratio` is relative to a baseline measured in the same run. */
export type Figure = { name: string; unit: string; value: number; ratio: number; limit: number };

type Comparison = Pick<Figure, 'name' | 'unit' | 'limit'> & {
  rounds?: number;
  ours: () => Promise<number>;
  other: () => Promise<number>;
};

/** Rounds alternate, so that other load on the machine affects both sides. */
export async function compare({ name, unit, limit, rounds = 1, ours, other }: Comparison): Promise<Figure> {
  const values: number[] = [];
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const value = await ours();
    values.push(value);
    ratios.push(value / (await other()));
  }
  return { name, unit, value: median(values), ratio: median(ratios), limit };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** `content` may be edited; `filled` is milliseconds until all pages were compressed. */
export type FilledServer = Server & { content: string; filled: number };

export async function startFilledServer(): Promise<FilledServer> {
  const content = newContent();
  const server = await startServer([paths.main], { CONTENT_DIR: content });
  return { ...server, content, filled: server.started + (await untilIdle(server)) };
}

export function newContent(): string {
  const content = mkdtempSync(join(folder, 'content-'));
  cpSync(paths.content, content, { recursive: true });
  return content;
}

/** Runs a task of `bare.js`. */
export function startBare(...task: string[]): Promise<Server> {
  return startServer([join(import.meta.dirname, 'bare.js'), ...task]);
}

/** Milliseconds until the first response. */
export async function startOnce(start: () => Promise<Server>): Promise<number> {
  await using server = await start();
  return server.started;
}

/** @returns milliseconds @throws with stderr if it fails */
export async function run(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const begun = performance.now();
  await output(args, env);
  return performance.now() - begun;
}

/** @returns stdout @throws with stderr if it fails */
export async function output(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return (await promisify(execFile)(process.execPath, args, { env })).stdout;
}

type Load = {
  connections?: number;
  seconds?: number;
  headers?: readonly string[];
  script?: 'calc.lua' | 'lead.lua';
};

/**
 * `each`: microseconds per request; `wait`: median latency in milliseconds.
 *
 * @throws if a request was refused
 */
export async function wrk(port: number, path: string, load: Load = {}) {
  const { connections = 32, seconds = 1, headers = [], script } = load;
  const args = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '20s', '--latency'];
  for (const header of headers) args.push('-H', header);
  if (script) args.push('-s', join(import.meta.dirname, script));
  const { stdout } = await promisify(execFile)('wrk', [...args, `http://127.0.0.1:${port}${path}`]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  const [, perSecond] = /Requests\/sec: +([\d.]+)/.exec(stdout) ?? [];
  const [, wait, unit = ''] = /^ +50% +([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  const milliseconds = Number(wait) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
  // wrk writes 0 if there were no responses.
  return { each: 1_000_000 / Number(perSecond), wait: milliseconds || Number.POSITIVE_INFINITY };
}

/** Idle is a second below 10 % of a processor. @returns milliseconds until it began */
export async function untilIdle({ pid }: Server): Promise<number> {
  const begun = performance.now();
  for (;;) {
    const [at, before] = [performance.now(), cpuTime(pid)];
    await sleep(1_000);
    if (cpuTime(pid) - before < 100) return at - begun;
  }
}

/** Processor milliseconds, in steps of 10. */
export function cpuTime(pid: number): number {
  // The name in brackets may contain anything; times are fields 14 and 15.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** In megabytes: resident now, or at most so far. */
export function memoryOf({ pid }: Server, figure: 'VmRSS' | 'VmHWM' = 'VmRSS'): number {
  const [, kilobytes] =
    new RegExp(`^${figure}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
