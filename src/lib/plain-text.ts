const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The words of HTML that Markdown was rendered to, with one blank between them. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, (tag) => (/^<\/?(a|b|em|strong|code|s|i)\b/i.test(tag) ? '' : ' '))
    .replace(/&(amp|lt|gt|quot|#39);/g, (entity, name) => named[name] ?? entity)
    .replace(/[ \n]+/g, ' ')
    .trim();
}
