import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { daysAfter, localTime } from '../../lib/calendar.ts';
import { formatDate, formatPrice } from '../../lib/format.ts';
import type { Rate } from '../../model/content.ts';
import { startOfDay } from '../../model/working-hours.ts';
import { billOf } from '../../pricing/bill.ts';
import { calculate, type Order } from '../../pricing/calculation.ts';
import { orderFields } from '../../pricing/order-fields.ts';
import { ratesCsv } from '../../pricing/rates-csv.ts';
import { readOrder } from '../../pricing/read-order.ts';
import { termOf } from '../../pricing/term.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { builtAt } from '../../tests/support/built.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { contentWith, doubledPrices } from '../../tests/support/sample-content.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { filledForm, shownSite, startTestSite } from '../../tests/support/test-site.ts';
import { calculationsByRate } from './calculator-links.ts';
import { waysOf } from './order-ways.tsx';
import { PriceTable } from './price-table.tsx';

const shippedTest = testIf({ shipped: true });

const site = await startTestSite();
const { content } = site.served;

const order = {
  ...{ mp: 'wb', scheme: 'fbo', units: '1200', length: '20', width: '15', height: '8', weight: '0,4' },
  ...{ pack: 'bag', mark: 'barcode', check: 'none', days: '', place: 'box', places: '40', to: 'koledino' },
  ...{ pickup: 'none', km: '' },
};
const queryOf = (about: object = {}) => new URLSearchParams({ ...order, ...about }).toString();
const pageAt = async (path: string) => parseHtml((await site.request(path)).text);
const mainAt = async (path: string) => one(await pageAt(path), 'main');
const calculated = (about: object = {}) => mainAt(`/rates/calc?${queryOf(about)}`);
const headingOf = (main: Element) => textOf(one(main, 'h2#result-heading'));
const totals = (element: Element) => all(one(element, 'dl.bill-total'), 'dd').map(textOf);
const cells = (element: Element) => all(element, 'table.bill td').map(textOf);
const hrefs = (element: Element) => all(element, 'a').map(({ attrs }) => attrs.href ?? '');

