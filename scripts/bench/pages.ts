import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask } from '../../src/testing/ask.ts';
import { type Nginx, nginxPath, startNginx } from '../../src/testing/nginx.ts';
import { folder, pagesOf, start } from '../server-process.ts';
import { type Figure, inTurns, median, ratio } from './figure.ts';
import { wrk } from './load.ts';
import { bare, filledServer } from './processes.ts';

const rounds = 4;
const brotli = 'Accept-Encoding: br';

export async function measurePages(): Promise<Figure[]> {
  const server = await filledServer();
  const { headers, body } = await ask(server.port, '/', {
    headers: { 'accept-encoding': 'br', connection: 'keep-alive' },
  });
  const own = Object.entries(headers).filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name));
  const file = join(folder, 'home.br');
  writeFileSync(file, body);
  await using peer = await start([bare, 'page', file, JSON.stringify(own.flat())]);

  const article = (await pagesOf(server)).find((path) => path.startsWith('/blog/articles/')) ?? '';
  const sides = (port: number) => ({
    home: () => wrk(port, '/', { headers: [brotli] }),
    'an article': () => wrk(port, article, { headers: [brotli] }),
    'a 304': () => wrk(port, '/', { headers: [brotli, `If-None-Match: ${headers.etag}`] }),
  });
  const nginx = existsSync(nginxPath) ? await startNginx(server.port) : undefined;
  try {
    if (nginx) await withoutLimits(nginx);
    const through = Object.entries(nginx ? sides(nginx.port) : {});
    const measured = await inTurns<string, { perSecond: number }>(rounds, {
      bare: () => wrk(peer.port, '/', { headers: [brotli] }),
      ...sides(server.port),
      'a page rendered on demand': () => wrk(server.port, '/', { script: 'calc.lua' }),
      ...Object.fromEntries(through.map(([name, load]) => [`${name} through nginx`, load])),
    });
    const rates = (name: string) => (measured[name] ?? []).map(({ perSecond }) => perSecond);
    const over = (what: string, name: string, other: string): Figure => {
      return { what, value: ratio(rates(name), rates(other)), unit: '×' };
    };
    return [
      ...Object.keys(measured).map((name) => ({ what: name, value: median(rates(name)), unit: 'req/s' })),
      { ...over('home, over bare Node', 'home', 'bare'), limit: { least: 1 } },
      { ...over('a 304, over bare Node with the page', 'a 304', 'bare'), limit: { least: 1 } },
      ...(nginx ? [over('home through nginx, over the process alone', 'home through nginx', 'home')] : []),
    ];
  } finally {
    await nginx?.stop();
  }
}

/** All requests come from one address. */
async function withoutLimits(nginx: Nginx): Promise<void> {
  const file = join(nginx.folder, 'nginx.conf');
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ *limit_(req|conn) .*$/gm, ''));
  await nginx.reload();
}
