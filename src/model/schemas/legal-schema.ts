import * as z from 'zod';
import { date, top } from './shared-fields.ts';

/** `legal/{slug}.md` */
export const legalSchema = z.strictObject({
  ...top,
  effective: date.describe('Действует с. Дата'),
});
