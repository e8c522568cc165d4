import { formatDate, formatPrice } from '../design/format.ts';
import type { Calculator } from '../model/content.ts';
import type { Calculation } from './calculation.ts';
import { cheaper, formula, individually, orderSummary } from './calculation-words.ts';

/** A calculation in words, every sum with its unit. */
export type Bill = {
  /** What was counted, in a line: marketplace, scheme, units, size, weight, places, warehouse. */
  order: string;
  rows: readonly BillRow[];
  /** A sum, or that it is individual. */
  total: string;
  /** Absent where there is no sum. */
  perUnit?: string | undefined;
};

export type BillRow = {
  text: string;
  /** How the sum came about, or why there is none. */
  formula: string;
  sum: string;
  /** From which number on the unit costs less. */
  hint?: string | undefined;
};

/** A calculation as it is shown. */
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

/** A bill as it is kept with a request, because prices change and a promise must stay readable. */
export type DatedBill = Bill & {
  /** The day from which its prices are in force. */
  effective: string;
  /** Where the calculation is; absolute. */
  address: string;
};

/** As plain text, for those who call: the order, each line with its formula, the total. */
export function billText({ order, rows, total, perUnit, effective, address }: DatedBill): string {
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
