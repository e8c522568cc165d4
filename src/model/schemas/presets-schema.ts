import * as z from 'zod';
import { own } from './field-marks.ts';
import { image, sentences, serviceField, slug, text } from './shared-fields.ts';

/** For links without a preset, and for forms that cannot be read. */
export const generalPreset = 'request';

export const presetsSchema = z
  .array(
    z.strictObject({
      slug: own(slug, 'preset').describe('slug. Латиницей; по нему форму называют услуги'),
      title: text.describe('Заголовок. Над формой и на кнопках, которые её открывают'),
      subject: text.describe('О чём. Как заявку зовут, когда её приняли: Вопрос').optional(),
      description: sentences.describe('Что приготовить. Одна-две фразы под заголовком'),
      image: image.describe('Рисунок. Файл svg рядом или из public: /images/presets/bonus.svg'),
      steps: z
        .array(text.describe('Шаг. Одно предложение'))
        .min(1)
        .describe('Что дальше. На квитанции, если шаги не те, что у всех заявок (words в company.yaml)')
        .optional(),
      button: text.describe('Кнопка. Слова на той, что отправляет форму'),
      offer: z
        .strictObject({
          text: text.describe('Слова ярлыка. Например: Первые 100 единиц упакуем бесплатно'),
          services: z.array(serviceField.describe('Услуга. Её адрес')).describe('Услуги. На чьих страницах он стоит'),
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
