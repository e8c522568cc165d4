import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/leads/store/sqlite.ts';
import { newFolder, start } from '../server-process.ts';
import { type Figure, inTurns, median, ratio } from './figure.ts';
import { wrk } from './load.ts';
import { bare, filledServer } from './processes.ts';

const rounds = 3;

/** @throws if an accepted form is not in the database */
export async function measureLeads(): Promise<Figure[]> {
  const server = await filledServer();
  await using peer = await start([bare, 'leads', join(newFolder(), 'leads.sqlite')]);
  const send = (port: number) => wrk(port, '/contact', { seconds: 2, script: 'lead.lua' });
  const before = leadsIn(server.env.DATA_DIR);
  const loads = await inTurns(rounds, { bare: () => send(peer.port), ours: () => send(server.port) });
  const accepted = loads.ours.reduce((all, { requests }) => all + requests, 0);
  const kept = leadsIn(server.env.DATA_DIR) - before;
  if (kept < accepted) throw new Error(`${accepted} leads were accepted, but ${kept} are in the database.`);
  const [ours, others] = [loads.ours, loads.bare].map((side) => side.map(({ perSecond }) => perSecond)) as [
    number[],
    number[],
  ];
  return [
    { what: 'forms accepted and on disk', value: median(ours), unit: 'per s' },
    { what: 'rows committed by bare Node', value: median(others), unit: 'per s' },
    { what: 'forms, over rows of bare Node', value: ratio(ours, others), unit: '×', limit: { least: 0.3 } },
    { what: 'wait for a receipt, 32 senders, p99', value: median(loads.ours.map(({ p99 }) => p99)), unit: 'ms' },
    { what: 'the same of bare Node', value: median(loads.bare.map(({ p99 }) => p99)), unit: 'ms' },
  ];
}

function leadsIn(dataDir = ''): number {
  using database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  return Number(database.prepare('SELECT count(*) AS count FROM lead').get()?.count);
}
