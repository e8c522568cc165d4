import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../src/tests/support/ask.ts';
import { folder } from '../server-process.ts';
import { compare, type Figure, type FilledServer, startBare, wrk } from './harness.ts';

const rounds = 15;
/** At least 0.85 of the requests a second. */
const limit = 1 / 0.85;
const brotli = 'Accept-Encoding: br';

/** Compared with a bare Express application that sends the same bytes. */
export async function measurePages({ port }: FilledServer): Promise<Figure[]> {
  const { headers, body } = await ask(port, '/', { headers: { 'accept-encoding': 'br', connection: 'keep-alive' } });
  const sent = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  const file = join(folder, 'home.br');
  writeFileSync(file, body);
  await using bare = await startBare('page', file, JSON.stringify(sent.flat()));

  const home = async (of: number) => (await wrk(of, '/', { headers: [brotli] })).each;
  const unchanged = async () => (await wrk(port, '/', { headers: [brotli, `If-None-Match: ${headers.etag}`] })).each;
  const calculation = async () => (await wrk(port, '/', { script: 'calc.lua' })).each;
  const other = () => home(bare.port);
  return [
    await compare({ name: 'home', unit: 'µs', limit, rounds, ours: () => home(port), other }),
    await compare({ name: 'a 304', unit: 'µs', limit, rounds, ours: unchanged, other }),
    await compare({ name: 'a calculation', unit: 'µs', limit: 150, rounds, ours: calculation, other }),
  ];
}
