import type { Rates } from '../model/content.ts';
import { type PriceColumn, type PriceLine, priceLines } from '../pricing/rates-csv.ts';
import type { YamlEdit } from './edit-yaml.ts';
import { guillemets, type Problem } from './problem.ts';
import { type ReadLine, textOfCell } from './read-prices-csv.ts';
import type { Path } from './yaml.ts';

/** What a table changes in a list of prices: in words for editors, and as edits of its file. */
export type PriceChange = { words: string; edits: readonly YamlEdit[] };

type Tiers = ReadonlyMap<string, string>;
type Row = { line: PriceLine; tiers: Tiers };

/** The lines of a list as a table that was read has them. */
export function presentLines(rates: Rates): PriceLine[] {
  return priceLines(rates).map((line) => {
    const cells = Object.entries(line).map(([name, cell]) => [name, textOfCell(cell)]);
    return Object.fromEntries(cells) as PriceLine;
  });
}

/** Groups have fields that the table lacks, so it can neither rename nor add one. */
export function* misplacedRows(
  file: string,
  before: readonly PriceLine[],
  lines: readonly ReadLine[],
): Iterable<Problem> {
  const groups = new Map(before.map((line) => [line.id, line.Группа]));
  const titles = new Set(groups.values());
  for (const { line, row } of lines) {
    const own = groups.get(line.id);
    if (own === undefined ? titles.has(line.Группа) : own === line.Группа) continue;
    const remedy =
      own === undefined
        ? `Такой группы в прайс-листе нет. Есть: ${[...titles].map(guillemets).join(', ')}.`
        : `Эта строка из группы ${guillemets(own)}. Верните название; переносят и переименовывают в самом файле тарифов.`;
    yield { file, line: row, field: 'Группа', message: `${guillemets(line.Группа)} не подходит. ${remedy}` };
  }
}

/** In the order of the list, then new rows in the order of the table. */
export function priceChanges(rates: Rates, lines: readonly PriceLine[]): PriceChange[] {
  const [before, after] = [rowsIn(presentLines(rates)), rowsIn(lines)];
  const [wanted] = lines;
  const [present] = before.values();
  if (wanted === undefined || present === undefined) return [];
  const ofList = [
    ...cellChange('', 'Действует с', [present.line, wanted], { path: ['effective'], value: wanted['Действует с'] }),
    ...cellChange('', 'НДС', [present.line, wanted], { path: ['vat'], value: wanted.НДС }),
  ];
  const ofRows = rates.groups.flatMap(({ rows }, group) =>
    rows.flatMap(({ id }, index) => {
      const path = ['groups', group, 'rows', index];
      const [old, next] = [before.get(id), after.get(id)];
      if (old === undefined) return [];
      if (next) return [...fieldChanges(path, old.line, next.line), ...tierChanges(path, old, next)];
      return [{ words: `пропадёт ${id}: ${old.line.Услуга}`, edits: [{ path, value: undefined }] }];
    }),
  );
  return [...ofList, ...ofRows, ...newRows(rates, after)];
}

function rowsIn(lines: readonly PriceLine[]): Map<string, Row> {
  return new Map(
    [...Map.groupBy(lines, ({ id }) => id)].flatMap(([id, [line, ...others]]): [string, Row][] => {
      if (line === undefined) return [];
      const tiers = [line, ...others].map((one): [string, string] => [one.От, one['Цена, ₽']]);
      return [[id, { line, tiers: new Map(tiers.sort(([a], [b]) => Number(a) - Number(b))) }]];
    }),
  );
}

function cellChange(
  id: string,
  name: PriceColumn,
  [old, next]: [PriceLine, PriceLine],
  edit?: YamlEdit,
): PriceChange[] {
  if (old[name] === next[name]) return [];
  const words = `${id && `${id}, `}${name}: ${old[name] || 'нет'} → ${next[name] || 'нет'}`;
  return [{ words, edits: edit ? [edit] : [] }];
}

function fieldChanges(path: Path, old: PriceLine, next: PriceLine): PriceChange[] {
  const change = (name: PriceColumn, field: Path, value: unknown) =>
    cellChange(next.id, name, [old, next], { path: [...path, ...field], value });
  const both = old['Следующая единица'] !== '' && next['Следующая единица'] !== '';
  return [
    ...change('Услуга', ['text'], next.Услуга),
    ...change('Единица', ['unit'], next.Единица),
    ...(both
      ? change('Следующая единица', ['next', 'unit'], next['Следующая единица'])
      : change('Следующая единица', ['next'], nextOf(next))),
    ...(both
      ? change('Цена следующей, ₽', ['next', 'price'], numberOf(next['Цена следующей, ₽']))
      : cellChange(next.id, 'Цена следующей, ₽', [old, next])),
    ...change('Минимум, ₽', ['minimum'], numberOf(next['Минимум, ₽'])),
  ];
}

function tierChanges(path: Path, old: Row, next: Row): PriceChange[] {
  const { id } = next.line;
  const isSameSteps = [...old.tiers.keys()].join() === [...next.tiers.keys()].join();
  const steps = [...new Set([...old.tiers.keys(), ...next.tiers.keys()])].sort((a, b) => Number(a) - Number(b));
  const changes = steps.flatMap((from, index): PriceChange[] => {
    const [price, wanted] = [old.tiers.get(from), next.tiers.get(from)];
    if (price === wanted) return [];
    const edit = { path: [...path, 'tiers', index, 'price'], value: numberOf(wanted) };
    const words = `${id} от ${from}: ${price ?? 'нет'} → ${wanted === undefined ? 'нет' : `${wanted} ₽`}`;
    return [{ words, edits: isSameSteps ? [edit] : [] }];
  });
  const whole = { path: [...path, 'tiers'], value: tiersOf(next) };
  return changes.map((change, index) => (isSameSteps || index > 0 ? change : { ...change, edits: [whole] }));
}

function newRows(rates: Rates, after: ReadonlyMap<string, Row>): PriceChange[] {
  const places = new Map(
    rates.groups.flatMap(({ rows }, group) => rows.map(({ id }, index) => [id, { group, index }] as const)),
  );
  const groups = new Map(presentLines(rates).map((line) => [line.Группа, places.get(line.id)?.group]));
  /** Of each group, the last row so far that the list has. */
  const last = new Map<number, number>();
  return [...after].flatMap(([id, row]): PriceChange[] => {
    const place = places.get(id);
    if (place) last.set(place.group, place.index);
    const group = place ? undefined : groups.get(row.line.Группа);
    if (group === undefined) return [];
    const { Услуга: text, Единица: unit } = row.line;
    const value = {
      id,
      text,
      unit,
      tiers: tiersOf(row),
      next: nextOf(row.line),
      minimum: numberOf(row.line['Минимум, ₽']),
    };
    const path = ['groups', group, 'rows', (last.get(group) ?? -1) + 1];
    const prices = [...row.tiers].map(([from, price]) => `от ${from} ${price} ₽`);
    return [{ words: `новая ${id}: ${text}, ${prices.join(', ')}`, edits: [{ path, value, insert: true }] }];
  });
}

function tiersOf({ tiers }: Row) {
  return [...tiers].map(([from, price]) => ({ from: Number(from), price: numberOf(price) }));
}

function nextOf(line: PriceLine) {
  const unit = line['Следующая единица'];
  return unit === '' ? undefined : { unit, price: numberOf(line['Цена следующей, ₽']) };
}

/** `12,50` -> 12.5 */
function numberOf(price = ''): number | undefined {
  return price === '' ? undefined : Number(price.replace(',', '.'));
}
