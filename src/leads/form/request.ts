import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { characters, cut, isVisible, tidyLine, tidyText } from '../../lib/tidy.ts';
import type { SpamSignal } from '../spam/spam.ts';
import type { Consent, NewLead } from '../store/lead.ts';
import { readPhone } from './phone.ts';

/** What a form asks besides the phone and the consent. */
export type RequestPreset = { slug: string; name: boolean; message: 'required' | 'optional' | 'none' };

/** What is known about a request besides its fields. */
export type RequestContext = {
  /** The consent text that the visitor was shown. */
  consent: Consent;
  /** What the calculator makes of the order that the form carries, as lines of text; `null` if it carries none. */
  calculation: string | null;
  /** What speaks against the request apart from its fields. */
  signals: readonly SpamSignal[];
};

/** `form`: the form as a whole; the preset is unknown. The others are names of fields. */
export type FieldName = 'form' | 'name' | 'phone' | 'message' | 'consent';

/** What is wrong with a field, and what to do, as a Russian sentence. */
export type FieldError = { field: FieldName; text: string };

/** What to show the visitor again: what they typed as they typed it, and what the form knew, put right. */
export type RequestValues = {
  preset: string;
  name: string;
  phone: string;
  message: string;
  consent: boolean;
  key: string;
  page: string;
  /** Query of the calculator's page whose result goes with the request; empty if none does. */
  calc: string;
  attribution: Readonly<Record<string, string>>;
};

export type RequestReading = { ok: true; lead: NewLead } | { ok: false; errors: FieldError[]; values: RequestValues };

/** In characters as people count them. */
export const limits = {
  name: 100,
  phone: 100,
  message: 4_000,
  page: 500,
  calc: 500,
  attributionValue: 200,
  attributionCount: 20,
} as const;

/** A field that people never see; whoever fills it is a machine, or a browser that fills too much. */
export const honeypot = 'website';

/** How a form of an unknown preset is read: nothing is demanded that it may not have asked. */
const unknownPreset: RequestPreset = { slug: '', name: false, message: 'optional' };

const keyForm = /^[A-Za-z0-9_-]{8,64}$/;

/** A fresh key for a form about to be rendered: the time in milliseconds, in base 36, and 128 random bits. */
export function newKey(now = new Date()): string {
  return `${now.getTime().toString(36).padStart(9, '0')}_${randomBytes(16).toString('base64url')}`;
}

/**
 * When the form with a key was rendered. Anyone can make up a key, so this is worth no more than a hint.
 *
 * @returns `undefined` for a key that `newKey` does not make
 */
export function renderedAt(key: string): Date | undefined {
  const time = /^([0-9a-z]{9})_[A-Za-z0-9_-]{22}$/.exec(key)?.[1];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36));
}

/**
 * Reads a form that a visitor sent. Never throws, whatever the fields hold. Spam signals never make an error.
 *
 * @param fields unknown ones are ignored; of repeated ones the first that is not blank counts
 * @param presets those that the site has
 * @returns the lead, or the errors in the order of the fields in the form
 */
export function readRequest(
  fields: URLSearchParams,
  presets: readonly RequestPreset[],
  context: RequestContext,
): RequestReading {
  const values = readValues(fields);
  const preset = presets.find(({ slug }) => slug === values.preset);
  const parsed = schemaOf(preset ?? unknownPreset).safeParse(values);
  const errors = (parsed.error?.issues ?? []).map(
    (issue): FieldError => ({ field: issue.path[0] as FieldName, text: issue.message }),
  );
  if (preset === undefined) {
    errors.unshift({
      field: 'form',
      text: 'Эта форма устарела: проверьте, что вы написали, и отправьте ещё раз',
    });
  }
  if (!parsed.success || preset === undefined) return { ok: false, errors, values };

  const { name, phone, message } = parsed.data;
  const { key, page, attribution } = values;
  const trapped = fields.getAll(honeypot).some((value) => value !== '');
  return {
    ok: true,
    lead: {
      key,
      preset: preset.slug,
      name: name || null,
      phone,
      phoneTyped: tidyLine(values.phone),
      message: message || null,
      calculation: context.calculation,
      page,
      attribution,
      consent: context.consent,
      signals: trapped ? [...new Set([...context.signals, 'honeypot' as const])] : [...context.signals],
    },
  };
}

