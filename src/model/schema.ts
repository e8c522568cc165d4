import * as z from 'zod';
import { weekdays } from '../lib/calendar.ts';
import { typeset } from './typography.ts';
import { hoursInWords } from './working-hours.ts';

/*
 * Schemas for content files; their parsed types are the vocabulary of the whole project. Objects are strict, so
 * misspelt fields are errors. Editors see the descriptions in completion and forms; the first sentence is the field
 * name.
 */

/** Errors for references to unknown names. */
const names = {
  service: 'такой услуги нет. Здесь нужен её адрес: /services/ и имя файла из папки services без .md',
  preset: 'такой формы нет. Здесь нужен slug одной из форм presets.yaml',
  article: 'такой статьи нет. Здесь нужно имя её файла из папки blog без .md',
  reviews: 'такой категории отзывов нет. Здесь нужен slug из categories.yaml',
  rates: 'такой группы тарифов нет. Здесь нужен id группы из rates.yaml',
  rate: 'такой строки тарифов нет. Здесь нужен id строки из rates.yaml',
} as const;
export type Name = keyof typeof names;

/** Checked when the content loads. */
export type Mark =
  /** Unique in its list, and across files of a folder; with `as`, other content can refer to it. */
  | { own: true; as?: Name }
  | { refersTo: Name; expected: string }
  /** In `public/` or beside the Markdown; published under another address. */
  | { shows: 'asset' | 'picture' | 'file' | 'video' }
  /** Must exist. */
  | { leads: true }
  | { markdown: true }
  /** A sentence or more. */
  | { long: true };

export const marks = z.registry<Mark>();

function marked<S extends z.ZodType>(schema: S, mark: Mark): S {
  const copy = schema.clone();
  marks.add(copy, mark);
  return copy;
}

const own = <S extends z.ZodType>(schema: S, as?: Name) => marked(schema, { own: true, ...(as && { as }) });
const reference = <S extends z.ZodType>(schema: S, to: Name) => marked(schema, { refersTo: to, expected: names[to] });

/** One line, typeset for Russian. */
const text = z.string().trim().min(1).transform(typeset);
const sentences = marked(text, { long: true });
/** Search results cut longer lines off. */
const title = z.string().trim().min(10).max(90).transform(typeset);
const description = marked(z.string().trim().min(50).max(220).transform(typeset), { long: true });
export const slugForm = /^[a-z0-9]+(-[a-z0-9]+)*$/;
const slug = z.string().regex(slugForm, 'Нужны строчные латинские буквы, цифры и дефисы между ними');
const sitePath = z
  .string()
  .regex(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 'Нужен адрес на этом сайте, например /services/photo');
const target = marked(sitePath, { leads: true });
const service = reference(sitePath, 'service');
/** `2026-11-20` */
const date = z.iso.date();
const draft = z.boolean().default(false).describe('Черновик. Пока здесь true, страницу видно только в npm run dev');
/** Posts appear on their date, unless they are drafts. */
const release = { published: date.describe('Дата выхода. В этот день страница появится на сайте сама'), draft };
/** Used in addresses. */
const id = own(z.int().positive()).describe('Номер. Целое число, своё у каждой записи раздела');
const list = z.array(text).min(1);
const sample = z.boolean().describe('Пример. true, если текст выдуман; страница скажет об этом');
/** Up to two decimals, stored as kopecks. */
const roubles = z
  .number()
  .nonnegative()
  .refine((value) => Number.isInteger(Math.round(value * 1e6) / 1e4), 'Нужны рубли, после точки не больше двух цифр')
  .transform((value) => Math.round(value * 100));

const callout = z
  .strictObject({
    heading: text.describe('Заголовок. Несколько слов'),
    text: sentences
      .describe('Что сделать посетителю. Предложение с точкой; дальше страница обещает перезвонить')
      .optional(),
    preset: reference(slug, 'preset').describe('Форма. slug из presets.yaml; её открывает кнопка'),
  })
  .describe('Призыв. Полоса внизу страницы; без него у записи и услуги такой, как у их раздела и главной');
export type CalloutWords = z.output<typeof callout>;

/** Beside the content file, or in `public/`. */
const image = z
  .string()
  .regex(
    /^\/images\/|^[^/]+\.svg$/,
    'Нужен рисунок svg рядом с этим файлом, например korob.svg, или /images/… из папки public',
  )
  .register(marks, { shows: 'asset' });

const marketplace = z.enum(['Wildberries', 'Ozon', 'Яндекс Маркет']).describe('Маркетплейс');
const marketplaces = z.array(marketplace).min(1).describe('Маркетплейсы. Один или несколько');

