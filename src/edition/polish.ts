import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type Hash, hashOf } from '../lib/hash.ts';
import type { EditionStore, Stored } from '../store/store.ts';
import { packWith } from './dictionary.ts';
import { type DictionaryEntry, type EditionIndex, entriesOf, isPage } from './edition-index.ts';
import { encodePicture } from './encode-picture.ts';
import type { Recipe } from './resource.ts';

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

/** Bodies that are compressed at once. */
const batchSize = 8;

/**
 * What still has to be done for an edition: bodies that are compressed in haste, pages that are not packed with its
 * dictionary, pictures that are not made.
 */
export type Unpolished = {
  bodies: readonly Hash[];
  pages: readonly Hash[];
  dictionary: DictionaryEntry;
  recipes: readonly Hash[];
};

export function unpolished(index: EditionIndex, store: EditionStore): Unpolished {
  const entries = entriesOf(index, store);
  const bodies = new Set(entries.map(({ hash }) => hash));
  const recipes = new Set(entries.flatMap(({ hash, recipe }) => (recipe ? [hash] : [])));
  const known = store.hashes();
  const isMade = (recipe: Hash) => {
    const body = store.memo(recipe);
    return body !== undefined && known.has(body);
  };
  const { dictionary } = index;
  const packed = store.hashes(`dcz ${dictionary.hash}`);
  const pages = entries.flatMap((entry) => (isPage(entry, index) ? [entry.hash] : []));
  return {
    pages: [...new Set(pages)].filter((hash) => !packed.has(hash)),
    dictionary,
    bodies: store.hasty().filter((hash) => bodies.has(hash)),
    recipes: [...recipes].filter((recipe) => !isMade(recipe)),
  };
}

/**
 * Makes the best of an edition that is served already: bodies as small as can be, alone and with the dictionary, then
 * pictures. Each is in use as soon as it is finished, and stays, so this may be stopped at any time and begun again.
 *
 * @param progress told after each step which share is done; it may throw to end the work
 */
export async function polish(
  { bodies, pages, dictionary, recipes }: Unpolished,
  store: EditionStore,
  progress: (share: number) => void,
): Promise<void> {
  const all = bodies.length + pages.length + recipes.length;
  let done = 0;
  async function batches(hashes: readonly Hash[], work: (hash: Hash) => Promise<Packed[]>): Promise<void> {
    for (let start = 0; start < hashes.length; start += batchSize) {
      const batch = hashes.slice(start, start + batchSize);
      const finished = await Promise.all(batch.map(work));
      // Only now, and at once: no other process can write meanwhile, and this one may get little time to compress.
      for (const { hash, stored } of finished.flat()) store.putStored(hash, stored);
      store.flush();
      done += batch.length;
      progress(done / all);
    }
  }

  await batches(bodies, (hash) => compressWell(hash, store));
  const known = store.bytes(dictionary.hash);
  if (known) await batches(pages, (hash) => packPage(hash, known, dictionary, store));
  for (const recipe of recipes) {
    await makePicture(recipe, store);
    done += 1;
    progress(done / all);
  }
  while (store.packSome() > 0) progress(1);
}

/** A body in another encoding; none if it is damaged, for that is made again. */
type Packed = { hash: Hash; stored: Stored };

async function packPage(
  hash: Hash,
  dictionary: Buffer,
  { hash: name, sha256 }: DictionaryEntry,
  store: EditionStore,
): Promise<Packed[]> {
  const body = store.bytes(hash);
  if (body === undefined) return [];
  return [{ hash, stored: { encoding: `dcz ${name}`, bytes: await packWith(dictionary, sha256, body) } }];
}

async function compressWell(hash: Hash, store: EditionStore): Promise<Packed[]> {
  const body = store.bytes(hash);
  if (body === undefined) return [];
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
  };
  const [br, gzipped] = await Promise.all([
    brotli(body, { params }),
    gz(body, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return [
    { hash, stored: { encoding: 'gzip', bytes: gzipped } },
    { hash, stored: { encoding: 'br', bytes: br } },
  ];
}

/** Makes a picture by its recipe and keeps it. */
export async function makePicture(name: Hash, store: EditionStore): Promise<void> {
  const text = store.bytes(name);
  if (text === undefined) return;
  const recipe = JSON.parse(text.toString()) as Recipe;
  const read = (hash: Hash) => store.bytes(hash) ?? Buffer.alloc(0);
  const bytes = 'photo' in recipe ? await encodePicture(recipe, read(recipe.photo)) : await painted(recipe, read);
  const hash = hashOf(bytes);
  store.putStored(hash, { encoding: 'identity', bytes });
  store.setMemo(name, hash);
  store.flush();
}

async function painted(recipe: Exclude<Recipe, { photo: Hash }>, read: (hash: Hash) => Buffer): Promise<Buffer> {
  const { paintSharePicture } = await import('./share-picture.tsx');
  return paintSharePicture(recipe, read);
}
