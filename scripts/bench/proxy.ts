import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/testing/free-port.ts';
import { nginxPath, writeNginxConfig } from '../../src/testing/nginx.ts';
import { against, type Figure } from './figure.ts';
import { type Load, load, rate, sum } from './load.ts';
import { type Peers, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const rounds = 5;
const turns = 4;
const seconds = { warmUp: 2, turn: 1 };
const limit = { at: 'least', value: 1.2 } as const;

/**
 * Requests per second for the home page through nginx, against the process alone, which can use one processor only;
 * the client shares the machine with them. No limit of requests, because all of them come from one address.
 */
export async function measureProxy({ ours, folder }: Peers): Promise<Figure[]> {
  const own = join(folder, 'nginx');
  mkdirSync(own);
  const alone = await start(ours);
  const through = await start({
    name: 'nginx',
    async command(port) {
      const file = await writeNginxConfig({ folder: own, port, first: alone.port, second: await freePort() });
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^ *limit_req .*$/m, ''));
      return { program: nginxPath, args: ['-c', file, '-g', 'daemon off;'], env: {}, group: true };
    },
  });
  const headers = ['Accept-Encoding: br'];
  const sides = { alone: { server: alone, headers }, through: { server: through, headers } };
  const names = Object.keys(sides) as (keyof typeof sides)[];
  const results: Record<keyof typeof sides, Load[]> = { alone: [], through: [] };
  try {
    for (const name of names) await load(sides[name], seconds.warmUp);
    for (let round = 0; round < rounds; round++) {
      const parts: typeof results = { alone: [], through: [] };
      for (let turn = 0; turn < turns; turn++) {
        for (const name of turn % 2 === 0 ? names : names.toReversed()) {
          parts[name].push(await undisturbed(() => load(sides[name], seconds.turn)));
        }
      }
      for (const name of names) results[name].push(sum(parts[name]));
    }
  } finally {
    await through.stop();
    await alone.stop();
  }
  const of = (value: (load: Load) => number) => ({ ours: results.through.map(value), bare: results.alone.map(value) });
  const cpu = ({ requests, cpuMs }: Load) => (cpuMs * 1000) / requests;
  return [
    against('home through nginx, to the process alone', 'req/s', of(rate), limit),
    against('processor time per home, the same', 'µs', of(cpu)),
  ];
}