describe('the calculator', () => {
  test('shows an example without a query, and has a label for every field', async () => {
    const main = await mainAt('/rates/calc');
    const form = one(main, 'form');
    expect([...new Set(all(form, '[name]').map(({ attrs }) => attrs.name))]).toEqual([...orderFields]);
    for (const { attrs } of all(form, 'input[type="text"], select'))
      expect(all(form, `label[for="${attrs.id}"]`)).toHaveLength(1);
    expect(headingOf(main)).toBe('Пример расчёта');
    expect(hrefs(main).filter((href) => href.includes('calc='))).toEqual([]);
    const asked = await mainAt(`${form.attrs.action}?${formData(form)}`);
    expect([headingOf(asked), totals(asked)]).toEqual(['Ваш расчёт', totals(main)]);
  });

  test('says once, in words, why it has no price, and promises nothing', async () => {
    const main = await calculated({ height: '150' });
    const why = 'Одна сторона длиннее 120 см. Посчитаем отдельно и назовём день по телефону.';
    expect(all(main, '.calc-result p').map(textOf)[0]).toBe(why);
    expect(textOf(main).split('индивидуально')).toHaveLength(3);
    expect(all(main, '.bill-term, .term-strip, .calc-result details, .calc-notes li')).toEqual([]);
  });

  test('keeps the answers that do not apply to a scheme for the next one', async () => {
    const chosen = { scheme: 'fbs', to: 'podolsk', pack: 'bag' };
    const form = formData(one(await calculated(chosen), 'form'));
    expect(Object.fromEntries(form)).toMatchObject(chosen);
    form.set('scheme', 'fbo');
    const back = await mainAt(`/rates/calc?${new URLSearchParams([...form] as [string, string][])}`);
    expect([totals(back), hrefs(back)]).toEqual([
      totals(await calculated({ ...chosen, scheme: 'fbo' })),
      expect.arrayContaining([expect.stringContaining('to%3Dpodolsk')]),
    ]);
  });

  test('names what the sum leaves out, the reason, and cheaper alternatives', async () => {
    const asked = { places: '', units: '3000', pickup: 'shared' };
    const main = await calculated(asked);
    const { order: read, values } = readOrder(content.calculator, { ...order, ...asked });
    if (read === undefined) throw new Error('This is no order.');
    const calculation = calculate(content.rates, content.calculator, read);
    const { total, without = '', explanation = '' } = billOf(content, calculation, termOf(content, calculation));
    expect(without).toMatch(/^без\u00a0забора$/);
    expect(totals(main)).toEqual([textOf(`${total} ${without}`)]);
    expect(all(main, '.calc-result p').map(textOf)).toContain(textOf(explanation));
    const ways = waysOf(content, calculation, values);
    expect(ways.length).toBeGreaterThan(1);
    expect(hrefs(one(main, 'ul.ways'))).toEqual(ways.flatMap(({ href }) => href ?? []));
    expect(all(main, 'ul.ways b').map(textOf)).toEqual(ways.map((way) => textOf(way.total)));
    expect(all(await calculated({ weight: '26' }), 'ul.ways, figure.load')).toEqual([]);
  });

  test.each([
    // Of 6 litres and 1 kg; a box has 12.
    [{ units: 12 * 36 }, '432 шт. → 36 коробов → 3 паллеты', [16, 16, 4]],
    [{ units: 12 * 3, place: 'pallet', places: '2' }, '36 шт. → 3 короба → 2 паллеты', [2, 1]],
    [{ units: 12 * 16 * 13 }, '2 496 шт. → 208 коробов → 13 паллет, нарисованы первые 12', Array(12).fill(16)],
  ])('draws the boxes of an order, 16 on a pallet: %j', async (about, caption, cartons) => {
    const goods = { places: '', height: '20', weight: '1' };
    const main = await calculated({ ...goods, ...about, units: String(about.units) });
    const figure = one(main, 'figure.load');
    expect(textOf(one(figure, 'figcaption'))).toBe(caption);
    const used = all(figure, 'svg > use').map(({ attrs }) => attrs.href);
    const counts = used
      .join(' ')
      .split('#boards')
      .slice(1)
      .map((pallet) => 4 * pallet.split('#layer').length + pallet.split('#carton').length - 5);
    expect(counts).toEqual(cartons.toReversed());
  });

  test('unfolds the fields that have an error', async () => {
    const unfolded = async (about: Record<string, string>) =>
      all(await calculated(about), '.calc-form details').map(({ attrs }) => 'open' in attrs);
    expect(await unfolded({})).toEqual([false, false]);
    expect(await unfolded({ days: 'x' })).toEqual([true, false]);
    expect(await unfolded({ places: 'x' })).toEqual([false, true]);
  });

  test('replaces the warehouse with one of the chosen marketplace, and explains the change', async () => {
    const main = await calculated({ mp: 'ozon' });
    const own = content.calculator.warehouses.find(({ marketplaces }) => marketplaces.includes('ozon'));
    expect(formData(one(main, 'form')).get('to')).toBe(own?.id);
    expect(textOf(main)).toContain(`принимает только Wildberries, поэтому посчитали до склада ${own?.text}`);
  });

  test('responds with the bill, its assumptions and the next departure, and keeps the typed values', async () => {
    const document = await pageAt(`/rates/calc?${queryOf({ places: '' })}`);
    const asked = readOrder(content.calculator, { ...order, places: '' }).order;
    if (asked === undefined) throw new Error('This is no order.');
    const calculation = calculate(content.rates, content.calculator, asked);
    const bill = billOf(content, calculation, termOf(content, calculation));
    const rows = bill.rows.map(({ text, formula, hint = '', sum }) => textOf(text + formula + hint + sum));
    expect(all(document, 'table.bill tbody tr').map(textOf)).toEqual(rows);
    const [total, unit] = totals(document);
    expect([total, unit]).toEqual([bill.total, bill.perUnit].map((price) => textOf(price ?? '')));
    expect(textOf(one(document, 'p.calc-sum'))).toBe(`Итого ${total}, ${unit} за единицу`);
    expect(textOf(one(document, 'table.bill caption'))).toContain(textOf(formatDate(content.rates.effective)));
    expect(textOf(one(document, 'p.bill-term'))).toBe(textOf(bill.term ?? ''));
    expect(Object.fromEntries(formData(one(document, 'form.calc-form')))).toEqual({ ...order, places: '' });
    expect(all(await calculated({ scheme: 'fbs', to: '' }), 'p.bill-term')).toEqual([]);
  });

  test('shows the form with the errors and typed values, and no sum, when the query is invalid', async () => {
    const document = await pageAt(`/rates/calc?${queryOf({ units: '<b>', to: 'tver' })}`);
    expect(textOf(one(document, 'title'))).toMatch(/^Ошибка: /);
    expect(hrefs(one(document, 'div[role="alert"]'))).toEqual(['#field-units', '#field-to']);
    expect(one(document, 'input#field-units').attrs).toMatchObject({ value: '<b>', 'aria-invalid': 'true' });
    expect(all(document, 'table, dl.bill-total')).toEqual([]);
  });

  test('shows the same bill as the example on home that links to it', async () => {
    const home = await mainAt('/');
    const { units } = content.calculator.example;
    const page = await mainAt(hrefs(home).find((href) => href.startsWith(`/rates/calc?units=${units}&`)) ?? '');
    const [shared, own] = all(home, 'tbody').map((part) => all(part, 'td').map(textOf));
    expect([...(shared ?? []), ...(own ?? [])]).toEqual([...cells(page), totals(page)[0]]);
  });
});

