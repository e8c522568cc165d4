import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { entriesOf } from '../../src/edition/edition-index.ts';
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
  const [page, phone, watched]: [number[], number[], number[]] = [[], [], []];
  let kilobytes: number;
  const server = await start(serverOf(place));
  try {
    await settled(place);
    kilobytes = storedPerPage(place);
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
  } finally {
    await server.stop('SIGTERM');
  }

  const watching = await start(serverOf(place, { CONTENT_WATCH: 'true' }));
  try {
    for (let round = 0; round < rounds.watched; round++) {
      await settled(place);
      const words = `Сохранено-${round}`;
      const save = () => addParagraph(place, 'pages/about.md', words);
      watched.push(await untilServed(watching, '/about', words, save));
    }
    await settled(place);
  } finally {
    await watching.stop('SIGTERM');
  }

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

/** Kilobytes of all that lies in the store but pictures. */
function storedPerPage(place: Place): number {
  const { store, index } = published(place);
  if (index === undefined) throw new Error('Nothing is published.');
  const pictures = new Set<string>();
  for (const { profile, hash, recipe } of entriesOf(index, store)) {
    if (recipe) pictures.add(store.memo(hash) ?? '');
    else if (index.profiles[profile]?.type.startsWith('image/')) pictures.add(hash);
  }
  for (const [name, { hash }] of readFolder(place.content)) if (!/\.(md|yaml)$/.test(name)) pictures.add(hash);
  store.close();

  const database = new DatabaseSync(paths.ownEditions(place.dataDir), { readOnly: true });
  const blobs = database.prepare('SELECT hash, length(bytes) + length(hash) + length(sum) AS size FROM blob').all();
  const memos = database.prepare('SELECT sum(length(key) + octet_length(value) + length(sum)) AS size FROM memo').get();
  database.close();
  const bodies = blobs.reduce((all, { hash, size }) => all + (pictures.has(String(hash)) ? 0 : Number(size)), 0);
  return (bodies + Number(memos?.size)) / 1024 / index.pages;
}
