import { type Token, tokensOf, type Word, wordOf, wordsOf } from './words.ts';

/** Such as `['Wildberries', 'WB', 'ВБ']`; a spelling may have several words. */
export type SynonymGroups = readonly (readonly string[])[];

export type Tokenizer = (text: string) => Token[];

type Spelling = { terms: readonly string[]; words: readonly Word[] };

/** Texts are indexed under all spellings, so queries need no expansion, and misspelled synonyms match too. */
export function tokenizer(groups: SynonymGroups): Tokenizer {
  // The longest match wins.
  const spellings = groups.flatMap(spellingsOf).sort((a, b) => b.terms.length - a.terms.length);
  const byFirst = Map.groupBy(spellings, ({ terms }) => terms[0]);
  // Cached, because stemming is the slowest step and words repeat.
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
  // The first spelling is the one for display.
  const [plain = ''] = group;
  const words = [...new Set(spellings.flat())].map((term) => ({ plain, term }));
  return spellings.filter(({ length }) => length > 0).map((terms) => ({ terms, words }));
}
