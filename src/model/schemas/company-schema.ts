import * as z from 'zod';
import { minutesOf } from '../../lib/calendar.ts';
import { mailPattern } from '../../lib/mail-address.ts';
import { phonePattern } from '../../lib/phone.ts';
import { hoursInWords, type Span } from '../working-hours.ts';
import { own } from './field-marks.ts';
import { date, description, list, sentences, slug, text } from './shared-fields.ts';

/** E.164, as links and the store need it. */
const e164 = z
  .string()
  .regex(phonePattern, 'Нужен телефон с плюсом и кодом страны, без пробелов, например +74950000000')
  .describe('Номер для звонка. С + и кодом страны, без пробелов: "+74950000000"');

const phone = z.strictObject({
  number: e164,
  text: z.string().min(5).describe('Номер для чтения. Каким его видят: +7 (495) 000-00-00'),
});

const span = z
  .tuple([
    z.iso.time({ precision: -1 }).describe('Открываетесь. Например "09:00"'),
    z.iso.time({ precision: -1 }).describe('Закрываетесь. Например "20:00"'),
  ])
  .refine(
    ([from, until]) => minutesOf(from) < minutesOf(until),
    'Закрываетесь раньше, чем открываетесь. Проверьте оба времени, а смену через полночь разделите между двумя днями',
  );

/** Opening and closing times of a day, without a break or with some. */
const day = z
  .union([span, z.array(span).min(1)])
  .nullable()
  .transform((written): readonly Span[] => (written === null ? [] : isSpan(written) ? [written] : written))
  .refine((spans) => {
    const times = spans.flat().map(minutesOf);
    return times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0));
  }, 'Часы одного дня идут по порядку, с перерывом между ними. Поправьте их')
  .describe('День. Часы ["09:00", "20:00"], с перерывом - список таких часов, в выходной null');

function isSpan(written: Span | readonly Span[]): written is Span {
  return typeof written[0] === 'string';
}

/** What the interface says about the company. */
const words = z
  .strictObject({
    call: sentences.describe('Обещание звонка. Под призывом; без него - за сколько минут позвоните').optional(),
    request: list
      .describe('После заявки. Что дальше, по строке на шаг')
      .default([
        'Менеджер позвонит на номер, который вы оставили.',
        'Ответит на вопросы, а если нужно, посчитает стоимость и назовёт сроки.',
        'Если решите работать с нами, подпишем договор и назначим первую поставку.',
      ]),
    calculation: list
      .describe('После заявки с расчётом. Что дальше, по строке на шаг')
      .default([
        'Менеджер проверит числа и позвонит на номер, который вы оставили.',
        'Подтвердим рейс: до какого часа сдать груз и когда его разгрузят.',
        'Если всё подходит, подпишем договор и назначим первую поставку.',
      ]),
    readyGoods: text
      .describe('Что везёт рейс. Над расписанием, в родительном падеже: готовых коробов')
      .default('готовых коробов'),
    otherDeparture: sentences
      .describe('Другой рейс. Под расписанием, после телефона')
      .default('Если есть свободная машина, отправим отдельно.'),
  })
  .prefault({})
  .describe('Слова о вас. Сайт говорит их сам; без своих стоят обычные');

