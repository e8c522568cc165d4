import * as z from 'zod';
import { marked, marks, own, reference } from './field-marks.ts';

/*
 * Fields that schemas share. Objects are strict, so misspelt fields are errors. Editors see the descriptions in completion
 * and forms; the first sentence is the field name.
 */

/** One line. */
export const text = z.string().trim().min(1);

export const sentences = marked(text, { long: true });

/** Search results cut longer lines off. */
const title = z.string().trim().min(10).max(90);

export const description = marked(z.string().trim().min(50).max(220), { long: true });

export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/;

export const slug = z.string().regex(slugPattern, 'Нужны строчные латинские буквы, цифры и дефисы между ними');

const sitePath = z
  .string()
  .regex(/^\/([a-z0-9-]+(\/[a-z0-9-]+)*)?$/, 'Нужен адрес на этом сайте, например /services/photo');

export const target = marked(sitePath, { leads: true });

export const serviceField = reference(sitePath, 'service');

/** `2026-11-20` */
export const date = z.iso.date();

export const draft = z
  .boolean()
  .default(false)
  .describe('Черновик. Пока здесь true, страницу видно только в npm run dev');

/** Posts appear on their date, unless they are drafts. */
export const release = { published: date.describe('Дата выхода. В этот день страница появится на сайте сама'), draft };

/** Used in addresses. */
export const id = own(z.int().positive()).describe('Номер. Целое число, своё у каждой записи раздела');

export const list = z.array(text).min(1);

export const callout = z
  .strictObject({
    heading: text.describe('Заголовок. Несколько слов'),
    text: sentences
      .describe('Что сделать посетителю. Предложение с точкой; дальше страница обещает перезвонить')
      .optional(),
    preset: reference(slug, 'preset').describe('Форма. slug из presets.yaml; её открывает кнопка'),
  })
  .describe('Призыв. Полоса внизу страницы; без него у записи и услуги такой, как у их раздела и главной');

export type CalloutWords = z.output<typeof callout>;

/** In the folder of the content file, or in `public/`. */
export const image = z
  .string()
  .regex(
    /^\/images\/|^[^/]+\.svg$/,
    'Нужен рисунок svg рядом с этим файлом, например korob.svg, или /images/… из папки public',
  )
  .register(marks, { shows: 'asset' });

export const marketplaces = z
  .array(reference(text, 'marketplace').describe('Маркетплейс'))
  .min(1)
  .describe('Маркетплейсы. Один или несколько');

/** In the folder of the Markdown file. */
export const picture = z
  .strictObject({
    src: marked(z.string().min(1), { shows: 'file' }).describe('Файл. Имя картинки, которая лежит рядом: photo.jpg'),
    alt: text.describe('Что на ней. Для тех, кто картинку не видит'),
  })
  .describe('Картинка. Стоит на странице и на карточке')
  .register(marks, { shows: 'picture' });

export type PictureField = z.output<typeof picture>;

export const top = {
  heading: text.describe('Заголовок. Крупная строка вверху страницы'),
  title: title.describe('Название для поиска. Строка на вкладке и в выдаче, своя у каждой страницы'),
  description: description.describe('Описание для поиска. Одна-две фразы о том, что найдут на странице'),
};

export const updated = date.describe('Обновлено. День последней правки');

export const rate = reference(slug, 'rate').describe('Тариф. id строки из prices.csv');
