import * as z from 'zod';
import { own } from './field-marks.ts';
import { sentences, slug, text, top } from './shared-fields.ts';

export const categorySchema = z.strictObject({
  slug: own(slug).describe('slug. Латиницей, часть адреса; у блога так зовётся и папка'),
  text: text.describe('Название. Слово или два'),
  ...top,
  lead: sentences.describe('Вступление. Одна-две фразы под заголовком страницы'),
});

export const categoriesSchema = z.strictObject({
  blog: z
    .array(
      categorySchema.extend({
        video: z.boolean().default(false).describe('С видео. true, если видео есть у каждой записи рубрики'),
      }),
    )
    .describe('Рубрики блога'),
  reviews: z
    .array(categorySchema.extend({ slug: own(slug, 'reviews').describe('slug. Латиницей, часть адреса') }))
    .describe('Рубрики отзывов'),
});
