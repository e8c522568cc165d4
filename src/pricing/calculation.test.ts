import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../loading/content-files.ts';
import type { Calculator, Rate, Rates } from '../model/content.ts';
import { answersByRate, calculationsByRate, calculatorOf } from '../pages/services/calculator-links.ts';
import { waysOf } from '../pages/services/order-ways.tsx';
import { testIf } from '../tests/support/test-if.ts';
import { shownSite } from '../tests/support/test-site.ts';
import { billOf, billText, cheaper, leftOut } from './bill.ts';
import { calculate, type Line, type Order } from './calculation.ts';
import { batchPrice } from './main-prices.ts';
import { type OrderValues, orderFields, orderQuery } from './order-fields.ts';
import { assumptions } from './order-text.ts';
import { loadOf } from './pallet-load.ts';
import { readOrder, readOrExample } from './read-order.ts';
import { termOf } from './term.ts';

const shippedTest = testIf({ shipped: true });

const content = (await shownSite()).content;

/** @param tiers the price by the number of units from which it applies */
function row(id: string, tiers: Record<number, number>, more: Partial<Rate> = {}): Rate {
  const written = Object.entries(tiers).map(([from, price]) => ({ from: Number(from), price }));
  return { id, text: id, unit: 'шт.', tiers: written, ...more };
}

const rows = [
  row('bag', { 1: 1300, 500: 1100 }, { next: { unit: 'следующий литр', price: 80 } }),
  row('label', { 1: 700 }, { minimum: 70_000 }),
  row('sample', { 1: 1400 }),
  row('document', { 1: 120_000, 5: 105_000 }),
  row('fbo', { 1: 1500 }),
  row('trip', { 1: 95_000, 12: 80_000 }),
  row('litre', { 1: 9, 5000: 8 }),
  row('pallet-day', { 1: 5200, 10: 4700 }),
  row('box', { 1: 52_000, 10: 44_000 }, { unit: 'короб', minimum: 150_000 }),
  row('pallet', { 2: 420_000 }, { unit: 'паллета' }),
  row('van', { 1: 650_000 }),
  row('km', { 1: 5500, 31: 5000 }),
];
const rates: Rates = {
  effective: '2026-11-01',
  vat: 'Цены включают НДС 22\u00A0%',
  tax: '',
  batches: [],
  materials: '',
  groups: [{ id: 'all', title: 'Всё', lead: [], rows }],
};

type Operation = Calculator['receiving'][number];
const times = (rate: string, more: Partial<Operation> = {}): Operation => {
  return { rate, of: 'unit', per: 1, times: 1, ...more };
};
const none = { id: 'none', text: 'Нет', operations: [] };

const calculator: Calculator = {
  limits: { units: 10_000, side: 120, weight: 25, days: 365, km: 60 },
  plurals: { короб: ['короб', 'короба', 'коробов'], паллета: ['паллета', 'паллеты', 'паллет'] },
  marketplaces: [{ id: 'wb', text: 'Wildberries' }],
  zone: { from: 'от МКАД', within: 'Внутри МКАД' },
  schemes: [
    { id: 'fbo', text: '', name: 'FBO', delivered: true, packed: false, operations: [times('fbo')] },
    {
      ...{ id: 'fbs', text: '', name: 'FBS', delivered: false, packed: true },
      operations: [times('trip', { of: 'order', times: 26 })],
    },
  ],
  places: {
    box: { text: 'Короба', unit: 'короб', size: [60, 40, 40], weight: 25, fill: 80, most: 100 },
    pallet: { text: 'Паллеты', unit: 'паллета', size: [120, 80, 165], weight: 480, fill: 75, boxes: 16, most: 16 },
  },
  preparation: { units: 5000, days: 4 },
  receiving: [],
  packaging: [none, { id: 'bag', text: 'Пакет', operations: [times('bag')] }],
  marking: [none, { id: 'label', text: 'Этикетка', operations: [times('label'), times('document', { per: 1000 })] }],
  verification: [none, { id: 'sample', text: 'Выборка', operations: [times('sample', { per: 10 })] }],
  storage: {
    free: 7,
    operations: [
      times('litre', { of: 'litre-day', for: 'box' }),
      times('pallet-day', { of: 'place-day', for: 'pallet' }),
    ],
  },
  warehouses: [{ id: 'koledino', text: 'Коледино', marketplaces: ['wb'], rates: { box: 'box', pallet: 'pallet' } }],
  pickup: [
    none,
    {
      ...{ id: 'van', text: 'Фургон', most: { weight: 1500, box: 70, pallet: 3 } },
      operations: [times('van', { of: 'order' }), times('km', { of: 'km' })],
    },
    { ...none, id: 'car', most: { weight: 500, box: 20, pallet: 1 } },
  ],
  example: {},
};

