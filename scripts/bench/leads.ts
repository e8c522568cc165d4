import { join } from 'node:path';
import { compare, type Figure, type FilledServer, startBare, wrk } from './harness.ts';

/** Compared with a row committed by plain Node. */
export async function measureLeads(server: FilledServer): Promise<Figure[]> {
  await using bare = await startBare('leads', join(server.env.DATA_DIR ?? '', 'bare.sqlite'));
  const form = async (port: number) => (await wrk(port, '/contact', { seconds: 2, script: 'lead.lua' })).each;
  return [
    await compare({
      name: 'a form accepted and on disk',
      unit: 'µs',
      limit: 3,
      rounds: 3,
      ours: () => form(server.port),
      other: () => form(bare.port),
    }),
  ];
}
