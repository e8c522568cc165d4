import * as z from 'zod';
import { marks, reference } from './field-marks.ts';
import { callout, id, image, picture, release, sentences, slug, text, top, updated } from './shared-fields.ts';

/** In the folder of the Markdown file, or on another site. */
const video = z
  .string()
  .regex(
    /^(https?:\/\/\S+|[^/]+\.mp4)$/i,
    'Нужно имя файла mp4, который лежит рядом, например korob.mp4, или полный адрес видео',
  )
  .register(marks, { shows: 'video' });

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
    .describe('Читайте также. Статьи из любой рубрики блога'),
  image: image.describe('Рисунок. На карточке и у заголовка: /images/services/storage.svg').optional(),
  picture: picture.optional(),
  callout: callout.optional(),
  /** The body is the transcript. */
  video: z
    .strictObject({
      duration: z
        .string()
        .regex(/^PT(?=\d)(\d+H)?(\d+M)?(\d+S)?$/, 'Нужна длительность, например PT3M20S: 3 минуты 20 секунд')
        .describe('Длительность. PT3M20S - это 3 минуты 20 секунд'),
      href: video.describe('Видео. Имя файла mp4, который лежит рядом, или полный адрес'),
      still: picture.describe('Кадр. Картинка на месте видео, пока его не включили').optional(),
    })
    .describe('Видео. Только в рубрике с video: true; текст под ним - расшифровка')
    .optional(),
});
