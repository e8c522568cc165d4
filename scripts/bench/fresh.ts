import { join } from 'node:path';
import { clone } from './clone.ts';
import { alone, type Figure, median } from './figure.ts';
import { type Peers, start } from './servers.ts';

const rounds = 3;

/** What a developer waits who tries the project: from `npm start` in a fresh clone to the first page. */
export async function measureFresh({ folder }: Peers): Promise<Figure[]> {
  const seconds: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const cwd = clone(join(folder, `fresh-${round}`));
    const server = await start({
      name: 'npm start',
      command: (port) => ({
        ...{ program: 'npm', args: ['start', '--silent'], cwd, group: true },
        env: { PORT: String(port), HOST: '127.0.0.1', DATA_DIR: join(cwd, 'var'), HOME: process.env.HOME },
      }),
    });
    seconds.push(server.started / 1000);
    await server.stop();
  }
  return [alone('npm start in a fresh clone, to the first page', 's', median(seconds), { at: 'most', value: 4 })];
}
