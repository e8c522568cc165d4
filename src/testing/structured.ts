import { all, type Element, textOf } from './html.ts';

/** A thing that a page describes to search engines, in whichever notation. */
export type Described = {
  /** Its name in the vocabulary of schema.org. */
  type: string;
  id?: string;
  properties: ReadonlyMap<string, readonly Value[]>;
};

/** A bare string in JSON-LD may be text or an address; a reference names another thing of the same page. */
export type Value = string | number | boolean | Described | { reference: string };

export function isDescribed(value: Value): value is Described {
  return typeof value === 'object' && 'type' in value;
}

/** Every thing at the top of a page's JSON-LD. @throws if it is no graph of schema.org */
export function jsonLd(document: Element): Described[] {
  return all(document, 'script[type="application/ld+json"]').flatMap((script) => {
    const { '@context': context, '@graph': graph, ...rest } = JSON.parse(script.rawText) as Record<string, unknown>;
    if (context !== 'https://schema.org' || !Array.isArray(graph) || Object.keys(rest).length > 0) {
      throw new Error(`This is no graph of schema.org: ${script.rawText.slice(0, 200)}`);
    }
    return graph.map((node) => {
      const value = readValue(node);
      if (!isDescribed(value)) throw new Error(`This has no type: ${JSON.stringify(node)}`);
      return value;
    });
  });
}

function readValue(value: unknown): Value {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (typeof value !== 'object' || value === null) throw new Error(`${JSON.stringify(value)} describes nothing.`);
  const { '@type': type, '@id': id, ...rest } = value as Record<string, unknown>;
  if (type === undefined && typeof id === 'string' && Object.keys(rest).length === 0) return { reference: id };
  if (typeof type !== 'string') throw new Error(`This has no type: ${JSON.stringify(value)}`);
  const entries = Object.entries(rest).map(([name, one]): [string, Value[]] => [name, [one].flat().map(readValue)]);
  return { type, ...(typeof id === 'string' && { id }), properties: new Map(entries) };
}

/**
 * Every item of a page's microdata that is no part of another one, by the rules of
 * HTML (https://html.spec.whatwg.org/multipage/microdata.html); `itemref` is not known here.
 */
export function microdata(document: Element): Described[] {
  return document.children.flatMap((child) => {
    if (!('itemscope' in child.attrs)) return microdata(child);
    if ('itemprop' in child.attrs) throw new Error(`itemprop="${child.attrs.itemprop}" is of no item.`);
    return [itemOf(child)];
  });
}

function itemOf(element: Element): Described {
  const properties = new Map<string, Value[]>();
  const collect = (child: Element) => {
    const { itemprop, itemscope } = child.attrs;
    if (itemprop !== undefined) properties.set(itemprop, [...(properties.get(itemprop) ?? []), propertyValue(child)]);
    if (itemscope === undefined) child.children.forEach(collect);
    else if (itemprop === undefined)
      throw new Error(`An item of ${child.attrs.itemtype} stands in another as none of its properties.`);
  };
  element.children.forEach(collect);
  const type = /^https:\/\/schema\.org\/(\w+)$/.exec(element.attrs.itemtype ?? '')?.[1];
  if (type === undefined) throw new Error(`${element.attrs.itemtype} is no type of schema.org.`);
  return { type, properties };
}

function propertyValue(element: Element): Value {
  const { localName: name, attrs } = element;
  if ('itemscope' in attrs) return itemOf(element);
  if (name === 'meta') return attrs.content ?? '';
  if (name === 'a' || name === 'link') return attrs.href ?? '';
  if (name === 'img') return attrs.src ?? '';
  if (name === 'time') return attrs.datetime ?? textOf(element);
  return textOf(element);
}
