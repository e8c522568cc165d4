import { parse } from 'yaml';
import * as z from 'zod';
import { daysInWords, type Retention } from '../model/retention-periods.ts';
import { companySchema } from '../model/schemas/company-schema.ts';
import { type ContentFile, companyFile } from './content-files.ts';
import { fileText } from './file-text.ts';
import { nearestName } from './nearest-name.ts';
import type { Problem } from './problem.ts';

/* Texts can use facts from company.yaml and the configuration: `{{ company.email }}`, `{{ retention.leads }}`. */

/** `undefined` if `company.yaml` is missing, or cannot be read. */
export type Facts = ReadonlyMap<string, string> | undefined;

/** Short names for fields; several fields are joined. */
const factAliases: Readonly<Record<string, readonly string[]>> = {
  'company.phone': ['company.phone.text'],
  'company.tollFree': ['company.tollFree.text'],
  'company.workingHours': ['company.workingHours.text'],
  'company.address': ['company.address.postalCode', 'company.address.locality', 'company.address.street'],
};

/** The value of what has an error of its own. Texts that name it get no second error. */
const unread = '…';

export function readFacts(company: ContentFile | undefined, retention: Retention): Facts {
  const read = company && fileText(company.bytes());
  return read && 'text' in read ? factsOf(read.text, retention) : undefined;
}

/** @param text of `company.yaml` */
export function factsOf(text: string, retention: Retention): Facts {
  let company: unknown;
  try {
    company = parse(text);
  } catch {
    return undefined;
  }
  if (!isMap(company)) return undefined;
  const facts = new Map(valuesIn(company, 'company'));
  const { data: hours } = z.object({ workingHours: companySchema.shape.workingHours }).safeParse(company);
  if ('workingHours' in company) {
    facts.set('company.workingHours.text', hours?.workingHours.text ?? unread);
    facts.set('company.workingHours.callWithin', String(hours?.workingHours.callWithin ?? unread));
  }
  for (const [name, fields] of Object.entries(factAliases)) {
    if (!(name.slice('company.'.length) in company)) continue;
    facts.set(name, fields.map((field) => facts.get(field) ?? unread).join(', '));
  }
  facts.set('retention.leads', daysInWords(retention.leads));
  facts.set('retention.consents', daysInWords(retention.consents));
  return facts;
}

function valuesIn(value: unknown, name: string): [string, string][] {
  if (typeof value === 'string' || typeof value === 'number')
    return [[name, String(value).replace(/\s+/g, ' ').trim()]];
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, one]) => valuesIn(one, `${name}.${key}`));
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A fact outside of a placeholder. */
export const factName = new RegExp(
  `(?<![\\w.@/-])(?:company\\.(?:${Object.keys(companySchema.shape).join('|')})(?:\\.[a-z]+)?|retention\\.(?:leads|consents))(?![\\w@-]|\\.\\w)`,
  'gi',
);

/** Writes every fact in double braces; editors may use other brackets or none. */
export function withBraces(text: string): string {
  return text.replace(
    // The lookbehind keeps a run of braces linear.
    new RegExp(`(?:\\$?(?<!\\{ *)\\{[{ ]*|\\[\\[ *|<)?(${factName.source})(?: *\\]\\]|>|[} ]*\\})?`, 'gi'),
    '{{ $1 }}',
  );
}

export const inCompanyFile = 'В самом company.yaml факты пишут словами. Впишите значение.';

export const placeholder = /(?<!\\)\{\{(?:([^{}\n]*)\}\})?/g;

/** @param write how the value of a fact is written */
export function replaceFacts(text: string, facts: Facts, write = (value: string) => value): string {
  return text.replace(placeholder, (found, name = '') =>
    write(facts === undefined ? unread : (facts.get(name.trim()) ?? found)),
  );
}

/** In all strings of a value. */
export function withFacts(value: unknown, facts: Facts): unknown {
  if (typeof value === 'string') return replaceFacts(value, facts);
  if (Array.isArray(value)) return value.map((one) => withFacts(one, facts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withFacts(one, facts)]));
}

export function factProblems(file: string, text: string, facts: Facts): Problem[] {
  return text.split('\n').flatMap((written, index) => {
    const found = [...written.matchAll(placeholder)].map(([, name]) => name?.trim());
    const corrected = found.includes(undefined) ? withBraces(written) : written;
    return found.flatMap((name) => {
      const message = wrongName(file, name, facts);
      if (message === undefined) return [];
      const instead = name === undefined && corrected !== written ? corrected : undefined;
      return [{ file, line: index + 1, field: '', message, instead }];
    });
  });
}

function wrongName(file: string, name: string | undefined, facts: Facts): string | undefined {
  if (name === undefined) return 'После {{ не хватает }} на той же строке. Допишите, например {{ company.name }}.';
  if (file === companyFile) return inCompanyFile;
  if (facts === undefined || facts.has(name)) return undefined;
  const near = nearestName(name, facts.keys());
  const remedy = near === undefined ? 'Впишите его туда или уберите отсюда' : `Наверное, это {{ ${near} }}`;
  return `Такого факта в company.yaml нет: {{ ${name} }}. ${remedy}.`;
}
