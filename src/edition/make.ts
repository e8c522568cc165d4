import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { readAssets } from '../site/assets.ts';
import type { Content } from '../site/content.ts';
import type { ContentFiles } from '../site/content-files.ts';
import { byPlace, type Finding, lintContent } from '../site/lint.ts';
import { loadContent } from '../site/load.ts';
import { packContent } from '../site/packed.ts';
import { readPictures } from '../site/pictures.ts';
import { ContentError } from '../site/problem.ts';
import { contentReader, type Reader } from '../site/source.ts';
import { type Hash, hashOf, keyOf } from '../store/hash.ts';
import { type Memo, memoIn } from '../store/memo.ts';
import type { EditionRow, EditionStore, Stored } from '../store/store.ts';
import { checkAddresses } from './addresses.ts';
import { variantOf, type Workshop } from './code.ts';
import type { EditionIndex, IndexEntry, Part } from './edition-index.ts';
import { manifests, type OpenPage, openPages, type Press, press } from './prerender.ts';
import { readAhead } from './read-ahead.ts';
import type { Profile, Resource } from './resource.ts';
import { keepSnapshot } from './snapshot.ts';

const pack = promisify(gzip);

/** Pages that are rendered while those before them are compressed. */
const batchSize = 64;

export type MakeOptions = {
  files: ContentFiles;
  workshop: Workshop;
  store: EditionStore;
  /** The moment that the edition is made for. */
  at: Date;
};

/** What came of a content. */
export type Made = { row: EditionRow; index: EditionIndex; content: Content };

/**
 * Makes the edition of a content for one moment: everything that visitors can be sent but pictures, compressed in
 * haste. It is in the store when this resolves, and served by nobody before the content is published.
 *
 * @throws {ContentError} with every problem in the content, links to nowhere among them
 */
export async function makeEdition(options: MakeOptions): Promise<Made> {
  const { made, findings } = await inspectContent(options);
  const errors = findings.flatMap(({ severity, ...problem }) => (severity === 'error' ? [problem] : []));
  if (made === undefined || errors.length > 0) throw new ContentError(errors);
  return made;
}

/**
 * Looks for all that is wrong with a content, by making its edition.
 *
 * @returns findings by file and line, and the edition if the content can be rendered at all
 */
export async function inspectContent(options: MakeOptions): Promise<{ made: Made | undefined; findings: Finding[] }> {
  const { files, workshop, store, at } = options;
  const memo = memoIn(store, workshop.code.id);
  const reader = contentReader(files, memo);
  await readAhead(files, store, workshop.code.id);
  try {
    const made = await make(options, memo, reader);
    reader.readOthers();
    return { made, findings: lintContent(reader.linted, at) };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const errors = error.problems.map((problem) => ({ ...problem, severity: 'error' as const }));
    return { made: undefined, findings: [...errors, ...lintContent(reader.linted, at)].sort(byPlace) };
  } finally {
    store.flush();
  }
}

async function make({ files, workshop, store, at }: MakeOptions, memo: Memo, reader: Reader): Promise<Made> {
  const { code, publicDir, siteUrl, integrations } = workshop;
  const assets = readAssets(publicDir);
  const pictures = await readPictures(files, memo);
  const loaded = loadContent(files, assets, { integrations, pictures, at, memo, reader });
  const { content } = loaded;
  const bytes = new Map([...files.values()].map((file) => [file.hash, file]));
  const ingredients = {
    ...{ content, code, siteUrl, integrations, assets, memo, pictures: loaded.pictures },
    read: (hash: Hash) => bytes.get(hash)?.bytes() ?? Buffer.alloc(0),
  };
  const pages = openPages(content);
  const printing = press(ingredients, pages);
  const shelf = bodyShelf(store);

  const resources = await printPages(pages, printing, shelf);
  resources.push(...printing.others(pages).map(shelf.put));
  const upcoming = loaded.preview ? openUpcoming(loaded.preview, pages) : [];
  // What is wrong with a post is told while somebody is there to mend it, and not on its day.
  for (const { view } of upcoming) shelf.keep(printing.page(view).bodies);
  await shelf.settled();
  const published = new Map(resources.map(({ path, hash }) => [path, hash]));
  const read = (hash: Hash) => String(store.bytes(hash) ?? '');
  checkAddresses(loaded, { published, upcoming: new Set(upcoming.map(({ path }) => path)), read, memo });

  const { core, posts } = packContent(content);
  const named = nameEdition(resources, pages, content);
  const about = manifests(named, content.redirects, siteUrl).map(shelf.put);
  await shelf.settled();
  const profiles = [...new Set([...resources, ...about].map(({ profile }) => profile))];
  const position = new Map(profiles.map((profile, index) => [profile, index]));
  const entries = [...resources, ...about].map(({ path, profile, hash }): IndexEntry => {
    const mark = printing.shareMarks.get(path);
    const sent = position.get(profile) ?? 0;
    return mark === undefined ? [path, sent, hash] : [path, sent, hash, mark];
  });
  const snapshot = keepSnapshot(files, store);
  const index: EditionIndex = {
    ...named,
    until: loaded.until?.toISOString() ?? null,
    demo: content.company.demo,
    redirects: content.redirects,
    images: printing.images,
    dictionary: printing.dictionary,
    profiles,
    entries,
    made: resources.flatMap(({ made }, at) => (made ? [at] : [])),
    content: { core: store.keep(core), posts: store.keep(posts) },
    snapshot,
    memos: store.keep(JSON.stringify([...memo.used])),
  };
  const root = store.keep(JSON.stringify(index));
  const { until } = index;
  const made = new Date().toISOString();
  const row = { variant: variantOf(workshop), snapshot, starts: content.at, until, root, made };
  store.setEdition(row);
  return { row, index, content };
}