export const companySchema = z.strictObject({
  sample: z
    .array(text.describe('Файл или папка. Путь от этой папки: pages/contacts.md, cases/'))
    .default([])
    .describe('Из образца. Файлы и папки, которые ещё не ваши; файл стал вашим - сотрите его строку'),
  name: text.describe('Название. Как компанию называют: Короб'),
  legalName: text.describe('Юридическое название. С формой: ООО «Короб»'),
  slogan: text.describe('Чем занимаетесь. Несколько слов рядом с названием'),
  description: description.describe('О компании. Одна-две фразы для поиска и подвала'),
  founded: z.int().min(1900).describe('Год основания'),
  inn: z
    .string()
    .regex(/^\d{10}(\d{2})?$/, 'Нужны 10 или 12 цифр в кавычках')
    .describe('ИНН. 10 или 12 цифр в кавычках'),
  kpp: z
    .string()
    .regex(/^\d{9}$/, 'Нужны 9 цифр в кавычках')
    .describe('КПП. 9 цифр в кавычках; у предпринимателя его нет')
    .optional(),
  ogrn: z
    .string()
    .regex(/^\d{13}(\d{2})?$/, 'Нужны 13 или 15 цифр в кавычках')
    .describe('ОГРН. 13 цифр в кавычках, у предпринимателя 15 цифр ОГРНИП'),
  phone: phone.describe('Телефон. Стоит в подвале; по нему звонят, если нет бесплатного'),
  tollFree: phone.describe('Бесплатный телефон. По нему звонят все ссылки «Позвонить»').optional(),
  email: z.email({ pattern: mailPattern }).describe('Почта. Адрес для писем посетителей'),
  address: z
    .strictObject({
      postalCode: z
        .string()
        .regex(/^\d{6}$/, 'Нужны 6 цифр в кавычках')
        .describe('Индекс. 6 цифр в кавычках'),
      locality: text.describe('Город'),
      street: text.describe('Улица и дом'),
      latitude: z.number().min(-90).max(90).describe('Широта. Градусы, например 55.6492'),
      longitude: z.number().min(-180).max(180).describe('Долгота. Градусы, например 37.6262'),
    })
    .describe('Адрес. Где вас найти'),
  marketplaces: z
    .array(
      z.strictObject({
        id: own(slug).describe('id. Латиницей; стоит в адресе расчёта: wb'),
        text: own(text, 'marketplace').describe('Название. Так его называют рейсы, кейсы и отзывы: Wildberries'),
        short: text.describe('Коротко. В строке рейса: WB').optional(),
      }),
    )
    .min(1)
    .max(6)
    .describe('Маркетплейсы. С которыми вы работаете; о них спрашивает калькулятор'),
  broadcast: text
    .describe('Ссылка на трансляцию. Её слова, пока эфира нет: Трансляция с 8:00; без них нет и страницы')
    .optional(),
  camera: z
    .strictObject({
      from: z.iso.time({ precision: -1 }).describe('Включаете. Например "08:00"; страница трансляции считает по нему'),
      on: text.describe('Во время эфира. Заголовок: Камера над воротами приёмки').default('Прямой эфир'),
      off: text.describe('Без эфира. Заголовок: Камера склада сейчас выключена').default('Камера сейчас выключена'),
      shows: list.describe('Что видно. По строке на каждое'),
    })
    .describe('Трансляция. Что о ней сказано на её странице')
    .optional(),
  workingHours: z
    .strictObject({
      timeZone: z
        .string()
        .refine(
          (zone) => Intl.supportedValuesOf('timeZone').includes(zone),
          'Нужен часовой пояс, например Europe/Moscow',
        )
        .describe('Часовой пояс. По базе IANA: Europe/Moscow'),
      week: z.array(day).length(7).describe('Неделя. Семь строк с понедельника: ["09:00", "20:00"], а в выходной null'),
      callWithin: z
        .int()
        .positive()
        .max(600)
        .default(10)
        .describe('Перезваниваете. За сколько рабочих минут; это обещает каждая страница'),
      holidays: z.array(date).describe('Праздники. Дни, когда не работаете: 2027-01-01'),
    })
    .transform((hours) => ({ ...hours, text: hoursInWords(hours.week) }))
    .describe('Часы работы. По ним считаем, когда перезвоним и когда уйдёт машина, и пишем их словами'),
  social: z
    .array(
      z.strictObject({
        kind: z
          .enum(['messenger', 'chat', 'network'])
          .describe('Что это. messenger - мессенджер, chat - чат, network - соцсеть'),
        text: text.describe('Подпись. Например: Telegram'),
        href: z
          .url({ protocol: /^(https?|tg|viber|whatsapp)$/ })
          .describe('Ссылка. Полный адрес: https://t.me/example'),
      }),
    )
    .default([])
    .describe('Где написать. Мессенджеры и соцсети, в том порядке, в каком стоят ссылки'),
  words,
});
