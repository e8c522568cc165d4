import { weekdays } from '../lib/calendar.ts';
import type { Calculator, Company, Departure, Rates } from '../model/content.ts';
import { calculate } from '../services/calculation.ts';
import { readOrder } from '../services/order.ts';
import { guillemets, type Problem } from './problem.ts';
import type { Source } from './source.ts';
import type { Sources } from './sources.ts';

/** Reports what in prices, departures and the calculator does not fit together. @param problems those found so far */
export function checkPrices(
  { company: [company], rates: [rates], calculator: [calculator], departures: [departures] }: Sources,
  problems: readonly Problem[],
): void {
  if (departures) checkDepartures(departures, company?.value, rates && rateIds(rates.value));
  if (calculator && rates && departures) checkExample(calculator, rates.value, departures, problems);
  if (rates) checkTiers(rates);
}

/** Reports an example that the calculator cannot count, once all that it may name is right. */
function checkExample(
  { file, value, report }: Source<Omit<Calculator, 'warehouses'>>,
  rates: Rates,
  departures: Source<readonly Departure[]>,
  problems: readonly Problem[],
): void {
  if (problems.some((problem) => !problem.warning && [file, departures.file].includes(problem.file))) return;
  const calculator = withWarehouses(value, departures.value, rateIds(rates));
  const { errors, order } = readOrder(calculator, calculator.example);
  for (const { field, message } of errors) report(['example', field], `Этот пример не посчитать. ${message}.`);
  if (order && calculate(rates, calculator, order).total === undefined) {
    report(['example'], 'Цена этого примера выходит «индивидуально». Возьмите партию поменьше, в пределах limits.');
  }
}

/** Where goods can be sent at a known price: two rows of the rates say by their id to which warehouse they belong. */
export function withWarehouses(
  calculator: Omit<Calculator, 'warehouses'>,
  departures: readonly Departure[],
  rates: ReadonlySet<string>,
): Calculator {
  const warehouses = departures.flatMap(({ id, warehouse, marketplaces: names }) => {
    const marketplaces = calculator.marketplaces.filter(({ text }) => names.some((name) => name === text));
    const { box, pallet } = deliveryRates(id);
    if (marketplaces.length === 0 || !rates.has(box) || !rates.has(pallet)) return [];
    return [{ id, text: warehouse, marketplaces: marketplaces.map((one) => one.id), rates: { box, pallet } }];
  });
  return { ...calculator, warehouses };
}

const deliveryRates = (warehouse: string) => ({ box: `${warehouse}-box`, pallet: `${warehouse}-pallet` });

export const rateIds = ({ groups }: Rates) => new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));

function checkDepartures(
  { value: departures, report }: Source<readonly Departure[]>,
  company: Company | undefined,
  rates: ReadonlySet<string> | undefined,
): void {
  const week = company?.workingHours.week;
  departures.forEach(({ id, days, handOver: { until } }, index) => {
    const missing = Object.values(deliveryRates(id)).filter((rate) => rates?.has(rate) === false);
    const rows = missing.map(guillemets).join(' и ');
    if (missing.length > 1) report([index, 'id'], `Цены этого рейса нет. Добавьте в rates.yaml строки с id ${rows}.`);
    else if (missing.length > 0) {
      const message = `В rates.yaml нет строки с id ${rows}, а без неё калькулятор этого склада не предложит.`;
      report([index, 'id'], `${message} Добавьте её, если возите и так.`, { warning: true });
    }
    days.forEach((day, position) => {
      if (week?.[day] !== null) return;
      report(
        [index, 'days', position],
        `${guillemets(weekdays[day])} по company.yaml (workingHours) выходной. Выберите рабочий день.`,
      );
    });
    if (week?.every((shift) => shift === null || until <= shift[0] || until > shift[1])) {
      const message = `В ${until} склад закрыт во все дни: смотрите workingHours в company.yaml. Выберите рабочее время.`;
      report([index, 'handOver', 'until'], message);
    }
  });
}

/** Warns of the first price of each row that is above the one before it, or at most a tenth of it. */
function checkTiers({ value: { groups }, report }: Source<Rates>): void {
  const roubles = (price: number) => `${(price / 100).toLocaleString('ru')} ₽`;
  for (const [group, { rows }] of groups.entries()) {
    for (const [row, { tiers }] of rows.entries()) {
      const prices = tiers.map(({ price }) => price);
      for (const [tier, price] of prices.entries()) {
        const before = prices[tier - 1] ?? price;
        if (price === before || (price < before && price * 10 > before)) continue;
        const how = price > before ? 'выше' : 'во много раз ниже';
        const message = `Цена ${roubles(price)} ${how} предыдущей, ${roubles(before)}. Проверьте обе, и на месте ли точка.`;
        report(['groups', group, 'rows', row, 'tiers', tier, 'price'], message, { warning: true });
        break;
      }
    }
  }
}
