import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { match } from 'path-to-regexp';
import { type Hash, hashOf, keyOf } from '../lib/hash.ts';
import type { Content } from '../model/content.ts';
import { readAssets } from '../reading/assets.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { lintContent } from '../reading/lint.ts';
import { loadContent } from '../reading/load.ts';
import { packContent } from '../reading/packed.ts';
import { readPictures } from '../reading/pictures.ts';
import { ContentError, type Problem } from '../reading/problem.ts';
import { contentReader, type Reader } from '../reading/source.ts';
import { routes, sections, taken } from '../routes.ts';
import { makeIndex } from '../search/make-index.ts';
import { type Memo, memoIn } from '../store/memo.ts';
import type { EditionRow, EditionStore, Stored } from '../store/store.ts';
import { anchorsIn, linkProblems, type Targets } from './addresses.ts';
import { variantOf, type Workshop } from './code.ts';
import type { EditionIndex, NamedProfile } from './edition-index.ts';
import { type Entry, writeEntries } from './entries.ts';
import { manifests, type OpenPage, openPages, type Press, press } from './prerender.ts';
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
  /** It was published before: it is made as long as it can be, whatever newer rules find. */
  again?: boolean;
};

/** What came of a content. */
export type Made = { row: EditionRow; index: EditionIndex; content: Content };

/**
 * Makes the edition of a content for one moment: everything that visitors can be sent but pictures, compressed in
 * haste. It is in the store when this resolves, and no server shows it before the content is published.
 *
 * @returns also what is no reason not to publish it
 * @throws {ContentError} with every problem in the content, links to nowhere among them
 */
export async function makeEdition(options: MakeOptions): Promise<Made & Pick<Inspected, 'problems'>> {
  const inspected = await inspectContent(options);
  const made = options.again && inspected.made ? inspected.made : publishable(inspected);
  return { ...made, problems: inspected.problems };
}

/** What may be published. @throws {ContentError} if there is more to mend than warnings */
export function publishable({ made, problems }: Inspected): Made {
  const errors = problems.filter(({ warning }) => !warning);
  if (made === undefined || errors.length > 0) throw new ContentError(errors);
  return made;
}

/** What can be rendered of a content, if anything can, and all that is wrong with it. */
export type Inspected = { made: Made | undefined; problems: Problem[] };

/** Looks for all that is wrong with a content, by making its edition. */
export async function inspectContent(options: MakeOptions): Promise<Inspected> {
  const { files, workshop, store, at } = options;
  const memo = memoIn(store, workshop.code.id);
  const reader = contentReader(files, memo);
  try {
    const made = await make(options, memo, reader);
    return { made, problems: [...reader.problems, ...lintContent(reader.linted, at)] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { made: undefined, problems: [...error.problems, ...lintContent(reader.linted, at)] };
  } finally {
    store.flush();
  }
}

async function make({ files, workshop, store, at }: MakeOptions, memo: Memo, reader: Reader): Promise<Made> {
  const { code, publicDir, siteUrl, integrations } = workshop;
  const assets = readAssets(publicDir);
  const pictures = await readPictures(files, memo);
  const loaded = loadOrTellLinks(
    () => loadContent(files, assets, { sections, taken, integrations, pictures, at, memo, reader }),
    files,
    reader,
  );
  const { content } = loaded;
  const bytes = new Map([...files.values()].map((file) => [file.hash, file]));
  const ingredients = {
    ...{ content, code, siteUrl, integrations, assets, memo, pictures: loaded.pictures, rootFiles: loaded.rootFiles },
    read: (hash: Hash) => bytes.get(hash)?.bytes() ?? Buffer.alloc(0),
  };
  const pages = openPages(content);
  const printing = press(ingredients, pages);
  const shelf = openShelf(store, printing.shareMarks);

  await printPages(pages, printing, shelf);
  for (const resource of printing.others(pages)) shelf.publish(resource);
  const upcoming = loaded.preview ? openUpcoming(loaded.preview, pages) : [];
  // What is wrong with a post is told to the editor who publishes it, and not on its day.
  for (const { view } of upcoming) shelf.keep(printing.page(view).bodies);
  await shelf.settled();
  const { entries, profiles } = shelf;
  const published = new Map(entries.map(({ path, hash }) => [path, hash]));
  const read = (hash: Hash) => String(store.bytes(hash) ?? '');
  const awaited = new Set(upcoming.map(({ path }) => path));
  const anchorsOf = anchorsIn(read, memo);
  const wrong = linkProblems(loaded.links, loaded.moved, {
    has: (path, unpublished) => published.has(path) || (unpublished === true && awaited.has(path)),
    hasAnchor: (path, id) => anchorsOf(published.get(path) ?? '').includes(id),
    presets: content.presets.map(({ slug }) => slug),
    redirects: content.redirects,
  });
  const twice = loaded.rootFiles
    .filter(({ path }) => entries.filter((entry) => entry.path === path).length > 1)
    .map(({ path }) => {
      return { file: `root${path}`, line: 1, field: '', message: 'По этому адресу сайт отвечает сам. Уберите файл.' };
    });
  if (loaded.problems.length + wrong.length + twice.length > 0) {
    throw new ContentError([...reader.problems, ...loaded.problems, ...wrong, ...twice]);
  }

  // The same content, code and time give the same name on every machine, even if encoders differ: of pictures that are
  // encoded, entries have the recipe.
  const id = keyOf(entries.map(({ path, profile, hash }) => [path, profiles[profile]?.name, hash])).slice(0, 16);
  const paths = pages.map(({ path }) => path);
  for (const resource of manifests(id, newestDate(content), paths, content.redirects, siteUrl)) shelf.publish(resource);
  await shelf.settled();
  const { core, posts } = packContent(content);
  const snapshot = keepSnapshot(files, store);
  const index: EditionIndex = {
    id,
    until: loaded.until?.toISOString() ?? null,
    demo: content.company.demo,
    redirects: content.redirects,
    images: printing.images,
    dictionary: printing.dictionary,
    ...{ profiles, snapshot },
    entries: store.keep(writeEntries(entries)),
    pages: paths.length,
    content: { core: store.keep(core), posts: store.keep(posts) },
    search: makeIndex(content, store.keep, memo),
    memos: store.keep(JSON.stringify([...memo.used])),
  };
  const root = store.keep(JSON.stringify(index));
  const { until } = index;
  const row = {
    variant: variantOf(workshop),
    snapshot,
    starts: content.at,
    until,
    root,
    made: new Date().toISOString(),
  };
  store.setEdition(row);
  return { row, index, content };
}

/** What is wrong with links is told with all else, although no page can be rendered to know its anchors. */
function loadOrTellLinks<T>(load: () => T, files: ContentFiles, reader: Reader): T {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const links = [...reader.texts].flatMap(([file, { text, bodyLine }]) =>
      text.links.map(({ href, line }) => ({ file, href, line: () => bodyLine + line - 1 })),
    );
    throw new ContentError([...error.problems, ...linkProblems(links, [], likelyTargets(files))]);
  }
}

