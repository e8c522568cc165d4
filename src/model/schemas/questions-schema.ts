import * as z from 'zod';
import { marked, own } from './field-marks.ts';
import { slug, text } from './shared-fields.ts';

export const questionsSchema = z.array(
  z.strictObject({
    slug: own(slug).describe('slug. Латиницей; якорь в адресе, на него ссылаются'),
    question: text.describe('Вопрос. Как его задают клиенты'),
    topic: text.describe('Тема. Под этим заголовком вопросы стоят вместе'),
    answer: marked(z.string().trim().min(1), { markdown: true }).describe(
      'Ответ. 2–5 предложений в Markdown, ссылки на сайт начинаются с /',
    ),
  }),
);