const plain: Order = {
  marketplace: 'wb',
  scheme: 'fbo',
  units: 100,
  size: [200, 100, 50],
  weight: 300,
  packaging: 'none',
  marking: 'none',
  verification: 'none',
  days: 0,
  container: 'box',
  containers: 10,
  warehouse: undefined,
  pickup: 'none',
  km: 0,
};

const of = (about: Partial<Order>) => calculate(rates, calculator, { ...plain, ...about });
const sumOf = (about: Partial<Order>, rate: string) => of(about).lines.find((line) => line.rate === rate)?.sum;

/** The order as a visitor types it. */
function valuesOf(order: Order): OrderValues {
  const [length, width, height] = order.size.map((side) => side / 10);
  const typed = {
    ...{ mp: order.marketplace, scheme: order.scheme, units: order.units, weight: order.weight / 1000 },
    ...{ length, width, height, pack: order.packaging, mark: order.marking, check: order.verification },
    ...{ days: order.days, place: order.container, places: order.containers ?? '', to: order.warehouse ?? '' },
    ...{ pickup: order.pickup, km: order.km },
  };
  return Object.fromEntries(Object.entries(typed).map(([field, value]) => [field, String(value)])) as OrderValues;
}

describe('a calculation', () => {
  test('rounds litres up, and has a different price for each litre after the first', () => {
    const bag = (size: Order['size']) => sumOf({ packaging: 'bag', size }, 'bag');
    expect(bag([200, 100, 50])).toBe(100 * 1300);
    expect(bag([200, 100, 51])).toBe(100 * (1300 + 80));
    expect(bag([200, 160, 100])).toBe(100 * (1300 + 3 * 80));
  });

  test('rounds up when a price is for one of every N units', () => {
    expect(sumOf({ verification: 'sample', units: 101 }, 'sample')).toBe(11 * 1400);
    expect(sumOf({ marking: 'label', units: 4001 }, 'document')).toBe(5 * 105_000);
  });

  test('has no line for an operation that the scheme includes, and multiplies repeated operations', () => {
    const { lines, total } = of({ scheme: 'fbs', packaging: 'bag' });
    expect([lines.map(({ rate }) => rate), total]).toEqual([['trip'], 26 * 80_000]);
  });

  test('counts storage after the free days, and chooses the tier by litres or containers, not by days', () => {
    expect(sumOf({ days: 7 }, 'litre')).toBeUndefined();
    expect(sumOf({ days: 8, units: 4999 }, 'litre')).toBe(4999 * 9);
    expect(sumOf({ days: 107, units: 100 }, 'litre')).toBe(100 * 100 * 9);
    expect(sumOf({ days: 9, units: 5000 }, 'litre')).toBe(5000 * 2 * 8);
    expect(sumOf({ days: 8, container: 'pallet', containers: 10 }, 'pallet-day')).toBe(10 * 4700);
  });

  test('counts an operation for boxes or pallets only in those containers', () => {
    expect([sumOf({ days: 8 }, 'litre') ?? 0, sumOf({ days: 8 }, 'pallet-day')]).toEqual([100 * 9, undefined]);
    const onPallets = { days: 8, container: 'pallet', containers: 2 } as const;
    expect([sumOf(onPallets, 'litre'), sumOf(onPallets, 'pallet-day')]).toEqual([undefined, 2 * 5200]);
  });

  test('repeats an operation for each of every N things that it counts', () => {
    const [per, repeated] = [fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 5 })];
    const counted = { unit: 100, place: 10, order: 1, km: 30, 'litre-day': 100, 'place-day': 10 } as const;
    const counts = fc.constantFrom(...(Object.keys(counted) as (keyof typeof counted)[]));
    fc.assert(
      fc.property(counts, fc.constantFrom('box', 'pallet'), per, repeated, (of, container, per, repeated) => {
        const operations = [times('sample', { of, per, times: repeated, for: container })];
        const asked = { ...plain, container, km: 30, days: 9, verification: 'check' };
        const verification = [{ ...none, id: 'check', operations }];
        const { lines } = calculate(rates, { ...calculator, verification }, asked);
        const line = lines.find(({ rate }) => rate === 'sample') as Line;
        const days = of.endsWith('-day') ? asked.days - calculator.storage.free : 1;
        expect(line.product).toBe(Math.ceil(counted[of] / per) * repeated * days * 1400);
        const { unit } = calculator.places[container];
        if (of === 'place-day') expect(line.factors[0]?.unit).toEqual(per === 1 ? unit : expect.stringMatching(/^по /));
      }),
    );
  });

  test('names the next cheaper tier of a price, in the unit that its tiers count', () => {
    const three = {
      ...rates,
      groups: [
        {
          id: 'all',
          title: '',
          lead: [],
          rows: [...rows.filter(({ id }) => id !== 'fbo'), row('fbo', { 1: 3, 50: 2, 500: 1 })],
        },
      ],
    };
    const larger = (units: number) => calculate(three, calculator, { ...plain, units }).lines[0]?.larger;
    expect([larger(10), larger(50), larger(500)]).toMatchObject([{ from: 50 }, { from: 500 }, undefined]);
    expect(of({ days: 8 }).lines.find(({ rate }) => rate === 'litre')?.larger).toMatchObject({ from: 5000, unit: 'л' });
  });

  test('accepts a unit in any orientation', () => {
    for (const size of [
      [600, 400, 400],
      [400, 600, 400],
      [400, 400, 600],
    ] as const)
      expect([size, of({ size, containers: undefined }).containers?.inOne]).toEqual([size, 1]);
  });

  test('estimates containers by volume and weight, unless the visitor gives their number', () => {
    const containers = (about: Partial<Order>) => of({ containers: undefined, ...about }).containers;
    // A box holds 76.8 of 96 litres: 76 units of one litre.
    expect(containers({ units: 77 })).toEqual({ container: 'box', count: 2, inOne: 76, estimated: true });
    expect(containers({ units: 76 })).toMatchObject({ count: 1 });
    expect(containers({ units: 3, weight: 12_600 })).toMatchObject({ count: 3 });
    // The unit exceeds the usual fill, so a box holds one.
    expect(containers({ units: 5, size: [600, 400, 390] })).toMatchObject({ count: 5 });
    expect(containers({ containers: 7 })).toEqual({ container: 'box', count: 7, inOne: 15, estimated: false });
  });
});

