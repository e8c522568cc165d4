import { calculate } from '../calculator/calculation.ts';
import { readOrder } from '../calculator/order.ts';
import type { Calculator, Rates } from '../model/content.ts';
import type { Source } from './source.ts';

/**
 * Reports what `calculator.yaml` names that does not exist: rows of the rates, marketplaces, answers that the example
 * gives; and ids that stand twice.
 *
 * @param rates `undefined` if that file is wrong itself
 */
export function checkCalculator(source: Source<Calculator>, rates: Rates | undefined): void {
  const { value: calculator } = source;
  const rows = rates?.groups.flatMap((group) => group.rows.map(({ id }) => id));
  let whole = true;
  const report: Source<unknown>['report'] = (path, expected, found) => {
    whole = false;
    source.report(path, expected, found);
  };
  const known = (path: readonly PropertyKey[], id: string, ids: readonly string[] | undefined, expected: string) => {
    if (ids && !ids.includes(id)) report(path, expected, JSON.stringify(id));
  };
  const rate = (path: readonly PropertyKey[], id: string) => known(path, id, rows, 'the id of a row in rates.yaml');
  const operations = (path: readonly PropertyKey[], all: Calculator['receiving']) => {
    for (const [index, operation] of all.entries()) rate([...path, index, 'rate'], operation.rate);
  };

  operations(['receiving'], calculator.receiving);
  operations(['storage', 'operations'], calculator.storage.operations);
  for (const key of ['schemes', 'packaging', 'marking', 'verification', 'pickup'] as const) {
    for (const [index, choice] of calculator[key].entries()) operations([key, index, 'operations'], choice.operations);
  }
  for (const key of [
    'marketplaces',
    'schemes',
    'packaging',
    'marking',
    'verification',
    'warehouses',
    'pickup',
  ] as const) {
    for (const [index, { id }] of calculator[key].entries()) {
      const first = calculator[key].findIndex((one) => one.id === id);
      if (first < index) report([key, index, 'id'], 'an id of its own', JSON.stringify(id));
    }
  }
  const marketplaces = calculator.marketplaces.map(({ id }) => id);
  for (const [index, warehouse] of calculator.warehouses.entries()) {
    for (const kind of ['box', 'pallet'] as const) rate(['warehouses', index, 'rates', kind], warehouse.rates[kind]);
    for (const [position, id] of warehouse.marketplaces.entries()) {
      known(['warehouses', index, 'marketplaces', position], id, marketplaces, 'the id of a marketplace');
    }
  }
  // What an example means is known once all that it can name exists.
  if (rates === undefined || !whole) return;
  const { errors, order } = readOrder(calculator, calculator.example);
  for (const { field, message } of errors) {
    source.report(['example', field], 'an example that can be counted', message);
  }
  if (order && calculate(rates, calculator, order).total === undefined) {
    source.report(['example'], 'an example within the limits', 'one without a total');
  }
}
