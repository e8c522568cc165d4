import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIndex } from '../../src/edition/open.ts';
import { paths } from '../../src/paths.ts';
import { alone, type Figure } from './figure.ts';
import type { Peers } from './servers.ts';

/** Making the whole edition, with nothing compressed before and with everything. */
export async function measureBuild({ folder }: Peers): Promise<Figure[]> {
  const editionsDir = join(folder, 'editions');
  const cold = prerender(editionsDir);
  // Without it, nothing says that the edition is up to date; what was compressed stays.
  rmSync(join(editionsDir, 'current'));
  const warm = prerender(editionsDir);
  return [
    alone('edition from nothing', 's', cold.seconds),
    alone('pages made from nothing', 'per s', cold.pages / cold.seconds),
    alone('edition with all of it compressed before', 's', warm.seconds),
    alone('pages made with all of it compressed before', 'per s', warm.pages / warm.seconds),
  ];
}

function prerender(editionsDir: string): { seconds: number; pages: number } {
  const begun = performance.now();
  execFileSync(process.execPath, [paths.commands, 'prerender', '--out', editionsDir], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const seconds = (performance.now() - begun) / 1000;
  return { seconds, pages: readIndex(join(editionsDir, 'current'))?.prerendered.length ?? 0 };
}