/** What a content probably publishes, by the names of its files. */
function likelyTargets(files: ContentFiles): Targets {
  const paths = [...files.keys()];
  const text = (name: string) => files.get(name)?.bytes().toString() ?? '';
  const words = new Set([
    ...paths.flatMap((path) => path.replace(/\.\w+$/, '').split('/')),
    ...[...text('categories.yaml').matchAll(/\bslug:\s*["']?([\w-]+)/g)].map(([, slug = '']) => slug),
  ]);
  const matches = routes.map(({ path }) => match(path));
  const known = (word: string) => /^\d+$/.test(word) || words.has(word);
  return {
    has: (path) =>
      /\.\w+$/.test(path) ||
      matches.some((matching) => {
        const found = matching(path);
        return found && Object.values(found.params).every((word) => known(String(word)));
      }),
    hasAnchor: () => true,
    presets: undefined,
    redirects: [],
  };
}

function newestDate(content: Content): number {
  const dates = [...content.articles, ...content.news, ...content.cases, ...content.reviews].map((item) =>
    'updated' in item && item.updated ? item.updated : item.published,
  );
  return Date.parse([content.rates.effective, ...dates].sort().at(-1) ?? content.rates.effective);
}

/** Renders page by page; while one batch is compressed, the next is rendered. */
async function printPages(pages: readonly OpenPage[], printing: Press, shelf: Shelf): Promise<void> {
  for (let start = 0; start < pages.length; start += batchSize) {
    for (const open of pages.slice(start, start + batchSize)) {
      const rendered = printing.page(open.view);
      shelf.keep(rendered.bodies);
      for (const resource of printing.entries(open, rendered)) shelf.publish(resource);
    }
    await shelf.turn();
  }
}

/** Pages at addresses that exist only with posts that visitors do not see yet. */
function openUpcoming(preview: Content, pages: readonly OpenPage[]): OpenPage[] {
  const known = new Set(pages.map(({ path }) => path));
  return openPages(preview).filter(({ path }) => !known.has(path));
}

/** Lists what is published, compresses its bodies beside the rendering, and writes them down. */
type Shelf = {
  entries: readonly Entry[];
  profiles: readonly NamedProfile[];
  publish(resource: Resource): void;
  keep(bodies: readonly Buffer[]): void;
  /** Begins with what has come, and waits for what was begun before. */
  turn(): Promise<void>;
  settled(): Promise<void>;
};

function openShelf(store: EditionStore, shareMarks: ReadonlyMap<string, string>): Shelf {
  const entries: Entry[] = [];
  const profiles: NamedProfile[] = [];
  const positions = new Map<Profile, number>();
  const known = store.hashes();
  let waiting: { hash: Hash; body: Buffer }[] = [];
  let packing = Promise.resolve();

  function positionOf(profile: Profile): number {
    const position = positions.get(profile) ?? profiles.push({ ...profile, name: keyOf(profile) }) - 1;
    positions.set(profile, position);
    return position;
  }

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
    ...{ entries, profiles, turn },
    publish(resource) {
      const { path, profile } = resource;
      const recipe = 'recipe' in resource;
      let hash: Hash;
      if (recipe) hash = store.keep(JSON.stringify(resource.recipe));
      else hash = 'body' in resource ? take(resource.body) : resource.hash;
      entries.push({ path, profile: positionOf(profile), hash, recipe, shareMark: shareMarks.get(path) ?? '' });
    },
    keep(bodies) {
      bodies.forEach(take);
    },
    async settled() {
      await turn();
      await packing;
    },
  };
}

/** A body as it is served until `polish` has compressed it well; what packing makes hardly smaller stays as it is. */
async function quickly(body: Buffer): Promise<Stored> {
  const packed = await pack(body, { level: constants.Z_BEST_SPEED });
  return packed.length < 0.9 * body.length
    ? { encoding: 'gzip', bytes: packed }
    : { encoding: 'identity', bytes: body };
}
