import * as z from 'zod';
import type { Path } from './front-matter.ts';
import { type Problem, said } from './problem.ts';

/*
 * What `new` writes for an editor to replace. It passes the check, so that a draft can be begun anywhere; once the file is
 * no draft, what is left of it is told.
 */

/** Stands where the address of another site is wanted. */
export const fillerAddress = 'https://example.com/';

/** The second half of a description for search. */
export const fillerDescription = 'Скажите в одной-двух фразах, что найдут на этой странице.';

/** Texts under the front matter, by the kind of file. Of their headings, «Подзаголовок» alone has to go. */
export const fillerBodies = {
  article: 'Первый абзац: о чём статья и кому она пригодится.\n\n## Подзаголовок\n\nТекст под ним.',
  news: 'Что изменилось и с какого дня.\n\n## Что это значит для клиентов\n\nТекст под подзаголовком.',
  case: '## Исходная точка\n\nКак было.\n\n## Что сделали\n\nКак стало.',
  service: '## Подзаголовок\n\nВсё, что не поместилось в поля выше.',
  review: 'Слова клиента, как он их написал.',
  page: '## Подзаголовок\n\nТекст под ним.',
} as const;

const bodyLines: ReadonlySet<string> = new Set(
  Object.values(fillerBodies)
    .flatMap((body) => body.split('\n'))
    .filter((line) => line === '## Подзаголовок' || /^[^#]/.test(line)),
);

/** The first sentence of a description is what the field is called, the others are what to know about it. */
export function fieldNameOf(description = ''): string {
  return description.split('. ', 1)[0] ?? '';
}

/** What stands in a field of text: its name. */
export function fillerText(description: string | undefined, minLength = 0): string {
  return fieldNameOf(description).padEnd(minLength, '.');
}

/** Values that are still what `new` has written. @param inherited the name of the list that the value stands in */
function fillersIn(
  schema: z.core.$ZodType,
  value: unknown,
  path: Path = [],
  inherited = '',
): { path: Path; text: string }[] {
  const name = fieldNameOf((schema as z.ZodType).description) || inherited;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return fillersIn(schema.unwrap(), value, path, name);
  if (schema instanceof z.ZodPipe) return fillersIn(schema.in, value, path, name);
  if (schema instanceof z.ZodObject) {
    return Object.entries(value as Readonly<Record<string, unknown>>).flatMap(([key, one]) =>
      fillersIn(schema.shape[key], one, [...path, key]),
    );
  }
  if (schema instanceof z.ZodArray)
    return (value as unknown[]).flatMap((one, index) => fillersIn(schema.element, one, [...path, index], name));
  if (typeof value !== 'string' || schema instanceof z.ZodEnum) return [];
  if (value.endsWith(fillerDescription)) return [{ path, text: fillerDescription }];
  const isName = name !== '' && value.startsWith(name) && /^\.*$/.test(value.slice(name.length));
  return isName || value === fillerAddress ? [{ path, text: value }] : [];
}

/**
 * What is left in a file of the words that `new` began it with, unless it is a draft.
 *
 * @param value as it was written, and right by its schema
 * @param lineOf the line on which a value stands
 */
export function fillerProblems(
  schema: z.ZodType,
  value: unknown,
  lineOf: (path: Path) => number,
  body: { text: string; line: number },
): (Omit<Problem, 'file' | 'field'> & { path: Path })[] {
  if ((value as { draft?: unknown } | null)?.draft === true) return [];
  const told = (path: Path, line: number, text: string) => ({
    ...{ warning: true as const, path, line },
    message: `Здесь ещё слово образца ${said(text)}: впишите своё.`,
  });
  const lines = body.text.split('\n').map((line, index) => ({ line: line.trimEnd(), index }));
  return [
    ...fillersIn(schema, value).map(({ path, text }) => told(path, lineOf(path), text)),
    ...lines
      .filter(({ line }) => bodyLines.has(line))
      .map(({ line, index }) => told([], body.line + index, line.replace(/^#+ /, ''))),
  ];
}
