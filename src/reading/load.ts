import { type Cache, createCache } from '../lib/cache.ts';
import { localTime } from '../lib/calendar.ts';
import { hashOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import { type Content, out, type Section, type Shown } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { LazyProse, type Prose } from '../model/prose.ts';
import type { Picture } from '../model/schema.ts';
import { nextDepartureChange } from '../services/departures.ts';
import type { Assets } from './assets.ts';
import { checkNames } from './check-names.ts';
import { checkAddresses, checkDrafts, checkPages } from './check-posts.ts';
import { checkPrices, rateIds, withWarehouses } from './check-prices.ts';
import { checkPhones, checkPresets, checkSpellings } from './check-tables.ts';
import type { ContentFiles } from './content-files.ts';
import { fieldOf } from './issue-words.ts';
import { kinds } from './kinds.ts';
import { type Rendered, renderMarkdown, withPictures } from './markdown.ts';
import { periodOf } from './period.ts';
import { fitPictures, type PictureFile, type Pictures, pictureFinder } from './pictures.ts';
import { checkPlaces } from './places.ts';
import { ContentError, type Problem } from './problem.ts';
import { type RootFile, rootFilesIn } from './root-files.ts';
import { markedIn, replaced } from './schema-walk.ts';
import { contentReader, type Reader, type Source } from './source.ts';
import { readSources, slugsIn } from './sources.ts';

/** A link that an editor wrote, and where. */
export type ContentLink = {
  file: string;
  /** Parses the file, so only problems ask for it. */
  line(): number;
  href: string;
  /** It stands in a post that visitors do not see yet. */
  unpublished?: boolean;
};

export type LoadOptions = {
  /**
   * Pages whose words are in the content, and whether map and search list them; other files of `pages` are plain pages.
   * Without it, all that has words is a section, unlisted.
   */
  sections?: readonly (Section & { listed: boolean })[];
  /** Addresses that no page of an editor may have. */
  taken?: readonly string[];
  /** Third parties that pages may offer. */
  integrations?: Integrations;
  /** Pictures of the content folder, as `readPictures` found them; without them, there are none. */
  pictures?: Pictures;
  /** The moment that pages are made for; now, unless told otherwise. */
  at?: Date;
  /** Files that were read for an earlier content. */
  cache?: Cache;
  /** Reads the files, and collects what is wrong with them. */
  reader?: Reader;
};

/** A file of `public/` that every site needs. */
const mapDrawing = '/images/map.svg';

export type LoadedContent = {
  /** What visitors see. */
  content: Content;
  /** The same with drafts and posts whose day has not come, marked as such; absent if there are neither. */
  preview: Content | undefined;
  /** Renders every text: what they all link to, and what is wrong with their pictures. */
  examineTexts(): { links: readonly ContentLink[]; problems: readonly Problem[] };
  /** Old addresses that lead elsewhere. */
  moved: readonly ContentLink[];
  /** When the same files make other pages: the next change that they name, or the next day. */
  until: Date;
  /** Pictures that texts can show. */
  pictures: readonly PictureFile[];
  rootFiles: readonly RootFile[];
};

/**
 * Checks everything that editors wrote and makes one value of it.
 *
 * @throws {ContentError} with every problem, if no content can be made; otherwise the reader knows what keeps it from
 * being published
 */
export function loadContent(contentFiles: ContentFiles, assets: Assets, options: LoadOptions = {}): LoadedContent {
  const { integrations = {}, pictures: files = new Map(), at = new Date(), cache = createCache() } = options;
  const { reader = contentReader(contentFiles, cache) } = options;
  const slugs = slugsIn(contentFiles, 'pages');
  const { sections = slugs.map((name) => ({ name, to: '', listed: false })) } = options;
  const plain = slugs
    .filter((slug) => !sections.some(({ name }) => name === slug))
    .map((name) => ({ name, to: kinds.page.address.replace('*', name), listed: true }));
  const pageNames = [...sections, ...plain].map(({ name }) => name);
  const { sources, paths } = readSources(contentFiles, reader, pageNames);
  const all: Source<unknown>[] = Object.values(sources).flat();
  // A reference to a file that is wrong by itself is fine: the file is reported once, at its place.
  checkNames(all, paths, assets);
  checkAddresses(sources);
  checkPrices(sources, reader.problems);
  sources.search.forEach(checkSpellings);
  const readable = !reader.problems.some(({ warning }) => !warning);
  // Content with these can be shown, but not published.
  checkPlaces(contentFiles, reader);
  checkPages(sources, plain, options.taken ?? []);
  sources.presets.forEach(checkPresets);
  sources.company.forEach(checkPhones);
  checkDrafts(sources, all);
  const texts: { prose: Prose; links(): ContentLink[] }[] = [];
  const pictures = pictureFinder(files);
  if (!readable) {
    throw new ContentError([...reader.problems, ...looseProblems()]);
  }

  /** What readers see of a text. @param lineAt the line of the file on which a line of the text stands */
  function proseOf(
    { file, unpublished = false }: { file: string; unpublished?: boolean },
    text: () => Rendered,
    lineAt: (line: number) => number,
  ): Prose {
    const rendered = lazy(() => {
      const { html, headings, minutes, pictures: named } = text();
      const shown = named.map(({ src, alt, line }) => {
        return pictures.find({ file, line: () => lineAt(line), field: '' }, src, alt) ?? null;
      });
      return { html: shown.length > 0 ? withPictures(html, shown) : html, headings, minutes };
    });
    const prose = new LazyProse(rendered);
    texts.push({
      prose,
      links: () => text().links.map(({ href, line }) => ({ file, line: () => lineAt(line), href, unpublished })),
    });
    return prose;
  }

  /** What is wrong with pictures, while no content can be made. */
  function looseProblems(): readonly Problem[] {
    for (const source of all) shown(source);
    for (const [file, { text, bodyLine }] of reader.texts) {
      for (const { src, alt, line } of text().pictures)
        pictures.find({ file, line: () => bodyLine + line - 1, field: '' }, src, alt);
    }
    return pictures.problems;
  }

  /** The value of a file with its pictures as pages show them. */
  function shown<T>({ file, schema, value, lineOf }: Source<T>): Shown<T> {
    let result: unknown = value;
    for (const { path, value: named, mark } of markedIn(schema, value)) {
      if (!('shows' in mark)) continue;
      if (mark.shows === 'picture') {
        const { src, alt } = named as Picture;
        const place = { file, line: () => lineOf([...path, 'src']), field: fieldOf(path) };
        result = replaced(result, path, pictures.find(place, src, alt));
      } else {
        const drawing = String(named);
        const asset = assets.get(drawing)?.href;
        const place = { file, line: () => lineOf(path), field: fieldOf(path) };
        const href = drawing.startsWith('/') ? asset : pictures.find(place, drawing)?.src;
        result = replaced(result, path, href ?? drawing);
      }
    }
    return result as Shown<T>;
  }

  function written<T>(source: Source<T>, unpublished = false): Shown<T> & { slug: string; body: Prose } {
    const { file, slug, text, bodyLine } = source;
    const body = proseOf({ file, unpublished }, text, (line) => bodyLine + line - 1);
    return { ...shown(source), slug, body };
  }

  const { workingHours } = only(sources.company).value;
  const { from, until } = periodOf(at, workingHours.timeZone, (after) =>
    nextDepartureChange(only(sources.departures).value, workingHours, after),
  );
  const today = localTime(from, workingHours.timeZone).date;

  /** What a file says, marked if it is a draft, or a post to come. */
  function released<T extends Draftable>(source: Source<T>) {
    const unpublished = reasonToWait(source.value, today);
    const { draft: _, ...page } = written(source, unpublished !== undefined);
    return { ...page, ...(unpublished && { unpublished }) };
  }

  /** Newest first, drafts and posts to come among them. */
  function posts<T extends Scheduled & { id: number }>(files: readonly Source<T>[]) {
    const all = files.map(released);
    // Ties are broken by id, so that the order never depends on the file system.
    return all.sort((a, b) => b.published.localeCompare(a.published) || b.id - a.id);
  }

  const questions = only(sources.questions);
  const answers = questions.value.map((question, index) => {
    const { answer } = question;
    const text = cache.get(`answer ${hashOf(answer)}`, () => lazy(() => renderMarkdown(answer)));
    return { ...question, answer: proseOf(questions, text, () => questions.lineOf([index, 'answer'])) };
  });
  const tables = {
    company: only(sources.company).value,
    navigation: only(sources.navigation).value,
    rates: only(sources.rates).value,
    departures: only(sources.departures).value,
    categories: only(sources.categories).value,
    redirects: only(sources.redirects).value,
    search: only(sources.search).value,
  };
  const preview: Content = {
    ...tables,
    at: from.toISOString(),
    integrations,
    mapDrawing: assets.get(mapDrawing)?.href ?? mapDrawing,
    home: shown(only(sources.home)),
    pages: bySlug(sources.page.map(released)),
    sections: [...sections, ...plain].flatMap(({ name, to, listed }) => (listed ? [{ name, to }] : [])),
    services: sources.service.map(released).sort((a, b) => a.order - b.order),
    calculator: withWarehouses(only(sources.calculator).value, tables.departures, rateIds(tables.rates)),
    cases: posts(sources.case),
    reviews: posts(sources.review),
    articles: posts(sources.article.map(inCategory)),
    news: posts(sources.news),
    questions: answers,
    legal: bySlug(sources.legal.map((source) => written(source))) as Content['legal'],
    presets: shown(only(sources.presets)),
  };
  const content: Content = {
    ...preview,
    sections: preview.sections.filter(({ name }) => !preview.pages[name]?.unpublished),
    services: out(preview.services),
    cases: out(preview.cases),
    reviews: out(preview.reviews),
    articles: out(preview.articles),
    news: out(preview.news),
  };
  const linkIn = ({ file, lineOf }: Source<unknown>, path: readonly PropertyKey[], href: string): ContentLink => {
    return { file, line: () => lineOf(path), href };
  };
  const redirects = only(sources.redirects);
  const linksOfTables = [only(sources.navigation), redirects].flatMap((source) =>
    markedIn(source.schema, source.value).flatMap(({ path, value, mark }) =>
      'leads' in mark ? [linkIn(source, path, String(value))] : [],
    ),
  );
  return {
    content,
    preview: all.some(({ value }) => reasonToWait(value as Draftable, today)) ? preview : undefined,
    examineTexts() {
      for (const { prose } of texts) void prose.html;
      return { links: [...texts.flatMap(({ links }) => links()), ...linksOfTables], problems: pictures.problems };
    },
    moved: redirects.value.map(({ from }, index) => linkIn(redirects, [index, 'from'], from)),
    until,
    pictures: fitPictures(files),
    rootFiles: rootFilesIn(contentFiles),
  };
}

type Draftable = { draft: boolean; published?: string };
type Scheduled = Draftable & { published: string };

/** @param today calendar date where the company is */
function reasonToWait({ draft, published }: Draftable, today: string): 'draft' | 'scheduled' | undefined {
  if (draft) return 'draft';
  return published && published > today ? 'scheduled' : undefined;
}

/** The one file of its kind. A missing one was reported before, and then nothing asks for it. */
function only<T>([source]: readonly Source<T>[]): Source<T> {
  if (source === undefined) throw new Error('A content file is missing, yet no problem was reported.');
  return source;
}

/** The folder of an article says its category. */
function inCategory<T>(source: Source<T>): Source<T & { category: string }> {
  const [, category = ''] = source.file.split('/');
  return { ...source, value: { ...source.value, category } };
}

function bySlug<T extends { slug: string }>(all: readonly T[]): Record<string, T> {
  return Object.fromEntries(all.map((one) => [one.slug, one]));
}
