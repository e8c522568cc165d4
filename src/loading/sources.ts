import type * as z from 'zod';
import { type Cache, createCache } from '../lib/cache.ts';
import { localTime } from '../lib/calendar.ts';
import { keyOf } from '../lib/hash.ts';
import { type Rates, requiredPages, type SectionLink } from '../model/content.ts';
import { defaultRetention, type Retention } from '../model/retention-periods.ts';
import { daysOf, priceListOn } from '../pricing/price-list.ts';
import { type ContentFiles, companyFile } from './content-files.ts';
import { readFacts } from './facts.ts';
import { fileOf, type Kind, type KindName, kindNames, kindOf, kinds } from './kinds.ts';
import { parsePriceTable } from './price-table.ts';
import { maxShown, type Problem } from './problem.ts';
import { type Parsed, parseFile, type Source } from './source.ts';

/** Only files that are valid on their own. */
export type Sources = {
  readonly [K in KindName]: readonly Source<z.output<(typeof kinds)[K]['schema']>>[];
};

/** `listed` pages appear in the site map and search. */
type SitePage = SectionLink & { listed: boolean };

export type ReadContent = {
  files: ContentFiles;
  /** Other files in `pages/` belong to editors. */
  pages: readonly SitePage[];
  sources: Sources;
  /** Missing files, and errors within files. */
  problems: readonly Problem[];
};

/**
 * @param pages the site's own
 * @param cache keeps results for unchanged files
 * @param retention that texts name
 */
export function readSources(
  files: ContentFiles,
  pages: readonly SitePage[] = [],
  cache: Cache = createCache(),
  retention: Retention = defaultRetention,
): ReadContent {
  const facts = readFacts(files.get(companyFile), retention);
  const factsKey = keyOf([...(facts ?? [])]);
  const found = Object.fromEntries(kindNames.map((name) => [name, []])) as Partial<Record<KindName, Source<unknown>[]>>;
  const problems = missing(files);
  for (const [path, file] of files) {
    const name = kindOf(path);
    if (name === undefined) continue;
    const key = `file ${path} ${file.hash} ${file.bytes().includes('{{') ? factsKey : ''}`;
    const parsed = cache.get(key, (): Parsed => {
      const kind: Kind = kinds[name];
      return kind.asText ? parsePriceTable(path, file.bytes(), kind) : parseFile(path, file, kind, facts);
    });
    if (parsed.source) found[name]?.push(parsed.source);
    problems.push(...parsed.problems.slice(0, maxShown));
  }
  return { files, pages, sources: found as Sources, problems };
}

function missing(files: ContentFiles): Problem[] {
  return kindNames.flatMap((name) => {
    const { files: pattern, only }: Kind = kinds[name];
    const named = name === 'page' ? requiredPages : (only ?? (pattern.includes('*') ? [] : ['']));
    const absent = named.map((one) => fileOf(name, one)).filter((file) => !files.has(file));
    const message = 'Такого файла нет, а сайту он нужен. Верните его.';
    return absent.map((file) => ({ file, line: 1, field: '', message, missing: true }));
  });
}

/**
 * The list in force, then those of later days; none while a file cannot be read.
 *
 * Without a price for today, the first day counts; `check` reports that.
 */
export function* priceLists(sources: Pick<Sources, 'rates' | 'prices' | 'company'>, at: Date): Generator<Rates> {
  const {
    rates: [texts],
    prices: [table],
  } = sources;
  if (!texts || !table) return;
  const today = companyDay(sources, at);
  const days = daysOf(table.value);
  const inForce = days.findLastIndex((day) => day <= today);
  for (const day of days.slice(Math.max(0, inForce))) yield priceListOn(texts.value, table.value, day);
}

/** In the company's time zone. */
export function companyDay({ company: [company] }: Pick<Sources, 'company'>, at: Date): string {
  return localTime(at, company?.value.workingHours.timeZone ?? 'UTC').date;
}
