import type { Assets } from './assets.ts';
import { type Content, legalNames, pageNames, type SearchWords } from './content.ts';
import type { Integrations } from './integrations.ts';
import { type Prose, renderMarkdown } from './markdown.ts';
import { nextOfDays, periodOf } from './period.ts';
import * as schema from './schema.ts';
import { ContentError, contentReader, type Problem, type Source } from './source.ts';
import { localDate } from './working-hours.ts';

/** A link that an editor wrote, and where. */
export type ContentLink = { file: string; line: number; href: string };

export type LoadOptions = {
  /** Third parties that pages may offer. */
  integrations?: Integrations;
  /** The moment that pages are made for; now, unless told otherwise. */
  at?: Date;
  /** Whether drafts and posts whose day has not come are shown, marked as such. */
  preview?: boolean;
};

/** A file of `public/` that every site needs. */
const mapDrawing = '/images/map.svg';

export type LoadedContent = {
  content: Content;
  links: readonly ContentLink[];
  /** Old addresses that lead elsewhere. */
  moved: readonly ContentLink[];
  /** When the same files make other pages; `undefined` if they never do by themselves. */
  until: Date | undefined;
  /** Whether there are posts that visitors do not see yet. */
  unpublished: boolean;
};

/**
 * Reads and checks everything that editors wrote.
 *
 * @param dir the content folder
 * @param assets files of `public/`, where images must exist
 * @throws {ContentError} with every problem found, each with its file and line
 */
export function loadContent(
  dir: string,
  assets: Assets,
  { integrations = {}, at = new Date(), preview = false }: LoadOptions = {},
): LoadedContent {
  const reader = contentReader(dir);
  const links: ContentLink[] = [];
  const moved: ContentLink[] = [];

  function written<T>(source: Source<T>): T & { slug: string; body: Prose } {
    const { prose, links: found } = renderMarkdown(source.body);
    for (const { href, line } of found) links.push({ file: source.file, line: source.bodyLine + line - 1, href });
    return { ...source.value, slug: source.slug, body: prose };
  }

  const company = reader.file('company.yaml', schema.companySchema);
  const navigation = reader.file('navigation.yaml', schema.navigationSchema);
  const home = reader.file('home.yaml', schema.homeSchema);
  const rates = reader.file('rates.yaml', schema.ratesSchema);
  const categories = reader.file('categories.yaml', schema.categoriesSchema);
  const questions = reader.file('questions.yaml', schema.questionsSchema);
  const presets = reader.file('presets.yaml', schema.presetsSchema);
  const redirects = reader.file('redirects.yaml', schema.redirectsSchema);
  const search = reader.file('search.yaml', schema.searchSchema);
  const pages = pageNames.map((name) => reader.file(`pages/${name}.md`, schema.pageTextSchema));
  const legal = legalNames.map((name) => reader.file(`legal/${name}.md`, schema.legalSchema));
  const serviceSlugs = reader.slugs('services');
  const services = reader.files('services', serviceSlugs, schema.serviceSchema);
  const cases = reader.files('cases', reader.slugs('cases'), schema.caseSchema);
  const reviews = reader.files('reviews', reader.slugs('reviews'), schema.reviewSchema);
  const news = reader.files('news', reader.slugs('news'), schema.newsSchema);
  const blog = categories?.value.blog.map(({ slug }) => ({ category: slug, slugs: reader.slugs(`blog/${slug}`) }));
  const articles = (blog ?? []).flatMap(({ category, slugs }) =>
    reader.files(`blog/${category}`, slugs, schema.articleSchema).map((source) => ({ ...source, category })),
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
    source.value.rates.forEach((id, index) => {
      oneOf(source, ['rates', index], id, rateGroups, 'the id of a rate group');
    });
    source.value.related.forEach((to, index) => {
      oneOf(source, ['related', index], to, servicePaths, 'the path of a service');
    });
  }
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
    if ((source.category === 'video-news') !== (source.value.video !== undefined)) {
      source.report(['video'], 'a video in video news and nowhere else', source.value.video ? 'a video' : 'nothing');
    }
  }
  presets?.value.forEach((preset, index) => {
    if (!assets.has(preset.image)) presets.report([index, 'image'], 'a file under public/', preset.image);
  });
  navigation?.value.forEach((item, index) => {
    links.push({ file: navigation.file, line: navigation.lineOf([index, 'to']), href: item.to });
  });
  redirects?.value.forEach((redirect, index) => {
    links.push({ file: redirects.file, line: redirects.lineOf([index, 'to']), href: redirect.to });
    moved.push({ file: redirects.file, line: redirects.lineOf([index, 'from']), href: redirect.from });
  });
  const answers = questions?.value.map((question, index) => {
    const { prose, links: found } = renderMarkdown(question.answer);
    const line = questions.lineOf([index, 'answer']);
    for (const { href } of found) links.push({ file: questions.file, line, href });
    return { ...question, answer: prose };
  });

  if (reader.problems.length > 0) throw new ContentError(reader.problems);

  const everyPost = [...cases, ...reviews, ...news, ...articles].map(({ value }) => value);
  const { timeZone } = present(company).workingHours;
  const { from, until } = periodOf(at, timeZone, nextOfDays(datesOf(everyPost), timeZone));
  const today = localDate(from, timeZone);

  /** Those that visitors see; in a preview, those that they do not see yet as well. */
  function posts<T extends Publication>(sources: readonly Source<T>[]) {
    const shown = sources.filter(({ value }) => preview || reasonToWait(value, today) === undefined);
    return shown.map((source) => {
      const { draft: _, ...post } = written(source);
      const unpublished = reasonToWait(source.value, today);
      return { ...post, ...(unpublished && { unpublished }) };
    });
  }

  const byName = <N extends string, T>(names: readonly N[], sources: readonly (Source<T> | undefined)[]) =>
    Object.fromEntries(
      names.flatMap((name, index) => {
        const source = sources[index];
        return source ? [[name, written(source)]] : [];
      }),
    ) as Record<N, T & { slug: string; body: Prose }>;

  const content: Content = {
    at: from.toISOString(),
    integrations,
    company: present(company),
    mapDrawing: assets.get(mapDrawing)?.href ?? mapDrawing,
    navigation: present(navigation),
    home: present(home),
    pages: byName(pageNames, pages),
    services: services.map(written).sort((a, b) => a.order - b.order),
    rates: present(rates),
    cases: newestFirst(posts(cases)),
    reviews: newestFirst(posts(reviews)),
    articles: newestFirst(
      articles.flatMap((source) => posts([source]).map((post) => ({ ...post, category: source.category }))),
    ),
    news: newestFirst(posts(news)),
    categories: present(categories),
    questions: answers ?? [],
    legal: byName(legalNames, legal),
    presets: present(presets).map((preset) => ({ ...preset, image: assets.get(preset.image)?.href ?? preset.image })),
    redirects: present(redirects),
    search: present(search),
  };
  const unpublished = everyPost.some((post) => reasonToWait(post, today) !== undefined);
  return { content, links, moved, until, unpublished };
}

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
function newestFirst<T extends { published: string; id: number }>(items: T[]): T[] {
  return items.sort((a, b) => b.published.localeCompare(a.published) || b.id - a.id);
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
