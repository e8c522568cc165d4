import { plainText } from '../lib/plain-text.ts';

/** Words of HTML in one line, in which items and headings are sentences and the cells of a table stand apart. */
export function lineOf(html: string): string {
  return plainText(
    html
      .replace(/<\/t[dh]>\s*(?=<t[dh])/g, ' · ')
      .replace(/<\/t[dh]>\s*(?=<\/tr)/g, '')
      .replace(/([^\s.!?:;…])\s*<\/(?:h\d|li|p|tr)>/g, '$1. '),
  );
}

/** Joins texts to one that reads as sentences. */
export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?…:;]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
