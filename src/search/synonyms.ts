import { type Token, tokensOf, type Word, wordOf, wordsOf } from './words.ts';

/** Spellings that mean the same, such as `['Wildberries', 'WB', 'ВБ']`; a spelling may be of several words. */
export type SynonymGroups = readonly (readonly string[])[];

export type Tokenizer = (text: string) => Token[];

type Spelling = { terms: readonly string[]; words: readonly Word[] };

/**
 * Texts are indexed under all spellings of what they say, so that a query needs no synonyms: whichever spelling is
 * typed, it is among the terms, and so are its misspellings.
 */
export function tokenizer(groups: SynonymGroups): Tokenizer {
  // The longest first, so that it is the one that is found.
  const spellings = groups.flatMap(spellingsOf).sort((a, b) => b.terms.length - a.terms.length);
  const byFirst = Map.groupBy(spellings, ({ terms }) => terms[0]);
  // Stemming takes longer than all else, and a language repeats itself.
  const known = new Map<string, readonly Word[]>();

  function read(written: string): readonly Word[] {
    let words = known.get(written);
    if (words === undefined) {
      words = [wordOf(written)];
      known.set(written, words);
    }
    return words;
  }

  return (text) => {
    const tokens: Token[] = [];
    const single = tokensOf(text, read);
    for (let at = 0; at < single.length; ) {
      const token = single[at] as Token;
      const spelling = byFirst.get(token.words[0]?.term)?.find(({ terms }) => standsAt(single, at, terms));
      at += spelling?.terms.length ?? 1;
      if (spelling === undefined) tokens.push(token);
      else tokens.push({ start: token.start, end: single[at - 1]?.end ?? token.end, words: spelling.words });
    }
    return tokens;
  };
}

function standsAt(tokens: readonly Token[], at: number, terms: readonly string[]): boolean {
  return terms.every((term, offset) => tokens[at + offset]?.words[0]?.term === term);
}

function spellingsOf(group: readonly string[]): Spelling[] {
  const spellings = group.map((spelling) => wordsOf(spelling).map(({ term }) => term));
  // However a name is misspelt, it is called by the first spelling of its group.
  const [plain = ''] = group;
  const words = [...new Set(spellings.flat())].map((term) => ({ plain, term }));
  return spellings.filter(({ length }) => length > 0).map((terms) => ({ terms, words }));
}
