import { beginningWith, nearlyLike } from '../lib/sorted.ts';
import type { Meaning } from './ranking.ts';
import type { SearchIndex } from './search-index.ts';
import { retyped, transliterated } from './spelling.ts';
import { isNumber, isStopWord, rootOf, stemOf, type Term, wordsOf } from './words.ts';

/** A word of a query, as the index understands it. */
export type UnderstoodWord = {
  typed: string;
  /** Empty if nothing in the index is like it. */
  meaning: Meaning;
  /** The word that was taken instead of the typed one, if there is no such word. */
  instead?: string;
};

/** Words of a query that count, and unknown ones that are mended: visitors need no more, and each costs time. */
const wordsRead = 12;
const partsMended = 4;

/** How well terms stand for a word, if they are not the word itself. */
const likeness = { sameRoot: 0.7, sameBeginning: 0.4, misspelt: 0.8 };

/** Blanks between words, and not those within a number. */
const blanks = /(?<!\d)\s+|\s+(?!\d{3}(?!\d))/;

/** Letters that a term may have after the root that it shares. */
const longestEnding = 3;

/** Terms that a misspelt word may stand for. */
const guesses = 3;

/**
 * The words of a query, each with what it means: itself, words of its root, words that begin with it, or the words
 * most like it if there is none. Words that say nothing are left out, unless there are no others.
 */
export function understand(index: SearchIndex, query: string): UnderstoodWord[] {
  let mended = 0;
  const all = query.split(blanks).flatMap((part) => {
    const own = wordsOf(part).map((word) => asTyped(index, word));
    if (own.every(isKnown) || mended === partsMended) return own;
    mended += 1;
    return mend(index, part, own);
  });
  const telling = all.filter(({ typed }) => !isStopWord(typed));
  const words = telling.length > 0 ? telling : all;
  return words.filter(({ typed }, at) => words.findIndex((one) => one.typed === typed) === at).slice(0, wordsRead);
}

/** Reads what stands between two blanks, mostly a word, as mistyped: with the wrong keyboard, or misspelt, or both. */
function mend(index: SearchIndex, part: string, own: readonly UnderstoodWord[]): UnderstoodWord[] {
  const otherKeyboard = wordsOf(retyped(part));
  const retypedRight = otherKeyboard.map((word) => readAs(index, part, word));
  if (retypedRight.length > 0 && retypedRight.every(isKnown)) return retypedRight;
  const mended = wordsOf(part).map((word, at) => {
    const one = own[at];
    return one && isKnown(one) ? one : misspelt(index, word);
  });
  if (mended.some(isKnown)) return mended;
  const retypedWrong = otherKeyboard.map((word) => insteadOf(index, part, nearly(index, word)));
  return retypedWrong.length > 0 && retypedWrong.every(isKnown) ? retypedWrong : mended;
}

/** Whether a word that nothing has was taken for those most like it. */
export function isGuess(meaning: Meaning): boolean {
  return [...meaning.values()].every((weight) => weight === likeness.misspelt);
}

function isKnown({ meaning }: UnderstoodWord): boolean {
  return meaning.size > 0;
}

/** A word as it is, and, since addresses have Russian words in Latin letters, as a Russian one, too. */
function asTyped(index: SearchIndex, word: Term): UnderstoodWord {
  const meaning = exactly(index, word);
  const russian = inRussian(word);
  if (russian === undefined) return { typed: word.plain, meaning };
  if (meaning.size === 0) return readAs(index, word.plain, russian);
  return { typed: word.plain, meaning: new Map([...exactly(index, russian), ...meaning]) };
}

function inRussian({ plain }: Term): Term | undefined {
  return /[a-z]/.test(plain) ? wordsOf(transliterated(plain))[0] : undefined;
}

/** What was typed, taken for another word. */
function readAs(index: SearchIndex, typed: string, word: Term): UnderstoodWord {
  const understood = insteadOf(index, typed, exactly(index, word));
  return index.has(word.stem) ? { ...understood, instead: word.plain } : understood;
}

/** What was typed, taken for the first of the terms that it may stand for. */
function insteadOf(index: SearchIndex, typed: string, meaning: Meaning): UnderstoodWord {
  const [nearest = ''] = meaning.keys();
  const instead = index.word(nearest);
  return { typed, meaning, ...(instead !== undefined && { instead }) };
}

function misspelt(index: SearchIndex, word: Term): UnderstoodWord {
  const russian = inRussian(word);
  const meaning = russian && nearly(index, russian);
  return insteadOf(index, word.plain, meaning?.size ? meaning : nearly(index, word));
}

/** The word itself, words of its root and words that begin with it. */
function exactly(index: SearchIndex, { plain, stem }: Term): Meaning {
  const meaning = new Map<string, number>();
  if (index.has(stem)) meaning.set(stem, 1);
  if (isNumber(plain)) return meaning;
  const root = rootOf(stem);
  if (root.length >= 4) {
    for (const term of beginningWith(index.terms, root)) {
      if (term.length <= root.length + longestEnding && !meaning.has(term)) meaning.set(term, likeness.sameRoot);
    }
  }
  // Three letters begin many words, so they are taken for a beginning only if they are no word.
  if (plain.length >= (meaning.size === 0 ? 3 : 4)) {
    for (const term of beginningWith(index.terms, plain)) {
      if (!meaning.has(term)) meaning.set(term, likeness.sameBeginning);
    }
  }
  return meaning;
}

/** Mistakes that a word of so many letters is forgiven. */
function mistakesIn(plain: string): number {
  if (plain.length < 4) return 0;
  return plain.length < 8 ? 1 : 2;
}

/** The known words that differ least from one that is not. */
function nearly(index: SearchIndex, { plain, stem }: Term): Meaning {
  const allowed = mistakesIn(plain);
  const found = new Map<string, number>();
  if (allowed > 0) {
    // A mistake may make the end of a stem look like an ending, so the whole word is compared, too.
    for (const whole of new Set([stem, plain])) {
      for (const [term, distance] of nearlyLike(index.terms, whole, allowed)) {
        found.set(term, Math.min(distance, found.get(term) ?? distance));
      }
    }
    for (const swapped of swaps(plain)) {
      const term = stemOf(swapped);
      if (index.has(term)) found.set(term, 1);
    }
  }
  const least = Math.min(...found.values());
  const nearest = [...found.keys()]
    // Visitors meant to search for neither a number nor a word that says nothing.
    .filter((term) => found.get(term) === least && !isNumber(term) && !isStopWord(term) && term.length >= 3)
    .map((term) => ({ term, asBegun: Number(term[0] === plain[0]), frequency: index.postings(term).length }))
    .sort((a, b) => b.asBegun - a.asBegun || b.frequency - a.frequency)
    .slice(0, guesses);
  return new Map(nearest.map(({ term }) => [term, likeness.misspelt]));
}

/** The word with two neighbouring letters in each other's place: the commonest slip that is not a wrong letter. */
function swaps(plain: string): string[] {
  return Array.from({ length: plain.length - 1 }, (_, at) => {
    return plain.slice(0, at) + plain.charAt(at + 1) + plain.charAt(at) + plain.slice(at + 2);
  });
}
