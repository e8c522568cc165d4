import { lazy } from './lazy.ts';

/** `['короб', 'короба', 'коробов']` */
type PluralForms = readonly [one: string, few: string, many: string];

/** Lazy, because the first use of `Intl` takes milliseconds. */
const rules = lazy(() => new Intl.PluralRules('ru'));

export function plural(count: number, [one, few, many]: PluralForms): string {
  const rule = rules().select(count);
  return rule === 'one' ? one : rule === 'few' ? few : many;
}
