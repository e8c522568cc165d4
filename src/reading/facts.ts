import { isMap, isScalar, parseDocument } from 'yaml';
import { nearestName } from './nearest-name.ts';
import type { Problem } from './problem.ts';

/*
 * Texts name what company.yaml says: `{{ company.email }}`. Before a file is read, each such name becomes a word that
 * means nothing to YAML and Markdown, and carries the fact; once the file is taken apart, the fact stands there. So it is
 * never markup, whatever is in it.
 */

export const companyFile = 'company.yaml';

/** Names that stand for fields of what they name; of several, one line is made. */
const short: Readonly<Record<string, readonly string[]>> = {
  phone: ['phone.text'],
  tollFree: ['tollFree.text'],
  workingHours: ['workingHours.text'],
  address: ['address.postalCode', 'address.locality', 'address.street'],
};

/** Facts by name; `undefined` if `company.yaml` cannot be read, which is reported there. */
export type Facts = ReadonlyMap<string, string> | undefined;

/** @param text of `company.yaml`: its facts are typeset with the words around them, and not before */
export function factsOf(text: string): Facts {
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const facts = new Map(valuesIn(document.contents, 'company'));
  for (const [name, fields] of Object.entries(short)) {
    const values = fields.flatMap((field) => facts.get(`company.${field}`) ?? []);
    if (values.length === fields.length) facts.set(`company.${name}`, values.join(', '));
  }
  return facts;
}

/** The texts and numbers of a mapping, and of those within, by their names. */
function valuesIn(node: unknown, name: string): [string, string][] {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => valuesIn(value, `${name}.${key}`));
  if (!isScalar(node) || !/^(string|number)$/.test(typeof node.value)) return [];
  return [[name, String(node.value).replace(/\s+/g, ' ').trim()]];
}

const placeholder = /\{\{(?:[ \t]*([^{}\n]*?)[ \t]*\}\})?/g;

/** The names of facts in a text. */
export function factsIn(text: string): string[] {
  if (!text.includes('{{')) return [];
  return [...new Set(Array.from(text.matchAll(placeholder), ([, name = '']) => name))].sort();
}

/** U+FDD0 and U+FDD1 are no characters: Unicode leaves them to programs. Between them, a fact is in hexadecimal digits. */
const word = /\uFDD0([\da-f]*)\uFDD1/g;

/** A file as it was written, the same with words for facts on the same lines, and what is wrong with their names. */
export type Sealed = {
  written: string;
  text: string;
  problems: readonly Problem[];
  /** Puts what was written in the place of such words. */
  unseal(text: string): string;
};

export function sealed(file: string, written: string, facts: Facts): Sealed {
  const problems: Problem[] = [];
  const names = new Map<string, string>();
  const text = written.replace(placeholder, (found, name: string | undefined, index: number) => {
    const fact = facts === undefined && name !== undefined ? found : facts?.get(name ?? '');
    const before = written.slice(0, index);
    const comment = file.endsWith('.yaml') && /^[ \t]*#/.test(before.slice(before.lastIndexOf('\n') + 1));
    if (!comment && (fact === undefined || file === companyFile)) {
      const line = before.split('\n').length;
      problems.push({ file, line, field: '', message: remedyOf(file, name, facts) });
    }
    const hidden = `\uFDD0${Buffer.from(fact ?? found).toString('hex')}\uFDD1`;
    names.set(hidden, found);
    return hidden;
  });
  return { written, text, problems, unseal: (words) => words.replace(word, (hidden) => names.get(hidden) ?? hidden) };
}

/** What is wrong with a name, and what to do. */
function remedyOf(file: string, name: string | undefined, facts: Facts): string {
  if (name === undefined) return 'После {{ не хватает }} на той же строке. Допишите, например {{ company.name }}.';
  if (file === companyFile) return 'В самом company.yaml факты пишут словами. Впишите значение.';
  const nearest = nearestName(name, facts?.keys() ?? []);
  const remedy = nearest === undefined ? 'Впишите его туда или уберите отсюда' : `Наверное, это {{ ${nearest} }}`;
  return `Такого факта в company.yaml нет: {{ ${name} }}. ${remedy}.`;
}

/** A text with its facts in place. */
export function unsealed(text: string): string {
  return text.includes('\uFDD0') ? text.replace(word, (_, hex: string) => Buffer.from(hex, 'hex').toString()) : text;
}

/** The same for whatever YAML says. */
export function unsealedValue(value: unknown): unknown {
  if (typeof value === 'string') return unsealed(value);
  if (Array.isArray(value)) return value.map(unsealedValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [unsealed(key), unsealedValue(one)]));
}
