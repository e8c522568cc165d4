import { localTime } from '../lib/calendar.ts';
import { lazy } from '../lib/lazy.ts';
import { servicePath } from '../model/addresses.ts';
import { type Calculator, type Content, isSample, type PageText } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { type Posts, postKindNames, postKinds } from '../model/post-kinds.ts';
import { type Inline, mapInlines, Prose } from '../model/prose.ts';
import type { PictureField } from '../model/schemas/shared-fields.ts';
import type { WithIllustrations } from '../model/written-page.ts';
import { nextDepartureChange } from '../pricing/departures.ts';
import type { Assets } from './assets.ts';
import { referenceProblems } from './checks/check-names.ts';
import type { ContentFiles } from './content-files.ts';
import type { MarkdownText } from './markdown.ts';
import { type NextIds, nextIds } from './names.ts';
import { periodOf } from './period.ts';
import { ContentError } from './problem.ts';
import { fitPictures, illustrationOf, type PictureFile, type Pictures } from './read-pictures.ts';
import { type RootFile, rootFilesIn } from './root-files.ts';
import { markedIn, replaced } from './schema-parts.ts';
import type { Source } from './source.ts';
import { priceLists, type ReadContent, type Sources } from './sources.ts';
import { videoAddress } from './videos.ts';

type LoadOptions = {
  assets: Assets;
  integrations?: Integrations;
  pictures?: Pictures;
  /** Defaults to now. */
  at?: Date;
  /** Adds drafts and future posts, marked as unpublished. */
  drafts?: boolean;
};

export type LoadedContent = {
  content: Content;
  /** When the same files next give different pages. */
  until: Date;
  pictures: readonly PictureFile[];
  rootFiles: readonly RootFile[];
  /** For new posts. */
  nextIds: NextIds;
};

/** @throws {ContentError} if files are missing, invalid or inconsistent */
export function loadContent(read: ReadContent, options: LoadOptions): LoadedContent {
  const { assets, integrations = {}, pictures = new Map(), at = new Date(), drafts = false } = options;
  const { files, sources } = read;
  const problems = [...read.problems, ...referenceProblems(read, assets, at)];
  if (problems.length > 0) throw new ContentError(problems);
  const { workingHours } = only(sources.company).value;
  const { from, until } = periodOf(at, workingHours.timeZone, (after) =>
    nextDepartureChange(only(sources.departures).value, workingHours, after),
  );
  const { date: today } = localTime(from, workingHours.timeZone);
  const context: Context = { files, assets, pictures, drafts, today };
  const content: Content = {
    ...tablesOf(sources, context, at),
    ...entriesOf(read, context),
    at: from.toISOString(),
    integrations,
  };
  return {
    content,
    until,
    pictures: fitPictures(pictures),
    rootFiles: rootFilesIn(files),
    nextIds: nextIds(sources),
  };
}

/** `today` is in the company's time zone. */
type Context = Required<Pick<LoadOptions, 'assets' | 'pictures' | 'drafts'>> & { files: ContentFiles; today: string };

function tablesOf(sources: Sources, context: Context, at: Date) {
  const [rates, nextRates] = priceLists(sources, at);
  if (rates === undefined) throw new Error('No price list, yet no problem was reported.');
  const { sample, ...company } = only(sources.company).value;
  return {
    sample,
    company,
    navigation: only(sources.navigation).value,
    home: shownValue(only(sources.home), context),
    rates,
    nextRates,
    prices: only(sources.prices).value,
    departures: only(sources.departures).value,
    calculator: calculatorIn(sources),
    categories: only(sources.categories).value,
    presets: shownValue(only(sources.presets), context),
    redirects: only(sources.redirects).value,
    search: only(sources.search).value,
  };
}

/** With the marketplaces of the company, and the warehouses whose departures name prices. */
export function calculatorIn(sources: Pick<Sources, 'calculator' | 'company' | 'departures'>): Calculator {
  const { marketplaces } = only(sources.company).value;
  const warehouses = only(sources.departures).value.flatMap(({ id, warehouse, marketplaces: names, rates }) => {
    const served = marketplaces.filter(({ text }) => names.includes(text)).map((one) => one.id);
    return rates ? [{ id, text: warehouse, marketplaces: served, rates }] : [];
  });
  return { ...only(sources.calculator).value, marketplaces, warehouses };
}

