import { calculate } from '../calculator/calculation.ts';
import { readOrder } from '../calculator/order.ts';
import { nextDepartureChange } from '../departures/departures.ts';
import { localTime, weekdays } from '../lib/calendar.ts';
import {
  type Calculator,
  type Company,
  type Content,
  type Departure,
  legalNames,
  type Rates,
  type SearchWords,
  type Section,
  type Shown,
  type Unpublished,
} from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { type Prose, StoredProse } from '../model/prose.ts';
import type { Picture } from '../model/schema.ts';
import * as schema from '../model/schema.ts';
import { forgetfulMemo, type Memo } from '../store/memo.ts';
import type { Assets } from './assets.ts';
import { checkNames, type KnownNames } from './check-names.ts';
import type { ContentFiles } from './content-files.ts';
import { parseMarkdown, type Rendered, renderMarkdown, withPictures } from './markdown.ts';
import { markedIn, replaced } from './marks.ts';
import { firstOf, nextOfDays, periodOf } from './period.ts';
import { type PictureFile, type Pictures, pictureFinder } from './pictures.ts';
import { ContentError, type Problem } from './problem.ts';
import { contentReader, type Reader, type Source } from './source.ts';

/** A link that an editor wrote, and where. */
export type ContentLink = {
  file: string;
  line: number;
  href: string;
  /** It stands in a post that visitors do not see yet. */
  unpublished?: boolean;
};

export type LoadOptions = {
  /** Pages whose words are in the content, and whether map and search list them; else all that has words, unlisted. */
  sections?: readonly (Section & { listed: boolean })[];
  /** Third parties that pages may offer. */
  integrations?: Integrations;
  /** Pictures of the content folder, as `readPictures` found them; without them, there are none. */
  pictures?: Pictures;
  /** The moment that pages are made for; now, unless told otherwise. */
  at?: Date;
  /** Remembers what was read and rendered before. */
  memo?: Memo;
  /** Reads the files, and afterwards knows what is wrong with their texts. */
  reader?: Reader;
};

/** A file of `public/` that every site needs. */
const mapDrawing = '/images/map.svg';

export type LoadedContent = {
  /** What visitors see. */
  content: Content;
  /** The same with drafts and posts whose day has not come, marked as such; absent if there are none. */
  preview: Content | undefined;
  links: readonly ContentLink[];
  /** Old addresses that lead elsewhere. */
  moved: readonly ContentLink[];
  /** When the same files make other pages; `undefined` if they never do by themselves. */
  until: Date | undefined;
  /** Those that the content shows. */
  pictures: readonly PictureFile[];
  /** What is wrong with the pictures, to be told together with links to nowhere. */
  problems: readonly Problem[];
};

/**
 * Checks everything that editors wrote and makes one value of it.
 *
 * @param contentFiles what editors wrote
 * @param assets files of `public/`, where images must exist
 * @throws {ContentError} with every problem found, each with its file and line
 */
