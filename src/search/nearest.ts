import { distance } from 'fastest-levenshtein';
import { decoded } from '../lib/decoded.ts';
import type { Content } from '../model/content.ts';
import type { Kind } from './documents.ts';
import { indexOf } from './index-of.ts';
import { type QueryWord, understand } from './query.ts';
import { rank } from './ranking.ts';
import { isStopWord, wordOf } from './words.ts';

/** Suggestions for an address without a page. */
export type Nearest = {
  /** That occur on the site. */
  words: string;
  pages: readonly { path: string; title: string; kind: Kind }[];
};

const pagesShown = 5;
/** The other suggestions have a similar address. */
const pagesByWords = 4;
/** Characters before and after decoding, and folders. */
const encodedLength = 600;
const addressLength = 100;
const foldersRead = 6;
/** Shorter words are not corrected. */
const shortestGuessed = 5;
/** One error per this many characters, up to a maximum. */
const charactersForMistake = 5;
const mistakesForgiven = 3;

/** By similar address, then by words, then parent sections. Accepts any string. */
export function nearestPages(content: Content, address: string): Nearest {
  const index = indexOf(content);
  const pages = index.documents.filter((one) => !one.path.includes('#'));
  const encoded = address.slice(0, encodedLength);
  const path = (decoded(encoded) ?? encoded).slice(0, addressLength);
  const folders = foldersOf(path);
  const pagesAt = (folder: string) => pages.filter((page) => page.path === folder);

  const mistakes = Math.min(mistakesForgiven, Math.floor(path.length / charactersForMistake));
  const alike = pages
    .filter((page) => Math.abs(page.path.length - path.length) <= mistakes)
    .map((page) => ({ page, distance: distance(page.path, path) }))
    .filter((one) => one.distance <= mistakes)
    .sort((a, b) => a.distance - b.distance);

  const folder = folders.find((one) => pages.some((page) => page.path.startsWith(`${one}/`))) ?? '';
  // «services» in /services/foto is where the page is, not what it is about.
  const own = path.slice(folder.length).match(/\p{L}{3,}/gu) ?? [];
  const words = understand(index, own.join(' ')).filter(isMeant);
  const byWords = rank(index, words, 1).found.slice(0, pagesByWords);

  // A folder's own page is already in `folders`.
  const hasPage = folder === '' || pagesAt(folder).length > 0;
  const inside = hasPage ? [] : pages.filter((page) => page.path.startsWith(`${folder}/`));
  const nearest = new Set([
    ...alike.map(({ page }) => page),
    ...byWords.flatMap((number) => index.documents[number] ?? []),
    ...folders.flatMap(pagesAt),
    ...inside,
  ]);
  return {
    words: words.map(({ typed, instead }) => instead ?? typed).join(' '),
    pages: [...nearest].slice(0, pagesShown).map(({ path, title, kind }) => ({ path, title, kind })),
  };
}

/** Addresses may be in any language, and most short words resemble some Russian one. */
function isMeant({ typed, instead = typed, matches, guessed }: QueryWord): boolean {
  const longEnough = !guessed || typed.length >= shortestGuessed;
  return matches.length > 0 && longEnough && !isStopWord(wordOf(instead).term);
}

/** `/blog/articles/one` -> `['/blog/articles/one', '/blog/articles', '/blog']` */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1, 1 + foldersRead);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}
