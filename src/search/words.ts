import { stemmer } from '@orama/stemmers/russian';

/** A word by which a text is found. */
export type Term = {
  /** In lower case, with «ё» as «е» and without accents; of a name with several spellings, the one to show. */
  plain: string;
  /** What its forms have in common: «упаковк» for «упаковкой». Numbers and Latin words are their own. */
  stem: string;
};

/** A part of a text, one word or several, with every term that finds it. */
export type Token = { start: number; end: number; terms: readonly Term[] };

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

/** Words as they were written. Stemming takes longer than all else, and a language repeats itself. */
const known = new Map<string, readonly [Term]>();
/** A content has some thousand forms; what visitors type must not make a process grow. */
const termsKnown = 200_000;

/** Every word of a text, in order. */
export function wordsOf(text: string): Term[] {
  return (text.match(pattern) ?? []).flatMap(termsOf);
}

/** The same with where they stand. */
export function tokensOf(text: string): Token[] {
  let end = 0;
  return (text.match(pattern) ?? []).map((found) => {
    const start = text.indexOf(found, end);
    end = start + found.length;
    return { start, end, terms: termsOf(found) };
  });
}

function termsOf(found: string): readonly [Term] {
  let terms = known.get(found);
  if (terms === undefined) {
    // «й» is one letter, and no accent may make a word another one.
    const composed = found.toLowerCase().normalize('NFC').replaceAll('ё', 'е');
    const plain = composed.replace(/[\p{M}\s]/gu, '');
    terms = [{ plain, stem: stemOf(plain) }];
    if (known.size >= termsKnown) known.clear();
    known.set(found, terms);
  }
  return terms;
}

/** The stem of a plain word: Snowball's for Russian. */
export function stemOf(plain: string): string {
  return stemmer(plain);
}

/** What verbs and nouns of one root share: «упаков» for the stems of «упаковка» and of «упаковать». */
export function rootOf(stem: string): string {
  return stem.replace(/(?<=.{4})(?:лен|ля|ен|[ое]к|к|н|[аеиоуыэюя])$/u, '');
}

export function isStopWord(plain: string): boolean {
  return stopWords.has(plain);
}

export function isNumber(plain: string): boolean {
  return /^\p{N}/u.test(plain);
}