/** The same content, code and time give the same name on every machine, whatever an encoder makes of a picture there. */
function nameEdition(resources: readonly Shelved[], pages: readonly OpenPage[], content: Content): Part {
  const profiles = new Map<Profile, Hash>();
  const profileName = (profile: Profile) => {
    const name = profiles.get(profile) ?? keyOf(profile);
    profiles.set(profile, name);
    return name;
  };
  const id = keyOf(resources.map(({ path, profile, hash }) => [path, profileName(profile), hash])).slice(0, 16);
  return { id, timestamp: newestDate(content), prerendered: pages.map(({ path }) => path) };
}

function newestDate(content: Content): number {
  const dates = [...content.articles, ...content.news, ...content.cases, ...content.reviews].map((item) =>
    'updated' in item && item.updated ? item.updated : item.published,
  );
  return Date.parse([content.rates.effective, ...dates].sort().at(-1) ?? content.rates.effective);
}

/** A resource whose body or recipe is in the store. */
type Shelved = { path: string; profile: Profile; hash: Hash; made: boolean };

/** Renders page by page; while one batch is compressed, the next is rendered. */
async function printPages(pages: readonly OpenPage[], printing: Press, shelf: BodyShelf): Promise<Shelved[]> {
  const resources: Shelved[] = [];
  for (let start = 0; start < pages.length; start += batchSize) {
    for (const open of pages.slice(start, start + batchSize)) {
      const rendered = printing.page(open.view);
      shelf.keep(rendered.bodies);
      for (const entry of printing.entries(open, rendered)) resources.push(shelf.put(entry));
    }
    await shelf.turn();
  }
  return resources;
}

/** Posts that visitors do not see yet, and pages that look otherwise for them. */
function openUpcoming(preview: Content, pages: readonly OpenPage[]): OpenPage[] {
  const known = new Set(pages.map(({ path }) => path));
  return openPages(preview).filter(({ path }) => !known.has(path));
}

/** Takes bodies, compresses them beside the rendering, and writes them down. */
type BodyShelf = {
  put(resource: Resource): Shelved;
  keep(bodies: readonly Buffer[]): void;
  /** Begins with what has come, and waits for what was begun before. */
  turn(): Promise<void>;
  settled(): Promise<void>;
};

function bodyShelf(store: EditionStore): BodyShelf {
  const known = store.hashes();
  let waiting: { hash: Hash; body: Buffer }[] = [];
  let packing = Promise.resolve();

  function take(body: Buffer): Hash {
    const hash = hashOf(body);
    if (!known.has(hash)) waiting.push({ hash, body });
    known.add(hash);
    return hash;
  }

  async function write(bodies: typeof waiting): Promise<void> {
    const packed = await Promise.all(bodies.map(async ({ hash, body }) => ({ hash, stored: await quickly(body) })));
    for (const { hash, stored } of packed) store.putStored(hash, stored);
  }

  async function turn(): Promise<void> {
    const before = packing;
    packing = write(waiting);
    waiting = [];
    await before;
  }

  return {
    put(resource) {
      const { path, profile } = resource;
      if ('recipe' in resource) {
        return { path, profile, hash: store.keep(JSON.stringify(resource.recipe)), made: true };
      }
      return { path, profile, hash: 'hash' in resource ? resource.hash : take(resource.body), made: false };
    },
    keep(bodies) {
      bodies.forEach(take);
    },
    turn,
    async settled() {
      await turn();
      await packing;
    },
  };
}

/** A body as it is served until somebody has compressed it well; what packing makes hardly smaller stays as it is. */
async function quickly(body: Buffer): Promise<Stored> {
  const packed = await pack(body, { level: constants.Z_BEST_SPEED });
  return packed.length < 0.9 * body.length
    ? { encoding: 'gzip', bytes: packed }
    : { encoding: 'identity', bytes: body };
}
