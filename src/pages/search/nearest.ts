import { distance } from 'fastest-levenshtein';
import { decoded } from '../../lib/decoded.ts';
import { cyrillicOf } from '../../lib/slug.ts';
import type { Content } from '../../model/content.ts';
import type { SearchDocument } from './documents.ts';
import { indexOf } from './index-of.ts';
import { search } from './search.ts';

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
    .map((page) => ({ page, mistakes: distance(page.path, path) }))
    .filter(({ page, mistakes }) => mistakes <= page.path.length / charactersPerTypo)
    .sort((a, b) => a.mistakes - b.mistakes)
    .map(({ page }) => page);
  const found = pagesWith(content, path);
  const folder = path.slice(0, path.lastIndexOf('/'));
  const around = pages.filter((page) => folder !== '' && (page.path === folder || page.path.startsWith(`${folder}/`)));
  return [...new Set([...similar, ...found, ...around])].slice(0, maxNearestPages);
}

/** The last part of an address says most. Nothing is better than pages with similar words. */
function pagesWith(content: Content, path: string): SearchDocument[] {
  const { queryTerms } = indexOf(content).words;
  const exactly = (query: string) => {
    const { found, exact } = search(content, query);
    return exact ? found : [];
  };
  /** Not as the beginning of other words. */
  const isKnown = (word: string) => exactly(word).some(({ terms }) => queryTerms(word).some((term) => terms.has(term)));
  const known = (part: string) =>
    (part.match(/\p{L}{2,}/gu) ?? [])
      .slice(-maxAddressWords)
      .flatMap((word) => [cyrillicOf(word), word].find(isKnown) ?? []);
  const words = path
    .split('/')
    .reverse()
    .map(known)
    .find(({ length }) => length > 0);
  const [first = ''] = words ?? [];
  const withAll = exactly(words?.join(' ') ?? '');
  return (withAll.length > 0 ? withAll : exactly(first)).map(({ document }) => document);
}
