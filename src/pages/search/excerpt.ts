import type { ReadText } from './words.ts';

export type Highlighted = readonly { text: string; marked: boolean }[];

/** Words; `wordsBeforeMatch` is the part ahead of the first match. */
const excerptLength = 30;
const wordsBeforeMatch = 6;

/** The part with the most distinct terms; short texts are shown whole. */
export function excerpt({ text, tokens: read }: ReadText, wanted: ReadonlySet<string>): Highlighted {
  const tokens = read.map(({ start, end, terms }) => ({ start, end, terms: terms.filter((term) => wanted.has(term)) }));
  let best = { at: 0, terms: 0 };
  for (const [at, token] of tokens.entries()) {
    if (token.terms.length === 0) continue;
    const inside = new Set(tokens.slice(at, at + excerptLength - wordsBeforeMatch).flatMap((one) => one.terms));
    if (inside.size > best.terms) best = { at, terms: inside.size };
  }

  const first = Math.max(0, best.at - wordsBeforeMatch);
  const shown = tokens.slice(first, first + excerptLength);
  const from = first > 0 ? (shown[0]?.start ?? 0) : 0;
  const to = first + shown.length < tokens.length ? (shown.at(-1)?.end ?? text.length) : text.length;
  const parts = [{ text: from > 0 ? '…\u00A0' : '', marked: false }];
  let last = from;
  for (const { start, end } of shown.filter((token) => token.terms.length > 0)) {
    parts.push({ text: text.slice(last, start), marked: false }, { text: text.slice(start, end), marked: true });
    last = end;
  }
  parts.push({ text: text.slice(last, to), marked: false }, { text: to < text.length ? '\u00A0…' : '', marked: false });
  return parts.filter((part) => part.text !== '');
}
