import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { against, type Figure } from './figure.ts';
import { cpuTime } from './proc.ts';
import { ask, onCpu, type Peers, type RunningServer, start } from './servers.ts';

const rounds = 5;
const seconds = { warmUp: 2, round: 4 };

/** Requests per second for the home page, and for asking whether it has changed, against bare Node sending it. */
export async function measurePages({ ours, bare, etag }: Peers): Promise<Figure[]> {
  const servers = { ours: await start(ours, { cpu: 0 }), bare: await start(bare, { cpu: 0 }) };
  const brotli = 'Accept-Encoding: br';
  const sides = {
    bare: { server: servers.bare, headers: [brotli] },
    page: { server: servers.ours, headers: [brotli] },
    unchanged: { server: servers.ours, headers: [brotli, `If-None-Match: ${etag}`] },
  };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const results = { bare: [] as Load[], page: [] as Load[], unchanged: [] as Load[] };
  try {
    const { status } = await ask(servers.ours.port, `If-None-Match: ${etag}\r\n`);
    if (status !== 304) throw new Error(`An unchanged page was answered with ${status}, not 304.`);
    for (const name of names) await load(sides[name], seconds.warmUp);
    for (let round = 0; round < rounds; round++) {
      // Each side is the first of its round in turn.
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(round + turn) % names.length] as keyof typeof sides;
        results[name].push(await load(sides[name], seconds.round));
      }
    }
  } finally {
    await servers.ours.stop();
    await servers.bare.stop();
  }
  const of = (side: keyof typeof sides, value: keyof Load) => ({
    ours: results[side].map((load) => load[value]),
    bare: results.bare.map((load) => load[value]),
  });
  return [
    against('prerendered home', 'req/s', of('page', 'rate'), { at: 'least', value: 0.85 }),
    against('304 instead of the page', 'req/s', of('unchanged', 'rate'), { at: 'least', value: 1 }),
    against('processor time per home', 'µs', of('page', 'cpu')),
    against('processor time per 304', 'µs', of('unchanged', 'cpu')),
  ];
}

/** Requests per second, and microseconds of the server's processor time for each. */
type Load = { rate: number; cpu: number };

async function load(
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
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(rate > 0) || /Non-2xx|Socket errors/.test(stdout)) throw new Error(`wrk met errors:\n${stdout}`);
  return { rate, cpu: ((cpuTime(server.pid) - before) * 1000) / requests };
}
