import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { databasePath } from '../../src/leads/store/sqlite.ts';
import { compare, type Figure, type FilledServer, startBare, wrk } from './harness.ts';

/** A form until it is on disk. @throws if an accepted one is not in the database */
export async function measureLeads(server: FilledServer): Promise<Figure[]> {
  await using bare = await startBare('leads', join(server.env.DATA_DIR ?? '', 'bare.sqlite'));
  let accepted = 0;
  const figure = await compare({
    name: 'a form accepted and on disk',
    unit: 'µs',
    limit: 3,
    rounds: 3,
    async ours() {
      const { requests, each } = await wrk(server.port, '/contact', { seconds: 2, script: 'lead.lua' });
      accepted += requests;
      return each;
    },
    other: async () => (await wrk(bare.port, '/contact', { seconds: 2, script: 'lead.lua' })).each,
  });
  using database = new DatabaseSync(databasePath(server.env.DATA_DIR ?? ''), { readOnly: true });
  const kept = Number(database.prepare('SELECT count(*) AS count FROM lead').get()?.count);
  if (kept < accepted) throw new Error(`${accepted} leads were accepted, but ${kept} are in the database.`);
  return [figure];
}
