import { formatCount, formatDate, formatList, formatPrice, onDay } from '../lib/format.ts';
import type { Calculator, Content } from '../model/content.ts';
import { type Calculation, genitiveForm, type Line, type Order, type Plurals, unitForm } from './calculation.ts';
import { orderSummary } from './order-text.ts';
import type { PalletLoad } from './pallet-load.ts';
import type { Term, TermDays } from './term.ts';

/** A calculation as visitors read it. It is stored with a request. */
export type Bill = {
  /** `Wildberries, FBO, 100 шт., 20×15×8 см, 0,3 кг, 2 короба, Коледино` */
  order: string;
  rows: readonly BillRow[];
  total: string;
  /** `без забора`, if the total leaves that out. */
  without?: string;
  explanation?: string;
  perUnit?: string;
  /** `Привезёте в понедельник, 23 ноября, и товар будет на складе Коледино в понедельник, 30 ноября` */
  term?: string;
};

type BillRow = {
  text: string;
  /** `100 шт. × 15 ₽` */
  formula: string;
  sum: string;
  /** `От 2 000 шт. — 10,50 ₽ вместо 12,50 ₽` */
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

/** `1 200 шт. × 11 ₽`, `1 000 шт. × (11 ₽ + 2 × 0,80 ₽)` */
function product(words: Plurals, { factors, price, next }: Line): string {
  const counts = factors.map(({ count, unit }) => `${formatCount(count)}\u00A0${unitForm(words, unit, count)}`);
  const litres =
    next && `${next.count === 1 ? '' : `${formatCount(next.count)}\u00A0×\u00A0`}${formatPrice(next.price)}`;
  const charged = litres === undefined ? formatPrice(price) : `(${formatPrice(price)} + ${litres})`;
  return [...counts, charged].join(' × ');
}

/** `1 200 шт. × 11 ₽`, or `2 короба × 560 ₽, минимум 1 900 ₽ вместо 1 120 ₽` */
function formula(words: Plurals, line: Line): string {
  if (line.sum === line.product) return product(words, line);
  return `${product(words, line)}, минимум ${formatPrice(line.sum)} вместо ${formatPrice(line.product)}`;
}

/** `От 2 000 шт. — 10,50 ₽ вместо 12,50 ₽`; `undefined` at the lowest price, or when the minimum charge applies */
export function cheaper(words: Plurals, { larger, price, next, product, sum }: Line): string | undefined {
  if (larger === undefined || sum !== product) return undefined;
  const { from, unit } = larger;
  const volume = `От\u00A0${formatCount(from)}\u00A0${genitiveForm(words, unit, from)}`;
  const what = next === undefined ? '\u00A0— ' : ' первый\u00A0литр\u00A0— ';
  return `${volume}${what}${formatPrice(larger.price)} вместо\u00A0${formatPrice(price)}`;
}

/** `без забора и хранения`; `undefined` if the total is whole */
export function leftOut({ beyond }: Calculation): string | undefined {
  if (beyond.length === 0) return undefined;
  return `без\u00A0${formatList(beyond.map(({ without }) => without))}`;
}

/** `В машину входит до 1 паллеты. Посчитаем отдельно и назовём день по телефону.`; `undefined` if the total is whole */
function explanation({ order, beyond }: Calculation): string | undefined {
  if (beyond.length === 0) return undefined;
  const named = order.warehouse === undefined ? 'цену' : 'день';
  return [...beyond.map(({ why }) => why), `Посчитаем отдельно и\u00A0назовём ${named} по\u00A0телефону.`].join(' ');
}

/** `Привезёте в понедельник, 23 ноября, и товар будет на складе Коледино в понедельник, 30 ноября` */
export function termText({ pickup }: Calculator, order: Order, { brought, departure, delivered }: Term): string {
  const collected = pickup.some(({ id, operations }) => id === order.pickup && operations.length > 0);
  const start = `${collected ? 'Заберём' : 'Привезёте'} ${onDay(brought)}`;
  return `${start}, и\u00A0товар будет на\u00A0складе ${departure.warehouse} ${onDay(delivered)}`;
}

/** A request stores its bill, because prices change. */
export type DatedBill = Bill & {
  /** The first day on which its prices were in force. */
  effective: string;
  address: string;
  days?: TermDays | undefined;
  load?: PalletLoad | undefined;
};

/** Managers read it in messages. */
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
