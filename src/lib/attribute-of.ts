/** Of a tag that the site wrote: with double quotes around its values. */
export function attributeOf(tag: string, name: string): string | undefined {
  const from = tag.indexOf(` ${name}="`);
  if (from === -1) return undefined;
  const start = from + name.length + 3;
  return tag.slice(start, tag.indexOf('"', start));
}
