import * as z from 'zod';
import { reference } from './field-marks.ts';
import { id, marketplaces, release, sentences, serviceField, slug, text } from './shared-fields.ts';

/** `reviews/{slug}.md`; the body is the review. */
export const reviewSchema = z.strictObject({
  id,
  category: reference(slug, 'reviews').describe('Рубрика. slug из categories.yaml, список reviews'),
  author: text.describe('Автор. Как подписался: Игорь В.'),
  role: text.describe('Кто это. Чем занимается: Импортёр кухонных весов'),
  marketplaces,
  service: serviceField.describe('Услуга. Её адрес: /services/verification'),
  ...release,
  source: text.describe('Откуда отзыв. Например: Письмо клиента'),
  reply: sentences.describe('Ответ компании. Одна-две фразы').optional(),
});
