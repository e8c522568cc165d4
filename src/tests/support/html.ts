import { type HTMLElement, parse } from 'node-html-parser';

export type Element = HTMLElement;

/** Parses a page or a part of one. `markup.system.test.ts` checks that pages are valid. */
export function parseHtml(html: string): Element {
  return parse(html, { blockTextElements: { script: true, style: true } });
}

export function all(node: Element, selector: string): Element[] {
  return node.querySelectorAll(selector);
}

/** @throws unless exactly one element matches */
export function one(node: Element, selector: string): Element {
  const [first, ...more] = all(node, selector);
  if (first === undefined || more.length > 0)
    throw new Error(`There are ${first === undefined ? 0 : more.length + 1} of ${selector}.`);
  return first;
}

/** Returns a text, or the text of an element, with single spaces and without word joiners. */
export function textOf(node: Element | string): string {
  const text = typeof node === 'string' ? node : node.text;
  return text.replaceAll('\u2060', '').replace(/\s+/g, ' ').trim();
}

/** Returns what a browser without a script would send for a form. */
export function formData(form: Element): URLSearchParams {
  const fields = new URLSearchParams();
  for (const field of all(form, 'input[name], select[name], textarea[name]')) {
    const { name = '', type = '', value = '', checked } = field.attrs;
    if (field.localName === 'textarea') fields.append(name, field.text.replace(/^\n/, ''));
    else if (field.localName === 'select')
      fields.append(name, field.querySelector('option[selected]')?.attrs.value ?? '');
    else if (!['checkbox', 'radio'].includes(type) || checked !== undefined) fields.append(name, value);
  }
  return fields;
}
