import type { Words } from './words.ts';

export type Marked = readonly { text: string; marked: boolean }[];

/** In words; the second is the part before the first match. */
const excerptLength = 30;
const before = 6;

type Match = { start: number; end: number; terms: readonly string[] };

export function mark(text: string, terms: ReadonlySet<string>, words: Words): Marked {
  return markTokens(text, matching(text, terms, words), 0, text.length);
}

/** The part of the text with the most distinct terms. */
export function excerpt(text: string, terms: ReadonlySet<string>, words: Words): Marked {
  const tokens = matching(text, terms, words);
  let best = { at: 0, terms: 0 };
  for (const [at, token] of tokens.entries()) {
    if (token.terms.length === 0) continue;
    const inside = new Set(tokens.slice(at, at + excerptLength - before).flatMap((one) => one.terms));
    if (inside.size > best.terms) best = { at, terms: inside.size };
  }
  const first = Math.max(0, best.at - before);
  const from = first === 0 ? 0 : (tokens[first]?.start ?? 0);
  const to = tokens[first + excerptLength]?.end ?? text.length;
  return [
    ...(from > 0 ? [{ text: '…\u00A0', marked: false }] : []),
    ...markTokens(text, tokens, from, to),
    ...(to < text.length ? [{ text: '\u00A0…', marked: false }] : []),
  ];
}

/** Each token with those of its terms that were found. */
function matching(text: string, terms: ReadonlySet<string>, words: Words): Match[] {
  return words.tokens(text).map(({ start, end, text: token }) => {
    return { start, end, terms: words.textTerms(token).filter((term) => terms.has(term)) };
  });
}

function markTokens(text: string, tokens: readonly Match[], from: number, to: number): Marked {
  const parts: { text: string; marked: boolean }[] = [];
  let last = from;
  for (const { start, end } of tokens.filter((one) => one.terms.length > 0 && one.start >= from && one.end <= to)) {
    parts.push({ text: text.slice(last, start), marked: false }, { text: text.slice(start, end), marked: true });
    last = end;
  }
  return [...parts, { text: text.slice(last, to), marked: false }].filter((part) => part.text !== '');
}
