import { type Cache, createCache } from '../lib/cache.ts';
import { localTime, weekdays } from '../lib/calendar.ts';
import { hashOf } from '../lib/hash.ts';
import { lazy } from '../lib/lazy.ts';
import {
  type Calculator,
  type Company,
  type Content,
  type Departure,
  generalPreset,
  legalNames,
  out,
  type Rates,
  type SearchWords,
  type Section,
  type Shown,
} from '../model/content.ts';
import type { Integrations } from '../model/integrations.ts';
import { LazyProse, type Prose } from '../model/prose.ts';
import type { Picture } from '../model/schema.ts';
import * as schema from '../model/schema.ts';
import { calculate } from '../services/calculation.ts';
import { nextDepartureChange } from '../services/departures.ts';
import { readOrder } from '../services/order.ts';
import type { Assets } from './assets.ts';
import { checkNames } from './check-names.ts';
import type { ContentFiles } from './content-files.ts';
import { fieldOf } from './issue-words.ts';
import { type Rendered, renderMarkdown, withPictures } from './markdown.ts';
import { periodOf } from './period.ts';
import { fitPictures, type PictureFile, type Pictures, pictureFinder } from './pictures.ts';
import { checkPlaces } from './places.ts';
import { ContentError, type Problem, said } from './problem.ts';
import { type RootFile, rootFilesIn } from './root-files.ts';
import { markedIn, replaced } from './schema-walk.ts';
import { contentReader, type Reader, type Source } from './source.ts';

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
  /** What was read before. */
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
  /** Those that texts can show. */
  pictures: readonly PictureFile[];
  rootFiles: readonly RootFile[];
};

/**
 * Checks everything that editors wrote and makes one value of it.
 *
 * @param contentFiles what editors wrote
 * @param assets files of `public/`, where images must exist
 * @throws {ContentError} with every problem found, each with its file and line, if no content can be made; otherwise,
 * the reader knows what keeps it from being published
 */
