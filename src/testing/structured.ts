import { all, type Element, rawText, textOf } from './html.ts';

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
  return all(document, 'script', { type: 'application/ld+json' }).flatMap((script) => {
    const { '@context': context, '@graph': graph, ...rest } = JSON.parse(rawText(script)) as Record<string, unknown>;
    if (context !== 'https://schema.org' || !Array.isArray(graph) || Object.keys(rest).length > 0) {
      throw new Error(`This is no graph of schema.org: ${rawText(script).slice(0, 200)}`);
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
  return elements(document).flatMap((child) => {
    if (!('itemscope' in child.attributes)) return microdata(child);
    if ('itemprop' in child.attributes) throw new Error(`itemprop="${child.attributes.itemprop}" is of no item.`);
    return [itemOf(child)];
  });
}

function elements(parent: Element): Element[] {
  return parent.children.filter((child) => typeof child !== 'string');
}

function itemOf(element: Element): Described {
  const properties = new Map<string, Value[]>();
  const collect = (child: Element) => {
    const { itemprop, itemscope } = child.attributes;
    if (itemprop !== undefined) properties.set(itemprop, [...(properties.get(itemprop) ?? []), propertyValue(child)]);
    if (itemscope === undefined) elements(child).forEach(collect);
    else if (itemprop === undefined)
      throw new Error(`An item of ${child.attributes.itemtype} stands in another as none of its properties.`);
  };
  elements(element).forEach(collect);
  const type = /^https:\/\/schema\.org\/(\w+)$/.exec(element.attributes.itemtype ?? '')?.[1];
  if (type === undefined) throw new Error(`${element.attributes.itemtype} is no type of schema.org.`);
  return { type, properties };
}

function propertyValue(element: Element): Value {
  const { name, attributes } = element;
  if ('itemscope' in attributes) return itemOf(element);
  if (name === 'meta') return attributes.content ?? '';
  if (name === 'a' || name === 'link') return attributes.href ?? '';
  if (name === 'img') return attributes.src ?? '';
  if (name === 'time') return attributes.datetime ?? textOf(element);
  return textOf(element);
}
