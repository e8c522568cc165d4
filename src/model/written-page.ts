import type { z } from 'zod';
import type { Illustration } from './illustration.ts';
import type { Prose } from './prose.ts';
import type { PictureField } from './schemas/shared-fields.ts';

export type WithIllustrations<T> = T extends PictureField
  ? Illustration
  : T extends (infer Item)[]
    ? WithIllustrations<Item>[]
    : T extends object
      ? { [Key in keyof T]: WithIllustrations<T[Key]> }
      : T;

/** The front matter of a Markdown file, its name and its text. */
export type WrittenPage<S extends z.ZodType> = WithIllustrations<z.output<S>> & { slug: string; body: Prose };

/** Set in previews only. */
export type Unpublished = { unpublished?: 'draft' | 'scheduled' };

export type ReleasedPage<S extends z.ZodType> = Omit<WrittenPage<S>, 'draft'> & Unpublished;

export function published<T extends Unpublished>(all: readonly T[]): T[] {
  return all.filter(({ unpublished }) => unpublished === undefined);
}

/** For lists, where a draft has no other mark. */
export function inPreview({ unpublished }: Unpublished, name: string): string {
  return unpublished ? `${name} (черновик)` : name;
}
