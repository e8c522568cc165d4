import type { Tokenizer } from './synonyms.ts';
import type { Token } from './words.ts';

export type Marked = readonly { text: string; marked: boolean }[];

/** Length of an excerpt in characters, and the part of it before the first match. */
const excerptLength = 220;
const before = 60;
/** Bounds the work in texts full of matches. */
const matchesCounted = 20;

export function mark(text: string, wanted: ReadonlySet<string>, tokenize: Tokenizer): Marked {
  return markMatches(text, matchesIn(tokenize(text), wanted), 0, text.length);
}

/** The part of the text with the most distinct terms. */
export function excerpt(text: string, wanted: ReadonlySet<string>, tokenize: Tokenizer): Marked {
  const tokens = tokenize(text);
  const matches = matchesIn(tokens, wanted);
  let best = { at: 0, terms: 0 };
  for (const [index, { start }] of matches.entries()) {
    const inside = new Set<string>();
    for (const match of matches.slice(index, index + matchesCounted)) {
      if (match.end <= start - before + excerptLength) inside.add(match.term);
    }
    if (inside.size > best.terms) best = { at: start, terms: inside.size };
  }
  const from = best.at <= before ? 0 : (tokens.find(({ start }) => start >= best.at - before)?.start ?? 0);
  const end = from + excerptLength;
  const to = end >= text.length ? end : (tokens.findLast((token) => token.end <= end)?.end ?? end);
  return [
    ...(from > 0 ? [{ text: '…\u00A0', marked: false }] : []),
    ...markMatches(text, matches, from, to),
    ...(to < text.length ? [{ text: '\u00A0…', marked: false }] : []),
  ];
}

type Match = { start: number; end: number; term: string };

function matchesIn(tokens: readonly Token[], wanted: ReadonlySet<string>): Match[] {
  return tokens.flatMap(({ start, end, words }) => {
    const found = words.find(({ term }) => wanted.has(term));
    return found ? [{ start, end, term: found.term }] : [];
  });
}

/** Does not cut matches. */
function markMatches(text: string, matches: readonly Match[], from: number, to: number): Marked {
  const parts: { text: string; marked: boolean }[] = [];
  let last = from;
  for (const { start, end } of matches.filter((match) => match.start >= from && match.end <= to)) {
    parts.push({ text: text.slice(last, start), marked: false }, { text: text.slice(start, end), marked: true });
    last = end;
  }
  parts.push({ text: text.slice(last, to), marked: false });
  return parts.filter((part) => part.text !== '');
}