/** E.164, as links and the store need it. */
const e164 = z
  .string()
  .regex(/^\+[1-9]\d{6,14}$/, 'Нужен телефон с плюсом и кодом страны, без пробелов, например +74950000000')
  .describe('Номер для звонка. С + и кодом страны, без пробелов: "+74950000000"');
const phone = z.strictObject({
  number: e164,
  text: z.string().min(5).describe('Номер для чтения. Каким его видят: +7 (495) 000-00-00'),
});

/** Beside the Markdown. */
const picture = z
  .strictObject({
    src: marked(z.string().min(1), { shows: 'file' }).describe('Файл. Имя картинки, которая лежит рядом: photo.jpg'),
    alt: text.describe('Что на ней. Для тех, кто картинку не видит'),
  })
  .describe('Картинка. Стоит на странице и на карточке')
  .register(marks, { shows: 'picture' });
export type Picture = z.output<typeof picture>;

/** Beside the Markdown, or on another site. */
const video = z
  .string()
  .regex(
    /^(https?:\/\/\S+|[^/]+\.(mp4|webm))$/i,
    'Нужно имя файла mp4 или webm, который лежит рядом, например korob.mp4, или полный адрес видео',
  )
  .register(marks, { shows: 'video' });

const top = {
  heading: text.describe('Заголовок. Крупная строка вверху страницы'),
  title: title.describe('Название для поиска. Строка на вкладке и в выдаче, своя у каждой страницы'),
  description: description.describe('Описание для поиска. Одна-две фразы о том, что найдут на странице'),
};
const updated = date.describe('Обновлено. День последней правки');

export const companySchema = z.strictObject({
  /** While true, the server warns at start that facts are invented. */
  demo: z.boolean().describe('Пример. true, пока факты выдуманы; со своими поставьте false'),
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
    .describe('ОГРН. 13 или 15 цифр в кавычках'),
  phone: phone.describe('Городской телефон. Стоит в подвале'),
  tollFree: phone.describe('Бесплатный телефон. По нему звонят все ссылки «Позвонить»'),
  email: z.email().describe('Почта. Адрес для писем посетителей'),
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
  broadcast: text.describe('Ссылка на трансляцию. Её слова, пока эфира нет: Трансляция с 8:00'),
  camera: z
    .strictObject({
      hours: text.describe('Когда эфир. Например: Эфир по рабочим дням с 8:00'),
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
      week: z
        .array(
          z
            .tuple([
              z.iso.time({ precision: -1 }).describe('Открываетесь. Например "09:00"'),
              z.iso.time({ precision: -1 }).describe('Закрываетесь. Например "20:00"'),
            ])
            .refine(([from, until]) => from < until, 'Закрываетесь раньше, чем открываетесь. Проверьте оба времени')
            .nullable(),
        )
        .length(7)
        .describe('Неделя. Семь строк с понедельника: ["09:00", "20:00"], а в выходной null'),
      holidays: z.array(date).describe('Праздники. Дни, когда не работаете: 2027-01-01'),
    })
    .transform((hours) => ({ ...hours, text: typeset(hoursInWords(hours.week)) }))
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
    .min(1)
    .describe('Где написать. Мессенджеры и соцсети, в том порядке, в каком стоят ссылки'),
});

const link = z.strictObject({
  to: target.describe('Страница. Адрес на этом сайте: /rates'),
  text: text.describe('Название. Слово или два'),
});
const links = z.array(link.describe('Ссылка')).min(1);

/** `navigation.yaml` */
export const navigationSchema = z.strictObject({
  header: z
    .array(
      z
        .strictObject({
          text: link.shape.text,
          to: link.shape.to.optional(),
          pages: links.describe('Меню. Страницы, которые под ним раскрываются').optional(),
        })
        .refine(
          ({ to, pages }) => (to === undefined) !== (pages === undefined),
          'У пункта стоит либо to, либо pages. Оставьте одно из двух',
        )
        .describe('Пункт. Страница или меню'),
    )
    .min(1)
    .describe('Верхняя строка. Слева направо; на телефоне - за кнопкой «Меню»'),
  footer: links.describe('Подвал. Ссылки рядом со списком услуг, который составится сам'),
});

const question = z.strictObject({
  question: text.describe('Вопрос. Как его задают клиенты'),
  answer: sentences.describe('Ответ. Два-три предложения'),
});