export function loadContent(contentFiles: ContentFiles, assets: Assets, options: LoadOptions = {}): LoadedContent {
  const { integrations = {}, pictures: files = new Map(), at = new Date(), cache = createCache() } = options;
  const { reader = contentReader(contentFiles, cache) } = options;
  const slugs = reader.slugs('pages');
  const { sections = slugs.map((name) => ({ name, to: '', listed: false })) } = options;
  const plain = slugs
    .filter((slug) => !sections.some(({ name }) => name === slug))
    .map((name) => ({ name, to: `/${name}`, listed: true }));
  const pageNames = [...sections, ...plain].map(({ name }) => name);
  const sources = readSources(reader, pageNames, blogFolders(contentFiles));
  checkSources(sources, reader, assets);
  const readable = !reader.problems.some(({ warning }) => !warning);
  // Content with these can be shown, but not published.
  checkPlaces(contentFiles, reader);
  for (const { name } of sections) {
    const source = sources.pages[name];
    if (source?.value.draft) source.report(['draft'], 'Без этой страницы сайта не бывает. Сотрите эту строку.');
  }
  for (const { name, to } of plain) {
    if (!options.taken?.includes(to)) continue;
    const message = `Адрес ${to} на сайте занят. Дайте файлу другое имя.`;
    reader.problems.push({ file: `pages/${name}.md`, line: 1, field: '', message });
  }
  if (sources.presets) checkPresets(sources.presets);
  if (sources.company) checkPhones(sources.company);
  checkDrafts(sources.services, filesOf(sources));
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
    for (const source of filesOf(sources)) shown(source);
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

  const { company, departures, navigation, questions, redirects } = sources;
  const { services, cases, reviews, news, articles } = sources;
  const ofPages = [...Object.values(sources.pages).map(whole), ...services, ...cases, ...reviews, ...news, ...articles];
  const { workingHours } = given(company);
  const { from, until } = periodOf(at, workingHours.timeZone, (after) =>
    nextDepartureChange(given(departures), workingHours, after),
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

  const answers = given(questions).map((question, index) => {
    const { answer } = question;
    const text = cache.get(`answer ${hashOf(answer)}`, () => lazy(() => renderMarkdown(answer)));
    return { ...question, answer: proseOf(whole(questions), text, () => whole(questions).lineOf([index, 'answer'])) };
  });
  const preview: Content = {
    at: from.toISOString(),
    integrations,
    company: given(company),
    mapDrawing: assets.get(mapDrawing)?.href ?? mapDrawing,
    navigation: given(navigation),
    home: shown(whole(sources.home)),
    pages: mapped(sources.pages, (source) => released(whole(source))),
    sections: [...sections, ...plain].flatMap(({ name, to, listed }) => (listed ? [{ name, to }] : [])),
    services: services.map(released).sort((a, b) => a.order - b.order),
    rates: given(sources.rates),
    calculator: withWarehouses(given(sources.calculator), given(departures), rateIds(given(sources.rates))),
    departures: given(departures),
    cases: posts(cases),
    reviews: posts(reviews),
    articles: posts(articles),
    news: posts(news),
    categories: given(sources.categories),
    questions: answers,
    legal: mapped(sources.legal, (source) => written(whole(source))),
    presets: shown(whole(sources.presets)),
    redirects: given(redirects),
    search: given(sources.search),
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
  const linksOfTables = [whole(navigation), whole(redirects)].flatMap((source) =>
    markedIn(source.schema, source.value).flatMap(({ path, value, mark }) =>
      'leads' in mark ? [linkIn(source, path, String(value))] : [],
    ),
  );
  return {
    content,
    preview: ofPages.some(({ value }) => reasonToWait(value, today)) ? preview : undefined,
    examineTexts() {
      for (const { prose } of texts) void prose.html;
      return { links: [...texts.flatMap(({ links }) => links()), ...linksOfTables], problems: pictures.problems };
    },
    moved: given(redirects).map(({ from }, index) => linkIn(whole(redirects), [index, 'from'], from)),
    until,
    pictures: fitPictures(files),
    rootFiles: rootFilesIn(contentFiles),
  };
}

/** Every file that a site is made of; one that is wrong by itself is reported and left out. */
function readSources(reader: Reader, pageNames: readonly string[], blogFolders: readonly string[]) {
  const serviceSlugs = reader.slugs('services');
  const categories = reader.file('categories.yaml', schema.categoriesSchema);
  // If nobody can tell what categories there are, every folder is taken for one.
  const folders = categories?.value.blog.map(({ slug }) => slug) ?? blogFolders;
  const blog = folders.map((category) => ({ category, slugs: reader.slugs(`blog/${category}`) }));
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
    articleSlugs: blog.flatMap(({ slugs }) => slugs),
    articles: blog.flatMap(({ category, slugs }) =>
      reader
        .files(`blog/${category}`, slugs, schema.articleSchema)
        .map((source) => ({ ...source, value: { ...source.value, category } })),
    ),
  };
}

type Sources = ReturnType<typeof readSources>;

/** The files that could be read. */
function filesOf(sources: Sources): Source<unknown>[] {
  const {
    services,
    cases,
    reviews,
    news,
    articles,
    serviceSlugs: _,
    articleSlugs: __,
    pages,
    legal,
    ...tables
  } = sources;
  const named = [tables, pages, legal].flatMap((record) => Object.values<Source<unknown> | undefined>(record));
  return [...named, ...services, ...cases, ...reviews, ...news, ...articles].filter((source) => source !== undefined);
}

/** Folders of the blog, whether or not `categories.yaml` names them. */
function blogFolders(files: ContentFiles): string[] {
  return [...new Set([...files.keys()].flatMap((name) => /^blog\/([^/]+)\/[^/]+$/.exec(name)?.[1] ?? []))];
}

/** Reports what in one file does not fit another. */
function checkSources(sources: Sources, reader: Reader, assets: Assets): void {
  const { company, rates, calculator, departures, search } = sources;
  const { services, cases, reviews, news, articles, serviceSlugs, articleSlugs } = sources;
  // A reference to a file that is wrong by itself is fine: the file is reported once, at its place.
  const slugs = new Map<schema.Name, readonly string[]>([
    ['service', serviceSlugs.map((slug) => `/services/${slug}`)],
    ['article', articleSlugs],
  ]);
  checkNames(filesOf(sources), slugs, assets);
  if (search) checkSpellings(search);
  if (departures) checkDepartures(departures, company?.value, rates && rateIds(rates.value));
  if (calculator && rates && departures) checkExample(calculator, rates.value, departures, reader.problems);

  for (const { slug, value, report } of services) {
    const path = `/services/${slug}`;
    if (value.to !== path) report(['to'], `Адрес услуги следует из имени файла: ${path}.`, { value: path });
  }
  const taken = new Map<string, string>();
  for (const { slug, file, value, report } of articles) {
    const first = taken.get(slug);
    if (first) report([], `Так же называется ${first}. Дайте этому файлу своё имя.`);
    taken.set(slug, file);
    if ((value.category === 'video-news') !== (value.video !== undefined)) {
      const message = value.video
        ? 'Видео бывает только в папке blog/video-news. Перенесите файл туда или сотрите поле.'
        : 'В папке blog/video-news у каждой записи есть видео. Добавьте поле video или перенесите файл в другую папку.';
      report(['video'], message);
    }
  }
  for (const { slug, report } of [...cases, ...reviews, ...news, ...articles]) {
    if (/^\d+$/.test(slug)) report([], 'Имя файла не может быть числом: число в адресе уже значит id. Добавьте слово.');
  }
  if (rates) checkPrices(rates);
}

/**
 * Reports a number whose text has other digits than it calls, and warns of a number among the contacts that is neither
 * of the company's: it may be an old one.
 */
function checkPhones({ value, report }: Source<Company>): void {
  const { phone, tollFree, social } = value;
  for (const name of ['phone', 'tollFree'] as const) {
    const { number, text } = value[name];
    if (dialled(text) === dialled(number)) continue;
    const message = `${said(text)} и ${said(number)} - разные номера. Поставьте в text и number один и тот же.`;
    report([name, 'text'], message);
  }
  const numbers = [phone, tollFree].map(({ number }) => dialled(number));
  for (const [index, { href }] of social.entries()) {
    if (!href.startsWith('tel:') || numbers.includes(dialled(href))) continue;
    const message = `${said(href)} ведёт на номер, которого нет ни в phone, ни в tollFree. Проверьте, не прежний ли он.`;
    report(['social', index, 'href'], message, { warning: true });
  }
}

/** The digits of a number, however it is written: 8 is how Russia dials its own +7, and an extension follows it. */
function dialled(number: string): string {
  return number
    .replace(/доб.*$/i, '')
    .replace(/\D/g, '')
    .replace(/^8(?=\d{10}$)/, '7');
}

/** Reports what is about a draft of a service alone. Lists leave drafts out by themselves. */
function checkDrafts(services: Sources['services'], sources: readonly Source<unknown>[]): void {
  const drafts = new Set<unknown>(services.flatMap(({ value }) => (value.draft ? value.to : [])));
  for (const { schema: kind, value, report } of sources) {
    if ((value as Partial<Draftable>).draft) continue;
    for (const { path, value: named, mark } of markedIn(kind, value)) {
      if (!('refersTo' in mark) || !drafts.has(named) || typeof path.at(-1) === 'number') continue;
      report(
        path,
        `${said(named)} пока черновик, посетители его не видят. Назовите другую услугу или уберите там draft.`,
      );
    }
  }
}

/** Reports an example that the calculator cannot count, once all that it may name is right. */
function checkExample(
  { file, value, report }: Source<Omit<Calculator, 'warehouses'>>,
  rates: Rates,
  departures: Source<readonly Departure[]>,
  problems: readonly Problem[],
): void {
  if (problems.some((problem) => !problem.warning && [file, departures.file].includes(problem.file))) return;
  const calculator = withWarehouses(value, departures.value, rateIds(rates));
  const { errors, order } = readOrder(calculator, calculator.example);
  for (const { field, message } of errors) report(['example', field], `Этот пример не посчитать. ${message}.`);
  if (order && calculate(rates, calculator, order).total === undefined) {
    report(['example'], 'Цена этого примера выходит «индивидуально». Возьмите партию поменьше, в пределах limits.');
  }
}

/** Where goods can be sent at a known price: two rows of the rates say by their id to which warehouse they belong. */
function withWarehouses(
  calculator: Omit<Calculator, 'warehouses'>,
  departures: readonly Departure[],
  rates: ReadonlySet<string>,
): Calculator {
  const warehouses = departures.flatMap(({ id, warehouse, marketplaces: names }) => {
    const marketplaces = calculator.marketplaces.filter(({ text }) => names.some((name) => name === text));
    const { box, pallet } = deliveryRates(id);
    if (marketplaces.length === 0 || !rates.has(box) || !rates.has(pallet)) return [];
    return [{ id, text: warehouse, marketplaces: marketplaces.map((one) => one.id), rates: { box, pallet } }];
  });
  return { ...calculator, warehouses };
}

const deliveryRates = (warehouse: string) => ({ box: `${warehouse}-box`, pallet: `${warehouse}-pallet` });

const rateIds = ({ groups }: Rates) => new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));

