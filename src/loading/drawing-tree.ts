export type DrawingElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: (DrawingElement | string)[];
};

export const namespaces = {
  svg: 'http://www.w3.org/2000/svg',
  xlink: 'http://www.w3.org/1999/xlink',
  xml: 'http://www.w3.org/XML/1998/namespace',
} as const;

export function* elementsIn(element: DrawingElement): Generator<DrawingElement> {
  yield element;
  for (const child of element.children) if (typeof child !== 'string') yield* elementsIn(child);
}

export function serializeDrawing(root: DrawingElement): string {
  const isOld = elementsIn(root).some(({ attributes }) => attributes.has('xlink:href'));
  const declared = [['xmlns', namespaces.svg] as const, ...(isOld ? [['xmlns:xlink', namespaces.xlink] as const] : [])];
  const attributes = new Map([...declared, ...root.attributes]);
  return textOf({ ...root, attributes });
}

function textOf(node: DrawingElement | string): string {
  if (typeof node === 'string') return escaped(node);
  const { name, attributes, children } = node;
  const start = `<${name}${[...attributes].map(([key, value]) => ` ${key}="${escaped(value)}"`).join('')}`;
  return children.length === 0 ? `${start}/>` : `${start}>${children.map(textOf).join('')}</${name}>`;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A line break in an attribute would become a blank. */
function escaped(text: string): string {
  return text.replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? `&#${character.charCodeAt(0)};`);
}
