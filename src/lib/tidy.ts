/** Control and bidi characters. */
const invisible = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** More than 30 marks per letter (UAX #15, Stream-Safe Text Format) take quadratic time to normalize. */
const surplusMarks = /(\p{M}{30})\p{M}+/gu;

/** The text in NFC, which search and typography need: macOS may write й as two characters. Takes linear time. */
export function composed(text: string): string {
  return text.replace(/\P{M}\p{M}{1,30}/gu, (letter) => letter.normalize('NFC'));
}

/** One line in NFC, without control characters or repeated spaces. */
export function tidyLine(typed: string): string {
  return tidyText(typed).replace(/\s+/gu, ' ');
}

/** Like `tidyLine`, but keeps line breaks. */
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

/** False for spaces and zero-width characters alone. */
export function isVisible(text: string): boolean {
  return /[^\s\p{C}\p{Default_Ignorable_Code_Point}]/u.test(text);
}

/** Counts code points. */
export function characters(text: string): number {
  return [...text].length;
}

/** At most `units` UTF-16 units, including the ellipsis. */
export function shorten(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '');
  return `${end.trimEnd()}…`;
}

/** @param limit code points */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : [...text].slice(0, limit).join('').trimEnd();
}
