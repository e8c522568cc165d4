import type { Content } from '../model/content.ts';
import type { Kind } from './documents.ts';
import { rank } from './inverted-index.ts';
import { understand } from './meaning.ts';
import { searcherOf } from './searcher.ts';
import { isStopWord, stemOf } from './words.ts';

/** Pages that somebody may have meant with an address that no page has. */
export type Nearest = {
  /** Words of the address that the site has, to search for. */
  words: string;
  pages: readonly { path: string; title: string; kind: Kind }[];
};

const pagesShown = 5;
/** Of these, pages that have the words of the address: the others are like it in their own address. */
const pagesByWords = 4;
/** Characters of an address that are read: real ones are shorter. */
const addressLength = 100;
/** One character in so many may differ, and no more than so many in all. */
const charactersForMistake = 5;
const mistakesForgiven = 3;

/**
 * The pages nearest to an address: those with an address like it, those with its words, then the sections that it
 * lies in. Any string will do. Pure.
 */
export function nearestPages(content: Content, address: string): Nearest {
  const { documents, index, pages } = searcherOf(content);
  const path = decoded(address).slice(0, addressLength);
  const folders = foldersOf(path);
  const isFolder = (folder: string) => documents.some((one) => one.path.startsWith(`${folder}/`));

  const mistakes = Math.min(mistakesForgiven, Math.floor(path.length / charactersForMistake));
  const alike = [...pages.fuzzyGet(path, mistakes).values()].sort(([, a], [, b]) => a - b).map(([page]) => page);

  // «services» in /services/foto says where the page is, not what it is about.
  const own = path.slice(folders.find(isFolder)?.length ?? 0);
  const words = understand(index, own.replace(/[^\p{L}]+/gu, ' ')).filter(
    ({ typed, instead, meaning }) => typed.length > 2 && meaning.size > 0 && !isStopWord(stemOf(instead ?? typed)),
  );
  const meanings = words.map(({ meaning }) => meaning);
  const byWords = rank(index, meanings, 1).documents.slice(0, pagesByWords);

  const found = [
    ...alike,
    ...byWords.flatMap((one) => documents[one] ?? []),
    ...folders.flatMap((folder) => pages.get(folder) ?? []),
    ...(path !== '' && isFolder(path) ? documents.filter((one) => one.path.startsWith(`${path}/`)) : []),
  ];
  return {
    words: words.map(({ typed, instead }) => instead ?? typed).join(' '),
    pages: [...new Set(found)].slice(0, pagesShown).map(({ path, title, kind }) => ({ path, title, kind })),
  };
}

/** `/blog/articles/one` -> `['/blog/articles/one', '/blog/articles', '/blog']` */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}

/** An address as a person reads it; as it is if it is not properly encoded. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
