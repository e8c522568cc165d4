import { dayMs } from '../../lib/durations.ts';
import { formatCount, formatDate, formatList, formatPrice } from '../../lib/format.ts';
import { tiersByDay } from '../../model/schemas/prices-schema.ts';
import { calculate, isWhole } from '../../pricing/calculation.ts';
import { daysOf } from '../../pricing/price-list.ts';
import { readOrder } from '../../pricing/read-order.ts';
import { calculatorIn } from '../load-content.ts';
import { guillemets, type Problem } from '../problem.ts';
import { problemAt } from '../source.ts';
import { companyDay, priceLists } from '../sources.ts';
import type { CheckInput } from './rule.ts';

/** A price above that of a smaller order, or at most a tenth of it, is likely a typo. */
export function* checkTiers({ sources }: CheckInput): Iterable<Problem> {
  for (const source of sources.prices) {
    for (const tiers of tiersByDay(source.value)) {
      const sorted = tiers.toSorted((a, b) => a.from - b.from);
      for (const [index, row] of sorted.entries()) {
        const { price = 0 } = row;
        const { price: before = price } = sorted[index - 1] ?? {};
        if (price <= before && (price === before || price * 10 > before)) continue;
        const how = price > before ? 'выше' : 'во много раз ниже';
        const message = `Цена ${formatPrice(price)} ${how} предыдущей, ${formatPrice(before)}. Проверьте обе, и на месте ли запятая.`;
        yield problemAt(source, [source.value.indexOf(row), 'price'], message, { warning: true });
        break;
      }
    }
  }
}

/** An editor may have moved one tier to a later day, whose tiers replace all those before it. */
export function* checkDropped({ sources }: CheckInput): Iterable<Problem> {
  for (const source of sources.prices) {
    for (const rows of Map.groupBy(source.value, ({ id }) => id).values()) {
      const days = daysOf(rows);
      for (const [index, day] of days.entries()) {
        const tiers = rows.filter(({ since, price }) => since === day && price !== undefined);
        const [first] = tiers;
        const before = rows.filter(({ since }) => since === days[index - 1]);
        const dropped = before.filter(({ from }) => tiers.every((tier) => tier.from !== from));
        if (first === undefined || dropped.length === 0) continue;
        const which = formatList(dropped.map(({ from, row }) => `от ${formatCount(from)} (строка ${row})`));
        const message = `С этого дня не станет ступеней ${which}: новый день заменяет их все. Впишите их с этим же днём.`;
        yield problemAt(source, [source.value.indexOf(first), 'since'], message, { warning: true });
      }
    }
  }
}

/** Visitors read «0 ₽», and the calculator charges nothing. */
export function* checkZeros({ sources }: CheckInput): Iterable<Problem> {
  for (const source of sources.prices) {
    for (const [index, row] of source.value.entries()) {
      for (const name of ['price', 'nextPrice'] as const) {
        if (row[name] !== 0) continue;
        const message = 'Цена 0: за эту работу не возьмут ничего. Впишите цену или сотрите строку.';
        yield problemAt(source, [index, name], message, { warning: true });
      }
    }
  }
}

export function* checkEffective({ sources, at }: CheckInput): Iterable<Problem> {
  const today = companyDay(sources, at);
  for (const source of sources.prices) {
    if (source.value.some(({ since }) => since <= today)) continue;
    const message = 'Этот день ещё не наступил, а других цен нет. Впишите и те, что действуют сегодня.';
    yield problemAt(source, [0, 'since'], message);
  }
}

/** The site writes two columns of texts for readers, and does not read them. */
export function* checkCopies({ sources }: CheckInput): Iterable<Problem> {
  const [texts] = sources.rates;
  for (const source of texts ? sources.prices : []) {
    const titles = new Map(texts?.value.groups.map(({ id, title }) => [id, title]));
    for (const name of ['title', 'vat'] as const) {
      const meant = (row: (typeof source.value)[number]) => (name === 'vat' ? texts?.value.vat : titles.get(row.group));
      const index = source.value.findIndex((row) => row[name] !== undefined && row[name] !== meant(row));
      if (index === -1) continue;
      const message = `${guillemets(source.value[index]?.[name])} посетители не увидят: эти слова стоят в rates.yaml. Поправьте их там.`;
      yield problemAt(source, [index, name], message, { warning: true });
    }
  }
}

/** Days until a departure must be checked again. */
const maxDaysUnchecked = 180;

export function* checkDepartures({ sources, at }: CheckInput): Iterable<Problem> {
  const oldest = new Date(at.getTime() - maxDaysUnchecked * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  for (const source of sources.departures) {
    for (const [index, { checked }] of source.value.entries()) {
      if (checked >= oldest) continue;
      const message = `Рейс не сверяли больше ${maxDaysUnchecked} дней. Сверьте его и впишите сегодняшнее число.`;
      yield problemAt(source, [index, 'checked'], message, { warning: true });
    }
  }
}

/** An example may be out of range even though all data is valid. */
export function* checkExample({ sources, problems, at }: CheckInput): Iterable<Problem> {
  const [source] = sources.calculator;
  if (problems.length > 0 || !source) return;
  const calculator = calculatorIn(sources);
  const { order } = readOrder(calculator, calculator.example);
  const without = priceLists(sources, at).find((rates) => !order || !isWhole(calculate(rates, calculator, order)));
  if (!without) return;
  const remedy = 'Откройте /rates/calc, подберите там заказ с ценой и впишите его значения.';
  const message = `По ценам, которые действуют с ${formatDate(without.effective)}, этот пример не посчитать. ${remedy}`;
  yield problemAt(source, ['example'], message);
}
