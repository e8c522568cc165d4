import * as z from 'zod';
import { formatCount } from '../../lib/format.ts';
import { readPhone } from '../../lib/phone.ts';
import { characters, cut, isVisible, tidyLine, tidyText } from '../../lib/tidy.ts';
import type { Preset } from '../../model/content.ts';

/** What a preset says about the fields of its form. */
export type LeadFormPreset = Pick<Preset, 'slug' | 'name' | 'message'>;

type TextField<Stored> = {
  /** For staff: the label of a line and the title of a column. */
  title: string;
  isAsked(preset: LeadFormPreset): boolean;
  /** From the typed text to the stored one. A field that is not asked for cannot be corrected, so it is cut. */
  schema(preset: LeadFormPreset): z.ZodType<Stored, string>;
} & (
  | { isEvidence: true }
  /** Replaces a text that was removed with age, or that older leads lack. Evidence of consent stays. */
  | { removed: Stored }
);

/** In code points. */
export const maxLengths = { line: 100, message: 4_000 } as const;

const line: z.ZodType<string, string> = z.string().transform(tidyLine);
const text: z.ZodType<string, string> = z.string().transform(tidyText);

/**
 * The texts of a lead that visitors type. Forms, parsing, the store, exports and messages to staff follow this table; only
 * the input is in `contact.page.tsx`.
 */
export const leadFields = {
  name: {
    title: 'Имя',
    removed: null,
    isAsked: ({ name }) => name,
    schema: ({ name }) =>
      optional(
        name
          ? line.refine((typed) => characters(typed) <= maxLengths.line, `Сократите имя до ${maxLengths.line} знаков`)
          : line.transform((typed) => cut(typed, maxLengths.line)),
      ),
  },
  phone: {
    title: 'Телефон',
    isEvidence: true,
    isAsked: () => true,
    schema: () =>
      line
        .refine(isVisible, { error: 'Укажите телефон', abort: true })
        .refine((typed) => characters(typed) <= maxLengths.line, {
          error: 'Оставьте здесь только номер телефона',
          abort: true,
        })
        .transform((typed, context) => {
          const number = readPhone(typed);
          if (number !== undefined) return number;
          context.addIssue('Проверьте номер: в нём 10 цифр с кодом. Номер другой страны начните с «+»');
          return z.NEVER;
        }),
  },
  /** From the same input: E.164 has no place for an extension or «после 18:00». */
  phoneTyped: { title: 'Телефон дословно', removed: '', isAsked: () => false, schema: () => line },
  message: {
    title: 'Сообщение',
    removed: null,
    isAsked: ({ message }) => message !== 'none',
    schema: ({ message }) =>
      optional(
        message === 'none'
          ? text.transform((typed) => cut(typed, maxLengths.message))
          : text
              .refine((typed) => message === 'optional' || isVisible(typed), 'Напишите ваш вопрос')
              .refine(
                (typed) => characters(typed) <= maxLengths.message,
                `Сократите текст до ${formatCount(maxLengths.message)} знаков, остальное расскажете по телефону`,
              ),
      ),
  },
} satisfies Readonly<Record<string, TextField<string> | TextField<string | null>>>;

type LeadFields = typeof leadFields;
type LeadField = keyof LeadFields;

/** As stored. */
export type LeadTexts = { [Name in LeadField]: z.output<ReturnType<LeadFields[Name]['schema']>> };

/** The inputs of the form. */
export type LeadInput = Exclude<LeadField, 'phoneTyped'>;
export const leadInputs = Object.keys(leadFields).filter((name) => name !== 'phoneTyped') as LeadInput[];

/** In the order of the table, on which the hash of a form sent twice depends. */
export function pickTexts(lead: LeadTexts): LeadTexts {
  return Object.fromEntries(Object.keys(leadFields).map((name) => [name, lead[name as LeadField]])) as LeadTexts;
}

export const leadFieldTitles = mapFields(({ title }) => title) as Readonly<Record<LeadField, string>>;

export const removedTexts = Object.fromEntries(
  Object.entries(leadFields).flatMap(([name, field]) => ('removed' in field ? [[name, field.removed]] : [])),
) as Omit<LeadTexts, 'phone'>;

/** The form asks for the phone first. */
export function leadTextsSchema(preset: LeadFormPreset) {
  const { phone, ...others } = mapFields(({ schema }) => schema(preset)) as {
    [Name in LeadField]: z.ZodType<LeadTexts[Name], string>;
  };
  return z.object({ phone, ...others });
}

function mapFields(map: (field: TextField<string | null>) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(leadFields).map(([name, field]) => [name, map(field)]));
}

function optional(typed: z.ZodType<string, string>): z.ZodType<string | null, string> {
  return typed.transform((text) => (isVisible(text) ? text : null));
}
