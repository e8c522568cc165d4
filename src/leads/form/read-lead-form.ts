import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { FieldError } from '../../components/forms/error-summary.tsx';
import { formatCount } from '../../lib/format.ts';
import { characters, cut, isVisible, tidyLine, tidyText } from '../../lib/tidy.ts';
import { campaignLimits, parameterName } from '../../model/campaign.ts';
import { generalPreset } from '../../model/schemas/presets-schema.ts';
import { orderFields } from '../../pages/services/order-fields.ts';
import type { SpamSignal } from '../spam/spam.ts';
import type { NewLead } from '../store/lead.ts';
import { readPhone } from './phone.ts';

export type LeadFormPreset = { slug: string; name: boolean; message: 'required' | 'optional' | 'none' };

/** Visitors' fields as typed, hidden fields normalized. */
export type LeadFormValues = {
  preset: string;
  name: string;
  phone: string;
  message: string;
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

/** In code points. */
export const limits = {
  name: 100,
  phone: 100,
  message: 4_000,
  page: 500,
  calc: 500,
  attributionValue: campaignLimits.value,
  attributionCount: campaignLimits.count,
} as const;

/** Hidden; bots fill it in, and some autofill. */
const honeypot = 'website';

/** Set by Turnstile's widget. */
const tokenField = 'cf-turnstile-response';

const attributionPrefix = 'attribution.';

/** Replaces a preset that an editor has removed; requires no field that its form may have lacked. */
const removedPreset: LeadFormPreset = { slug: generalPreset, name: false, message: 'optional' };

const keyPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** The time in milliseconds in base 36, and 128 random bits. */
export function newKey(now = new Date()): string {
  return `${now.getTime().toString(36).padStart(9, '0')}_${randomBytes(16).toString('base64url')}`;
}

/** Only a hint, because keys can be forged. */
export function renderedAt(key: string): Date | undefined {
  const time = /^([0-9a-z]{9})_[A-Za-z0-9_-]{22}$/.exec(key)?.[1];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36));
}

/** Never throws; errors are in the order of the form. */
export function readLeadForm(fields: URLSearchParams, presets: readonly LeadFormPreset[]): LeadFormReading {
  const field = (name: string) => fields.get(name) ?? '';
  const preset = presets.find(({ slug }) => slug === field('preset')) ?? removedPreset;
  const parameters = [...fields].filter(([name]) => name.startsWith(attributionPrefix));
  const values: LeadFormValues = {
    preset: preset.slug,
    name: field('name'),
    phone: field('phone'),
    message: field('message'),
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
  const parsed = schemaOf(preset).safeParse(values);
  if (!parsed.success) {
    const errors = parsed.error.issues.map(({ path, message }) => ({ field: String(path[0]), message }));
    return { ...read, ok: false, errors };
  }
  const { name, phone, message } = parsed.data;
  const { key, page, attribution } = values;
  const typed = { name: seen(name), phone, phoneTyped: tidyLine(values.phone), message: seen(message) };
  return { ...read, ok: true, words: { key, preset: preset.slug, ...typed, page, attribution } };
}

export function blank(): LeadFormValues {
  return {
    preset: generalPreset,
    name: '',
    phone: '',
    message: '',
    consent: false,
    key: newKey(),
    page: '/',
    calc: '',
    attribution: {},
  };
}

/** Cached, because Zod compiles schemas on first use. */
const schemas = new WeakMap<LeadFormPreset, ReturnType<typeof makeSchema>>();

function schemaOf(preset: LeadFormPreset): ReturnType<typeof makeSchema> {
  const schema = schemas.get(preset) ?? makeSchema(preset);
  schemas.set(preset, schema);
  return schema;
}

function makeSchema(preset: LeadFormPreset) {
  return z.object({
    phone: line
      .refine(isVisible, { error: 'Укажите телефон', abort: true })
      .refine((phone) => characters(phone) <= limits.phone, {
        error: 'Оставьте здесь только номер телефона',
        abort: true,
      })
      .transform((phone, context) => {
        const number = readPhone(phone);
        if (number !== undefined) return number;
        context.addIssue('Проверьте номер: в нём 10 цифр с кодом. Номер другой страны начните с «+»');
        return z.NEVER;
      }),
    name: preset.name
      ? line.refine((name) => characters(name) <= limits.name, `Сократите имя до ${limits.name} знаков`)
      : // Hidden fields cannot be corrected by visitors, so they are cut.
        line.transform((name) => cut(name, limits.name)),
    message:
      preset.message === 'none'
        ? text.transform((message) => cut(message, limits.message))
        : text
            .refine((message) => preset.message === 'optional' || isVisible(message), 'Напишите ваш вопрос')
            .refine(
              (message) => characters(message) <= limits.message,
              `Сократите текст до ${formatCount(limits.message)} знаков, остальное расскажете по телефону`,
            ),
    consent: z.literal(true, 'Отметьте согласие: без него мы не вправе вам позвонить'),
  });
}

const seen = (text: string) => (isVisible(text) ? text : null);

const line = z.string().transform(tidyLine);
const text = z.string().transform(tidyText);

/** A path of this site without a query, safe to link to. */
export function readPage(page: string): string {
  const base = 'http://site.invalid';
  const url = page.startsWith('/') ? URL.parse(page, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//') || url.pathname.length > limits.page) return '/';
  return url.pathname;
}

export function readCalc(calc: string): string {
  return calc.length <= limits.calc ? calc : '';
}

/** Omits the calculator's fields and the preset. @param counted whether the address is the calculator's */
export function readAttribution(parameters: readonly (readonly string[])[], counted = false): Record<string, string> {
  const order = new Set<string>(counted || parameters.some(([name]) => name === 'units') ? orderFields : []);
  const found = new Map<string, string>();
  for (const [given = '', typed = ''] of parameters) {
    const name = parameterName(given);
    const value = cut(tidyLine(typed), limits.attributionValue);
    if (name === undefined || /^(?:__proto__|calc|preset)$/.test(name) || order.has(name)) continue;
    if (value === '' || (found.size === limits.attributionCount && !found.has(name))) continue;
    const joined = found.has(name) ? `${found.get(name)},${value}` : value;
    found.set(name, cut(joined, limits.attributionValue));
  }
  return Object.fromEntries(found);
}
