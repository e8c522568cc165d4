import * as z from 'zod';
import { callout, id, marketplaces, picture, release, sentences, serviceField, text, top } from './shared-fields.ts';

const result = z
  .strictObject({
    metric: text.describe('Показатель. Что измеряли: Заказы с пересортом'),
    before: text.describe('Было. Число с единицей: 1,4 %'),
    after: text.describe('Стало. Число в той же единице: 0,2 %'),
    numbers: z
      .strictObject({
        before: z.number().nonnegative().describe('Было. Число: 1.4'),
        after: z.number().nonnegative().describe('Стало. Число в той же единице: 0.2'),
      })
      .describe('Числа. По ним страница рисует полоски')
      .optional(),
    better: z
      .enum(['more', 'less'])
      .describe('Чего хотел клиент. more - больше, less - меньше; без него перемену не оцениваем')
      .optional(),
  })
  .refine(({ numbers, better }) => !better || numbers, {
    path: ['better'],
    error: 'Чтобы сказать, что лучше, нужны оба числа. Добавьте numbers или сотрите better',
  });

/** `cases/{slug}.md` */
export const caseSchema = z.strictObject({
  id,
  ...top,
  ...release,
  niche: text.describe('Ниша. Что продаёт клиент: Книги'),
  marketplaces,
  services: z
    .array(serviceField.describe('Услуга. Её адрес: /services/photo'))
    .min(1)
    .describe('Услуги. Которые понадобились'),
  task: sentences.describe('Задача. С чем клиент пришёл, одной фразой'),
  start: sentences.describe('Как было. До начала работы, одной фразой'),
  volume: text.describe('Объём. Сколько артикулов, заказов или коробов'),
  period: text.describe('Период. Какие месяцы сравнили'),
  method: sentences.describe('Как измеряли. Откуда взяты цифры, в одной-двух фразах'),
  results: z.array(result).min(1).describe('Итоги. Цифры до и после; первой та, о которой говорит заголовок'),
  limits: sentences.describe('Оговорки. Что на цифры повлияло и чего они не говорят, в одной-двух фразах'),
  picture: picture.optional(),
  callout: callout.optional(),
});
