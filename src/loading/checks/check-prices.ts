import { localTime } from '../../lib/calendar.ts';
import { dayMs } from '../../lib/durations.ts';
import { calculate, isWhole } from '../../pages/services/calculation.ts';
import { readOrder } from '../../pages/services/read-order.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn } from '../schema-parts.ts';
import { problemAt } from '../source.ts';
import { deliveryRates, withWarehouses } from '../warehouses.ts';
import type { CheckInput } from './rule.ts';

/** A price above the previous one, or at most a tenth of it, is likely a typo. */
export function* checkTiers({ sources: { rates } }: CheckInput): Iterable<Problem> {
  const roubles = (price: number) => `${(price / 100).toLocaleString('ru')} ₽`;
  for (const source of rates) {
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
export function* checkZeros({ sources: { rates } }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of rates) {
    for (const { path, value } of leavesIn(source.value)) {
      if (path.at(-1) !== 'price' || value !== 0) continue;
      const message = 'Цена 0: за эту работу не возьмут ничего. Впишите цену или сотрите строку.';
      yield problemAt(source, path, message, { warning: true });
    }
  }
}

/** Editors may expect prices to wait for their day, as posts do. */
export function* checkEffective({ sources: { rates, company }, at }: CheckInput): Iterable<Problem> {
  const timeZone = company[0]?.value.workingHours.timeZone ?? 'UTC';
  const today = localTime(at, timeZone).date;
  for (const source of rates) {
    if (source.value.effective <= today) continue;
    const message = 'Этот день ещё не наступил, а цены начнут действовать сразу. Опубликуйте их в этот день.';
    yield problemAt(source, ['effective'], message, { warning: true });
  }
}

/** Days until a departure must be checked again. */
const maxDaysUnchecked = 180;

export function* checkDepartures({ sources: { departures, rates }, at }: CheckInput): Iterable<Problem> {
  const known = new Set(rates.flatMap(({ value }) => value.groups.flatMap(({ rows }) => rows.map(({ id }) => id))));
  const oldest = new Date(at.getTime() - maxDaysUnchecked * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length);
  for (const source of departures) {
    for (const [index, { id, checked }] of source.value.entries()) {
      const missing = Object.values(deliveryRates(id)).filter((rate) => known.size > 0 && !known.has(rate));
      if (missing.length > 0) {
        const rows = missing.map(guillemets).join(' и ');
        const message = `Без цены калькулятор этого склада не предложит. Добавьте в rates.yaml строки с id ${rows}.`;
        yield problemAt(source, [index, 'id'], message, { warning: true });
      }
      if (checked < oldest) {
        const message = `Рейс не сверяли больше ${maxDaysUnchecked} дней. Сверьте его и впишите сегодняшнее число.`;
        yield problemAt(source, [index, 'checked'], message, { warning: true });
      }
    }
  }
}

/** An example may be out of range even though all data is valid. */
export function* checkExample({ sources, problems }: CheckInput): Iterable<Problem> {
  const {
    calculator: [source],
    company: [company],
    rates: [rates],
    departures: [departures],
  } = sources;
  if (problems.length > 0 || !source || !company || !rates || !departures) return;
  const calculator = withWarehouses(source.value, company.value, departures.value, rates.value);
  const { order } = readOrder(calculator, calculator.example);
  if (order && isWhole(calculate(rates.value, calculator, order))) return;
  const message = 'Этот пример не посчитать. Откройте /rates/calc, подберите там заказ с ценой и впишите его значения.';
  yield problemAt(source, ['example'], message);
}
