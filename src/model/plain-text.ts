const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** List items and headings end as sentences, «·» separates table cells. */
export function plainText(html: string): string {
  return html
    .replace(/<\/t[dh]>\s*(?=<t[dh])/g, ' · ')
    .replace(/<\/t[dh]>\s*(?=<\/tr)/g, '')
    .replace(/([^\s.!?:;…])\s*<\/(?:h\d|li|p|tr)>/g, '$1. ')
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(a|b|em|strong|code|s|i)\b/i.test(tag) ? '' : ' '))
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name) => named[name] ?? entity)
    .replace(/[ \n]+/g, ' ')
    .trim();
}