/** `services/{slug}.md` */
export const serviceSchema = z.strictObject({
  text: text.describe('Название. Короткое, для меню и карточек: Фотосъёмка'),
  ...top,
  draft,
  subheading: text.describe('Подзаголовок. Какие маркетплейсы или города охватывает услуга'),
  order: own(z.int()).describe('Место в списке. Число; чем меньше, тем раньше стоит услуга'),
  image: image.describe('Рисунок. Имя файла svg, который лежит рядом, или файла из public: /images/services/photo.svg'),
  preset: reference(slug, 'preset').describe('Форма заявки. slug из presets.yaml; её открывает кнопка'),
  rates: z
    .array(reference(slug, 'rates').describe('Группа тарифов. id из rates.yaml'))
    .describe('Цены. Группы тарифов, которые показывает страница; первая - своя'),
  example: z
    .boolean()
    .default(false)
    .describe('Цена из примера. true, если рядом с ценой «от» показать, сколько выходит за единицу в примере'),
  audience: list.describe('Кому подойдёт. По строке на каждого'),
  included: list.describe('Что входит. По строке на каждую работу'),
  excluded: list.describe('Что не входит. По строке на каждую работу'),
  minimum: text.describe('Минимум. Наименьший заказ, словами'),
  term: text.describe('Срок. Сколько ждать, словами: 3–5 рабочих дней'),
  preparation: list.describe('Что подготовить клиенту. По строке на каждое'),
  limits: list.describe('Ограничения. По строке на каждое: размеры, вес, чего не берём'),
  steps: z
    .array(
      z.strictObject({
        title: text.describe('Шаг. Два-три слова'),
        text: sentences.describe('Что происходит. Одно-два предложения'),
        time: text.describe('Сколько длится. Например: 1 день'),
      }),
    )
    .min(2)
    .describe('Как проходит. Шаги по порядку'),
  responsibility: sentences.describe('За что отвечаем. Одно-два предложения'),
  questions: z.array(question).min(1).describe('Вопросы. Что спрашивают об услуге'),
  related: z
    .array(service.describe('Услуга. Её адрес: /services/photo'))
    .min(1)
    .describe('Рядом. Услуги, которые заказывают вместе с этой'),
  callout: callout.optional(),
  updated,
});