describe('a bill', () => {
  const priced = { ...content, calculator, departures: [] };
  const dated = { effective: '2026-11-01', address: 'https://korob.example/rates/calc?mp=wb&units=100' };
  const textOf = (about: Partial<Order>) => {
    const calculation = of(about);
    return billText({ ...billOf(priced, calculation, termOf(priced, calculation)), ...dated }).split('\n');
  };

  test('has the order, each line with its formula and sum, the total and the date of the prices', () => {
    const about: Partial<Order> = { size: [200, 150, 80], packaging: 'bag', containers: 2, warehouse: 'koledino' };
    expect(textOf(about)).toEqual([
      'Wildberries, FBO, 100 шт., 20×15×8 см, 0,3 кг, 2 короба, Коледино',
      'bag: 1 460 ₽ (100 шт. × (13 ₽ + 2 × 0,80 ₽))',
      'fbo: 1 500 ₽ (100 шт. × 15 ₽)',
      'box: 1 500 ₽ (2 короба × 520 ₽, минимум 1 500 ₽ вместо 1 040 ₽)',
      'Итого: 4 460 ₽, на единицу 44,60 ₽',
      `Цены с 1 ноября 2026 г., ${dated.address}`,
    ]);
    expect(textOf({ days: 366 })).toEqual(
      expect.arrayContaining([
        'Итого: 1 500 ₽ без хранения',
        'Хранение дольше 365 суток. Посчитаем отдельно и назовём цену по телефону.',
      ]),
    );
    expect(textOf({ weight: 26_000, warehouse: 'koledino' }).slice(1, -1)).toEqual([
      'Итого: индивидуально',
      'Единица тяжелее 25 кг. Посчитаем отдельно и назовём день по телефону.',
    ]);
  });

  const line: Line = {
    ...{ rate: 'fbo', text: 'FBO', factors: [{ count: 1000, unit: 'шт.' }], price: 1250 },
    ...{ larger: { from: 2000, unit: 'шт.', price: 1050 }, product: 1_250_000, sum: 1_250_000 },
  };

  test.each<[string | undefined, Partial<Line>]>([
    ['От 2 000 шт. — 10,50 ₽ вместо 12,50 ₽', {}],
    ['От 2 000 шт. первый литр — 10,50 ₽ вместо 12,50 ₽', { next: { count: 2, price: 120 } }],
    ['От 21 короба — 10 ₽ вместо 12,50 ₽', { larger: { from: 21, unit: 'короб', price: 1000 } }],
    [undefined, { larger: undefined }],
    // The minimum charge applies, so larger quantities would not be cheaper.
    [undefined, { sum: 2_000_000 }],
  ])('names the volume from which a unit costs less: %s', (hint, about) => {
    expect(cheaper(calculator, { ...line, ...about })?.replaceAll('\u00A0', ' ')).toBe(hint);
  });

  test('lists its assumptions', () => {
    const notes = (about: Partial<Order>) => assumptions(calculator, of(about)).join(' ').replaceAll('\u00A0', ' ');
    expect(notes({ containers: undefined, units: 10 })).toContain('1 короб: наша оценка по объёму и весу');
    expect(notes({})).not.toContain('наша оценка');
    expect(notes({ scheme: 'fbs' })).toContain('Упаковка входит в цену FBS.');
    expect([notes({}), notes({ days: 1 })].map((said) => said.includes('Первые 7 суток'))).toEqual([false, true]);
    expect(notes({ size: [601, 100, 50] })).toBe('');
  });
});

