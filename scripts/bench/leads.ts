import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { databasePath } from '../../src/database/sqlite.ts';
import { against, alone, type Figure, inTurns, percentile } from './figure.ts';
import { installed } from './installed.ts';
import { rowsOf } from './place.ts';
import { onCpu, type Peers, production, type RunningServer, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';
import { waitWhile } from './waiting.ts';

/** What `lead-load.ts` saw; times in milliseconds. */
export type LoadResult = { elapsed: number; latencies: number[]; statuses: Record<string, number> };

const rounds = 3;

/** Leads that are accepted in a second, each of them on disk, and what their senders wait. */
export async function measureLeads({ folder }: Peers): Promise<Figure[]> {
  const dataDir = join(folder, 'leads');
  const server = await start(production(dataDir), { cpu: 0 });
  let accepted = 0;
  const counted = async (options: Record<string, number>) => {
    const result = await load(server, options);
    accepted += result.statuses[303] ?? 0;
    return result;
  };
  await counted({ connections: 32, seconds: 2 });
  const full = await undisturbed(() => counted({ connections: 32, seconds: 6 }));
  const steadily = () => counted({ connections: 256, seconds: 6, rate: 200 });
  const steady = await undisturbed(steadily);
  const list = join(folder, 'pages-beside-leads.json');
  writeFileSync(list, JSON.stringify(['/', '/rates', '/contact', '/services/fulfillment', '/questions']));
  const pages = await inTurns(rounds, {
    bare: () => waitWhile(server, list, () => sleep(6_000)),
    ours: () => waitWhile(server, list, steadily),
  });
  await server.stop('SIGTERM');
  const kept = rowsOf(databasePath(dataDir), 'SELECT number FROM lead').length;
  if (kept !== accepted) throw new Error(`${accepted} leads were accepted, but ${kept} are in the database.`);
  const wait = (name: string, { latencies }: LoadResult, share: number) =>
    alone(name, 'ms', percentile(latencies, share));
  return [
    alone('leads accepted and on disk', 'per s', (full.latencies.length * 1000) / full.elapsed, {
      at: 'least',
      value: 300,
    }),
    wait('wait for a receipt, 32 senders, p50', full, 0.5),
    wait('wait for a receipt, 32 senders, p99', full, 0.99),
    wait('wait for a receipt, 200 leads a second, p50', steady, 0.5),
    wait('wait for a receipt, 200 leads a second, p99', steady, 0.99),
    against('p99 of pages beside 200 leads a second; in quiet', 'ms', pages, { at: 'most', value: 2 }),
  ];
}

/** Waits for the disk during a hundred leads, one after another; nothing if there is no strace. */
export async function measureFsync({ folder }: Peers): Promise<Figure[]> {
  if (!installed('strace', '-V')) {
    process.stderr.write('strace IS NOT INSTALLED: nothing here proves that an accepted lead has reached the disk.\n');
    if (process.env.CI === 'true') throw new Error('strace is missing; install it (Debian: apt-get install strace).');
    return [];
  }
  const log = join(folder, 'strace.log');
  // -D leaves the server as our own child, so that it can be told to stop.
  const under = ['strace', '-D', '-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log];
  const server = await start(production(join(folder, 'fsync')), { under });
  const waits = () => readFileSync(log, 'utf8').match(/\b(fsync|fdatasync)\(.*= 0/g)?.length ?? 0;
  const before = waits();
  await load(server, { connections: 1, count: 100 });
  const during = waits() - before;
  await server.stop('SIGTERM');
  return [alone('waits for the disk during 100 leads', 'fsync', during, { at: 'least', value: 100 })];
}

/**
 * Sends leads as `lead-load.ts` says.
 *
 * @throws unless every lead was accepted
 */
export async function load(server: RunningServer, options: Record<string, number>): Promise<LoadResult> {
  const [command = '', ...args] = onCpu(1, [
    process.execPath,
    join(import.meta.dirname, 'lead-load.ts'),
    `--port=${server.port}`,
    ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
  ]);
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 64 * 1024 * 1024 });
  const result: LoadResult = JSON.parse(stdout);
  if (Object.keys(result.statuses).join() !== '303') {
    throw new Error(`Leads were not accepted; answers by status: ${JSON.stringify(result.statuses)}`);
  }
  return result;
}