function checkDepartures(
  { value: departures, report }: Source<readonly Departure[]>,
  company: Company | undefined,
  rates: ReadonlySet<string> | undefined,
): void {
  const week = company?.workingHours.week;
  departures.forEach(({ id, days, handOver: { until } }, index) => {
    const missing = Object.values(deliveryRates(id)).filter((rate) => rates?.has(rate) === false);
    const rows = missing.map(said).join(' и ');
    if (missing.length > 1) report([index, 'id'], `Цены этого рейса нет. Добавьте в rates.yaml строки с id ${rows}.`);
    else if (missing.length > 0) {
      const message = `В rates.yaml нет строки с id ${rows}, а без неё калькулятор этого склада не предложит.`;
      report([index, 'id'], `${message} Добавьте её, если возите и так.`, { warning: true });
    }
    days.forEach((day, position) => {
      if (week?.[day] !== null) return;
      report(
        [index, 'days', position],
        `${said(weekdays[day])} по company.yaml (workingHours) выходной. Выберите рабочий день.`,
      );
    });
    if (week?.every((shift) => shift === null || until <= shift[0] || until > shift[1])) {
      const message = `В ${until} склад закрыт во все дни: смотрите workingHours в company.yaml. Выберите рабочее время.`;
      report([index, 'handOver', 'until'], message);
    }
  });
}