/**
 * What a form holds, put right as far as that needs no visitor: for showing it again.
 *
 * @param fields unknown ones are ignored; of repeated ones the first that is not blank counts
 */
export function readValues(fields: URLSearchParams): RequestValues {
  return {
    preset: tidyLine(first(fields, 'preset')),
    name: first(fields, 'name'),
    phone: first(fields, 'phone'),
    message: first(fields, 'message'),
    consent: ['yes', 'on'].includes(first(fields, 'consent')),
    key: readKey(first(fields, 'key')),
    page: readPage(first(fields, 'page')),
    calc: readCalc(first(fields, 'calc')),
    attribution: readAttribution(fields),
  };
}

/** By what a form asks. Zod compiles a schema at its first use, which is too slow to do for each request. */
const schemas = new Map<string, ReturnType<typeof makeSchema>>();

function schemaOf(preset: RequestPreset): ReturnType<typeof makeSchema> {
  const asked = `${preset.name} ${preset.message}`;
  const schema = schemas.get(asked) ?? makeSchema(preset);
  schemas.set(asked, schema);
  return schema;
}

/** The fields of a form in their order; a field's words are checked once they are tidy. */
function makeSchema(preset: RequestPreset) {
  return z.object({
    name: preset.name
      ? line
          .refine(isVisible, { error: 'Укажите, как к вам обращаться', abort: true })
          .refine((name) => characters(name) <= limits.name, `Сократите имя до ${limits.name} знаков`)
      : // Nobody can mend a field that they do not see; what came in it is kept as far as it fits.
        line.transform((name) => cut(name, limits.name)),
    phone: line
      .refine(isVisible, { error: 'Укажите телефон, например 8 916 123-45-67', abort: true })
      .refine((phone) => characters(phone) <= limits.phone, {
        error: `Оставьте в этом поле только телефон, не больше ${limits.phone} знаков`,
        abort: true,
      })
      .transform((phone, context) => {
        const number = readPhone(phone);
        if (number !== undefined) return number;
        context.addIssue(
          'Проверьте телефон: нужны 10 цифр с кодом, например 8 916 123-45-67, или номер другой страны, например +375 29 123-45-67',
        );
        return z.NEVER;
      }),
    message:
      preset.message === 'none'
        ? text.transform((message) => cut(message, limits.message))
        : text
            .refine((message) => preset.message === 'optional' || isVisible(message), 'Напишите ваш вопрос')
            .refine(
              (message) => characters(message) <= limits.message,
              `Сократите текст до ${limits.message} знаков, остальное вы расскажете по телефону`,
            ),
    consent: z.literal(true, 'Отметьте согласие на обработку персональных данных: без него мы не вправе вам позвонить'),
  });
}

const line = z.string().transform(tidyLine);
const text = z.string().transform(tidyText);

function first(fields: URLSearchParams, name: string): string {
  const all = fields.getAll(name);
  return all.find((value) => value.trim() !== '') ?? all[0] ?? '';
}

function readKey(key: string): string {
  return keyForm.test(key) ? key : newKey();
}

/** A path of this site, without its query, percent-encoded: safe to link to. */
function readPage(page: string): string {
  const base = 'http://site.invalid';
  const url = page.startsWith('/') ? URL.parse(page, base) : null;
  if (url?.origin !== base || url.pathname.startsWith('//') || url.pathname.length > limits.page) return '/';
  return url.pathname;
}

/** Whatever is too long to be ours is no calculation. */
function readCalc(calc: string): string {
  return calc.length <= limits.calc ? calc : '';
}

function readAttribution(fields: URLSearchParams): Record<string, string> {
  const found = new Map<string, string>();
  for (const [field, typed] of fields) {
    const name = /^attribution\.([a-z0-9_]{1,40})$/.exec(field)?.[1];
    const value = cut(tidyLine(typed), limits.attributionValue);
    if (name === undefined || name === '__proto__' || value === '' || found.has(name)) continue;
    found.set(name, value);
    if (found.size === limits.attributionCount) break;
  }
  return Object.fromEntries(found);
}
