import * as z from 'zod';
import { own } from './field-marks.ts';
import { date, sentences, slug, text } from './shared-fields.ts';

/** Up to two decimals, stored as kopecks. */
const roubles = z
  .number()
  .nonnegative()
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'Нужны рубли, после точки не больше двух цифр')
  .transform((value) => Math.round(value * 100));

export const ratesSchema = z.strictObject({
  effective: date.describe('Цены действуют с. Дата'),
  vat: text.describe('О НДС. Например: Цены включают НДС 22 %'),
  tax: text.describe('О НДС коротко. Стоит после дня цен: с НДС'),
  batches: z
    .array(
      z.strictObject({
        unit: text.describe('Единица. Как в строках тарифов: шт.'),
        units: z.int().positive().describe('Сколько. Столько единиц в обычном заказе'),
      }),
    )
    .describe('Обычный заказ. Цену такого заказа показывают карточки и услуги'),
  materials: sentences.describe('О материалах. Что входит в цену, а что считается отдельно, в двух-трёх фразах'),
  groups: z
    .array(
      z
        .strictObject({
          id: own(slug, 'rates').describe('id группы. Латиницей; по нему её называют услуги'),
          title: text.describe('Группа. Заголовок таблицы'),
          note: text.describe('Примечание. Стоит под таблицей').optional(),
          lead: z
            .array(
              z.strictObject({
                rate: slug.describe('Строка. id строки этой же группы'),
                text: text.describe('Что это. Два-три слова'),
              }),
            )
            .min(1)
            .max(2)
            .describe('Главные цены. Одна или две, по которым услугу сравнивают с чужими'),
          rows: z
            .array(
              z.strictObject({
                id: own(slug, 'rate').describe('id строки. Латиницей; по нему её называют калькулятор и услуги'),
                text: text.describe('Работа. За что платят'),
                unit: text.describe('Единица. За что берётся цена: короб'),
                tiers: z
                  .array(
                    z.strictObject({
                      from: z.int().positive().describe('От скольких. Число единиц, с которого действует цена'),
                      price: roubles.describe('Цена. В рублях, как её платят, не больше двух знаков после точки'),
                    }),
                  )
                  .min(1)
                  .refine(
                    (tiers) => tiers.every(({ from }, index) => from > (tiers[index - 1]?.from ?? 0)),
                    'Ступени стоят не по порядку. Поставьте их так, чтобы число from росло',
                  )
                  .describe('Ступени. Цена зависит от числа единиц в заказе и действует на все сразу'),
                next: z
                  .strictObject({
                    unit: text.describe('Единица. Что прибавляют: литр'),
                    price: roubles.describe('Цена. В рублях за каждую следующую'),
                  })
                  .describe('Следующие. Если первая единица стоит дороже остальных')
                  .optional(),
                density: z
                  .strictObject({
                    from: z.int().nonnegative().describe('От какой. Килограммов в кубометре'),
                    by: z
                      .enum(['weight', 'volume'])
                      .default('weight')
                      .describe('За что цена. weight - за килограмм, volume - за кубометр'),
                  })
                  .describe('Плотность. Для груза, цена которого зависит от неё; строку найдёт форма на странице карго')
                  .optional(),
                minimum: roubles.describe('Минимум. Наименьшая сумма в рублях').optional(),
                note: text.describe('Примечание. Под названием работы').optional(),
              }),
            )
            .min(1)
            .describe('Строки. По одной на работу'),
        })
        .refine(({ lead, rows }) => lead.every(({ rate }) => rows.some(({ id }) => id === rate)), {
          path: ['lead'],
          error: 'Поле rate в lead называет строку, которой в этой группе нет. Здесь нужны id её строк из rows',
        }),
    )
    .min(1)
    .describe('Группы. Таблицы тарифов, в том порядке, в каком стоят на странице'),
});
