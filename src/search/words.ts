import { stemmer } from '@orama/stemmers/russian';

export type Word = {
  /** In lower case, with «ё» as «е» and without accents. */
  plain: string;
  /** What its forms have in common, by which texts are indexed: «упаковк» for «упаковкой». */
  term: string;
};

/** A part of a text, one word or several, with every word that finds it. */
export type Token = { start: number; end: number; words: readonly Word[] };

/** A run of letters, or a number with its thousands set apart: `12 500`. */
const pattern = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[ \u00A0\u202F]\p{N}{3}(?!\p{N}))*/gu;

/** What texts are full of and visitors do not look for. */
const stopWords = new Set(
  (
    'а без бы был была были было в вам вас ваш ваша ваше ваши во вот все вы где да для до его ее если есть еще же за ' +
    'и из или им их к как какая какие какой когда кто ли мне мы мой на над нас наш не нет ни но ну о об он она они ' +
    'от по под при про с сколько со так там то только у уже чем что чтобы это я the and for of to in'
  ).split(' '),
);

/** @param read what is written, as words */
export function tokensOf(text: string, read: (written: string) => readonly Word[]): Token[] {
  return Array.from(text.matchAll(pattern), ({ 0: written, index }) => {
    return { start: index, end: index + written.length, words: read(written) };
  });
}

/** Every word of a text, in order. */
export function wordsOf(text: string): Word[] {
  return (text.match(pattern) ?? []).map(wordOf);
}

export function wordOf(written: string): Word {
  // «й» is one letter, and no accent may make a word another one.
  const composed = written.toLowerCase().normalize('NFC').replaceAll('ё', 'е');
  const plain = composed.replace(/[\p{M}\s]/gu, '');
  return { plain, term: stemmer(plain) || plain };
}

/** What verbs and nouns of one root share: «упаков» for the terms of «упаковка» and of «упаковать». */
export function rootOf(term: string): string {
  return term.replace(/(?<=.{4})(?:лен|ля|ен|[ое]к|к|н|[аеиоуыэюя])$/u, '');
}

export function isStopWord(plain: string): boolean {
  return stopWords.has(plain);
}

export function isNumber(plain: string): boolean {
  return /^\p{N}/u.test(plain);
}
