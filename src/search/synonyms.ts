import { type Word, wordsOf } from './words.ts';

/** Spellings that mean the same, such as `['Wildberries', 'WB', 'ВБ']`; a spelling may be of several words. */
export type SynonymGroups = readonly (readonly string[])[];

/** What a text can be found by, and what to call it: «упаковк», «упаковкой». */
export type Term = { term: string; word: string };

/** A part of a text, one word or several, with every term that finds it. */
export type Token = { start: number; end: number; terms: readonly Term[] };

/** Splits a text into tokens. */
export type Tokenizer = (text: string) => Token[];

type Phrase = { stems: readonly string[]; terms: readonly Term[] };

/**
 * Texts are indexed under all spellings of what they say, so that a query needs no
 * synonyms: whichever spelling is typed, it is among the terms, and so are its misspellings.
 */
export function tokenizer(groups: SynonymGroups): Tokenizer {
  const phrases = new Map<string, Phrase[]>();
  for (const group of groups) {
    const spellings = group.map(wordsOf);
    // However a name is misspelt, it is called by the first spelling of its group.
    const [word = ''] = group;
    const terms = [...new Set(spellings.flat().map(({ stem }) => stem))].map((term) => ({ term, word }));
    for (const words of spellings) {
      const stems = words.map(({ stem }) => stem);
      const [first] = stems;
      if (first === undefined) continue;
      // The longest first, so that it is the one that is found.
      const others = [...(phrases.get(first) ?? []), { stems, terms }];
      phrases.set(
        first,
        others.sort((a, b) => b.stems.length - a.stems.length),
      );
    }
  }
  return (text) => {
    const words = wordsOf(text);
    const tokens: Token[] = [];
    for (let at = 0; at < words.length; ) {
      const [token, length] = tokenAt(words, at, phrases);
      tokens.push(token);
      at += length;
    }
    return tokens;
  };
}

function termOf({ stem, plain }: Word): Term {
  return { term: stem, word: plain };
}

function tokenAt(words: readonly Word[], at: number, phrases: ReadonlyMap<string, Phrase[]>): [Token, number] {
  const word = words[at] as Word;
  const phrase = phrases
    .get(word.stem)
    ?.find(({ stems }) => stems.every((stem, offset) => words[at + offset]?.stem === stem));
  if (phrase === undefined) return [{ start: word.start, end: word.end, terms: [termOf(word)] }, 1];
  const last = words[at + phrase.stems.length - 1] ?? word;
  return [{ start: word.start, end: last.end, terms: phrase.terms }, phrase.stems.length];
}