const shipped = content.calculator;

describe('the rates', () => {
  const idIn = (choices: readonly { id: string }[]) => fc.constantFrom(...choices.map(({ id }) => id));
  const side = fc.integer({ min: 1, max: 1300 });
  const anyOrder: fc.Arbitrary<Order> = fc.record({
    marketplace: idIn(shipped.marketplaces),
    scheme: idIn(shipped.schemes),
    units: fc.oneof(fc.integer({ min: 1, max: 3000 }), fc.integer({ min: 1, max: 10 ** 12 })),
    size: fc.tuple(side, side, side),
    weight: fc.integer({ min: 1, max: 26_000 }),
    packaging: idIn(shipped.packaging),
    marking: idIn(shipped.marking),
    verification: idIn(shipped.verification),
    days: fc.oneof(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 10 ** 12 })),
    container: fc.constantFrom('box', 'pallet'),
    containers: fc.option(fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 10 ** 12 })), {
      nil: undefined,
    }),
    warehouse: fc.option(idIn(shipped.warehouses), { nil: undefined }),
    pickup: idIn(shipped.pickup),
    km: fc.oneof(fc.integer({ min: 0, max: 70 }), fc.integer({ min: 0, max: 10 ** 12 })),
  });

  test('give every order an integer total that is the sum of its lines, and name each exceeded limit', () => {
    const known = new Map(content.rates.groups.flatMap((group) => group.rows.map((one) => [one.id, one])));
    const { limits } = shipped;
    let totals = 0;
    fc.assert(
      fc.property(anyOrder, (order) => {
        const calculation = calculate(content.rates, shipped, order);
        const { lines, beyond, total, perUnit = Number.NaN, containers } = calculation;
        const expected = lines.map(({ rate, factors, next }) => {
          const { tiers, minimum = 0 } = known.get(rate) as Rate;
          // Storage tiers depend on the amount stored, not on days.
          const price = tiers.findLast(({ from }) => from <= (factors[0]?.count ?? 0))?.price ?? Number.NaN;
          const count = factors.reduce((all, factor) => all * factor.count, 1);
          const product = count * (price + (next ? next.count * next.price : 0));
          return { price, product, sum: Math.max(product, minimum) };
        });
        expect(lines.map(({ price, product, sum }) => ({ price, product, sum }))).toEqual(expected);
        expect(new Set(lines.map(({ rate }) => rate)).size).toBe(lines.length);
        const within =
          order.units <= limits.units &&
          Math.max(...order.size) <= limits.side * 10 &&
          order.weight <= limits.weight * 1000 &&
          order.days <= limits.days &&
          (order.km <= limits.km || order.pickup === 'none') &&
          (containers?.count ?? 0) <= shipped.places[order.container].most;
        expect(total ?? 0).toBe(expected.reduce((all, { sum }) => all + sum, 0));
        const term = termOf(content, calculation);
        const bill = billOf(content, calculation, term);
        if (lines.length > 0) expect(bill.without ?? '').toBe(beyond.length > 0 ? leftOut(calculation) : '');
        waysOf(content, calculation, valuesOf(order));
        loadOf(shipped, calculation);
        if (!within || beyond.length > 0)
          return expect([perUnit, term, bill.explanation]).toEqual([NaN, undefined, expect.any(String)]);
        totals += 1;
        expect([total, perUnit].every(Number.isSafeInteger)).toBe(true);
        expect(2 * Math.abs(perUnit * order.units - (total ?? 0))).toBeLessThanOrEqual(order.units);
      }),
      { numRuns: 1000 },
    );
    expect(totals).toBeGreaterThan(10);
  });

  shippedTest('have the price of every title and of every «от … ₽» as that of a batch, or a minimum', () => {
    const rows = content.rates.groups.flatMap((group) => group.rows);
    const known = rows.flatMap((row) => [batchPrice(content.rates, row).price, row.minimum]);
    const titled = [...content.services, ...Object.values(content.pages)].map(({ title, description }) => ({
      place: title,
      prices: `${title} ${description}`.matchAll(/(?<![\d,])(\d[\d\s]*(?:,\d+)?)\s₽/gu),
    }));
    const written = [...readFolder(paths.content)].map(([place, { bytes }]) => ({
      place,
      prices: bytes()
        .toString()
        .matchAll(/(?<!\p{L})от\s(\d[\d\s]*(?:,\d+)?)\s₽/giu),
    }));
    const said = [...titled, ...written].flatMap(({ place, prices }) =>
      [...prices].map(([, price = '']) => ({
        place,
        price: Math.round(Number(price.replace(/\s/g, '').replace(',', '.')) * 100),
      })),
    );
    expect(said.length).toBeGreaterThan(10);
    expect(said.filter(({ price }) => !known.includes(price))).toEqual([]);
  });

  test('give the alternatives with other containers or vehicles the stated price, under a link to that order', () => {
    const kopecks = (price: string) => Math.round(Number(price.replace(/[^\d,]/g, '').replace(',', '.')) * 100);
    const cars = shipped.pickup.filter(({ operations }) => operations.length > 0).map(({ id }) => id);
    let better = 0;
    fc.assert(
      fc.property(anyOrder, (order) => {
        const values = valuesOf(order);
        const { order: read } = readOrder(shipped, values);
        if (read === undefined) return;
        const asked = calculate(content.rates, shipped, read);
        for (const { href, total } of waysOf(content, asked, values)) {
          if (href === undefined) continue;
          better += 1;
          const linked = readOrder(
            shipped,
            Object.fromEntries(new URL(href, 'https://korob.example').searchParams),
          ).order;
          const other = calculate(content.rates, shipped, linked as Order);
          expect([other.total, other.beyond]).toEqual([kopecks(total), []]);
          const { container, containers, pickup, ...same } = read;
          expect(linked).toMatchObject(same);
          const onPallet = container === 'box' && linked?.container === 'pallet' ? shipped.places.pallet.boxes : 1;
          if (containers !== undefined && linked?.containers !== undefined)
            expect(linked.containers).toBeGreaterThanOrEqual(containers / onPallet);
          if (asked.perUnit !== undefined) expect(other.total).toBeLessThan(asked.total ?? 0);
          // The cheapest of all vehicles, if a vehicle was ordered.
          const rivals = cars.includes(read.pickup) ? cars : [];
          const totals = rivals.map((pickup) => calculate(content.rates, shipped, { ...(linked as Order), pickup }));
          const whole = totals.filter(({ beyond }) => beyond.length === 0).flatMap(({ total }) => total ?? []);
          expect(Math.min(...whole, Number.POSITIVE_INFINITY)).toBeGreaterThanOrEqual(other.total ?? 0);
        }
      }),
      { numRuns: 2000 },
    );
    expect(better).toBeGreaterThan(10);
  });

  test('link each row to a calculator with its line, and a service to its first such row', () => {
    const linesAt = (address: string | undefined) => {
      if (address === undefined) return [];
      const { searchParams } = new URL(address, 'https://korob.example');
      const { order } = readOrExample(shipped, Object.fromEntries(searchParams));
      return order ? calculate(content.rates, shipped, order).lines.map(({ rate }) => rate) : [];
    };
    const addresses = calculationsByRate(content);
    expect(addresses.size).toBe(answersByRate(shipped).size);
    expect([...addresses].filter(([rate, address]) => !linesAt(address).includes(rate))).toEqual([]);
    for (const { rates } of content.services) {
      const groups = rates.flatMap((id) => content.rates.groups.find((group) => group.id === id) ?? []);
      const firsts = groups.flatMap(({ rows }) => rows.map(({ id }) => id).find((id) => addresses.has(id)) ?? []);
      expect([rates, linesAt(calculatorOf(content, groups))]).toEqual([rates, expect.arrayContaining(firsts)]);
    }
  });
});

