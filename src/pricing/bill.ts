import { formatDate, formatPrice } from '../lib/format.ts';
import type { Content } from '../model/content.ts';
import type { Calculation } from './calculation.ts';
import { cheaper, explanation, formula, leftOut, orderSummary, termText } from './calculation-words.ts';
import type { PalletLoad } from './pallet-load.ts';
import type { Term, TermDays } from './term.ts';

/** Formatted for visitors, and stored with a request. */
export type Bill = {
  /** One line: marketplace, scheme, units, size, weight, containers, warehouse. */
  order: string;
  rows: readonly BillRow[];
  total: string;
  /** What the total leaves out: `без забора`. */
  without?: string;
  /** Why it leaves that out, and what follows. */
  explanation?: string;
  perUnit?: string;
  /** When it is delivered, at the latest. */
  term?: string;
};

type BillRow = {
  text: string;
  /** How the sum was computed. */
  formula: string;
  sum: string;
  /** When a unit gets cheaper. */
  hint?: string;
};

export function billOf(
  { calculator }: Pick<Content, 'calculator'>,
  calculation: Calculation,
  term: Term | undefined,
): Bill {
  const { order, lines, total, perUnit } = calculation;
  return {
    order: orderSummary(calculator, calculation),
    rows: lines.map((line) => ({
      text: line.text,
      formula: formula(calculator, line),
      sum: formatPrice(line.sum),
      hint: cheaper(calculator, line),
    })),
    total: total === undefined ? 'индивидуально' : formatPrice(total),
    without: total === undefined ? undefined : leftOut(calculation),
    explanation: explanation(calculation),
    perUnit: perUnit === undefined ? undefined : formatPrice(perUnit),
    term: term && termText(calculator, order, term),
  };
}

/** Stored with a request, because prices change. */
export type DatedBill = Bill & {
  /** First day its prices were in force. */
  effective: string;
  /** Absolute. */
  address: string;
  /** Those of `term`. */
  days?: TermDays | undefined;
  load?: PalletLoad | undefined;
};

/** For managers. */
export function billText(bill: DatedBill): string {
  const { order, rows, total, without, explanation, perUnit, term, effective, address } = bill;
  return [
    order,
    ...rows.map(({ text, formula, sum }) => `${text}: ${sum} (${formula})`),
    `Итого: ${total}${without ? ` ${without}` : ''}${perUnit ? `, на единицу ${perUnit}` : ''}`,
    ...[explanation, term].filter((sentence) => sentence !== undefined),
    `Цены с ${formatDate(effective)}, ${address}`,
  ]
    .join('\n')
    .replaceAll('\u00A0', ' ');
}
