import * as z from 'zod';
import { weekdays } from '../../lib/calendar.ts';
import { own } from './field-marks.ts';
import { date, marketplaces, rate, serviceField, slug, text } from './shared-fields.ts';

/** `06:30` */
const time = z.iso.time({ precision: -1 });

/** `departures.yaml` */
export const departuresSchema = z.array(
  z
    .strictObject({
      id: own(slug).describe('id. Латиницей; стоит в адресе расчёта'),
      warehouse: text.describe('Склад. Его название: Коледино'),
      city: text.describe('Город. Если из названия склада его не понять').optional(),
      marketplaces,
      service: serviceField.describe('Услуга. Её адрес; расписание стоит на её странице'),
      rates: z
        .strictObject({
          box: rate.describe('За короб. id строки из prices.csv'),
          pallet: rate.describe('За паллету. id строки из prices.csv'),
        })
        .describe('Цены рейса. Без них калькулятор этот склад не предлагает')
        .optional(),
      days: z
        .array(z.enum(weekdays).transform((day) => weekdays.indexOf(day)))
        .min(1)
        .refine((days) => new Set(days).size === days.length, 'Один день недели стоит дважды. Оставьте каждый по разу')
        .describe('Дни рейсов. В выходной и праздник рейса нет'),
      departure: time.describe('Отправление. Например "06:00"'),
      handOver: z
        .strictObject({
          workingDaysBefore: z
            .int()
            .min(0)
            .max(10)
            .describe('За сколько дней. Рабочих дней до отправления, 0 - в тот же день'),
          until: time.describe('До какого часа. Например "18:00"'),
        })
        .describe('Сдать груз. Когда его принимают в последний раз'),
      unloading: z
        .strictObject({
          daysAfter: z.int().min(0).max(30).describe('Через сколько дней. Календарных, после отправления'),
          text: text.describe('Когда. Словами: утром'),
        })
        .describe('Разгрузка. На складе маркетплейса'),
      limit: text.describe('Что берём. Какой груз и сколько'),
      checked: date.describe('Сверено. День, когда вы сверили рейс с логистом'),
    })
    .refine(({ departure, handOver: { workingDaysBefore, until } }) => workingDaysBefore > 0 || until < departure, {
      path: ['handOver', 'until'],
      error: 'Груз принимают в день рейса (workingDaysBefore: 0), значит, until должно быть раньше departure',
    }),
);
