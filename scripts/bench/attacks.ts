import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { databasePath } from '../../src/leads/store/sqlite.ts';
import type { Server } from '../server-process.ts';
import { type Attack, attacks } from './attack-table.ts';
import { type Figure, median, percentile } from './figure.ts';
import { cpuTime, filledServer, memoryOf } from './processes.ts';
import { startVisitors, type Visitors, type Waits } from './visitors.ts';

/** Milliseconds. */
const times = { idle: 1_000, begin: 1_000, attack: 2_500, over: 300 };

/** How much longer visitors wait during an attack. */
export async function measureAttacks(): Promise<Figure[]> {
  const server = await filledServer();
  using visitors = startVisitors(server.port, ['/', '/rates', '/contact', '/questions'], true);
  await sleep(2_000);
  const idle: Waits = { pages: [], forms: [] };
  const idleCpu: number[] = [];
  const rows: { attack: Attack; waits: Waits; cpu: number; sent: number }[] = [];
  for (const attack of attacks) {
    const { pages, forms } = await visitors.during(async () => {
      idleCpu.push(await cpuDuring(server, times.idle));
    });
    idle.pages.push(...pages);
    idle.forms.push(...forms);
    rows.push({ attack, ...(await underAttack(server, visitors, attack)) });
    await sleep(times.over);
  }

  const figures = rows.flatMap(({ attack: { name, locked, most }, waits, cpu, sent }) => {
    const over = (kind: keyof Waits, share: number) => percentile(waits[kind], share) / percentile(idle[kind], share);
    const perSecond = (sent * 1_000) / times.attack;
    const own = Math.max(0, cpu - median(idleCpu));
    return [
      { what: `${name}: page, median over idle`, value: over('pages', 0.5), unit: '×' },
      { what: `${name}: page, p99 over idle`, value: over('pages', 0.99), unit: '×', limit: { most } },
      { what: `${name}: form, median over idle`, value: over('forms', 0.5), unit: '×' },
      {
        what: `${name}: form, p99 over idle`,
        value: over('forms', 0.99),
        unit: '×',
        ...(!locked && { limit: { most } }),
      },
      { what: `${name}: processor time of a request`, value: own / perSecond, unit: 'ms' },
    ];
  });
  return [
    { what: 'page, idle, p99', value: percentile(idle.pages, 0.99), unit: 'ms' },
    { what: 'form, idle, p99', value: percentile(idle.forms, 0.99), unit: 'ms' },
    ...figures,
    { what: 'memory after all of that', value: memoryOf(server.pid), unit: 'MB' },
  ];
}

/** @returns response times, CPU milliseconds per second, and requests sent */
async function underAttack(server: Server, visitors: Visitors, { name, after, locked }: Attack) {
  const database = new DatabaseSync(databasePath(server.env.DATA_DIR ?? ''), { timeout: 5_000 });
  if (locked) database.exec('BEGIN IMMEDIATE');
  const attacker = fork(join(import.meta.dirname, 'attacker.ts'), [String(server.port), name]);
  const sentSoFar = async (): Promise<number> => {
    attacker.send('sent');
    return (await once(attacker, 'message'))[0];
  };
  await sleep(after === undefined ? times.begin : after * 1_000);
  let [cpu, sent] = [0, 0];
  const waits = await visitors.during(async () => {
    const before = await sentSoFar();
    cpu = await cpuDuring(server, times.attack);
    sent = (await sentSoFar()) - before;
    attacker.kill('SIGKILL');
    database.close();
  });
  return { waits, cpu, sent };
}

/** @returns CPU milliseconds per second */
async function cpuDuring({ pid }: Server, ms: number): Promise<number> {
  const [begun, before] = [performance.now(), cpuTime(pid)];
  await sleep(ms);
  return ((cpuTime(pid) - before) * 1_000) / (performance.now() - begun);
}
