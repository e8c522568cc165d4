import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/testing/free-port.ts';
import { nginxPath, writeNginxConfig } from '../../src/testing/nginx.ts';
import { type Figure, inTurns } from './figure.ts';
import { compared, load, turns } from './load.ts';
import { type Peers, start } from './servers.ts';

/**
 * Requests per second for the home page through nginx, against the process alone, which can use one processor only;
 * the client shares the machine with them. No limit of requests, because all of them come from one address.
 */
export async function measureProxy({ ours, folder }: Peers): Promise<Figure[]> {
  const own = join(folder, 'nginx');
  mkdirSync(own);
  await using alone = await start(ours);
  await using through = await start({
    name: 'nginx',
    async command(port) {
      const file = await writeNginxConfig({ folder: own, port, first: alone.port, second: await freePort() });
      writeFileSync(file, readFileSync(file, 'utf8').replace(/^ *limit_req .*$/m, ''));
      return { program: nginxPath, args: ['-c', file, '-g', 'daemon off;'], env: {}, group: true };
    },
  });
  const brotli = 'Accept-Encoding: br';
  const sides = await inTurns(turns, { bare: () => load(alone, brotli), ours: () => load(through, brotli) });
  return compared(
    { rate: 'home through nginx, to the process alone', cpu: 'processor time per home, the same' },
    sides,
    1.2,
  );
}
