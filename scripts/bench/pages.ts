import { against, type Figure } from './figure.ts';
import { type Load, load, rate, sum } from './load.ts';
import { ask, type Peers, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const rounds = 5;
/** A round gives each side 4 seconds, one at a time, so that what changes meanwhile falls on all alike. */
const turns = 4;
const seconds = { warmUp: 2, turn: 1 };

/** Requests per second for the home page, and for asking whether it has changed, against bare Node sending it. */
export async function measurePages({ ours, bare, etag }: Peers): Promise<Figure[]> {
  const servers = { ours: await start(ours, { cpu: 0 }), bare: await start(bare, { cpu: 0 }) };
  const brotli = 'Accept-Encoding: br';
  const sides = {
    bare: { server: servers.bare, headers: [brotli] },
    page: { server: servers.ours, headers: [brotli] },
    unchanged: { server: servers.ours, headers: [brotli, `If-None-Match: ${etag}`] },
  };
  const names = Object.keys(sides) as Side[];
  const results: Record<Side, Load[]> = { bare: [], page: [], unchanged: [] };
  try {
    const { status } = await ask(servers.ours.port, `If-None-Match: ${etag}\r\n`);
    if (status !== 304) throw new Error(`An unchanged page was answered with ${status}, not 304.`);
    for (const name of names) await load(sides[name], seconds.warmUp);
    for (let round = 0; round < rounds; round++) {
      const parts: Record<Side, Load[]> = { bare: [], page: [], unchanged: [] };
      for (let turn = 0; turn < turns; turn++) {
        for (const name of turn % 2 === 0 ? names : names.toReversed()) {
          parts[name].push(await undisturbed(() => load(sides[name], seconds.turn)));
        }
      }
      for (const name of names) results[name].push(sum(parts[name]));
    }
  } finally {
    await servers.ours.stop();
    await servers.bare.stop();
  }
  const of = (side: Side, value: (load: Load) => number) => ({
    ours: results[side].map(value),
    bare: results.bare.map(value),
  });
  const cpu = ({ requests, cpuMs }: Load) => (cpuMs * 1000) / requests;
  return [
    against('prerendered home', 'req/s', of('page', rate), { at: 'least', value: 0.85 }),
    against('304 instead of the page', 'req/s', of('unchanged', rate), { at: 'least', value: 1 }),
    against('processor time per home', 'µs', of('page', cpu)),
    against('processor time per 304', 'µs', of('unchanged', cpu)),
  ];
}

type Side = 'bare' | 'page' | 'unchanged';