export function loadContent(contentFiles: ContentFiles, assets: Assets, options: LoadOptions = {}): LoadedContent {
  const { integrations = {}, pictures: files = new Map(), at = new Date(), memo = forgetfulMemo() } = options;
  const { reader = contentReader(contentFiles, memo) } = options;
  const sources = readSources(reader, options.sections?.map(({ name }) => name) ?? reader.slugs('pages'));
  checkSources(sources, reader, assets);
  const links: ContentLink[] = [];
  const pictures = pictureFinder(files);

  /** What readers see of a text. @param lineAt the line of the file on which a line of the text stands */
  function proseOf(
    { file, unpublished = false }: { file: string; unpublished?: boolean },
    { links: found, pictures: named, ...text }: Rendered,
    lineAt: (line: number) => number,
  ): Prose {
    for (const { href, line } of found) links.push({ file, line: lineAt(line), href, unpublished });
    if (named.length === 0) return new StoredProse(text, memo.text);
    const shown = named.map(({ src, alt, line }) => {
      return pictures.find({ file, line: lineAt(line), field: 'picture' }, src, alt) ?? null;
    });
    const prose = memo.once(
      ['pictures', text.prose, shown],
      () => memo.keep(withPictures(memo.text(text.prose), shown)),
      memo.has,
    );
    return new StoredProse({ ...text, prose }, memo.text);
  }

  /** The value of a file with its pictures as pages show them. */
  function shown<T>({ file, schema, value, lineOf }: Source<T>): Shown<T> {
    let result: unknown = value;
    for (const { path, value: named, mark } of markedIn(schema, value)) {
      if (!('shows' in mark)) continue;
      if (mark.shows === 'asset') {
        result = replaced(result, path, assets.get(String(named))?.href ?? named);
      } else {
        const { src, alt } = named as Picture;
        const place = { file, line: lineOf([...path, 'src']), field: path.join('.') };
        result = replaced(result, path, pictures.find(place, src, alt));
      }
    }
    return result as Shown<T>;
  }

  function written<T>(source: Source<T>, unpublished = false): Shown<T> & { slug: string; body: Prose } {
    const { file, slug, text, bodyLine } = source;
    const body = proseOf({ file, unpublished }, text, (line) => bodyLine + line - 1);
    return { ...shown(source), slug, body };
  }

  const { company, departures, navigation, questions, redirects } = sources;
  const { cases, reviews, news, articles } = sources;
  const everyPost = [...cases, ...reviews, ...news, ...articles].map(({ value }) => value);
  const { workingHours } = given(company);
  const nextChange = firstOf(nextOfDays(datesOf(everyPost), workingHours.timeZone), (after) =>
    nextDepartureChange(given(departures), workingHours, after),
  );
  const { from, until } = periodOf(at, workingHours.timeZone, nextChange);
  const today = localTime(from, workingHours.timeZone).date;

  /** Newest first, drafts and posts to come among them. */
  function posts<T extends Scheduled & { id: number }>(files: readonly Source<T>[]) {
    const all = files.map((source) => {
      const unpublished = reasonToWait(source.value, today);
      const { draft: _, ...post } = written(source, unpublished !== undefined);
      return { ...post, ...(unpublished && { unpublished }) };
    });
    // Ties are broken by id, so that the order never depends on the file system.
    return all.sort((a, b) => b.published.localeCompare(a.published) || b.id - a.id);
  }

  const byName = <N extends string, T>(files: Readonly<Record<N, Source<T> | undefined>>) =>
    mapped(files, (source) => written(whole(source)));

  const answers = given(questions).map((question, index) => {
    const { answer } = question;
    const line = whole(questions).lineOf([index, 'answer']);
    const text = memo.once(
      ['text', answer],
      () => renderMarkdown(answer, parseMarkdown(answer), memo),
      ({ prose }) => memo.has(prose),
    );
    return { ...question, answer: proseOf(whole(questions), text, () => line) };
  });
  const preview: Content = {
    at: from.toISOString(),
    integrations,
    company: given(company),
    mapDrawing: assets.get(mapDrawing)?.href ?? mapDrawing,
    navigation: given(navigation),
    home: shown(whole(sources.home)),
    pages: byName(sources.pages),
    sections: (options.sections ?? []).flatMap(({ name, to, listed }) => (listed ? [{ name, to }] : [])),
    services: sources.services.map((source) => written(source)).sort((a, b) => a.order - b.order),
    rates: given(sources.rates),
    calculator: given(sources.calculator),
    departures: given(departures),
    cases: posts(cases),
    reviews: posts(reviews),
    articles: posts(articles),
    news: posts(news),
    categories: given(sources.categories),
    questions: answers,
    legal: byName(sources.legal),
    presets: shown(whole(sources.presets)),
    redirects: given(redirects),
    search: given(sources.search),
  };
  const out = <T extends Unpublished>(all: readonly T[]) => all.filter(({ unpublished }) => unpublished === undefined);
  const content: Content = {
    ...preview,
    cases: out(preview.cases),
    reviews: out(preview.reviews),
    articles: out(preview.articles),
    news: out(preview.news),
  };
  const linkIn = ({ file, lineOf }: Source<unknown>, path: readonly PropertyKey[], href: string): ContentLink => {
    return { file, line: lineOf(path), href };
  };
  given(navigation).forEach(({ to }, index) => {
    links.push(linkIn(whole(navigation), [index, 'to'], to));
  });
  given(redirects).forEach(({ to }, index) => {
    links.push(linkIn(whole(redirects), [index, 'to'], to));
  });
  return {
    content,
    preview: everyPost.some((post) => reasonToWait(post, today)) ? preview : undefined,
    links,
    moved: given(redirects).map(({ from }, index) => linkIn(whole(redirects), [index, 'from'], from)),
    until,
    pictures: pictures.used(),
    problems: pictures.problems,
  };
}

