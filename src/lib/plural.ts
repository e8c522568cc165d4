import { lazy } from './lazy.ts';

/** After 1, after 2 to 4, and after others: `['короб', 'короба', 'коробов']`. */
export type PluralForms = readonly [one: string, few: string, many: string];

/** Made when it is first needed: the first use of `Intl` costs a start some milliseconds. */
const rules = lazy(() => new Intl.PluralRules('ru'));

/** The form of a Russian noun after a number: 1 короб, 22 короба, 11 коробов. */
export function plural(count: number, [one, few, many]: PluralForms): string {
  const rule = rules().select(count);
  return rule === 'one' ? one : rule === 'few' ? few : many;
}
