import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { against, type Figure } from './figure.ts';
import { cpuTime } from './proc.ts';
import { onCpu, type RunningServer } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

/** `cpuMs`: the processor time of the server. */
type Load = { requests: number; seconds: number; cpuMs: number };

/** Seconds of a turn: few, so that what changes meanwhile falls on all alike. Four turns are one round. */
const turn = 1;
const turnsOfRound = 4;
/** Five rounds, after one in which servers warm up. */
export const turns = 6 * turnsOfRound;

/** Asks a server for its home page for one turn. */
export function load(server: RunningServer, ...headers: string[]): Promise<Load> {
  return undisturbed(async () => {
    const before = cpuTime(server.pid);
    const said = await wrk(server, ['-c32', `-d${turn}s`, ...headers.flatMap((header) => ['-H', header])]);
    const [, requests, seconds] = /(\d+) requests in ([\d.]+)s,/.exec(said) ?? [];
    return { requests: Number(requests), seconds: Number(seconds), cpuMs: cpuTime(server.pid) - before };
  });
}

/** Asks a server for its home page from the second CPU. @returns what wrk says. @throws if it met errors */
export async function wrk({ port }: RunningServer, options: readonly string[]): Promise<string> {
  const [command = '', ...args] = onCpu(1, ['wrk', '-t1', ...options, `http://127.0.0.1:${port}/`]);
  const { stdout } = await promisify(execFile)(command, args);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  return stdout;
}

/**
 * Requests per second, and for information the processor time of each, against those of a peer in the same turns.
 *
 * @param names of the two figures
 */
export function compared(
  names: { rate: string; cpu: string },
  sides: { ours: readonly Load[]; bare: readonly Load[] },
  least: number,
): Figure[] {
  const [ours, bare] = [roundsOf(sides.ours), roundsOf(sides.bare)];
  const of = (value: (load: Load) => number) => ({ ours: ours.map(value), bare: bare.map(value) });
  return [
    against(
      names.rate,
      'req/s',
      of(({ requests, seconds }) => requests / seconds),
      { at: 'least', value: least },
    ),
    against(
      names.cpu,
      'µs',
      of(({ cpuMs, requests }) => (cpuMs * 1000) / requests),
    ),
  ];
}

/** The rounds that count, each as one load. */
function roundsOf(loads: readonly Load[]): Load[] {
  return Array.from({ length: loads.length / turnsOfRound - 1 }, (_, round) => {
    const parts = loads.slice((round + 1) * turnsOfRound, (round + 2) * turnsOfRound);
    const total = (value: (load: Load) => number) => parts.reduce((all, load) => all + value(load), 0);
    return {
      requests: total(({ requests }) => requests),
      seconds: total(({ seconds }) => seconds),
      cpuMs: total(({ cpuMs }) => cpuMs),
    };
  });
}
