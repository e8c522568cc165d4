import { stemmer } from '@orama/stemmers/russian';

/** A word as it stands in a text. */
export type Word = {
  /** In lower case, with «ё» as «е» and without accents. */
  plain: string;
  /** What its forms have in common: «упаковк» for «упаковкой». Numbers and Latin words are their own. */
  stem: string;
  start: number;
  end: number;
};

/** A run of letters, or a number with its thousands set apart: `12 500`. */
const pattern = /\p{L}[\p{L}\p{M}]*|\p{N}+(?:[ \u00A0\u202F]\p{N}{3}(?!\p{N}))*/gu;

/** What texts are full of and nobody looks for. */
const stopWords = new Set(
  (
    'а без бы был была были было в вам вас ваш ваша ваше ваши во вот все вы где да для до его ее если есть еще же за ' +
    'и из или им их к как какая какие какой когда кто ли мне мы мой на над нас наш не нет ни но ну о об он она они ' +
    'от по под при про с сколько со так там то только у уже чем что чтобы это я the and for of to in'
  ).split(' '),
);

type Form = Pick<Word, 'plain' | 'stem'>;

/** Words as they were written. Stemming takes longer than all else, and a language repeats itself. */
const forms = new Map<string, Form>();
/** A content has some thousand forms; what visitors type must not make a process grow. */
const formsKept = 200_000;

/** Every word of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const { plain, stem } = formOf(found);
    words.push({ plain, stem, start: index, end: index + found.length });
  }
  return words;
}

function formOf(found: string): Form {
  let form = forms.get(found);
  if (form === undefined) {
    // «й» is one letter, and no accent may make a word another one.
    const composed = found.toLowerCase().normalize('NFC').replaceAll('ё', 'е');
    const plain = composed.replace(/[\p{M}\s]/gu, '');
    form = { plain, stem: stemOf(plain) };
    if (forms.size >= formsKept) forms.clear();
    forms.set(found, form);
  }
  return form;
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
