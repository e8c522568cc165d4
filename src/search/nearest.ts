import { decoded } from '../lib/decoded.ts';
import { beginningWith, nearlyLike, placeOf } from '../lib/sorted.ts';
import type { Content } from '../model/content.ts';
import type { Kind } from './documents.ts';
import { indexOf } from './index-of.ts';
import { isGuess, type UnderstoodWord, understand } from './meaning.ts';
import { rank } from './ranking.ts';
import { isStopWord, stemOf } from './words.ts';

/** Pages that a visitor may have meant with an address that no page has. */
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
/** Letters that a word has at least, and that one has which is taken for another that is like it. */
const shortestWord = 3;
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
  const { paths, numbers } = index.pages();
  const path = (decoded(address) ?? address).slice(0, addressLength);
  const folders = foldersOf(path);
  const inFolder = (folder: string) => beginningWith(paths, `${folder}/`);
  const numberOf = (page: string) => [numbers[placeOf(paths, page) ?? -1] ?? []].flat();

  const mistakes = Math.min(mistakesForgiven, Math.floor(path.length / charactersForMistake));
  const alike = [...nearlyLike(paths, path, mistakes)].sort(([, a], [, b]) => a - b);

  // «services» in /services/foto says where the page is, not what it is about.
  const own = path.slice(folders.find((folder) => inFolder(folder).length > 0)?.length ?? 0);
  const words = understand(index, own.replace(/[^\p{L}]+/gu, ' ')).filter(isMeant);
  const meanings = words.map(({ meaning }) => meaning);
  const byWords = rank(index, meanings, 1).documents.slice(0, pagesByWords);

  // A folder with a page of its own has it among `folders`.
  const [folder = ''] = folders.filter((one) => one !== '' && inFolder(one).length > 0);
  const inside = folder === '' || numberOf(folder).length > 0 ? [] : inFolder(folder).flatMap(numberOf);
  const found = [
    ...alike.flatMap(([page]) => numberOf(page)),
    ...byWords,
    ...folders.flatMap(numberOf),
    ...inside.sort((a, b) => a - b),
  ];
  return {
    words: words.map(({ typed, instead }) => instead ?? typed).join(' '),
    pages: [...new Set(found)].slice(0, pagesShown).map((number) => {
      const { path, title, kind } = index.document(number);
      return { path, title, kind };
    }),
  };
}

/** Addresses are of any language, and most short words are like some Russian one. */
function isMeant({ typed, instead = typed, meaning }: UnderstoodWord): boolean {
  const least = isGuess(meaning) ? shortestGuessed : shortestWord;
  return meaning.size > 0 && typed.length >= least && !isStopWord(stemOf(instead));
}

/** `/blog/articles/one` -> `['/blog/articles/one', '/blog/articles', '/blog']` */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1);
  return parts.map((_, index) => `/${parts.slice(0, parts.length - index).join('/')}`);
}
