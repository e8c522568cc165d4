import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { against, type Figure, inTurns } from './figure.ts';
import { changePhone, command, newPlace, published, serverOf, settled, unshipped, untilServed } from './place.ts';
import { type Peers, start } from './servers.ts';
import { waitWhile } from './waiting.ts';

const rounds = 3;
/** Milliseconds of a round without anything else. */
const idle = 10_000;

/** What visitors wait while every page is made anew and polished, against what they wait otherwise. */
export async function measureMaking({ folder }: Peers): Promise<Figure[]> {
  const place = newPlace(unshipped(folder), join(folder, 'making'));
  await using server = await start(serverOf(place));
  await settled(place);
  const list = join(folder, 'pages.json');
  writeFileSync(list, JSON.stringify(published(place).pages));
  const waits = await inTurns(rounds, {
    bare: () => waitWhile(server, list, () => sleep(idle)),
    ours: (round) =>
      waitWhile(server, list, async () => {
        const words = changePhone(place, round + 1);
        await untilServed(server, '/', words, () => command(place, 'publish'));
        await settled(place);
      }),
  });
  return [against('wait for a page while all are made, p99; beside it idle', 'ms', waits, { at: 'most', value: 2 })];
}
