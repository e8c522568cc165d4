import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { clone } from './clone.ts';
import { alone, type Figure, median } from './figure.ts';
import { untilServed } from './place.ts';
import { type Peers, start } from './servers.ts';

const rounds = 5;

/** What is saved, how it is changed, and the most seconds until it is served. */
const changes = {
  Markdown: {
    ...{ file: 'src/content/pages/about.md', limit: 0.3 },
    change: (text: string, mark: string) => `${text}\n${mark}\n`,
  },
  'a style': {
    ...{ file: 'src/design/base.css', limit: 0.3 },
    change: (text: string, mark: string) => `${text}\nmain { --${mark}: 0 }\n`,
  },
  'a component': {
    ...{ file: 'src/company/about.page.tsx', limit: 1 },
    change: (text: string, mark: string) => text.replace('heading="', `heading="${mark} `),
  },
};

/** `npm run dev`: from a saved file to the page that shows it. */
export async function measureDev({ folder }: Peers): Promise<Figure[]> {
  const cwd = clone(join(folder, 'dev'));
  await using server = await start({
    name: 'dev',
    command: (port) => ({
      ...{ args: ['scripts/dev.ts'], cwd },
      env: { PORT: String(port), DATA_DIR: join(cwd, 'var') },
    }),
  });
  const figures: Figure[] = [];
  for (const [what, { file, change, limit }] of Object.entries(changes)) {
    const path = join(cwd, file);
    const before = readFileSync(path, 'utf8');
    const seconds: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const mark = `saved-${figures.length}-${round}`;
      seconds.push(await untilServed(server, '/about', mark, () => writeFileSync(path, change(before, mark))));
    }
    figures.push(alone(`dev: ${what}, from saved to served`, 's', median(seconds), { at: 'most', value: limit }));
  }
  return figures;
}
