import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

export type Load = { requests: number; perSecond: number /** Milliseconds. */; p99: number };

type Options = { seconds?: number; headers?: readonly string[]; script?: 'calc.lua' | 'lead.lua' };

/** Over 32 keep-alive connections. @throws if there are errors */
export async function wrk(port: number, path: string, options: Options = {}): Promise<Load> {
  const { seconds = 1, headers = [], script } = options;
  const more = [
    ...headers.flatMap((header) => ['-H', header]),
    ...(script ? ['-s', join(import.meta.dirname, script)] : []),
  ];
  const args = ['-t1', '-c32', `-d${seconds}s`, '--latency', ...more, `http://127.0.0.1:${port}${path}`];
  const { stdout } = await promisify(execFile)('wrk', args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  const [, requests] = /(\d+) requests in /.exec(stdout) ?? [];
  const [, perSecond] = /Requests\/sec: +([\d.]+)/.exec(stdout) ?? [];
  const [, value, unit = ''] = /^ +99% +([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  const p99 = Number(value) * ({ us: 0.001, ms: 1, s: 1_000 }[unit] ?? Number.NaN);
  return { requests: Number(requests), perSecond: Number(perSecond), p99 };
}
