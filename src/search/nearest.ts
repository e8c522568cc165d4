import { distance } from 'fastest-levenshtein';
import { decoded } from '../lib/decoded.ts';
import type { Content } from '../model/content.ts';
import type { Kind } from './documents.ts';
import { indexOf } from './index-of.ts';
import { type QueryWord, understand } from './query.ts';
import { rank } from './ranking.ts';
import { isStopWord, wordOf } from './words.ts';

/** Pages that a visitor may have meant with an address that no page has. */
export type Nearest = {
  /** Words of the address that the site has, to search for. */
  words: string;
  pages: readonly { path: string; title: string; kind: Kind }[];
};

const pagesShown = 5;
/** Of these, pages that have the words of the address: the others are like it in their own address. */
const pagesByWords = 4;
/** Characters of an address that are read, before and after decoding, and folders: real ones have less. */
const encodedLength = 600;
const addressLength = 100;
const foldersRead = 6;
/** Letters that a word has at least to be taken for another that is like it. */
const shortestGuessed = 5;
/** One character in so many may differ, and no more than so many in all. */
const charactersForMistake = 5;
const mistakesForgiven = 3;

/**
 * The pages nearest to an address: those with an address like it, those with its words, then the sections that it
 * lies in. Any string will do. Pure.
 */
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
  // «services» in /services/foto says where the page is, not what it is about.
  const own = path.slice(folder.length).match(/\p{L}{3,}/gu) ?? [];
  const words = understand(index, own.join(' ')).filter(isMeant);
  const byWords = rank(index, words, 1).found.slice(0, pagesByWords);

  // A folder with a page of its own has it among `folders`.
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

/** Addresses are of any language, and most short words are like some Russian one. */
function isMeant({ typed, instead = typed, matches, guessed }: QueryWord): boolean {
  const longEnough = !guessed || typed.length >= shortestGuessed;
  return matches.length > 0 && longEnough && !isStopWord(wordOf(instead).term);
}

/** `/blog/articles/one` -> `['/blog/articles/one', '/blog/articles', '/blog']` */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1, 1 + foldersRead);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}
