import type { Tokenizer } from './synonyms.ts';

/** A text in parts, some of which were searched for. */
export type Marked = readonly { text: string; marked: boolean }[];

/** Letters that an excerpt has at most, and how far before the first match it may begin. */
const excerptLength = 220;
const before = 60;

/** Marks what the terms find in a text. */
export function mark(text: string, wanted: ReadonlySet<string>, tokens: Tokenizer): Marked {
  return markMatches(text, matchesIn(text, wanted, tokens), 0, text.length);
}

/** The part of a text in which most of the wanted terms stand, with each of them marked. */
export function excerpt(text: string, wanted: ReadonlySet<string>, tokens: Tokenizer): Marked {
  const matches = matchesIn(text, wanted, tokens);
  let best: { at: number; count: number } = { at: 0, count: 0 };
  for (const [index, { start }] of matches.entries()) {
    const inside = new Set<string>();
    for (let next = index; next < matches.length; next++) {
      const match = matches[next];
      if (match === undefined || match.end > start - before + excerptLength) break;
      inside.add(match.term);
    }
    if (inside.size > best.count) best = { at: start, count: inside.size };
  }
  const from = best.at <= before ? 0 : wordAfter(text, best.at - before);
  const to = from + excerptLength >= text.length ? text.length : wordBefore(text, from + excerptLength);
  const inside = matches.filter(({ start, end }) => start >= from && end <= to);
  const parts = markMatches(text, inside, from, to);
  return [
    ...(from > 0 ? [{ text: '…\u00A0', marked: false }] : []),
    ...parts,
    ...(to < text.length ? [{ text: '\u00A0…', marked: false }] : []),
  ];
}

type Match = { start: number; end: number; term: string };

function matchesIn(text: string, wanted: ReadonlySet<string>, tokens: Tokenizer): Match[] {
  return tokens(text).flatMap(({ start, end, terms }) => {
    const found = terms.find(({ stem }) => wanted.has(stem));
    return found ? [{ start, end, term: found.stem }] : [];
  });
}

function markMatches(text: string, matches: readonly Match[], from: number, to: number): Marked {
  const parts: { text: string; marked: boolean }[] = [];
  let last = from;
  for (const { start, end } of matches) {
    if (start > last) parts.push({ text: text.slice(last, start), marked: false });
    parts.push({ text: text.slice(start, end), marked: true });
    last = end;
  }
  if (last < to) parts.push({ text: text.slice(last, to), marked: false });
  return parts;
}

/** Where the first whole word from a place on begins; the place itself if there is no blank near. */
function wordAfter(text: string, at: number): number {
  const blank = text.indexOf(' ', at);
  return blank === -1 || blank > at + before ? at : blank + 1;
}

function wordBefore(text: string, at: number): number {
  const blank = text.lastIndexOf(' ', at);
  return blank < at - before ? at : blank;
}
