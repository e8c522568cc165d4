import { type Figure, inTurns } from './figure.ts';
import { compared, load, turns } from './load.ts';
import { ask, type Peers, start } from './servers.ts';

/** Requests per second for the home page, and for asking whether it has changed, against bare Node sending it. */
export async function measurePages({ ours, bare: bareKind, etag }: Peers): Promise<Figure[]> {
  await using server = await start(ours, { cpu: 0 });
  await using bareServer = await start(bareKind, { cpu: 0 });
  const { status } = await ask(server.port, { 'If-None-Match': etag });
  if (status !== 304) throw new Error(`An unchanged page was answered with ${status}, not 304.`);
  const brotli = 'Accept-Encoding: br';
  const { bare, page, unchanged } = await inTurns(turns, {
    bare: () => load(bareServer, brotli),
    page: () => load(server, brotli),
    unchanged: () => load(server, brotli, `If-None-Match: ${etag}`),
  });
  return [
    ...compared({ rate: 'prerendered home', cpu: 'processor time per home' }, { ours: page, bare }, 0.85),
    ...compared({ rate: '304 instead of the page', cpu: 'processor time per 304' }, { ours: unchanged, bare }, 1),
  ];
}