test('the request form receives a calculation as a query and shows the same bill, also after an error', async () => {
  const page = await calculated();
  const main = await mainAt(hrefs(page).find((href) => /^\/contact\?preset=[\w-]+&calc=/.test(href)) ?? '');
  const calc = formData(one(main, 'form')).get('calc') ?? '';
  const again = one(parseHtml((await site.post({ ...filledForm, phone: '1', calc })).text), 'main');
  expect(formData(one(again, 'form')).get('calc')).toBe(calc);
  for (const shown of [main, again]) expect([totals(shown), cells(shown)]).toEqual([totals(page), cells(page)]);
});

test('a calculation has the prices of its day, and a lead keeps its sum and their day after they change', async () => {
  const { timeZone } = content.company.workingHours;
  const day = daysAfter(localTime(builtAt, timeZone).date, 40);
  const midnight = startOfDay(day, timeZone).getTime();
  const files = contentWith({ 'prices.csv': (text) => text + doubledPrices(day) });
  const calc = queryOf({ to: '', scheme: 'fbs' });
  const shownAt = async (now: number, leads = site.services.leads) => {
    const { request, post } = await startTestSite({ site: await shownSite({ files, at: new Date(now) }), leads });
    const mainOf = async (path: string) => one(parseHtml((await request(path)).text), 'main');
    const receiptOf = (path: string) => atMoment(now, () => mainOf(path));
    const result = one(await mainOf(`/rates/calc?${calc}`), 'section#result');
    return { post, receiptOf, sum: totals(result)[0], caption: textOf(one(result, 'caption')) };
  };
  const eve = await shownAt(midnight - 1);
  const morning = await shownAt(midnight);
  const send = async ({ post }: typeof eve) => (await post({ ...filledForm, calc })).headers.location ?? '';
  const [early, late] = [await send(eve), await send(morning)];
  expect(eve.sum).not.toBe(morning.sum);
  for (const [receipt, { sum, caption }, since] of [
    [await morning.receiptOf(early), eve, content.rates.effective],
    [await morning.receiptOf(late), morning, day],
  ] as const) {
    const date = textOf(formatDate(since));
    expect(caption).toContain(date);
    expect([totals(receipt)[0], textOf(one(receipt, 'caption'))]).toEqual([
      sum,
      expect.stringContaining(`Цены с ${date}`),
    ]);
  }
});

test('the rates page links to the price list for spreadsheets, whose file name has a date', async () => {
  const [link = ''] = hrefs(await mainAt('/rates')).filter((href) => href.endsWith('.csv'));
  const { status, headers, text } = await site.request(link);
  expect([status, headers['content-type'], text]).toEqual([
    200,
    'text/csv; charset=utf-8',
    ratesCsv(content.rates, content.prices),
  ]);
  expect(headers['content-disposition']).toContain(`filename="tarify-${content.rates.effective}.csv"`);
});

