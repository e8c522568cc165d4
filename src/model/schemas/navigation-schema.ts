import * as z from 'zod';
import { target, text } from './shared-fields.ts';

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
