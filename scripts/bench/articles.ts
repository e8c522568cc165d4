import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { paths } from '../../src/lib/paths.ts';
import { against, alone, type Figure, inTurns, median } from './figure.ts';
import { generatedArticles } from './generated-articles.ts';
import { buildHugo, hugoSite } from './hugo.ts';
import { installed } from './installed.ts';
import {
  addParagraph,
  command,
  newPlace,
  type Place,
  type Program,
  published,
  serverOf,
  settled,
  unshipped,
  untilServed,
} from './place.ts';
import { residentMemory } from './proc.ts';
import { type Peers, start } from './servers.ts';

const [many, most] = [4_000, 10_000];
const rounds = { cold: 3, edit: 5, memory: 3 };
/** Milliseconds after which a server has given back what it needed for a moment. */
const calm = 3_000;

const addressOf = (slug: string) => `/blog/articles/${slug}`;

/** Some thousands of articles: made by Hugo and by `publish`, edited, and served. @throws without Hugo */
export async function measureArticles({ folder }: Peers): Promise<Figure[]> {
  if (!installed('hugo', 'version'))
    throw new Error('hugo is missing, which these are measured against (Debian: apt-get install hugo).');
  const program = unshipped(folder);
  const hugo = join(folder, 'hugo');
  hugoSite(hugo, many);
  const memory: number[] = [];
  let place = placeOf(program, join(folder, 'many-0'), many);
  const cold = await inTurns(rounds.cold, {
    bare: () => buildHugo(hugo),
    async ours(round) {
      if (round > 0) place = placeOf(program, join(folder, `many-${round}`), many);
      const made = await madeAndServed(place);
      memory.push(made.memory);
      return made.seconds;
    },
  });

  const edited = await editedAndServed(place, hugo);
  const few = newPlace(program, join(folder, 'few'));
  await command(few, 'publish');
  const held = await inTurns(rounds.memory, {
    bare: () => memoryOfServing(few),
    ours: () => memoryOfServing(place),
  });

  const large = placeOf(program, join(folder, 'most'), most);
  const made = await madeAndServed(large);
  const quantity = (count: number) => count.toLocaleString('en');
  const [articles, more] = [`${quantity(many)} articles`, `${quantity(most)} articles`];
  return [
    against(`${articles}, from nothing to served; Hugo`, 's', cold, { at: 'most', value: 4 }),
    against('one of them edited, to served; all by Hugo', 's', edited, { at: 'most', value: 0.4 }),
    alone(`memory of making ${articles}`, 'MB', median(memory), { at: 'most', value: 600 }),
    against(`memory of serving ${articles}; what ships`, 'MB', held, { at: 'most', value: 1.15 }),
    alone(`${more}, from nothing to served`, 's', made.seconds),
    alone(`memory of making ${more}`, 'MB', made.memory),
    alone(`first search in ${more}`, 'ms', made.firstSearch),
  ];
}

/** The content that ships, and so many articles more. */
function placeOf(program: Program, folder: string, count: number): Place {
  const place = newPlace(program, folder);
  generatedArticles(count, addressOf).forEach(({ slug, title, description, date, related, text }, number) => {
    const fields = { heading: title, title, description, summary: description, author: 'Анна Крылова, логист' };
    const front = [
      `id: ${100_000 + number}\n`,
      ...Object.entries(fields).map(([key, value]) => `${key}: "${value}"\n`),
      `published: ${date}\nrelated:\n  - ${related}\n`,
    ];
    writeFileSync(join(place.content, `blog/articles/${slug}.md`), `---\n${front.join('')}---\n\n${text}`);
  });
  return place;
}

/**
 * Publishes for a server that runs on what ships.
 *
 * @returns seconds until an article is served, megabytes of the making, and milliseconds of the first search then
 */
async function madeAndServed(place: Place): Promise<{ seconds: number; memory: number; firstSearch: number }> {
  await command({ ...place, content: paths.content }, 'publish');
  await using server = await start(serverOf(place));
  await settled(place);
  let memory = 0;
  const seconds = await untilServed(server, addressOf('zapis-00001'), 'zapis-00002', async () => {
    ({ memory } = await command(place, 'publish'));
  });
  const begun = performance.now();
  const answer = await fetch(`http://127.0.0.1:${server.port}/search?q=${encodeURIComponent('упаковка')}`);
  await answer.arrayBuffer();
  return { seconds, memory, firstSearch: performance.now() - begun };
}

/** Seconds until an article that was edited is served, and those of Hugo for the whole site. */
async function editedAndServed(place: Place, hugo: string) {
  // Making all of them small takes a quarter of an hour at the lowest priority; it goes on beside this.
  await using server = await start(serverOf(place));
  return await inTurns(rounds.edit, {
    bare: () => buildHugo(hugo),
    ours(round) {
      const [words, slug] = [`Правка-${round}`, `zapis-${String(1_000 + round).padStart(5, '0')}`];
      addParagraph(place, `blog/articles/${slug}.md`, words);
      return untilServed(server, addressOf(slug), words, () => command(place, 'publish'));
    },
  });
}

/** Megabytes that a server holds once each page was asked for, some more often than others if there are few. */
async function memoryOfServing(place: Place): Promise<number> {
  const { pages } = published(place);
  await using server = await start(serverOf(place));
  // As many requests as the larger place has pages, for requests alone make a process grow.
  for (let number = 0; number < Math.max(pages.length, 2 * many); number++) {
    const path = pages[number % pages.length];
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`);
  }
  await sleep(calm);
  return residentMemory(server.pid);
}
