const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00A0' };

/**
 * The text of HTML that Markdown was rendered to, in one line: items and headings become sentences, and the cells of
 * a table stand apart.
 */
export function plainText(html: string): string {
  return html
    .replace(/<\/t[dh]>\s*(?=<t[dh])/g, ' · ')
    .replace(/<\/t[dh]>\s*(?=<\/tr)/g, '')
    .replace(/([^\s.!?:;…])\s*<\/(?:h\d|li|p|tr)>/g, '$1. ')
    .replace(/<\/?(?:a|b|code|em|i|s|strong)(?:\s[^>]*)?>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:#(\d+)|(\w+));/g, (entity, code, name) =>
      code ? String.fromCodePoint(code) : (entities[name] ?? entity),
    )
    .replace(/[ \n\t]+/g, ' ')
    .trim();
}

/** Joins texts to one that reads as sentences. */
export function sentences(parts: readonly string[]): string {
  return parts
    .filter((part) => part !== '')
    .map((part) => (/[.!?…:;]$/.test(part) ? part : `${part}.`))
    .join(' ');
}