/** Every file that a site is made of; what is wrong in itself is reported and missing. */
function readSources(reader: Reader, pageNames: readonly string[]) {
  const serviceSlugs = reader.slugs('services');
  const categories = reader.file('categories.yaml', schema.categoriesSchema);
  const blog = categories?.value.blog.map(({ slug }) => ({ category: slug, slugs: reader.slugs(`blog/${slug}`) }));
  return {
    company: reader.file('company.yaml', schema.companySchema),
    navigation: reader.file('navigation.yaml', schema.navigationSchema),
    home: reader.file('home.yaml', schema.homeSchema),
    rates: reader.file('rates.yaml', schema.ratesSchema),
    calculator: reader.file('calculator.yaml', schema.calculatorSchema),
    departures: reader.file('departures.yaml', schema.departuresSchema),
    categories,
    questions: reader.file('questions.yaml', schema.questionsSchema),
    presets: reader.file('presets.yaml', schema.presetsSchema),
    redirects: reader.file('redirects.yaml', schema.redirectsSchema),
    search: reader.file('search.yaml', schema.searchSchema),
    pages: named(pageNames, (name) => reader.file(`pages/${name}.md`, schema.pageTextSchema)),
    legal: named(legalNames, (name) => reader.file(`legal/${name}.md`, schema.legalSchema)),
    serviceSlugs,
    services: reader.files('services', serviceSlugs, schema.serviceSchema),
    cases: reader.files('cases', reader.slugs('cases'), schema.caseSchema),
    reviews: reader.files('reviews', reader.slugs('reviews'), schema.reviewSchema),
    news: reader.files('news', reader.slugs('news'), schema.newsSchema),
    articleSlugs: blog?.flatMap(({ slugs }) => slugs),
    articles: (blog ?? []).flatMap(({ category, slugs }) =>
      reader
        .files(`blog/${category}`, slugs, schema.articleSchema)
        .map((source) => ({ ...source, value: { ...source.value, category } })),
    ),
  };
}

type Sources = ReturnType<typeof readSources>;

/**
 * Holds the files against one another.
 *
 * @throws {ContentError} with every problem found so far
 */
function checkSources(sources: Sources, reader: Reader, assets: Assets): void {
  const { company, rates, calculator, departures, search } = sources;
  const { services, cases, reviews, news, articles, serviceSlugs, articleSlugs, pages, legal, ...tables } = sources;
  const named = [tables, pages, legal].flatMap((record) => Object.values<Source<unknown> | undefined>(record));
  const files = [...named, ...services, ...cases, ...reviews, ...news, ...articles];
  // All that can be referred to counts, even if it is wrong in itself: that is reported once, where it stands.
  const slugs = new Map<schema.Name, readonly string[]>([
    ['service', serviceSlugs.map((slug) => `/services/${slug}`)],
    ...(articleSlugs ? [['article', articleSlugs] as const] : []),
  ]);
  const right = files.filter((source) => source !== undefined);
  const known = checkNames(right, slugs, assets);
  if (calculator && rates) checkExample(calculator, rates.value, reader.problems);
  if (search) checkSpellings(search);
  if (departures) checkDepartures(departures, company?.value, known);

  for (const { slug, value, report } of services) {
    const path = `/services/${slug}`;
    if (value.to !== path) report(['to'], `${path}, which the file name gives`, JSON.stringify(value.to));
  }
  const taken = new Map<string, string>();
  for (const { slug, file, value, report } of articles) {
    const first = taken.get(slug);
    if (first) report([], 'a file name that no other article has', `the name of ${first}`);
    taken.set(slug, file);
    if ((value.category === 'video-news') !== (value.video !== undefined)) {
      report(['video'], 'a video in video news and nowhere else', value.video ? 'a video' : 'nothing');
    }
  }
  for (const { slug, report } of [...cases, ...reviews, ...news, ...articles]) {
    if (/^\d+$/.test(slug)) report([], 'a file name that is not a number, because ids are', slug);
  }
  if (reader.problems.length > 0) throw new ContentError(reader.problems);
}

