import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure } from './figure.ts';
import { changePhone, command, newPlace, published, serverOf, settled, unshipped, untilServed } from './place.ts';
import { type Peers, start } from './servers.ts';
import { waitWhile } from './waiting.ts';

const rounds = 3;
/** Milliseconds of a round without anything else. */
const idle = 10_000;

/** What visitors wait while every page is made anew and polished, against what they wait otherwise. */
export async function measureMaking({ folder }: Peers): Promise<Figure[]> {
  const place = newPlace(unshipped(folder), join(folder, 'making'));
  const server = await start(serverOf(place));
  const waits = { idle: [] as number[], making: [] as number[] };
  try {
    await settled(place);
    const { store, pages } = published(place);
    store.close();
    const list = join(folder, 'pages.json');
    writeFileSync(list, JSON.stringify(pages));
    for (let round = 0; round < rounds; round++) {
      waits.idle.push(await waitWhile(server, list, () => sleep(idle)));
      const making = async () => {
        const words = changePhone(place, round + 1);
        await untilServed(server, '/', words, () => command(place, 'publish'));
        await settled(place);
      };
      waits.making.push(await waitWhile(server, list, making));
    }
  } finally {
    await server.stop('SIGTERM');
  }
  const name = 'wait for a page while all are made, p99; beside it idle';
  return [against(name, 'ms', { ours: waits.making, bare: waits.idle }, { at: 'most', value: 2 })];
}
