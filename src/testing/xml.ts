export type XmlElement = {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
  /** All text directly within, with its entities decoded. */
  text: string;
};

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @throws on a bare `&`, and on entities that XML does not have, `&nbsp;` among them */
function decode(text: string): string {
  return text.replace(/&([^;\s]*;?)/g, (entity, rest: string) => {
    const [, hex, decimal, name] = /^(?:#x([\da-f]+)|#(\d+)|(\w+));$/i.exec(rest) ?? [];
    const character = name === undefined ? undefined : named[name];
    if (character !== undefined) return character;
    if (hex === undefined && decimal === undefined) throw new Error(`XML has no ${entity}.`);
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

const token = /<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w:]+)>|<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>/g;

/**
 * Parses XML as strictly as a feed reader does, as far as this site writes any.
 *
 * @returns the root
 * @throws if it is not well-formed, or has a prefix without a namespace
 */
export function parseXml(source: string): XmlElement {
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!source.startsWith(declaration)) throw new Error('There is no declaration at the start.');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what XML does not allow
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(source))
    throw new Error('XML has no such character.');
  const document: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [document];
  const prefixes = new Set<string>();
  const add = (text: string) => {
    const top = open.at(-1);
    if (/[<>]/.test(text) || (open.length === 1 && text.trim() !== '')) throw new Error(`This is not XML: ${text}`);
    if (top) top.text += decode(text);
  };
  let last = declaration.length;
  token.lastIndex = last;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    add(source.slice(last, match.index));
    last = token.lastIndex;
    const [, cdata, end, start = '', written = '', empty] = match;
    const top = open.at(-1);
    if (cdata !== undefined && top) top.text += cdata;
    else if (end !== undefined) {
      if (open.pop()?.name !== end) throw new Error(`</${end}> ends nothing.`);
    } else {
      const attributes = Object.fromEntries(
        [...written.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decode(value)]),
      );
      for (const name of Object.keys(attributes))
        if (name.startsWith('xmlns:')) prefixes.add(name.slice('xmlns:'.length));
      const [prefix, local] = start.split(':');
      if (local !== undefined && !prefixes.has(prefix ?? '')) throw new Error(`${prefix} is no namespace.`);
      const element: XmlElement = { name: start, attributes, children: [], text: '' };
      top?.children.push(element);
      if (!empty) open.push(element);
    }
  }
  add(source.slice(last));
  const [root, ...more] = document.children;
  if (root === undefined || more.length > 0 || open.length > 1)
    throw new Error('There must be one root, and it must end.');
  return root;
}

/** The children of that name. */
export function childrenOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter((child) => child.name === name);
}

/** The one child of that name. @throws if there is none or more than one */
export function childOf(parent: XmlElement, name: string): XmlElement {
  const [first, ...more] = childrenOf(parent, name);
  if (first === undefined || more.length > 0)
    throw new Error(`${parent.name} has ${more.length + (first ? 1 : 0)} ${name}.`);
  return first;
}
