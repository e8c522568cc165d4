import { join } from 'node:path';
import { paths } from '../../src/lib/paths.ts';
import { readFolder } from '../../src/reading/content-files.ts';
import { alone, type Figure, median } from './figure.ts';
import { installed } from './installed.ts';
import {
  addParagraph,
  changePhone,
  command,
  newPlace,
  type Place,
  published,
  rowsOf,
  serverOf,
  settled,
  unshipped,
  untilServed,
} from './place.ts';
import { type Peers, start } from './servers.ts';

const rounds = { cold: 3, page: 5, phone: 3, watched: 3, renewal: 3 };
/** Later than the end of any edition. */
const later = ['faketime', '-f', '+20d'];

/** The pages that ship, made from nothing, changed and renewed with nothing shipped: times, memory, and the disk. */
export async function measureEditions({ folder }: Peers): Promise<Figure[]> {
  const program = unshipped(folder);
  const cold: number[] = [];
  for (let round = 0; round < rounds.cold; round++) {
    cold.push((await command(newPlace(program, join(folder, `cold-${round}`)), 'publish')).seconds);
  }

  const place = newPlace(program, join(folder, 'edited'));
  const { page, phone, kilobytes } = await edited(place);
  const watched = await saved(place);

  const pages = published(place).index?.pages ?? Number.NaN;
  const memory: number[] = [];
  const under = installed('faketime', '--version') ? later : [];
  if (under.length === 0) process.stderr.write('faketime IS NOT INSTALLED: the renewal has nothing to make.\n');
  for (let round = 0; round < rounds.renewal; round++) {
    const renewed = newPlace(program, join(folder, `renewed-${round}`));
    await command(renewed, 'publish');
    memory.push((await command(renewed, 'renew', under)).memory);
  }
  return [
    alone(`${pages} pages from nothing`, 's', median(cold)),
    alone('one page, from publish to served', 's', median(page), { at: 'most', value: 0.5 }),
    alone('every page, from publish to served', 's', median(phone), { at: 'most', value: 1.5 }),
    alone('one page, from saved to served', 's', median(watched)),
    alone('memory of a renewal', 'MB', median(memory), { at: 'most', value: 150 }),
    alone('store on disk per page', 'KB', kilobytes, { at: 'most', value: 30 }),
  ];
}

/** Seconds until one page, and then every page, is served as it was changed; and what the store holds before. */
async function edited(place: Place): Promise<{ page: number[]; phone: number[]; kilobytes: number }> {
  const [page, phone]: [number[], number[]] = [[], []];
  await using server = await start(serverOf(place));
  await settled(place);
  const kilobytes = storedPerPage(place);
  for (let round = 0; round < rounds.page; round++) {
    await settled(place);
    const words = `Правка-${round}`;
    addParagraph(place, 'pages/about.md', words);
    page.push(await untilServed(server, '/about', words, () => command(place, 'publish')));
  }
  for (let round = 0; round < rounds.phone; round++) {
    await settled(place);
    const words = changePhone(place, round + 1);
    phone.push(await untilServed(server, '/', words, () => command(place, 'publish')));
  }
  return { page, phone, kilobytes };
}

/** Seconds until a page is served as it was saved, by a server that watches the content. */
async function saved(place: Place): Promise<number[]> {
  const watched: number[] = [];
  await using server = await start(serverOf(place, { CONTENT_WATCH: 'true' }));
  for (let round = 0; round < rounds.watched; round++) {
    await settled(place);
    const words = `Сохранено-${round}`;
    const save = () => addParagraph(place, 'pages/about.md', words);
    watched.push(await untilServed(server, '/about', words, save));
  }
  await settled(place);
  return watched;
}

/** Kilobytes of all that lies in the store but pictures. */
function storedPerPage(place: Place): number {
  const { index, entries } = published(place);
  if (index === undefined) throw new Error('Nothing is published.');
  const file = paths.ownEditions(place.dataDir);
  const memos = new Map(rowsOf(file, 'SELECT key, value FROM memo').map(({ key, value }) => [key, String(value)]));
  const pictures = new Set<string | undefined>();
  for (const { profile, hash, recipe } of entries) {
    if (recipe) pictures.add(memos.get(hash));
    else if (index.profiles[profile]?.type.startsWith('image/')) pictures.add(hash);
  }
  for (const [name, { hash }] of readFolder(place.content)) if (!/\.(md|yaml)$/.test(name)) pictures.add(hash);

  const blobs = rowsOf(file, 'SELECT hash, length(bytes) + length(hash) + length(sum) AS size FROM blob');
  const [memo] = rowsOf(file, 'SELECT sum(length(key) + octet_length(value) + length(sum)) AS size FROM memo');
  const bodies = blobs.reduce((all, { hash, size }) => all + (pictures.has(String(hash)) ? 0 : Number(size)), 0);
  return (bodies + Number(memo?.size)) / 1024 / index.pages;
}