/** What an example means is known once all that it can name exists. */
function checkExample(source: Source<Calculator>, rates: Rates, problems: readonly Problem[]): void {
  const { file, value: calculator, report } = source;
  if (problems.some((problem) => problem.file === file)) return;
  const { errors, order } = readOrder(calculator, calculator.example);
  for (const { field, message } of errors) report(['example', field], 'an example that can be counted', message);
  if (order && calculate(rates, calculator, order).total === undefined) {
    report(['example'], 'an example within the limits', 'one without a total');
  }
}

function checkDepartures(
  { value: departures, report }: Source<readonly Departure[]>,
  company: Company | undefined,
  known: KnownNames,
): void {
  const rates = known.get('rate');
  const week = company?.workingHours.week;
  departures.forEach(({ id, days, handOver: { until } }, index) => {
    if (rates && ![...rates].some((rate) => String(rate).startsWith(`${id}-`))) {
      report([index, 'id'], "the beginning of a rate's id, as koledino is of koledino-box", JSON.stringify(id));
    }
    days.forEach((day, position) => {
      if (week?.[day] !== null) return;
      report([index, 'days', position], 'a working day of company.yaml', JSON.stringify(weekdays[day]));
    });
    if (week?.every((shift) => shift === null || until <= shift[0] || until > shift[1])) {
      report([index, 'handOver', 'until'], 'a time within the working hours of company.yaml', JSON.stringify(until));
    }
  });
}

/** Reports every spelling that stands twice: in two groups, it would make all of both mean the same to some texts. */
function checkSpellings({ value: { synonyms }, report }: Source<SearchWords>): void {
  const groups = new Map<string, number>();
  synonyms.forEach((group, index) => {
    group.forEach((spelling, at) => {
      const name = spelling.toLowerCase().replaceAll('ё', 'е');
      const taken = groups.get(name);
      const found = `${JSON.stringify(spelling)}, which group ${Number(taken) + 1} has`;
      if (taken !== undefined) report(['synonyms', index, at], 'a spelling that stands once', found);
      groups.set(name, index);
    });
  });
}

type Scheduled = { draft: boolean; published: string };

/** @param today calendar date where the company is */
function reasonToWait({ draft, published }: Scheduled, today: string): 'draft' | 'scheduled' | undefined {
  if (draft) return 'draft';
  return published > today ? 'scheduled' : undefined;
}

/** Days on which posts come out. */
function datesOf(posts: readonly Scheduled[]): string[] {
  return posts.filter(({ draft }) => !draft).map(({ published }) => published);
}

/** What is missing was reported, and nothing is made then. */
function whole<T>(source: Source<T> | undefined): Source<T> {
  if (source === undefined) throw new Error('A content file is missing, yet no problem was reported.');
  return source;
}

const given = <T>(source: Source<T> | undefined): T => whole(source).value;

function named<N extends string, T>(names: readonly N[], make: (name: N) => T): Record<N, T> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<N, T>;
}

function mapped<N extends string, T, R>(record: Readonly<Record<N, T>>, change: (value: T) => R): Record<N, R> {
  return named(Object.keys(record) as N[], (name) => change(record[name]));
}
