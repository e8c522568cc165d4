import * as z from 'zod';
import { callout, date, id, release, sentences, top } from './shared-fields.ts';

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
