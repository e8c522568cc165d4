import { type Term, type Token, tokensOf, wordsOf } from './words.ts';

/** Spellings that mean the same, such as `['Wildberries', 'WB', 'ВБ']`; a spelling may be of several words. */
export type SynonymGroups = readonly (readonly string[])[];

/** Splits a text into tokens. */
export type Tokenizer = (text: string) => Token[];

/** A content has one list of groups for all its life, and every search asks for it. */
const tokenizers = new WeakMap<SynonymGroups, Tokenizer>();

type Phrase = { stems: readonly string[]; terms: readonly Term[] };

/**
 * Texts are indexed under all spellings of what they say, so that a query needs no
 * synonyms: whichever spelling is typed, it is among the terms, and so are its misspellings.
 */
export function tokenizer(groups: SynonymGroups): Tokenizer {
  const known = tokenizers.get(groups) ?? makeTokenizer(groups);
  tokenizers.set(groups, known);
  return known;
}

function makeTokenizer(groups: SynonymGroups): Tokenizer {
  const phrases = new Map<string, Phrase[]>();
  for (const group of groups) {
    const spellings = group.map((spelling) => wordsOf(spelling).map(({ stem }) => stem));
    // However a name is misspelt, it is called by the first spelling of its group.
    const [plain = ''] = group;
    const terms = [...new Set(spellings.flat())].map((stem) => ({ stem, plain }));
    for (const stems of spellings) {
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
    const words = tokensOf(text);
    const tokens: Token[] = [];
    for (let at = 0; at < words.length; ) {
      const word = words[at] as Token;
      const phrase = phrases
        .get(word.terms[0]?.stem ?? '')
        ?.find(({ stems }) => stems.every((stem, offset) => words[at + offset]?.terms[0]?.stem === stem));
      at += phrase?.stems.length ?? 1;
      tokens.push(phrase ? { start: word.start, end: words[at - 1]?.end ?? word.end, terms: phrase.terms } : word);
    }
    return tokens;
  };
}