test('a price row has the operation, its note, the price of each tier and of what follows, and the minimum', () => {
  const tiers = [
    { from: 1, price: 1300 },
    { from: 500, price: 1150 },
  ];
  const more = { note: 'До 5 кг', next: { unit: 'следующий литр', price: 80 }, minimum: 50_000 };
  const bag: Rate = { id: 'package-bag', text: 'Пакет', unit: 'шт.', tiers, ...more };
  const table = <PriceTable group={{ id: 'package', title: 'Упаковка', lead: [], rows: [bag] }} />;
  expect(all(parseHtml(renderToStaticMarkup(table)), 'th, td').map(textOf)).toEqual([
    'ПакетДо 5 кг, следующий литр: + 0,80 ₽, минимум 500 ₽',
    '13 ₽/шт.',
    'от 500 — 11,50 ₽',
  ]);
});

describe('the form for the density of cargo', () => {
  const { rows = [] } = content.rates.groups.find(({ id }) => id === 'cargo') ?? {};
  const [row] = rows.filter(({ density }) => density?.by === 'weight');

  shippedTest('is answered with the price of the consignment, and marks its row and tier', async () => {
    const { density: { from = 0 } = {}, tiers, text } = row as Rate;
    const last = tiers.at(-1) as Rate['tiers'][number];
    const plain = await mainAt('/cargo');
    expect(all(plain, 'tr[aria-current]')).toEqual([]);
    // In the last tier, with a comma.
    const volume = Math.ceil(last.from / Math.max(from, 1)) + 0.5;
    const weight = Math.ceil(volume * from);
    const main = await mainAt(`/cargo?weight=${weight}&volume=${String(volume).replace('.', ',')}`);
    const answer = textOf(one(main, '.density > p:last-child'));
    expect(answer).toContain(`${textOf(text)}: ${textOf(formatPrice(last.price))} за`);
    expect(answer).toContain(`вся партия ${textOf(formatPrice(last.price * weight))}`);
    expect(all(main, 'tr[aria-current]')).toHaveLength(1);
    expect(textOf(one(main, 'td[aria-current]'))).toBe(textOf(formatPrice(last.price)));
  });

  shippedTest('keeps what was typed, and names each mistake', async () => {
    const page = await pageAt('/cargo?weight=0&volume=three');
    expect(textOf(one(page, 'title'))).toMatch(/^Ошибка: /);
    expect(hrefs(one(page, '.error-summary'))).toEqual(['#field-weight', '#field-volume']);
    expect(Object.fromEntries(formData(one(page, 'form.density')))).toEqual({ weight: '0', volume: 'three' });
    expect(all(page, 'tr[aria-current]')).toEqual([]);
  });
});

describe('the rates page', () => {
  const { calculator, rates } = content;
  const rows = rates.groups.flatMap((group) => group.rows);

  test('has every price, each tier in a cell, and a link to the calculator filled in with the row', async () => {
    const main = await mainAt('/rates');
    const known = calculationsByRate(content);
    const shown = all(main, '.prices tr');
    expect(shown).toHaveLength(rows.length);
    for (const [index, row] of shown.entries()) {
      const { id, tiers } = rows[index] as Rate;
      const written = all(row, 'td').map((cell) => /([\d ,]+) ₽/.exec(textOf(cell))?.[1]?.trim());
      expect([id, written]).toEqual([id, tiers.map(({ price }) => textOf(formatPrice(price)).replace(' ₽', ''))]);
      expect([id, hrefs(row)]).toEqual([id, known.has(id) ? [known.get(id)] : []]);
    }
  });

  test('starts with the price per unit of the example in several volumes', async () => {
    const figure = one(await mainAt('/rates'), 'figure.ladder');
    const shown = hrefs(figure).map((href) => {
      const { order } = readOrder(calculator, Object.fromEntries(new URL(href, 'https://korob.example').searchParams));
      return calculate(rates, calculator, order as Order);
    });
    expect(shown.map(({ order }) => order.units)).toEqual([100, 1000, 5000, 10_000]);
    const prices = shown.map(({ perUnit = Number.NaN }) => perUnit);
    expect(all(figure, 'a').map(textOf)).toEqual(prices.map((price) => textOf(formatPrice(price))));
  });
});
