import type { Analyzer } from './analyzer.ts';

/** Each token has its terms. */
export type AnalyzedText = {
  text: string;
  tokens: readonly { start: number; end: number; terms: readonly string[] }[];
};

export type Highlighted = readonly { text: string; isMatch: boolean }[];

/** Words; `wordsBeforeMatch` is the part ahead of the first match. */
const excerptLength = 30;
const wordsBeforeMatch = 6;

export function analyzeText(text: string, { tokens, textTerms }: Analyzer): AnalyzedText {
  return { text, tokens: tokens(text).map(({ start, end, text: token }) => ({ start, end, terms: textTerms(token) })) };
}

/** The part with the most distinct terms of the query; short texts are shown whole. */
export function excerpt({ text, tokens }: AnalyzedText, queryTerms: ReadonlySet<string>): Highlighted {
  const matches = tokens.map(({ terms }) => terms.filter((term) => queryTerms.has(term)));
  let best = { index: 0, terms: 0 };
  for (const [index, terms] of matches.entries()) {
    if (terms.length === 0) continue;
    const { size } = new Set(matches.slice(index, index + excerptLength - wordsBeforeMatch).flat());
    if (size > best.terms) best = { index, terms: size };
  }

  const first = Math.max(0, best.index - wordsBeforeMatch);
  const last = first + excerptLength - 1;
  const start = first > 0 ? (tokens[first]?.start ?? 0) : 0;
  const end = last < tokens.length - 1 ? (tokens[last]?.end ?? text.length) : text.length;
  const parts = [{ text: start > 0 ? '…\u00A0' : '', isMatch: false }];
  let position = start;
  for (const [index, token] of tokens.entries()) {
    if (index < first || index > last || matches[index]?.length === 0) continue;
    parts.push({ text: text.slice(position, token.start), isMatch: false });
    parts.push({ text: text.slice(token.start, token.end), isMatch: true });
    position = token.end;
  }
  parts.push({ text: text.slice(position, end), isMatch: false });
  parts.push({ text: end < text.length ? '\u00A0…' : '', isMatch: false });
  return parts.filter((part) => part.text !== '');
}