describe('the address of an order', () => {
  const good = {
    ...{ mp: 'wb', scheme: 'fbo', units: '1200', length: '20', width: '15,5', height: '8.0', weight: '0,35' },
    ...{ pack: 'bag', mark: 'barcode', check: 'none', days: '30' },
    ...{ place: 'box', places: '40', to: 'koledino', pickup: 'none', km: '' },
  };
  const read = (about: Record<string, string | undefined> = {}) => readOrder(shipped, { ...good, ...about });
  const errorsOf = (about: Record<string, string | undefined>) => read(about).errors.map(({ field }) => field);

  test('is parsed in millimetres and grams', () => {
    expect(read().order).toEqual({
      marketplace: 'wb',
      scheme: 'fbo',
      units: 1200,
      size: [200, 155, 80],
      weight: 350,
      packaging: 'bag',
      marking: 'barcode',
      verification: 'none',
      days: 30,
      container: 'box',
      containers: 40,
      warehouse: 'koledino',
      pickup: 'none',
      km: 0,
    });
  });

  test.each([
    ...['', '0', '1,500', '9'.repeat(30)].map((units) => ({ units })),
    ...[{ length: '20 кг' }, { weight: '0,0005' }, { days: '-1' }, { places: '40 паллет' }, { to: 'mars' }],
    ...['', '__proto__'].map((pack) => ({ pack })),
    ...[{ mp: undefined }, { scheme: 'dbs' }, { mark: 'x' }, { check: 'x' }, { place: 'bag' }, { pickup: 'x' }],
  ])('has an error at the invalid field, keeps the typed value and gives no order: %j', (about) => {
    const { errors, order, values } = read(about);
    const [field = ''] = Object.keys(about);
    expect(errors).toEqual([{ field, message: expect.stringMatching(/^\p{Lu}[^.]+$/u) }]);
    expect(order).toBeUndefined();
    expect(values).toMatchObject({ ...good, [field]: Object.values(about)[0] ?? '' });
  });

  test('has the first warehouse of the marketplace instead of none, or of one of another, which it reports', () => {
    const own = shipped.warehouses.find(({ marketplaces }) => marketplaces.includes('ozon'))?.id;
    const moved = read({ mp: 'ozon' });
    expect([moved.order?.warehouse, moved.values.to, moved.refused?.id]).toEqual([own, own, good.to]);
    expect(read({ mp: 'ozon', to: '' })).toMatchObject({ values: { to: own }, typed: { to: own }, refused: undefined });
    expect(read({ mp: 'ozon', to: 'tula' })).toMatchObject({ values: { to: 'tula' }, refused: undefined });
    const wb = { ...shipped, warehouses: shipped.warehouses.filter(({ id }) => id === good.to) };
    const message = expect.stringContaining('принимает только Wildberries');
    expect(readOrder(wb, { ...good, mp: 'ozon' }).errors).toEqual([{ field: 'to', message }]);
  });

  test('completes the example with a marketplace that fits the warehouse, and a warehouse that fits the marketplace', () => {
    const filled = (query: Record<string, string>) => readOrExample(shipped, query);
    const { order, refused } = filled({ mp: 'ozon' });
    const own = shipped.warehouses.find(({ id }) => id === order?.warehouse)?.marketplaces;
    expect([order?.marketplace, own?.includes('ozon'), refused]).toEqual(['ozon', true, undefined]);
    for (const { id, marketplaces } of shipped.warehouses) {
      const { order } = filled({ to: id });
      expect([order?.warehouse, marketplaces.includes(order?.marketplace ?? '')]).toEqual([id, true]);
    }
  });

  // The last order within each limit, the first beyond it, and the lines that are left.
  test.each<[string, string[], Partial<Order>, Partial<Order>]>([
    ['В заказе больше 10 000 единиц.', [], { units: 10_000 }, { units: 10_001 }],
    ['Одна сторона длиннее 120 см.', [], { size: [1200, 100, 50], container: 'pallet' }, { size: [1201, 100, 50] }],
    ['Единица тяжелее 25 кг.', [], { weight: 25_000 }, { weight: 25_001 }],
    ['Хранение дольше 365 суток.', ['fbo'], { days: 365 }, { days: 366 }],
    ['В заказе больше 100 коробов.', [], { containers: 100 }, { containers: 101 }],
    [
      'В заказе больше 16 паллет.',
      [],
      { container: 'pallet', containers: 16 },
      { container: 'pallet', containers: 17 },
    ],
    ['Единица больше 60×40×40 см.', [], { size: [600, 400, 400] }, { size: [600, 401, 400] }],
    ['Забор дальше 60 км от МКАД.', ['fbo'], { pickup: 'van', km: 60 }, { pickup: 'van', km: 61 }],
    [
      'Груз тяжелее 1 500 кг, в машину не войдёт.',
      ['fbo'],
      { pickup: 'van', weight: 15_000 },
      { pickup: 'van', weight: 15_001 },
    ],
    ['В машину входит до 70 коробов.', ['fbo'], { pickup: 'van', containers: 70 }, { pickup: 'van', containers: 71 }],
    [
      'В машину входит до 1 паллеты.',
      ['fbo'],
      { pickup: 'car', container: 'pallet', containers: 1 },
      { pickup: 'car', container: 'pallet', containers: 2 },
    ],
    [
      'pallet: меньше 2 паллет.',
      ['fbo'],
      { container: 'pallet', containers: 2, warehouse: 'koledino' },
      { container: 'pallet', containers: 1, warehouse: 'koledino' },
    ],
  ])('gets no price per unit beyond a limit, but gets one at it: %s', (why, left, within, beyond) => {
    expect([of(within).beyond, of(within).perUnit]).toEqual([[], expect.any(Number)]);
    const { perUnit, lines, beyond: reasons } = of(beyond);
    expect([perUnit, lines.map(({ rate }) => rate)]).toEqual([undefined, left]);
    expect(reasons.map((one) => one.why.replaceAll('\u00a0', ' '))).toEqual([why]);
  });

  test('drops the warehouse, packaging and kilometres when they do not apply, and the form keeps them', () => {
    const chosen = { scheme: 'fbs', to: 'tver', pack: 'x', pickup: 'none', km: 'x' };
    const { errors, values, typed, order } = read(chosen);
    expect([errors, order?.km]).toEqual([[], 0]);
    expect(values).toMatchObject({ to: '', pack: 'none', km: '' });
    expect(typed).toMatchObject(chosen);
    expect(read({ km: '10', pickup: 'van' }).order?.km).toBe(10);
  });

  test('must not give fewer containers than the goods need', () => {
    // 1 200 × 2.48 litres need 31 boxes of 96 litres.
    expect(errorsOf({ places: '30' })).toEqual(['places']);
    expect(errorsOf({ places: '31' })).toEqual([]);
    expect(read({ places: '30', weight: '10' }).errors[0]?.message).toContain('не меньше 480\u00A0коробов');
    // Goods beyond a limit are refused for that alone.
    expect(errorsOf({ places: '30', length: '900' })).toEqual([]);
  });

  test('has its errors in the order of the form, and only fills the form in when it has no units', () => {
    const fields = readOrder(shipped, { units: '' }).errors.map(({ field }) => field);
    expect(fields).toEqual(['units', 'weight', 'length', 'width', 'height', 'mp', 'to']);
    expect(readOrder(shipped, {})).toMatchObject({ errors: [], order: undefined, values: { scheme: 'fbo', mp: '' } });
    expect(readOrder(shipped, { pack: 'zip' })).toMatchObject({ errors: [], values: { pack: 'zip' } });
    expect(readOrder(shipped, { pack: 'nothing' }).errors).toHaveLength(1);
  });

  test('is formatted from an order with plain numbers, and parses to the same order', () => {
    expect(orderQuery(read({ units: '1 200' }).values)).toBe(orderQuery(read().values));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 1, max: 1200 }), (units, tenths) => {
        const reading = read({ units: String(units), length: `${Math.floor(tenths / 10)},${tenths % 10}`, places: '' });
        const query = orderQuery(reading.values);
        const again = readOrder(shipped, Object.fromEntries(new URLSearchParams(query)));
        expect([again.order, again.errors, orderQuery(again.values)]).toEqual([reading.order, reading.errors, query]);
      }),
    );
  });

  test('is parsed with any values, and every resulting order can be calculated', () => {
    const some = fc.oneof(fc.string(), fc.constantFrom('1', '10', 'wb', 'fbo', 'bag', 'box'));
    const value = fc.option(some, { nil: undefined });
    fc.assert(
      fc.property(fc.record(Object.fromEntries(orderFields.map((field) => [field, value]))), (query) => {
        const { order } = readOrder(shipped, query);
        if (order) calculate(content.rates, shipped, order);
      }),
    );
  });
});
