import * as z from 'zod';

/* Metadata of a field for the check and the editor. */

/** Errors for references to unknown names. */
const names = {
  service: 'такой услуги нет. Здесь нужен её адрес: /services/ и имя файла из папки services без .md',
  preset: 'такой формы нет. Здесь нужен slug одной из форм presets.yaml',
  marketplace: 'такого маркетплейса нет. Здесь нужно название из списка marketplaces в company.yaml',
  article: 'такой статьи нет. Здесь нужно имя её файла из папки blog без .md',
  reviews: 'такой категории отзывов нет. Здесь нужен slug из categories.yaml',
  rates: 'такой группы тарифов нет. Здесь нужен id группы из rates.yaml',
  rate: 'такой строки тарифов нет. Здесь нужен id строки из prices.csv',
} as const;

export type Name = keyof typeof names;

/** Checked when the content loads. */
export type Mark =
  /** Unique in its list, and across files of a folder; with `as`, other content can refer to it. */
  | { own: true; as?: Name }
  | { refersTo: Name; expected: string }
  /** In `public/` or in the folder of the Markdown file; published under another address. */
  | { shows: 'asset' | 'picture' | 'file' | 'video' }
  /** Must exist. */
  | { leads: true }
  | { markdown: true }
  /** A sentence or more. */
  | { long: true };

export const marks = z.registry<Mark>();

export function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  const copy = schema.clone();
  marks.add(copy, mark);
  return copy;
}

export const own = <S extends z.ZodType>(schema: S, as?: Name) => marked(schema, { own: true, ...(as && { as }) });

export const reference = <S extends z.ZodType>(schema: S, to: Name) =>
  marked(schema, { refersTo: to, expected: names[to] });
