import { stemmer } from '@orama/stemmers/russian';
import { memoized } from '../../lib/lazy.ts';

type Token = { start: number; end: number; text: string };

export type Analyzer = {
  /** Words, numbers, and multi-word synonyms as one token. */
  tokens(text: string): Token[];
  /** Texts are indexed under every spelling of a synonym, so queries need only one. */
  textTerms(token: string): readonly string[];
  queryTerms(token: string): readonly string[];
};

const word = String.raw`\p{L}[\p{L}\p{M}]*`;
/** May have spaces between thousands: `12 500`. */
const number = String.raw`\p{N}+(?:[ \u00A0\u202F]\p{N}{3}(?!\p{N}))*`;

const stopWords = new Set(
  (
    'а без бы был была были было в вам вас ваш ваша ваше ваши во вот все вы где да для до его ее если есть еще же за ' +
    'и из или им их к как какая какие какой когда кто ли мне мы мой на над нас наш не нет ни но ну о об он она они ' +
    'от по под при про с сколько со так там то только у уже чем что чтобы это я the and for of to in'
  ).split(' '),
);

/** @param synonyms such as `[['Wildberries', 'WB', 'ВБ']]`; a spelling may have several words */
export function createAnalyzer(synonyms: readonly (readonly string[])[]): Analyzer {
  const groups = new Map<string, readonly string[]>();
  const phrases: string[] = [];
  for (const group of synonyms) {
    const spellings = group.map(termsOf);
    const groupTerms = [...new Set(spellings.flatMap((terms) => [terms.join(' '), ...terms]))];
    for (const terms of spellings) {
      groups.set(terms.join(' '), groupTerms);
      if (terms.length > 1) phrases.push(terms.map((term) => String.raw`${term}\p{L}*`).join('[^\\p{L}\\p{N}]+'));
    }
  }
  const pattern = new RegExp([...phrases, word, number].join('|'), 'giu');

  return {
    tokens(text) {
      return Array.from(text.matchAll(pattern), ({ 0: token, index }) => {
        return { start: index, end: index + token.length, text: token };
      });
    },
    // Cached, because stemming is slow and words repeat.
    textTerms: memoized((token: string) => {
      const terms = termsOf(token);
      return groups.get(terms.join(' ')) ?? terms;
    }),
    queryTerms(token) {
      const terms = termsOf(token);
      const phrase = terms.join(' ');
      return groups.has(phrase) ? [phrase] : terms;
    },
  };
}

/** Drops stop words and accents, reads «ё» as «е». */
function termsOf(text: string): string[] {
  // Composed first, so that «й» keeps its breve.
  const plain = text.toLowerCase().normalize('NFC').replaceAll('ё', 'е').replace(/\p{M}/gu, '');
  if (isNumber(plain)) return [plain.replace(/\s/g, '')];
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).filter((part) => !stopWords.has(part)).map(rootOf);
}

export function isNumber(text: string): boolean {
  return /^\p{N}/u.test(text);
}

/** Shared by verbs and nouns: «упаков» for both «упаковка» and «упаковать». */
function rootOf(plain: string): string {
  const stem = stemmer(plain) || plain;
  return stem.replace(/(?<=.{4})(?:лен|ля|ен|[ое]к|к|н|[аеиоуыэюя])$/u, '');
}
