import * as z from 'zod';
import { callout, image, rate, sentences, serviceField, target, text, top, updated } from './shared-fields.ts';

/** Shows a price from the rates, or a duration. */
const station = z
  .strictObject({
    title: text.describe('Станция. Два-три слова'),
    to: serviceField.describe('Услуга. Её адрес'),
    rate: rate.describe('Цена. id строки из prices.csv; либо она, либо срок').optional(),
    time: text.describe('Срок. Словами; либо он, либо цена').optional(),
  })
  .refine(
    ({ rate, time }) => (rate === undefined) !== (time === undefined),
    'У станции стоит либо rate, либо time. Оставьте одно из двух',
  );

/** `home.yaml` */
export const homeSchema = z.strictObject({
  updated: updated.optional(),
  ...top,
  lead: sentences.describe('Вступление. Одна-две фразы под заголовком страницы'),
  scene: image
    .describe('Рисунок вверху. Файл svg рядом, 640 на 564; без него - склад. Чек закрывает низ слева, с высоты 372')
    .optional(),
  callout,
  way: z
    .array(
      z.strictObject({
        image: image.describe('Рисунок. Файл svg рядом, 384 на 346, или из public: /images/way/gate.svg'),
        alt: text.describe('Что на нём. Для тех, кто рисунок не видит'),
        stations: z.array(station).min(1).max(3).describe('Станции. Одна, две или три на рисунок'),
      }),
    )
    .min(1)
    .max(8)
    .describe('Путь короба. Рисунки складываются в одну сцену, до восьми'),
  sheets: z
    .array(
      z.strictObject({
        title: text.describe('Документ. Его название'),
        to: target.describe('Подробнее. Страница этого сайта'),
        variant: z
          .enum(['ruler', 'crossed', 'plain'])
          .describe('Вид. ruler - с линейкой по краю, crossed - числа красным, plain - простой'),
        rows: z
          .array(
            z.strictObject({
              name: text.describe('Строка. Одно-два слова'),
              value: text.describe('Значение. Пример, который в ней стоит'),
            }),
          )
          .min(2)
          .max(5)
          .describe('Строки. От двух до пяти'),
        stamp: text.describe('Отметка. Слово на печати').optional(),
      }),
    )
    .min(1)
    .max(8)
    .describe('Что получит клиент. Документы с примером, до восьми'),
});
