import { formatDate, formatPrice } from '../design/format.ts';
import type { Calculator } from '../model/content.ts';
import { typeset } from '../model/typography.ts';
import type { Calculation } from './calculation.ts';
import { cheaper, formula, individually, orderSummary } from './calculation-words.ts';

/** Formatted for visitors, and stored with a request. */
export type Bill = {
  /** One line: marketplace, scheme, units, size, weight, places, warehouse. */
  order: string;
  rows: readonly BillRow[];
  total: string;
  perUnit?: string;
};

export type BillRow = {
  text: string;
  /** How the sum was computed, or why there is none. */
  formula: string;
  sum: string;
  /** The quantity from which a unit costs less. */
  hint?: string;
};

export function billOf(calculator: Calculator, calculation: Calculation): Bill {
  const { lines, beyond, total, perUnit } = calculation;
  return {
    order: orderSummary(calculator, calculation),
    rows: [
      ...lines.map((line) => ({
        text: line.text,
        formula: formula(calculator, line),
        sum: formatPrice(line.sum),
        hint: cheaper(calculator, line),
      })),
      ...beyond.map(({ text, why }) => ({ text, formula: why, sum: individually })),
    ],
    total: total === undefined ? individually : formatPrice(total),
    perUnit: perUnit === undefined ? undefined : formatPrice(perUnit),
  };
}

/**
 * Plain text for managers.
 *
 * @param effective date of the prices
 * @param address of the calculation
 */
export function billText({ order, rows, total, perUnit }: Bill, effective: string, address: string): string {
  return [
    order,
    ...rows.map(rowText),
    `Итого: ${total}${perUnit === undefined ? '' : `, на единицу ${perUnit}`}`,
    `Цены с ${formatDate(effective)}, ${address}`,
  ]
    .join('\n')
    .replaceAll('\u00A0', ' ');
}

function rowText({ text, formula, sum }: BillRow): string {
  if (sum === individually) return `${text}: ${individually}, ${formula}`;
  return `${text}: ${formula.includes(`минимум ${sum}`) ? formula : `${formula} = ${sum}`}`;
}

/** Inverse of `billText`; `undefined` for any other text. */
export function readBill(text: string): { bill: Bill; prices: string; address: string } | undefined {
  const lines = text.split('\n');
  const [order = '', ...written] = lines.slice(0, -2).map(withoutBreaks);
  const [whole = '', source = ''] = lines.slice(-2);
  const [, total, perUnit] = /^Итого: (.+?)(?:, на\sединицу (.+))?$/.exec(withoutBreaks(whole)) ?? [];
  const [, prices, address] = /^(Цены с .+), (\S+)$/.exec(source) ?? [];
  const rows = written.map(readRow).filter((row) => row !== undefined);
  if (total === undefined || prices === undefined || address === undefined || rows.length < written.length) {
    return undefined;
  }
  return { bill: { order, rows, total, perUnit }, prices: withoutBreaks(prices), address };
}

/** The name may contain colons, so it ends at the last one. */
function readRow(line: string): BillRow | undefined {
  const [, text = '', why, formula = '', result] =
    /^(.+): (?:индивидуально, (.+)|(.+?)(?: = ([\d\s,]+₽))?)$/.exec(line) ?? [];
  if (why !== undefined) return { text, formula: why, sum: individually };
  const sum = result ?? /минимум ([\d\s,]+₽)/.exec(formula)?.[1];
  return sum === undefined ? undefined : { text, formula, sum };
}

function withoutBreaks(text: string): string {
  return typeset(text).replaceAll(' ₽', '\u00A0₽');
}
