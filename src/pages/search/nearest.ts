import { distance } from 'fastest-levenshtein';
import { decoded } from '../../lib/decoded.ts';
import { cyrillicOf } from '../../lib/slug.ts';
import type { Content } from '../../model/content.ts';
import type { SearchDocument } from './documents.ts';
import { indexOf, search } from './search.ts';

const maxNearestPages = 5;
/** Characters and words; they bound the work. */
const maxAddressLength = 100;
const maxAddressWords = 3;
/** One typo per this many characters. */
const charactersPerTypo = 5;

/** Similar addresses, then pages that have its words, also if Latin letters spell Russian ones, then its folder. */
export function nearestPages(content: Content, address: string): SearchDocument[] {
  const pages = [...indexOf(content).documents.values()].filter(({ path }) => !path.includes('#'));
  const path = (decoded(address) ?? address).slice(0, maxAddressLength);
  const similar = pages
    .map((page) => ({ page, typos: distance(page.path, path) }))
    .filter(({ page, typos }) => typos <= page.path.length / charactersPerTypo)
    .sort((a, b) => a.typos - b.typos)
    .map(({ page }) => page);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const around = pages.filter((page) => folder !== '' && (page.path === folder || page.path.startsWith(`${folder}/`)));
  return [...new Set([...similar, ...pagesWithWords(content, path), ...around])].slice(0, maxNearestPages);
}

/** The last part of an address says most. Nothing is better than pages with similar words. */
function pagesWithWords(content: Content, path: string): SearchDocument[] {
  const { queryTerms } = indexOf(content).analyzer;
  const exactMatches = (query: string) => {
    const { matches, exact } = search(content, query);
    return exact ? matches : [];
  };
  /** Not as the beginning of other words. */
  const isIndexed = (word: string) =>
    exactMatches(word).some(({ terms }) => queryTerms(word).some((term) => terms.has(term)));
  const indexedWords = (part: string) =>
    (part.match(/\p{L}{2,}/gu) ?? [])
      .slice(-maxAddressWords)
      .flatMap((word) => [cyrillicOf(word), word].find(isIndexed) ?? []);
  const parts = path.split('/').reverse().map(indexedWords);
  const words = parts.find(({ length }) => length > 0) ?? [];
  const withAll = exactMatches(words.join(' '));
  return (withAll.length > 0 ? withAll : exactMatches(words[0] ?? '')).map(({ document }) => document);
}