export const ratesSchema = z.strictObject({
  effective: date.describe('Цены действуют с. Дата'),
  vat: text.describe('О НДС. Например: Цены включают НДС 22 %'),
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
                      price: roubles.describe('Цена. В рублях с НДС, не больше двух знаков после точки'),
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

const place = z.enum(['box', 'pallet']);

const rate = reference(slug, 'rate').describe('Тариф. id строки из rates.yaml');

const operation = z.strictObject({
  rate,
  /** `litre-day` and `place-day` are charged by the day; the tier depends on litres and places. */
  of: z
    .enum(['unit', 'place', 'order', 'km', 'litre-day', 'place-day'])
    .default('unit')
    .describe(
      'Что считаем. unit - товары, place - короба или паллеты, order - раз на заказ, km - километры за МКАД, ' +
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

/** `calculator.yaml` */
export const calculatorSchema = z.strictObject({
  limits: z
    .strictObject({
      units: z.int().positive().describe('Единиц в заказе'),
      side: z.int().positive().describe('Длинная сторона. Одной единицы товара, в сантиметрах'),
      weight: z.int().positive().describe('Вес. Одной единицы товара, в килограммах'),
      days: z.int().positive().describe('Дней хранения'),
      km: z.int().positive().describe('Километров за МКАД'),
    })
    .describe('Пределы. Заказ больше калькулятор не считает, а отвечает «индивидуально»'),
  plurals: z
    .record(text, z.tuple([text, text, text]))
    .describe('Слова при числах. Единица из тарифов и её формы: короб: [короб, короба, коробов]'),
  marketplaces: z
    .array(
      z.strictObject({
        id: own(slug).describe('id. Латиницей; стоит в адресе расчёта'),
        text: marketplace,
      }),
    )
    .min(1)
    .describe('Маркетплейсы. О которых спрашивает калькулятор'),
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
    .strictObject({ box: placeSchema.describe('Короб'), pallet: placeSchema.describe('Паллета') })
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

/** `06:30` */
const time = z.iso.time({ precision: -1 });

/** `departures.yaml` */
export const departuresSchema = z.array(
  z
    .strictObject({
      id: own(slug).describe('id. С него начинаются id тарифов склада: koledino для koledino-box и koledino-pallet'),
      warehouse: text.describe('Склад. Его название: Коледино'),
      city: text.describe('Город. Если из названия склада его не понять').optional(),
      marketplaces,
      service: service.describe('Услуга. Её адрес; расписание стоит на её странице'),
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
  sample,
  ...top,
  ...release,
  niche: text.describe('Ниша. Что продаёт клиент: Книги'),
  marketplaces,
  services: z
    .array(service.describe('Услуга. Её адрес: /services/photo'))
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

export const categorySchema = z.strictObject({
  slug: own(slug).describe('slug. Латиницей, часть адреса; у блога так зовётся и папка'),
  text: text.describe('Название. Слово или два'),
  ...top,
  lead: sentences.describe('Вступление. Одна-две фразы под заголовком страницы'),
});
export const categoriesSchema = z.strictObject({
  blog: z.array(categorySchema).min(1).describe('Рубрики блога'),
  reviews: z
    .array(categorySchema.extend({ slug: own(slug, 'reviews').describe('slug. Латиницей, часть адреса') }))
    .min(1)
    .describe('Рубрики отзывов'),
});

/** `reviews/{slug}.md`; the body is the review. */
export const reviewSchema = z.strictObject({
  id,
  sample,
  category: reference(slug, 'reviews').describe('Рубрика. slug из categories.yaml, список reviews'),
  author: text.describe('Автор. Как подписался: Игорь В.'),
  role: text.describe('Кто это. Чем занимается: Импортёр кухонных весов'),
  marketplaces,
  service: service.describe('Услуга. Её адрес: /services/verification'),
  ...release,
  source: text.describe('Откуда отзыв. Например: Письмо клиента'),
  reply: sentences.describe('Ответ компании. Одна-две фразы').optional(),
});

/** `blog/{category}/{slug}.md` */
export const articleSchema = z.strictObject({
  id,
  ...top,
  summary: sentences.describe('Вывод. Две-три фразы, которые стоят первыми: их узнают и те, кто дальше не прочтёт'),
  author: text.describe('Автор. Имя и кто он: Анна Крылова, аналитик'),
  ...release,
  updated: updated.optional(),
  sources: z
    .array(
      z.strictObject({
        text: text.describe('Что это. Название источника'),
        href: z.url({ protocol: /^https?$/ }).describe('Ссылка. Полный адрес: https://example.com/'),
      }),
    )
    .describe('Источники. На что опирается текст')
    .optional(),
  related: z
    .array(reference(slug, 'article').describe('Статья. Имя её файла без .md'))
    .min(1)
    .describe('Читайте также. Статьи из любой рубрики блога'),
  picture: picture.optional(),
  callout: callout.optional(),
  /** Video news only; the body is the transcript. */
  video: z
    .strictObject({
      sample: sample.default(false),
      duration: z
        .string()
        .regex(/^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/, 'Нужна длительность, например PT3M20S: 3 минуты 20 секунд')
        .describe('Длительность. PT3M20S - это 3 минуты 20 секунд'),
      href: video.describe('Видео. Имя файла mp4 или webm, который лежит рядом, или полный адрес'),
      still: picture.describe('Кадр. Картинка на месте видео, пока его не включили').optional(),
    })
    .describe('Видео. Только в рубрике video-news; текст под ним - расшифровка')
    .optional(),
});

/** `news/{slug}.md` */
export const newsSchema = z
  .strictObject({
    id,
    ...top,
    ...release,
    since: date.describe('Действует с. Дата'),
    until: date.describe('Действует по. Последний день, если он известен').optional(),
    action: sentences.describe('Что сделать клиенту. Одно-два предложения'),
    callout: callout.optional(),
  })
  .refine(({ since, until = since }) => since <= until, {
    path: ['until'],
    error: 'Заканчивается раньше, чем начинается. Проверьте since и until',
  });

export const questionsSchema = z
  .array(
    z.strictObject({
      slug: own(slug).describe('slug. Латиницей; якорь в адресе, на него ссылаются'),
      question: text.describe('Вопрос. Как его задают клиенты'),
      topic: text.describe('Тема. Под этим заголовком вопросы стоят вместе'),
      answer: marked(z.string().trim().min(1), { markdown: true }).describe(
        'Ответ. 2–5 предложений в Markdown, ссылки на сайт начинаются с /',
      ),
    }),
  )
  .min(1);

/** `legal/{slug}.md` */
export const legalSchema = z.strictObject({
  ...top,
  effective: date.describe('Действует с. Дата'),
});

/** `pages/{name}.md` */
export const pageTextSchema = z.strictObject({
  ...top,
  lead: sentences.describe('Вступление. Одна-две фразы под заголовком страницы'),
  image: image.describe('Рисунок. Файл из public: /images/about.svg').optional(),
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
  draft,
  callout: callout.optional(),
  updated: updated.optional(),
});

/** Shows a price from the rates, or a duration. */
const station = z
  .strictObject({
    title: text.describe('Станция. Два-три слова'),
    to: service.describe('Услуга. Её адрес'),
    rate: rate.describe('Цена. id строки из rates.yaml; либо она, либо срок').optional(),
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
  callout,
  way: z
    .array(
      z.strictObject({
        image: image.describe('Рисунок. Файл из public: /images/way/gate.svg'),
        alt: text.describe('Что на нём. Для тех, кто рисунок не видит'),
        stations: z.array(station).length(2).describe('Станции. По две на рисунок'),
      }),
    )
    .length(3)
    .describe('Путь короба. Три рисунка складываются в одну сцену'),
  sheets: z
    .array(
      z.strictObject({
        title: text.describe('Документ. Его название'),
        to: target.describe('Подробнее. Страница этого сайта'),
        look: z
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
    .length(3)
    .describe('Что получит клиент. Три документа, с примером'),
});

/** For links without a preset, and unreadable requests. */
export const generalPreset = 'request';

export const presetsSchema = z
  .array(
    z.strictObject({
      slug: own(slug, 'preset').describe('slug. Латиницей; по нему форму называют услуги'),
      title: text.describe('Заголовок. Над формой и на кнопках, которые её открывают'),
      description: sentences.describe('Что приготовить. Одна-две фразы под заголовком'),
      image: image.describe('Рисунок. Файл из public: /images/presets/bonus.svg'),
      button: text.describe('Кнопка. Слова на той, что отправляет форму'),
      offer: z
        .strictObject({
          text: text.describe('Слова ярлыка. Например: Первые 100 единиц упакуем бесплатно'),
          services: z.array(service.describe('Услуга. Её адрес')).describe('Услуги. На чьих страницах он стоит'),
        })
        .describe('Ярлык. Ведёт к форме с главной и со страниц услуг')
        .optional(),
      /** Asked in addition to phone and consent. */
      name: z.boolean().describe('Спрашивать имя. true или false'),
      message: z
        .enum(['required', 'optional', 'none'])
        .describe('Сообщение. required - обязательно, optional - по желанию, none - не спрашиваем'),
      messageLabel: text.describe('Вопрос. Подпись поля сообщения').optional(),
    }),
  )
  .min(1)
  .refine((presets) => presets.some(({ slug }) => slug === generalPreset), {
    error: `Здесь нет формы ${generalPreset}, а её открывают ссылки, которые не называют другую. Верните её (slug: ${generalPreset})`,
  });

/** Without a letter or digit it could never be found. */
const spelling = z
  .string()
  .trim()
  .regex(/[\p{L}\p{N}]/u, 'Нужно слово или несколько');

/** `search.yaml` */
export const searchSchema = z.strictObject({
  synonyms: z
    .array(
      z
        .array(own(spelling).describe('Написание'))
        .min(2)
        .describe('Одно значение. Название, его русское написание, сокращение'),
    )
    .describe('Синонимы. Строки, в каждой - разные написания одного и того же'),
});

const withDomain = /^(?:https?:)?(?:\/\/)?[^\s/?#]+\.[^\s/?#]+(\/[^\s#]*)/;

/** On the old site: may have a suffix, a query, Russian letters, or be a folder. */
const oldAddress = z
  .string()
  .regex(/^\/(?!\/)[^\s?#*]*(\/\*|\?[^\s#*]+)?$/, {
    error({ input }) {
      const [, path] = withDomain.exec(String(input)) ?? [];
      return `Нужен прежний адрес без домена${path ? `: ${path}` : ', например /price.html, /index.php?id=5 или /catalog/*'}`;
    },
  })
  .transform((from, { addIssue }) => {
    const [path = '', query] = from.split('?');
    try {
      const plain = decodeURIComponent(path)
        .toLowerCase()
        .replace(/(.)\/$/, '$1');
      return query === undefined ? plain : `${plain}?${query}`;
    } catch {
      addIssue('За одним из знаков % стоят не те цифры. Скопируйте адрес заново');
      return z.NEVER;
    }
  });

/** An empty file is an empty table. */
export const redirectsSchema = z.preprocess(
  (rows) => rows ?? [],
  z.array(
    z.strictObject({
      from: own(oldAddress).describe('Старый адрес. Без домена: /price.html, /index.php?id=5, /catalog/*'),
      to: target.describe('Новый адрес. Страница этого сайта'),
    }),
  ),
);