/** Reports every spelling that stands twice: it would join two groups of synonyms. */
function checkSpellings({ value: { synonyms }, lineOf, report }: Source<SearchWords>): void {
  const groups = new Map<string, [number, number]>();
  synonyms.forEach((group, index) => {
    group.forEach((spelling, at) => {
      const name = spelling.toLowerCase().replaceAll('ё', 'е');
      const taken = groups.get(name);
      if (taken !== undefined) {
        const line = lineOf(['synonyms', ...taken]);
        report(['synonyms', index, at], `${said(spelling)} уже есть на строке ${line}. Оставьте в одном месте.`);
      }
      groups.set(name, [index, at]);
    });
  });
}

function checkPresets({ value, report }: Source<readonly { slug: string }[]>): void {
  if (value.some(({ slug }) => slug === generalPreset)) return;
  const why = 'её открывают ссылки, которые не называют другую';
  report([], `Здесь нет формы ${generalPreset}, а она нужна: ${why}. Верните её (slug: ${generalPreset}).`);
}

/** Warns of the first price of each row that is above the one before it, or at most a tenth of it. */
function checkPrices({ value: { groups }, report }: Source<Rates>): void {
  const roubles = (price: number) => `${(price / 100).toLocaleString('ru')} ₽`;
  for (const [group, { rows }] of groups.entries()) {
    for (const [row, { tiers }] of rows.entries()) {
      const prices = tiers.map(({ price }) => price);
      for (const [tier, price] of prices.entries()) {
        const before = prices[tier - 1] ?? price;
        if (price === before || (price < before && price * 10 > before)) continue;
        const how = price > before ? 'выше' : 'во много раз ниже';
        const message = `Цена ${roubles(price)} ${how} предыдущей, ${roubles(before)}. Проверьте обе, и на месте ли точка.`;
        report(['groups', group, 'rows', row, 'tiers', tier, 'price'], message, { warning: true });
        break;
      }
    }
  }
}

type Draftable = { draft: boolean; published?: string };
type Scheduled = Draftable & { published: string };

/** @param today calendar date where the company is */
function reasonToWait({ draft, published }: Draftable, today: string): 'draft' | 'scheduled' | undefined {
  if (draft) return 'draft';
  return published && published > today ? 'scheduled' : undefined;
}

/** A missing file was reported before, and then nothing asks for it. */
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
