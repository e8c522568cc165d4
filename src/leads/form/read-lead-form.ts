import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { memoizedWeakly } from '../../lib/lazy.ts';
import { cut, tidyLine } from '../../lib/tidy.ts';
import { campaignLimits, joinParameters } from '../../model/campaign.ts';
import type { FieldError } from '../../model/field-error.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { orderFields } from '../../pricing/order-fields.ts';
import type { SpamSignal } from '../spam/spam.ts';
import type { NewLead } from '../store/lead.ts';
import { type LeadFormPreset, type LeadInput, leadInputs, leadTextsSchema, pickTexts } from '../store/lead-fields.ts';

/** The inputs as typed, hidden fields normalized. */
export type LeadFormValues = Record<LeadInput, string> & {
  preset: string;
  consent: boolean;
  key: string;
  page: string;
  /** The calculator's query. */
  calc: string;
  attribution: Readonly<Record<string, string>>;
};

type LeadFormWords = Omit<NewLead, 'consent' | 'calculation' | 'signals'>;

export type LeadFormReading = {
  values: LeadFormValues;
  signals: SpamSignal[];
  /** `undefined` if the key was not made by this server. */
  renderedAt: Date | undefined;
  /** Turnstile's; may be empty. */
  token: string;
  /** Hash of the consent text that the form was rendered with; empty if the form does not say. */
  consentVersion: string;
} & ({ ok: true; words: LeadFormWords } | { ok: false; errors: FieldError[] });

const maxPageLength = 500;
/** A Cyrillic letter takes six characters, and amounts may be typed with their units. */
const maxCalcLength = 2_000;

/** Hidden; bots fill it in, and some autofill. */
const honeypot = 'website';

/** Set by Turnstile's widget. */
const tokenField = 'cf-turnstile-response';

const attributionPrefix = 'attribution.';

/** Replaces a preset that an editor has removed; requires no field that its form may have lacked. */
const removedPreset: LeadFormPreset = { slug: generalPreset, name: false, message: 'optional' };

const keyPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** Never throws; errors are in the order of the form. */
export function readLeadForm(fields: URLSearchParams, presets: readonly LeadFormPreset[]): LeadFormReading {
  const field = (name: string) => fields.get(name) ?? '';
  const preset = presets.find(({ slug }) => slug === field('preset')) ?? removedPreset;
  const parameters = [...fields].filter(([name]) => name.startsWith(attributionPrefix));
  const values: LeadFormValues = {
    ...mapInputs(field),
    preset: preset.slug,
    consent: ['yes', 'on'].includes(field('consent')),
    key: keyPattern.test(field('key')) ? field('key') : newKey(),
    page: readPage(field('page')),
    calc: readCalc(field('calc')),
    attribution: readAttribution(parameters.map(([name, value]) => [name.slice(attributionPrefix.length), value])),
  };
  const read = {
    values,
    signals: field(honeypot) === '' ? [] : ['honeypot' as const],
    renderedAt: renderedAt(field('key')),
    token: field(tokenField),
    consentVersion: field('consentVersion'),
  };
  const parsed = schemaFor(preset).safeParse({ ...values, phoneTyped: values.phone });
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ field: String(path[0]), message }));
    return { ...read, ok: false, errors };
  }
  const { key, page, attribution } = values;
  return { ...read, ok: true, words: { key, preset: preset.slug, ...pickTexts(parsed.data), page, attribution } };
}

export function blankLeadForm(): LeadFormValues {
  const hidden = { preset: generalPreset, key: newKey(), page: '/', calc: '', attribution: {} };
  return { ...mapInputs(() => ''), consent: false, ...hidden };
}

function mapInputs(read: (name: LeadInput) => string): Record<LeadInput, string> {
  return Object.fromEntries(leadInputs.map((name) => [name, read(name)])) as Record<LeadInput, string>;
}

/** Cached, because Zod compiles schemas on first use. */
const schemaFor = memoizedWeakly((preset: LeadFormPreset) =>
  leadTextsSchema(preset).extend({
    consent: z.literal(true, 'Отметьте согласие: без него мы не вправе вам позвонить'),
  }),
);

/** The time in milliseconds in base 36, and 128 random bits. */
export function newKey(now = new Date()): string {
  return `${now.getTime().toString(36).padStart(9, '0')}_${randomBytes(16).toString('base64url')}`;
}

/** Only a hint, because keys can be forged. */
export function renderedAt(key: string): Date | undefined {
  const time = /^([0-9a-z]{9})_[A-Za-z0-9_-]{22}$/.exec(key)?.[1];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36));
}

/** A path of this site without a query, safe to link to. */
export function readPage(page: string): string {
  const base = 'http://site.invalid';
  const url = page.startsWith('/') ? URL.parse(page, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//') || url.pathname.length > maxPageLength) return '/';
  return url.pathname;
}

export function readCalc(calc: string): string {
  return calc.length <= maxCalcLength ? calc : '';
}

/** Omits the calculator's fields. @param calculator whether the address is the calculator's */
export function readAttribution(
  parameters: readonly (readonly string[])[],
  calculator = false,
): Record<string, string> {
  const isOrder = calculator || parameters.some(([name]) => name === 'units');
  const tidied = parameters.flatMap(([name = '', value = '']): [string, string][] => {
    const line = cut(tidyLine(value), campaignLimits.value);
    return line === '' ? [] : [[name, line]];
  });
  return joinParameters(tidied, isOrder ? orderFields : []);
}
