import * as z from 'zod';
import { own } from './field-marks.ts';

/** Without a letter or digit it could never be found. */
const spelling = z
  .string()
  .trim()
  .regex(/[\p{L}\p{N}]/u, 'Нужно слово или несколько');

/** `search.yaml` */
export const searchSchema = z.strictObject({
  examples: z.array(spelling).default([]).describe('Что искать. Слова, которые предложим тому, кто ничего не нашёл'),
  synonyms: z
    .array(
      z
        .array(own(spelling).describe('Написание'))
        .min(2)
        .describe('Одно значение. Название, его русское написание, сокращение'),
    )
    .describe('Синонимы. Строки, в каждой - разные написания одного и того же'),
});
