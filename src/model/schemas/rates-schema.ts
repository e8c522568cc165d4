import * as z from 'zod';
import { own } from './field-marks.ts';
import { rate, sentences, slug, text } from './shared-fields.ts';

/** `rates.yaml`: the texts of the price list. Its prices are in `prices.csv`. */
export const ratesSchema = z.strictObject({
  vat: text.describe('О НДС. Например: Цены включают НДС 22 %'),
  tax: text.describe('О НДС коротко. Стоит после дня цен: с НДС'),
  batches: z
    .array(
      z.strictObject({
        unit: text.describe('Единица. Как в prices.csv: шт.'),
        units: z.int().positive().describe('Сколько. Столько единиц в обычном заказе'),
      }),
    )
    .describe('Обычный заказ. Цену такого заказа показывают карточки и услуги'),
  materials: sentences.describe('О материалах. Что входит в цену, а что считается отдельно, в двух-трёх фразах'),
  groups: z
    .array(
      z.strictObject({
        id: own(slug, 'rates').describe('id группы. Латиницей; по нему её называют prices.csv и услуги'),
        title: text.describe('Группа. Заголовок таблицы'),
        note: text.describe('Примечание. Стоит под таблицей').optional(),
        lead: z
          .array(
            z.strictObject({
              rate: rate.describe('Строка. id из prices.csv'),
              text: text.describe('Что это. Два-три слова'),
            }),
          )
          .min(1)
          .max(2)
          .describe('Главные цены. Одна или две, по которым услугу сравнивают с чужими'),
        grid: text
          .describe('Сетка. Подпись таблицы цен, которые зависят от плотности; без неё это строки списка')
          .optional(),
      }),
    )
    .min(1)
    .describe('Группы. Таблицы тарифов, в том порядке, в каком стоят на странице'),
});
