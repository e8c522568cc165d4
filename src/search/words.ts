import { stemmer } from '@orama/stemmers/russian';

export type Word = {
  /** Lower case, «ё» as «е», without accents. */
  plain: string;
  /** The stem under which texts are indexed: «упаковк» for «упаковкой». */
  term: string;
};

/** One word or a multi-word synonym, with all terms that match it. */
export type Token = { start: number; end: number; words: readonly Word[] };

/** Letters, or a number with spaces between thousands: `12 500`. */
const pattern = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[ \u00A0\u202F]\p{N}{3}(?!\p{N}))*/gu;

const stopWords = new Set(
  (
    'а без бы был была были было в вам вас ваш ваша ваше ваши во вот все вы где да для до его ее если есть еще же за ' +
    'и из или им их к как какая какие какой когда кто ли мне мы мой на над нас наш не нет ни но ну о об он она они ' +
    'от по под при про с сколько со так там то только у уже чем что чтобы это я the and for of to in'
  ).split(' '),
);

export function tokensOf(text: string, read: (written: string) => readonly Word[]): Token[] {
  return Array.from(text.matchAll(pattern), ({ 0: written, index }) => {
    return { start: index, end: index + written.length, words: read(written) };
  });
}

export function wordsOf(text: string): Word[] {
  return (text.match(pattern) ?? []).map(wordOf);
}

export function wordOf(written: string): Word {
  // Composed first, so that «й» does not lose its breve with the accents.
  const composed = written.toLowerCase().normalize('NFC').replaceAll('ё', 'е');
  const plain = composed.replace(/[\p{M}\s]/gu, '');
  return { plain, term: stemmer(plain) || plain };
}

/** Shared by verbs and nouns: «упаков» for both «упаковка» and «упаковать». */
export function rootOf(term: string): string {
  return term.replace(/(?<=.{4})(?:лен|ля|ен|[ое]к|к|н|[аеиоуыэюя])$/u, '');
}

export function isStopWord(plain: string): boolean {
  return stopWords.has(plain);
}

export function isNumber(plain: string): boolean {
  return /^\p{N}/u.test(plain);
}
