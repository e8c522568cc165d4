import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { View } from '../document/page.ts';
import { localTime } from '../lib/calendar.ts';
import { articlePath, casePath } from '../model/addresses.ts';
import type { Content } from '../model/content.ts';
import { instant } from '../model/working-hours.ts';

const zstd = promisify(zstdCompress);

/*
 * What pages share, for the browser to keep: with it, a page that it has never seen takes some hundred bytes
 * (Compression Dictionary Transport, RFC 9842). Whole pages lie in it one after another, for nothing else packs a page
 * as well. Browsers fetch it anew when it changes, so it is made to change seldom: see `slowContent` and `slowText`.
 */

/** Bytes of a dictionary that the next page would exceed; Chromium takes no larger ones than some megabytes. */
const bytesAtMost = 512 * 1024;

/** Pieces of markup in a row that are worth leaving out where they were said before; fewer cost more than they save. */
const run = 8;

/** A resource at this address leads to the dictionary of the current edition. */
export const dictionaryLink = '/dictionary';

/** For every page of the site, and nothing else. */
export const useAsDictionary = 'match="/*", match-dest=("document")';

/** Address of a dictionary. @param sha256 in base64 */
export function dictionaryPath(sha256: string): string {
  return `/assets/dictionary.${Buffer.from(sha256, 'base64').toString('hex', 0, 4)}.dat`;
}

/**
 * The content as it stood when the month began, as far as it is known: without the posts since, and with that day's
 * dates. A new post and another day leave it as it is.
 */
export function slowContent(content: Content): Content {
  const { timeZone } = content.company.workingHours;
  const first = `${localTime(new Date(content.at), timeZone).date.slice(0, 7)}-01`;
  const old = <T extends { published: string }>(posts: readonly T[]) =>
    posts.filter(({ published }) => published <= first);
  return {
    ...content,
    at: new Date(instant(first, '00:00', timeZone)).toISOString(),
    rates: { ...content.rates, effective: first },
    cases: old(content.cases),
    reviews: old(content.reviews),
    articles: old(content.articles),
    news: old(content.news),
  };
}

/**
 * Addresses whose pages make up a dictionary, the more worth the earlier: where visitors go from the header, every
 * service, and of the two long kinds of posts the oldest, which changes least.
 */
export function dictionaryAddresses({ navigation, services, cases, articles }: Content): string[] {
  const bar = navigation.header.flatMap(({ to }) => to ?? []);
  const [study, article] = [cases.at(-1), articles.at(-1)];
  return [
    ...['/rates', '/rates/calc', ...bar.filter((to) => to !== '/rates')],
    ...(study ? [casePath(study)] : []),
    ...(article ? [articlePath(article)] : []),
    ...services.map(({ to }) => to),
  ];
}

/** @param pages whole documents, the more worth the earlier; the same ones give the same bytes */
export function makeDictionary(pages: Iterable<string>): Buffer {
  const known: Known = { pieces: new Map(), rows: new Set() };
  const parts: Buffer[] = [];
  let length = 0;
  for (const page of pages) {
    const part = Buffer.from(withoutKnown(slowText(page), known));
    length += part.length;
    if (length > bytesAtMost) break;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** What the views depend on: from the same, the same dictionary is made. */
export function ingredientsOf(views: readonly View[]): unknown[] {
  return views.map(({ page, data, modified }) => [page, data, modified]);
}

/**
 * The page with a zero for every digit that visitors read or machines are told, so that another price leaves it as it
 * is. Zeroes keep the place: what follows a number lies as far from it as in the page itself, which costs least.
 */
function slowText(html: string): string {
  const pieces = html.split(/(<style>.*?<\/style>|<[^>]*>)/s);
  const zeroes = (text: string) => text.replaceAll(/\d/g, '0');
  return pieces
    .map((piece, index) => (index % 2 === 0 ? zeroes(piece) : piece.replaceAll(/ (content|datetime)="[^"]*"/g, zeroes)))
    .join('');
}

/** Pieces by the number that each was given, and rows of such numbers. */
type Known = { pieces: Map<string, number>; rows: Set<string> };

/** Leaves out every long row of pieces that stood in a page before, and remembers those of this one. */
function withoutKnown(html: string, { pieces, rows }: Known): string {
  const parts = html.split(/(?<=[}>])/);
  const numbers = parts.map((part) => {
    const number = pieces.get(part) ?? pieces.size;
    pieces.set(part, number);
    return number;
  });
  const found = parts.slice(run - 1).map((_, start) => numbers.slice(start, start + run).join());
  const old = new Set(
    found.flatMap((row, start) => (rows.has(row) ? Array.from({ length: run }, (_, n) => start + n) : [])),
  );
  for (const row of found) rows.add(row);
  return parts.filter((_, index) => !old.has(index)).join('');
}

/** What a frame begins with that is packed with a dictionary (RFC 9842, 5): a skippable frame of Zstandard. */
const magic = Buffer.from('5e2a4d1820000000', 'hex');

/** Packs a body for browsers that have the dictionary: `dcz`. @param sha256 of the dictionary, in base64 */
export async function packWith(dictionary: Buffer, sha256: string, body: Buffer): Promise<Buffer> {
  // Its window is small enough for every browser, and what the two levels above save is hardly worth their time.
  const params = { [constants.ZSTD_c_compressionLevel]: 17 };
  return Buffer.concat([magic, Buffer.from(sha256, 'base64'), await zstd(body, { dictionary, params })]);
}
