import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../src/testing/ask.ts';
import { type Nginx, nginxPath, startNginx } from '../../src/testing/nginx.ts';
import { folder } from '../server-process.ts';
import { compare, type Figure, type FilledServer, startBare, wrk } from './harness.ts';

const rounds = 4;
const brotli = 'Accept-Encoding: br';

/** The processor's time for a page, beside bare Node with the same page. */
export async function measurePages(server: FilledServer): Promise<Figure[]> {
  const { headers, body } = await ask(server.port, '/', {
    headers: { 'accept-encoding': 'br', connection: 'keep-alive' },
  });
  const sent = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  const file = join(folder, 'home.br');
  writeFileSync(file, body);
  await using bare = await startBare('page', file, JSON.stringify(sent.flat()));

  const home = async (port: number) => (await wrk(port, '/', { headers: [brotli] })).each;
  const unchanged = async (port: number) =>
    (await wrk(port, '/', { headers: [brotli, `If-None-Match: ${headers.etag}`] })).each;
  const calculation = async (port: number) => (await wrk(port, '/', { script: 'calc.lua' })).each;
  const other = () => home(bare.port);
  const figures = [
    await compare({ name: 'home', unit: 'µs', limit: 1.2, rounds, ours: () => home(server.port), other }),
    await compare({ name: 'a 304', unit: 'µs', limit: 1.1, rounds, ours: () => unchanged(server.port), other }),
    await compare({
      name: 'a page rendered on demand',
      unit: 'µs',
      limit: 150,
      rounds,
      ours: () => calculation(server.port),
      other,
    }),
  ];
  if (!existsSync(nginxPath)) return figures;
  const nginx = await startNginx(server.port);
  try {
    await removeLimits(nginx);
    const ours = () => home(nginx.port);
    return [...figures, await compare({ name: 'home through nginx', unit: 'µs', limit: 1.2, rounds, ours, other })];
  } finally {
    await nginx.stop();
  }
}

/** All requests come from one address. */
async function removeLimits(nginx: Nginx): Promise<void> {
  const file = join(nginx.folder, 'nginx.conf');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ *limit_(req|conn) .*$/gm, ''));
  await nginx.reload();
}
