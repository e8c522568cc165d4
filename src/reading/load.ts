import { nextDepartureChange } from '../departures/departures.ts';
import { localTime, weekdays } from '../lib/calendar.ts';
import { type Content, legalNames, type SearchWords, type Section, type Unpublished } from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { type Prose, StoredProse } from '../model/prose.ts';
import * as schema from '../model/schema.ts';
import { forgetfulMemo, type Memo } from '../store/memo.ts';
import type { Assets } from './assets.ts';
import { checkCalculator } from './check-calculator.ts';
import type { ContentFiles } from './content-files.ts';
import { illustrated, withStill } from './illustrated.ts';
import { parseMarkdown, type Rendered, renderMarkdown, withPictures } from './markdown.ts';
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
  /** Pages whose words are in the content, and whether the map and the search list them; else all that has words, unlisted. */
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
  const links: ContentLink[] = [];
  const moved: ContentLink[] = [];
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

  function written<T>(source: Source<T>, unpublished = false): T & { slug: string; body: Prose } {
    const { file, text, bodyLine } = source;
    const prose = proseOf({ file, unpublished }, text, (line) => bodyLine + line - 1);
    return { ...source.value, slug: source.slug, body: prose };
  }

  /** Reports a picture that is not there. */
  function drawn(source: Source<unknown>, path: readonly PropertyKey[], image: string | undefined): void {
    if (image !== undefined && !assets.has(image)) source.report(path, 'a file under public/', image);
  }

  /** The same with the address of its picture, which carries a hash. */
  function pictured<T extends { image?: string | undefined }>(item: T): T {
    const { image } = item;
    return image === undefined ? item : { ...item, image: hrefOf(image) };
  }

  function hrefOf(image: string): string {
    return assets.get(image)?.href ?? image;
  }

  const company = reader.file('company.yaml', schema.companySchema);
  const navigation = reader.file('navigation.yaml', schema.navigationSchema);
  const home = reader.file('home.yaml', schema.homeSchema);
  const rates = reader.file('rates.yaml', schema.ratesSchema);
  const calculator = reader.file('calculator.yaml', schema.calculatorSchema);
  const departures = reader.file('departures.yaml', schema.departuresSchema);
  const categories = reader.file('categories.yaml', schema.categoriesSchema);
  const questions = reader.file('questions.yaml', schema.questionsSchema);
  const presets = reader.file('presets.yaml', schema.presetsSchema);
  const redirects = reader.file('redirects.yaml', schema.redirectsSchema);
  const search = reader.file('search.yaml', schema.searchSchema);
  const pageNames = options.sections?.map(({ name }) => name) ?? reader.slugs('pages');
  const pages = pageNames.map((name) => reader.file(`pages/${name}.md`, schema.pageTextSchema));
  const legal = legalNames.map((name) => reader.file(`legal/${name}.md`, schema.legalSchema));
  const serviceSlugs = reader.slugs('services');
  const services = reader.files('services', serviceSlugs, schema.serviceSchema);
  const cases = reader.files('cases', reader.slugs('cases'), schema.caseSchema);
  const reviews = reader.files('reviews', reader.slugs('reviews'), schema.reviewSchema);
  const news = reader.files('news', reader.slugs('news'), schema.newsSchema);
  const blog = categories?.value.blog.map(({ slug }) => ({ category: slug, slugs: reader.slugs(`blog/${slug}`) }));
  const articles = (blog ?? []).flatMap(({ category, slugs }) =>
    reader
      .files(`blog/${category}`, slugs, schema.articleSchema)
      .map((source) => ({ ...source, value: { ...source.value, category } })),
  );

  unique('id', cases, reader.problems);
  unique('id', reviews, reader.problems);
  unique('id', news, reader.problems);
  unique('id', articles, reader.problems);
  unique('order', services, reader.problems);
  distinct('slug', presets, [], presets?.value);
  distinct('slug', questions, [], questions?.value);
  distinct('from', redirects, [], redirects?.value);
  distinctSpellings(search);
  distinct('slug', categories, ['blog'], categories?.value.blog);
  distinct('slug', categories, ['reviews'], categories?.value.reviews);
  const groups = rates?.value.groups ?? [];
  distinct('id', rates, ['groups'], groups);
  const rows = new Set<string>();
  for (const [index, group] of groups.entries()) distinct('id', rates, ['groups', index, 'rows'], group.rows, rows);
  if (calculator) checkCalculator(calculator, rates?.value);
  distinct('id', departures, [], departures?.value);
  const articleSlugs = new Map<string, string>();
  for (const source of articles) {
    const first = articleSlugs.get(source.slug);
    if (first) source.report([], 'a file name that no other article has', `the name of ${first}`);
    articleSlugs.set(source.slug, source.file);
  }
  for (const source of [...cases, ...reviews, ...news, ...articles]) {
    if (/^\d+$/.test(source.slug)) source.report([], 'a file name that is not a number, because ids are', source.slug);
  }

  // Whatever can be referred to counts, even if it is wrong in itself: that is reported once, where it stands.
  const servicePaths = serviceSlugs.map((slug) => `/services/${slug}`);
  const articleNames = blog?.flatMap(({ slugs }) => slugs);
  const rateGroups = rates?.value.groups.map((group) => group.id);
  const presetSlugs = presets?.value.map((preset) => preset.slug);
  const reviewCategories = categories?.value.reviews.map((category) => category.slug);
  for (const source of services) {
    const path = `/services/${source.slug}`;
    oneOf(source, ['to'], source.value.to, [path], `${path}, which the file name gives`);
    oneOf(source, ['preset'], source.value.preset, presetSlugs, 'the slug of a preset');
    drawn(source, ['image'], source.value.image);
    source.value.rates.forEach((id, index) => {
      oneOf(source, ['rates', index], id, rateGroups, 'the id of a rate group');
    });
    source.value.related.forEach((to, index) => {
      oneOf(source, ['related', index], to, servicePaths, 'the path of a service');
    });
  }
  departures?.value.forEach(({ id, service, days, handOver }, index) => {
    oneOf(departures, [index, 'service'], service, servicePaths, 'the path of a service');
    if (rates && ![...rows].some((row) => row.startsWith(`${id}-`)))
      departures.report(
        [index, 'id'],
        `the beginning of a rate's id, as koledino is of koledino-box`,
        JSON.stringify(id),
      );
    const week = company?.value.workingHours.week;
    days.forEach((day, position) => {
      if (week?.[day] === null)
        departures.report([index, 'days', position], 'a working day of company.yaml', JSON.stringify(weekdays[day]));
    });
    const { until } = handOver;
    if (week?.every((shift) => shift === null || until <= shift[0] || until > shift[1]))
      departures.report(
        [index, 'handOver', 'until'],
        'a time within the working hours of company.yaml',
        JSON.stringify(until),
      );
  });
  for (const source of cases) {
    source.value.services.forEach((to, index) => {
      oneOf(source, ['services', index], to, servicePaths, 'the path of a service');
    });
  }
  for (const source of reviews) {
    oneOf(source, ['service'], source.value.service, servicePaths, 'the path of a service');
    oneOf(source, ['category'], source.value.category, reviewCategories, 'a category of reviews');
  }
  for (const source of articles) {
    source.value.related.forEach((slug, index) => {
      oneOf(source, ['related', index], slug, articleNames, 'the slug of an article');
    });
    if ((source.value.category === 'video-news') !== (source.value.video !== undefined)) {
      source.report(['video'], 'a video in video news and nowhere else', source.value.video ? 'a video' : 'nothing');
    }
  }
  presets?.value.forEach((preset, index) => {
    drawn(presets, [index, 'image'], preset.image);
  });
  home?.value.steps.forEach((step, index) => {
    drawn(home, ['steps', index, 'image'], step.image);
  });
  for (const source of pages) if (source) drawn(source, ['image'], source.value.image);
  navigation?.value.forEach((item, index) => {
    links.push({ file: navigation.file, line: navigation.lineOf([index, 'to']), href: item.to });
  });
  redirects?.value.forEach((redirect, index) => {
    links.push({ file: redirects.file, line: redirects.lineOf([index, 'to']), href: redirect.to });
    moved.push({ file: redirects.file, line: redirects.lineOf([index, 'from']), href: redirect.from });
  });
  const answers = questions?.value.map((question, index) => {
    const { answer } = question;
    const line = questions.lineOf([index, 'answer']);
    const text = memo.once(
      ['text', answer],
      () => renderMarkdown(answer, parseMarkdown(answer), memo),
      ({ prose }) => memo.has(prose),
    );
    return { ...question, answer: proseOf(questions, text, () => line) };
  });

  if (reader.problems.length > 0) throw new ContentError(reader.problems);

  const everyPost = [...cases, ...reviews, ...news, ...articles].map(({ value }) => value);
  const { workingHours } = present(company);
  const { timeZone } = workingHours;
  const nextChange = firstOf(nextOfDays(datesOf(everyPost), timeZone), (after) =>
    nextDepartureChange(present(departures), workingHours, after),
  );
  const { from, until } = periodOf(at, timeZone, nextChange);
  const today = localTime(from, timeZone).date;

  /** Posts, and those of them that visitors see. */
  function posts<T extends Publication, R extends Unpublished & { published: string; id: number }>(
    sources: readonly Source<T>[],
    finish: (source: Source<T>, post: Omit<T & { slug: string; body: Prose }, 'draft'> & Unpublished) => R,
  ): Posts<R> {
    const all = sources.map((source) => {
      const unpublished = reasonToWait(source.value, today);
      const { draft: _, ...post } = written(source, unpublished !== undefined);
      return finish(source, { ...post, ...(unpublished && { unpublished }) });
    });
    newestFirst(all);
    return { all, out: all.filter(({ unpublished }) => unpublished === undefined) };
  }

  const byName = <N extends string, T>(names: readonly N[], sources: readonly (Source<T> | undefined)[]) =>
    Object.fromEntries(
      names.flatMap((name, index) => {
        const source = sources[index];
        return source ? [[name, written(source)]] : [];
      }),
    ) as Record<N, T & { slug: string; body: Prose }>;

  const caseStudies = posts(cases, (source, post) => illustrated(source, post, pictures));
  const reviewPosts = posts(reviews, (_, post) => post);
  const newsItems = posts(news, (_, post) => post);
  const blogPosts = posts(articles, (source, { video, ...post }) => ({
    ...illustrated(source, post, pictures),
    category: source.value.category,
    ...(video && { video: withStill(source, video, pictures) }),
  }));
  const visible: Content = {
    at: from.toISOString(),
    integrations,
    company: present(company),
    mapDrawing: hrefOf(mapDrawing),
    navigation: present(navigation),
    home: { ...present(home), steps: present(home).steps.map(pictured) },
    pages: byName(
      pageNames,
      pages.map((source) => source && { ...source, value: pictured(source.value) }),
    ),
    sections: (options.sections ?? []).flatMap(({ name, to, listed }) => (listed ? [{ name, to }] : [])),
    services: services.map((source) => pictured(written(source))).sort((a, b) => a.order - b.order),
    rates: present(rates),
    calculator: present(calculator),
    departures: present(departures),
    cases: caseStudies.out,
    reviews: reviewPosts.out,
    articles: blogPosts.out,
    news: newsItems.out,
    categories: present(categories),
    questions: answers ?? [],
    legal: byName(legalNames, legal),
    presets: present(presets).map(pictured),
    redirects: present(redirects),
    search: present(search),
  };
  const unpublished = everyPost.some((post) => reasonToWait(post, today) !== undefined);
  const preview = {
    ...visible,
    cases: caseStudies.all,
    reviews: reviewPosts.all,
    articles: blogPosts.all,
    news: newsItems.all,
  };
  return {
    content: visible,
    preview: unpublished ? preview : undefined,
    links,
    moved,
    until,
    pictures: pictures.used(),
    problems: pictures.problems,
  };
}

