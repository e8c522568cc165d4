import * as z from 'zod';
import { reference } from './field-marks.ts';
import { callout, draft, image, sentences, slug, text, top, updated } from './shared-fields.ts';

/** `pages/{name}.md` */
export const pageTextSchema = z.strictObject({
  ...top,
  lead: sentences.describe('Вступление. Одна-две фразы под заголовком страницы'),
  image: image.describe('Рисунок. Файл svg рядом или из public: /images/map.svg').optional(),
  figures: z
    .array(
      z.strictObject({
        text: text.describe('Что это. Подпись под числом'),
        value: text.describe('Число. Какое есть, с единицей'),
        at: text.describe('На когда. День или месяц'),
      }),
    )
    .describe('Цифры. Стоят на первом экране')
    .optional(),
  milestones: z
    .array(
      z.strictObject({
        year: z.int().min(1900).describe('Год'),
        text: sentences.describe('Что случилось. Одно предложение'),
      }),
    )
    .describe('История. По годам, начиная с первого')
    .optional(),
  prices: reference(slug, 'rates')
    .describe('Группа тарифов. id из rates.yaml; её цены показывает страница карго')
    .optional(),
  draft,
  callout: callout.optional(),
  updated: updated.optional(),
});
