import * as z from 'zod';
import { own } from './field-marks.ts';
import { rate, slug, text } from './shared-fields.ts';

const place = z.enum(['box', 'pallet']);

const operation = z.strictObject({
  rate,
  /** `litre-day` and `place-day` are charged by the day; the tier depends on litres and places. */
  of: z
    .enum(['unit', 'place', 'order', 'km', 'litre-day', 'place-day'])
    .default('unit')
    .describe(
      'Что считаем. unit - товары, place - короба или паллеты, order - раз на заказ, km - километры от zone, ' +
        'litre-day - литры в сутки, place-day - места в сутки',
    ),
  per: z.int().positive().default(1).describe('Одна на столько-то. 10 - каждая десятая, с округлением вверх'),
  times: z.int().positive().default(1).describe('Сколько раз'),
  for: place.describe('Только для. box - груз в коробах, pallet - на паллетах').optional(),
});

const operations = z.array(operation).describe('Работы. Строки тарифов, которые входят в расчёт');

const choice = z.strictObject({
  id: own(slug).describe('id. Латиницей; стоит в адресе расчёта'),
  text: text.describe('Ответ. Что читает посетитель'),
  operations: operations.default([]),
});

const choices = z.array(choice).min(1);

const centimetres = z.int().positive();

const size = z.tuple([centimetres, centimetres, centimetres]);

const placeSchema = z.strictObject({
  text: text.describe('Название. Как место зовут в расчёте'),
  unit: text.describe('Единица. В которой его считают тарифы'),
  size: size.describe('Размеры изнутри. Длина, ширина и высота в сантиметрах: [60, 40, 40]'),
  weight: z.int().positive().describe('Вес груза. Сколько входит, в килограммах'),
  fill: z.int().min(1).max(100).describe('Заполнение. На сколько процентов обычно занято; по нему считаем число мест'),
  most: z.int().positive().describe('Не больше. Если мест в заказе больше, цена индивидуальная'),
  note: text.describe('Примечание').optional(),
});

const palletSchema = placeSchema.extend({
  boxes: z.int().positive().describe('Коробов. Сколько их встаёт на паллету: на ней товар едет в коробах'),
});

/** `calculator.yaml` */
export const calculatorSchema = z.strictObject({
  limits: z
    .strictObject({
      units: z.int().positive().describe('Единиц в заказе'),
      side: z.int().positive().describe('Длинная сторона. Одной единицы товара, в сантиметрах'),
      weight: z.int().positive().describe('Вес. Одной единицы товара, в килограммах'),
      days: z.int().positive().describe('Дней хранения'),
      km: z.int().positive().describe('Километров от zone'),
    })
    .describe('Пределы. Заказ больше калькулятор не считает, а отвечает «индивидуально»'),
  zone: z
    .strictObject({
      from: text.describe('Откуда считают. Слова после числа километров: от МКАД'),
      within: text.describe('Где километров нет. С большой буквы: Внутри МКАД'),
    })
    .describe('Граница города. От неё считают километры забора груза'),
  plurals: z
    .record(text, z.tuple([text, text, text]))
    .describe('Слова при числах. Единица из тарифов и её формы: короб: [короб, короба, коробов]'),
  schemes: z
    .array(
      choice.extend({
        name: text.describe('Название. Как схему зовут в тексте: FBO'),
        delivered: z.boolean().describe('С доставкой. true, если товар едет на склад маркетплейса'),
        packed: z.boolean().describe('С упаковкой. true, если упаковка единицы входит в цену схемы'),
        note: text.describe('Примечание').optional(),
      }),
    )
    .min(1)
    .describe('Схемы. Как продаёт клиент'),
  places: z
    .strictObject({ box: placeSchema.describe('Короб'), pallet: palletSchema.describe('Паллета') })
    .describe('Места. В чём едет груз'),
  preparation: z
    .strictObject({
      units: z.int().positive().describe('До скольких единиц. О большей партии срок называет менеджер'),
      days: z.int().nonnegative().max(30).describe('Рабочих дней. В худшем случае, не считая дня привоза'),
    })
    .describe('Подготовка. Когда партия готова к рейсу; от этого считаются даты на главной и в расчёте'),
  receiving: operations.describe('Приёмка. Строки тарифов, которые в неё входят'),
  packaging: choices.describe('Упаковка. Ответы на вопрос о ней'),
  marking: choices.describe('Маркировка. Ответы на вопрос о ней'),
  verification: choices.describe('Проверка. Ответы на вопрос о ней'),
  storage: z
    .strictObject({
      free: z.int().nonnegative().describe('Бесплатно. Сколько первых суток не стоят ничего'),
      operations,
    })
    .describe('Хранение'),
  pickup: z
    .array(
      choice.extend({
        most: z
          .strictObject({
            weight: z.int().positive().describe('Килограммов'),
            box: z.int().positive().describe('Коробов'),
            pallet: z.int().positive().describe('Паллет'),
          })
          .describe('Берёт машина. Больше - цена индивидуальная')
          .optional(),
      }),
    )
    .min(1)
    .describe('Забор груза. Ответы на вопрос о нём'),
  example: z
    .record(z.string(), z.union([z.string(), z.number()]).transform(String))
    .describe('Пример на главной. Значения - как в адресе калькулятора'),
});
