/** Everything that could break a line, a column or a terminal, or turn the direction of the text around. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Marks on one letter at most (UAX #15, 13.1, Stream-Safe Text Format): no language has more, and composing some
 * thousands takes time by their square.
 */
const surplusMarks = /(\p{M}{30})\p{M}+/gu;

/**
 * One line of what a visitor typed: no control characters, no runs of blanks, in Unicode's composed form,
 * so that the same words are the same string however they were typed.
 */
export function tidyLine(typed: string): string {
  return tidyText(typed).replace(/\s+/gu, ' ');
}

/** As `tidyLine`, but lines stay lines, ended by `\n`, and blanks inside them stay as they are. */
export function tidyText(typed: string): string {
  return typed
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/[\t\v\f]/g, ' ')
    .replace(invisible, (character) => (character === '\n' ? '\n' : ''))
    .replace(surplusMarks, '$1')
    .normalize('NFC')
    .trim();
}

/** Whether a reader sees anything: blanks and zero-width characters are nothing. */
export function isVisible(text: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Length in characters as people count them, not in UTF-16 units. */
export function characters(text: string): number {
  return [...text].length;
}

/** At most `units` UTF-16 units, never half a character; what was cut ends with an ellipsis. */
export function shorten(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '');
  return `${end.trimEnd()}…`;
}

/** The first `limit` characters, less a blank that the cut would leave at the end. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('').trimEnd();
}