/** Posts and questions need the text of their list, and a list needs one of them. */
function entriesOf({ sources, pages }: ReadContent, context: Context) {
  const written = bySlug(sources.page.flatMap((source) => releasedPage(source, context)));
  const posts = postsIn(sources, context, written);
  const questions = written.questions ? questionsIn(sources, context) : [];
  const empty = new Set([
    ...postKindNames.flatMap((name) => (posts[postKinds[name].plural].length > 0 ? [] : postKinds[name].list.name)),
    ...(questions.length > 0 ? [] : ['questions']),
  ]);
  const texts = Object.values(written).filter(({ slug }) => !empty.has(slug));
  const own = new Map(pages.map((page) => [page.name, page]));
  const added = texts.flatMap(({ slug }) => (own.has(slug) ? [] : { name: slug, to: `/${slug}` }));
  const listed = pages.filter((page) => page.listed && texts.some(({ slug }) => slug === page.name));
  return {
    ...posts,
    questions,
    pages: bySlug(texts),
    sections: [...listed.map(({ name, to }) => ({ name, to })), ...added],
    services: sources.service
      .flatMap((source) => releasedPage(source, context).map((page) => ({ to: servicePath(source), ...page })))
      .sort((a, b) => a.order - b.order),
    legal: bySlug(sources.legal.map((source) => writtenPage(source, context))) as Content['legal'],
  };
}

function postsIn(sources: Sources, context: Context, texts: Readonly<Record<string, PageText>>): Posts {
  const posts = postKindNames.map((name) => {
    const { plural, files, list } = postKinds[name];
    if (texts[list.name] === undefined) return [plural, []];
    const released = sources[name].flatMap((source: Source<Draftable & Dated>) => {
      const category = files.includes('*/*') && { category: source.file.split('/')[1] };
      const sample = isSample(only(sources.company).value.sample, source.file);
      return releasedPage(source, context).map((page) => ({ ...page, ...category, sample }));
    });
    return [plural, newestFirst(released)];
  });
  return Object.fromEntries(posts) as Posts;
}

function questionsIn(sources: Sources, context: Context): Content['questions'] {
  const { file, value, textIn } = only(sources.questions);
  return value.map((question, index) => {
    return { ...question, answer: proseOf(file, () => textIn([index, 'answer']), context) };
  });
}

function only<T>([source]: readonly Source<T>[]): Source<T> {
  if (source === undefined) throw new Error('A content file is missing, yet no problem was reported.');
  return source;
}

function shownValue<T>({ file, schema, value }: Source<T>, { files, assets, pictures }: Context): WithIllustrations<T> {
  return markedIn(schema, value).reduce((whole: unknown, { path, value: named, mark }) => {
    if (!('shows' in mark)) return whole;
    if (mark.shows === 'picture') {
      const { src, alt } = named as PictureField;
      return replaced(whole, path, illustrationOf(pictures, file, src, alt));
    }
    if (mark.shows === 'video') return replaced(whole, path, videoAddress(files, file, String(named)));
    const drawing = String(named);
    const shown = drawing.startsWith('/') ? assets.get(drawing)?.href : illustrationOf(pictures, file, drawing)?.src;
    return replaced(whole, path, shown ?? drawing);
  }, value) as WithIllustrations<T>;
}

function proseOf(file: string, text: () => MarkdownText, { pictures }: Context): Prose {
  const inline = (one: Inline): Inline => {
    if (one.type === 'picture') return { ...one, shown: illustrationOf(pictures, file, one.src, one.alt) };
    return 'content' in one ? { ...one, content: one.content.map(inline) } : one;
  };
  return new Prose(lazy(() => mapInlines(text().blocks, inline)));
}

function writtenPage<T>(source: Source<T>, context: Context): WithIllustrations<T> & { slug: string; body: Prose } {
  const { file, slug, body } = source;
  return { ...shownValue(source, context), slug, body: proseOf(file, body, context) };
}

type Dated = { id: number; published: string };

type Draftable = { draft?: boolean; published?: string };

/**
 * @param today in the company's time zone
 * @returns the day on which it comes out; `undefined` if it is out
 */
export function waitsFor(value: unknown, today: string): string | 'drafts' | undefined {
  const { published = 'drafts' } = value as Draftable;
  const reason = reasonToWait(value as Draftable, today);
  return reason && (reason === 'draft' ? 'drafts' : published);
}

/** Empty for unpublished items, unless drafts are included. */
function releasedPage<T extends Draftable>(source: Source<T>, context: Context) {
  const unpublished = reasonToWait(source.value, context.today);
  if (unpublished && !context.drafts) return [];
  const { draft: _, ...page } = writtenPage(source, context);
  return [{ ...page, ...(unpublished && { unpublished }) }];
}

function reasonToWait({ draft, published }: Draftable, today: string): 'draft' | 'scheduled' | undefined {
  if (draft) return 'draft';
  return published && published > today ? 'scheduled' : undefined;
}

/** Ties are broken by id, because file order varies. */
export function newestFirst<T extends Dated>(posts: readonly T[]): T[] {
  return posts.toSorted((a, b) => b.published.localeCompare(a.published) || b.id - a.id);
}

function bySlug<T extends { slug: string }>(all: readonly T[]): Record<string, T> {
  return Object.fromEntries(all.map((one) => [one.slug, one]));
}
