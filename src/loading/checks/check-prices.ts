import { dayMs } from '../../lib/durations.ts';
import { formatDate } from '../../lib/format.ts';
import type { Rates } from '../../model/content.ts';
import { calculate, isWhole } from '../../pricing/calculation.ts';
import { readOrder } from '../../pricing/read-order.ts';
import { deliveryRates, withWarehouses } from '../../pricing/warehouses.ts';
import { fileOf } from '../kinds.ts';
import { companyDay, priceLists } from '../price-lists.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn } from '../schema-parts.ts';
import { problemAt, type Source } from '../source.ts';
import type { CheckInput } from './rule.ts';

/** A price above the previous one, or at most a tenth of it, is likely a typo. */
export function* checkTiers({ sources, at }: CheckInput): Iterable<Problem> {
  const roubles = (price: number) => `${(price / 100).toLocaleString('ru')} ₽`;
  for (const source of priceLists(sources, at)) {
    for (const [group, { rows }] of source.value.groups.entries()) {
      for (const [row, { tiers }] of rows.entries()) {
        const prices = tiers.map(({ price }) => price);
        const tier = prices.findIndex((price, index) => {
          const before = prices[index - 1] ?? price;
          return price > before || (price < before && price * 10 <= before);
        });
        if (tier === -1) continue;
        const [before = 0, price = 0] = prices.slice(tier - 1);
        const how = price > before ? 'выше' : 'во много раз ниже';
        const message = `Цена ${roubles(price)} ${how} предыдущей, ${roubles(before)}. Проверьте обе, и на месте ли точка.`;
        yield problemAt(source, ['groups', group, 'rows', row, 'tiers', tier, 'price'], message, { warning: true });
      }
    }
  }
}

/** Visitors read «0 ₽», and the calculator charges nothing. */
export function* checkZeros({ sources, at }: CheckInput): Iterable<Problem> {
  for (const source of priceLists(sources, at)) {
    for (const { path, value } of leavesIn(source.value)) {
      if (path.at(-1) !== 'price' || value !== 0) continue;
      const message = 'Цена 0: за эту работу не возьмут ничего. Впишите цену или сотрите строку.';
      yield problemAt(source, path, message, { warning: true });
    }
  }
}

/** A list is in force from its day until the next one's. */
export function* checkEffective({ sources, at }: CheckInput): Iterable<Problem> {
  const {
    rates: [first],
    nextRates: [next],
  } = sources;
  const today = companyDay(sources, at);
  if (!first) return;
  if (next && next.value.effective <= first.value.effective) {
    const message = `Эти цены сменяют те, что в ${first.file}, а день у них не позже. Впишите более поздний день или сотрите этот файл.`;
    yield problemAt(next, ['effective'], message);
  } else if (first.value.effective > today) {
    const message = `Этот день ещё не наступил, а других цен нет. Верните сюда нынешние цены, а эти положите в ${fileOf('nextRates')}.`;
    yield problemAt(first, ['effective'], message);
  } else if (next && next.value.effective <= today) {
    const since = formatDate(next.value.effective);
    const message = `С ${since} действует ${next.file}, а эти цены сайт не читает. Сотрите этот файл и назовите тот ${first.file}.`;
    yield problemAt(first, ['effective'], message, { warning: true });
  }
}

/** Days until a departure must be checked again. */
const maxDaysUnchecked = 180;

export function* checkDepartures({ sources, at }: CheckInput): Iterable<Problem> {
  const [current, ...waiting] = priceLists(sources, at);
  const oldest = new Date(at.getTime() - maxDaysUnchecked * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  for (const source of sources.departures) {
    for (const [index, { id, checked }] of source.value.entries()) {
      const without = current && withoutPrices(id, current);
      if (without) yield problemAt(source, [index, 'id'], without, { warning: true });
      for (const list of waiting) {
        const message = withoutPrices(id, list);
        if (message) yield problemAt(list, ['groups'], message, { warning: true });
      }
      if (checked < oldest) {
        const message = `Рейс не сверяли больше ${maxDaysUnchecked} дней. Сверьте его и впишите сегодняшнее число.`;
        yield problemAt(source, [index, 'checked'], message, { warning: true });
      }
    }
  }
}

function withoutPrices(departure: string, { file, value }: Source<Rates>): string | undefined {
  const known = new Set(value.groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
  const missing = Object.values(deliveryRates(departure)).filter((rate) => !known.has(rate));
  if (missing.length === 0) return undefined;
  const rows = missing.map(guillemets).join(' и ');
  return `Без цены калькулятор этого склада не предложит. Добавьте в ${file} строки с id ${rows}.`;
}

/** An example may be out of range even though all data is valid. */
export function* checkExample({ sources, problems, at }: CheckInput): Iterable<Problem> {
  const {
    calculator: [source],
    company: [company],
    departures: [departures],
  } = sources;
  if (problems.length > 0 || !source || !company || !departures) return;
  const isCountable = ({ value: rates }: Source<Rates>) => {
    const calculator = withWarehouses(source.value, company.value, departures.value, rates);
    const { order } = readOrder(calculator, calculator.example);
    return order !== undefined && isWhole(calculate(rates, calculator, order));
  };
  const [current, ...waiting] = priceLists(sources, at);
  if (current && !isCountable(current)) {
    const remedy = 'Откройте /rates/calc, подберите там заказ с ценой и впишите его значения.';
    yield problemAt(source, ['example'], `Этот пример не посчитать. ${remedy}`);
  }
  for (const list of waiting) {
    if (isCountable(list)) continue;
    const message = `По этим ценам не посчитать пример из ${source.file}. Верните строки, которые ему нужны, или смените пример.`;
    yield problemAt(list, ['groups'], message);
  }
}
