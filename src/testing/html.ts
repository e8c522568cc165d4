/** A node of parsed HTML: an element, or the text between elements with its entities decoded. */
export type Node = Element | string;

export type Element = {
  name: string;
  /** By name in lower case. */
  attributes: Readonly<Record<string, string>>;
  children: Node[];
};

const withoutEnd = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'wbr',
]);
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' };

function decode(text: string): string {
  return text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? entity;
    return String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  });
}

function readAttributes(source: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of source.matchAll(/([^\s=/]+)(?:="([^"]*)")?/g)) {
    const key = name.toLowerCase();
    if (Object.hasOwn(attributes, key)) throw new Error(`The attribute ${name} is given twice: ${source}`);
    attributes[key] = decode(value);
  }
  return attributes;
}

const token =
  /<!--[\s\S]*?-->|<!doctype[^>]*>|<\/([a-z0-9-]+)>|<([a-z][a-z0-9-]*)((?:\s+[^\s=>/]+(?:="[^"]*")?)*)\s*(\/?)>/gi;

/**
 * Parses what this site sends. It forgives nothing that a browser would mend:
 * where markup looks wrong, a test should fail rather than guess.
 *
 * @throws if elements are not nested, or a bare `<` or `>` stands in text
 */
export function parseHtml(html: string): Element {
  const root: Element = { name: '#document', attributes: {}, children: [] };
  const open = [root];
  const add = (text: string) => {
    if (/[<>]/.test(text)) throw new Error(`A bare < or > stands in text: ${text.slice(0, 200)}`);
    if (text !== '') open.at(-1)?.children.push(decode(text));
  };
  let last = 0;
  token.lastIndex = 0;
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    add(html.slice(last, match.index));
    last = token.lastIndex;
    const [, end, start, attributes = '', closed] = match;
    if (end !== undefined) {
      const element = open.pop();
      if (element?.name !== end.toLowerCase()) throw new Error(`</${end}> ends <${element?.name}>.`);
    } else if (start !== undefined) {
      const element: Element = { name: start.toLowerCase(), attributes: readAttributes(attributes), children: [] };
      open.at(-1)?.children.push(element);
      // Elements of drawings may end themselves.
      if (withoutEnd.has(element.name) || closed) continue;
      open.push(element);
      if (element.name !== 'style' && element.name !== 'script') continue;
      const close = html.indexOf(`</${element.name}>`, last);
      element.children.push(html.slice(last, close));
      last = token.lastIndex = close;
    }
  }
  add(html.slice(last));
  if (open.length > 1) throw new Error(`<${open.at(-1)?.name}> is never ended.`);
  return root;
}

/** What an element must have: names and values of attributes; `true` for any value. */
type Wanted = Readonly<Record<string, string | true>>;

/** Every element below `node` of that name (`*` for any) with those attributes, in the order of the document. */
export function all(node: Element, name: string, wanted: Wanted = {}): Element[] {
  return node.children.flatMap((child) => {
    if (typeof child === 'string') return [];
    const matches =
      (name === '*' || child.name === name) &&
      Object.entries(wanted).every(([attribute, value]) =>
        value === true ? attribute in child.attributes : child.attributes[attribute] === value,
      );
    return [...(matches ? [child] : []), ...all(child, name, wanted)];
  });
}

/** The one element that matches as in `all`. @throws if there is none or more than one */
export function one(node: Element, name: string, wanted: Wanted = {}): Element {
  const [first, ...more] = all(node, name, wanted);
  if (first === undefined || more.length > 0) {
    throw new Error(`There are ${first === undefined ? 0 : more.length + 1} <${name}> with ${JSON.stringify(wanted)}.`);
  }
  return first;
}

/** The text of an element as it reads: all text below it, with runs of blanks made one, and without word joiners. */
export function textOf(node: Node): string {
  const raw = (one: Node): string => (typeof one === 'string' ? one : one.children.map(raw).join(''));
  return raw(node).replaceAll('\u2060', '').replace(/\s+/g, ' ').trim();
}

/** The text of an element exactly as it is, for values in which blanks count. */
export function rawText(node: Node): string {
  return typeof node === 'string' ? node : node.children.map(rawText).join('');
}

/** What a browser without a script would send for a form as it stands. */
export function formData(form: Element): URLSearchParams {
  const fields = new URLSearchParams();
  for (const { name: tag, attributes, children } of all(form, '*', { name: true })) {
    const { name = '', type, value = '', checked } = attributes;
    if (tag === 'textarea') fields.append(name, children.map(rawText).join('').replace(/^\n/, ''));
    else if (tag === 'select') {
      const [chosen] = [
        ...all(form, 'select', { name }).flatMap((select) => all(select, 'option', { selected: true })),
      ];
      fields.append(name, chosen?.attributes.value ?? '');
    } else if (!['checkbox', 'radio'].includes(type ?? '') || checked !== undefined) fields.append(name, value);
  }
  return fields;
}
