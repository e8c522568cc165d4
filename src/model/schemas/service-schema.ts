import * as z from 'zod';
import { own, reference } from './field-marks.ts';
import { callout, draft, image, list, sentences, serviceField, slug, text, top, updated } from './shared-fields.ts';

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
    .array(serviceField.describe('Услуга. Её адрес: /services/photo'))
    .describe('Рядом. Услуги, которые заказывают вместе с этой'),
  callout: callout.optional(),
  updated,
});