type Posts<T> = { all: T[]; out: T[] };

type Publication = { draft: boolean; published: string };

/** @param today calendar date where the company is */
function reasonToWait({ draft, published }: Publication, today: string): 'draft' | 'scheduled' | undefined {
  if (draft) return 'draft';
  return published > today ? 'scheduled' : undefined;
}

/** Days on which posts come out. */
function datesOf(posts: readonly Publication[]): string[] {
  return posts.filter(({ draft }) => !draft).map(({ published }) => published);
}

/** A file that was read without a problem has a value. */
function present<T>(source: Source<T> | undefined): T {
  if (source === undefined) throw new Error('A content file is missing, yet no problem was reported.');
  return source.value;
}

/** Ties are broken by id, so that the order never depends on the file system. */
function newestFirst<T extends { published: string; id: number }>(items: T[]): void {
  items.sort((a, b) => b.published.localeCompare(a.published) || b.id - a.id);
}

/** @param known `undefined` if the file that says it is wrong itself */
function oneOf(
  source: Source<unknown>,
  path: readonly PropertyKey[],
  value: string,
  known: readonly string[] | undefined,
  expected: string,
): void {
  if (known && !known.includes(value)) source.report(path, expected, JSON.stringify(value));
}

/** Reports every entry of a list whose name is taken. @param above where the list stands in its file */
function distinct<K extends string>(
  key: K,
  source: Source<unknown> | undefined,
  above: readonly PropertyKey[],
  entries: readonly Record<K, string>[] = [],
  taken = new Set<string>(),
): void {
  for (const [index, { [key]: name }] of entries.entries()) {
    if (taken.has(name)) source?.report([...above, index, key], 'a name of its own', JSON.stringify(name));
    taken.add(name);
  }
}

/** Reports every spelling that stands twice: in two groups, it would make all of both mean the same to some texts. */
function distinctSpellings(source: Source<SearchWords> | undefined): void {
  const groups = new Map<string, number>();
  source?.value.synonyms.forEach((group, index) => {
    group.forEach((spelling, at) => {
      const name = spelling.toLowerCase().replaceAll('ё', 'е');
      const taken = groups.get(name);
      if (taken !== undefined) {
        const found = `${JSON.stringify(spelling)}, which group ${taken + 1} has`;
        source.report(['synonyms', index, at], 'a spelling that stands once', found);
      }
      groups.set(name, index);
    });
  });
}

function unique<K extends string>(key: K, sources: readonly Source<Record<K, number>>[], problems: Problem[]): void {
  const first = new Map<number, string>();
  for (const source of sources) {
    const value = source.value[key];
    const taken = first.get(value);
    if (taken)
      problems.push({
        file: source.file,
        line: source.lineOf([key]),
        field: key,
        expected: 'a number of its own',
        found: `${value}, as in ${taken}`,
      });
    else first.set(value, source.file);
  }
}
