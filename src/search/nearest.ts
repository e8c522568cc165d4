import { distance } from 'fastest-levenshtein';
import { decoded } from '../lib/decoded.ts';
import type { Content } from '../model/content.ts';
import type { SearchDocument } from './documents.ts';
import { indexOf } from './index-of.ts';
import { search } from './search.ts';

const pagesShown = 5;
/** Characters and words; they bound the work. */
const addressLength = 100;
const wordsRead = 3;
/** One typo per this many characters. */
const charactersForMistake = 5;

/** Similar addresses, then search by its words, then its folder. */
export function nearestPages(content: Content, address: string): SearchDocument[] {
  const pages = [...indexOf(content).documents.values()].filter(({ path }) => !path.includes('#'));
  const path = (decoded(address) ?? address).slice(0, addressLength);
  const similar = pages
    .map((page) => ({ page, mistakes: distance(page.path, path) }))
    .filter(({ page, mistakes }) => mistakes <= page.path.length / charactersForMistake)
    .sort((a, b) => a.mistakes - b.mistakes)
    .map(({ page }) => page);
  const words = path.match(/\p{L}{3,}/gu) ?? [];
  const { found } = search(content, words.slice(-wordsRead).join(' '));
  const folder = path.slice(0, path.lastIndexOf('/'));
  const around = pages.filter((page) => folder !== '' && (page.path === folder || page.path.startsWith(`${folder}/`)));
  return [...new Set([...similar, ...found.map(({ document }) => document), ...around])].slice(0, pagesShown);
}
