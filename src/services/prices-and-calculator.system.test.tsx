import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { formatDate } from '../design/format.ts';
import type { Rate } from '../model/content.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { filledForm, startTestSite } from '../testing/test-site.ts';
import { billOf } from './bill.ts';
import { calculate } from './calculation.ts';
import { calculatorWith, orderFields, readOrder } from './order.ts';
import { PriceTable } from './price-table.tsx';
import { ratesCsv } from './rates-csv.ts';

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
  test('shows an example without a query, and asks for everything with a label', async () => {
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

  test('fills into the example what an address says, or nothing if the two do not go together', async () => {
    const shrunk = await mainAt('/rates/calc?pack=shrink');
    expect([formData(one(shrunk, 'form')).get('pack'), headingOf(shrunk)]).toEqual(['shrink', 'Пример расчёта']);
    const elsewhere = await mainAt('/rates/calc?mp=ozon');
    expect(Object.fromEntries(formData(one(elsewhere, 'form')))).toMatchObject({ mp: 'ozon', to: '', units: '' });
    expect(all(elsewhere, 'table, div[role="alert"]')).toEqual([]);
  });

  test('answers with the bill, what it took for granted and the next departure, and keeps what was asked', async () => {
    const document = await pageAt(`/rates/calc?${queryOf({ places: '' })}`);
    const asked = readOrder(content.calculator, { ...order, places: '' }).order;
    if (asked === undefined) throw new Error('This is no order.');
    const bill = billOf(content, calculate(content.rates, content.calculator, asked));
    const rows = bill.rows.map(({ text, formula, hint = '', sum }) => textOf(text + formula + hint + sum));
    expect(all(document, 'table.bill tbody tr').map(textOf)).toEqual(rows);
    const [total, unit] = totals(document);
    expect([total, unit]).toEqual([bill.total, bill.perUnit].map((price) => textOf(price ?? '')));
    expect(textOf(one(document, 'p.calc-sum'))).toBe(`Итого ${total}, ${unit} за единицу`);
    expect(textOf(one(document, 'table.bill caption'))).toContain(textOf(formatDate(content.rates.effective)));
    expect(textOf(one(document, 'ul.calc-notes'))).toContain('наша оценка');
    expect(textOf(one(document, 'p.bill-term'))).toBe(textOf(bill.term ?? ''));
    expect(Object.fromEntries(formData(one(document, 'form.calc-form')))).toEqual({ ...order, places: '' });
    expect(all(await calculated({ scheme: 'fbs', to: '' }), 'p.bill-term')).toEqual([]);
  });

  test('shows the form again for what it cannot read: what is wrong, what was written, and no sum', async () => {
    const document = await pageAt(`/rates/calc?${queryOf({ units: '<b>', to: 'tver' })}`);
    expect(textOf(one(document, 'title'))).toMatch(/^Ошибка: /);
    expect(hrefs(one(document, 'div[role="alert"]'))).toEqual(['#field-units', '#field-to']);
    expect(one(document, 'input#field-units').attrs).toMatchObject({ value: '<b>', 'aria-invalid': 'true' });
    expect(all(document, 'table, dl.bill-total')).toEqual([]);
  });

  test('is led to from the rates, the map and the services that it counts', async () => {
    for (const path of ['/rates', '/map']) expect(hrefs(await mainAt(path))).toContain('/rates/calc');
    for (const { to, rates } of content.services) {
      const rows = content.rates.groups.flatMap((group) => (rates.includes(group.id) ? group.rows : []));
      const ids = rows.map(({ id }) => id);
      const leads = hrefs(await mainAt(to)).some((href) => href.startsWith('/rates/calc'));
      expect([to, leads]).toEqual([to, calculatorWith(content.calculator, ids) !== undefined]);
    }
  });

  test('says the same as the example of the home page, which leads to it', async () => {
    const home = await mainAt('/');
    const example = one(home, 'div.hero-bill');
    const page = await mainAt(hrefs(home).find((href) => href.startsWith('/rates/calc?')) ?? '');
    expect([totals(page), cells(page)]).toEqual([totals(example), cells(example)]);
  });
});

test('a calculation goes to the manager as a query, which the form calculates again, also with errors', async () => {
  const page = await calculated();
  const main = await mainAt(hrefs(page).find((href) => /^\/contact\?preset=[\w-]+&calc=/.test(href)) ?? '');
  const calc = formData(one(main, 'form')).get('calc') ?? '';
  const again = one(parseHtml((await site.post({ ...filledForm, phone: '1', calc })).text), 'main');
  expect(formData(one(again, 'form')).get('calc')).toBe(calc);
  for (const shown of [main, again]) expect([totals(shown), cells(shown)]).toEqual([totals(page), cells(page)]);
});

test('the price list for spreadsheets has a dated name, and stands on the page of the rates', async () => {
  const [link = ''] = hrefs(await mainAt('/rates')).filter((href) => href.endsWith('.csv'));
  const { status, headers, text } = await site.request(link);
  expect([status, headers['content-type'], text]).toEqual([200, 'text/csv; charset=utf-8', ratesCsv(content.rates)]);
  expect(headers['content-disposition']).toContain(`filename="tarify-${content.rates.effective}.csv"`);
});

test('a row of prices can be linked to, and says what is done, for which unit, and what from which volume', () => {
  const tiers = [
    { from: 1, price: 1300 },
    { from: 500, price: 1150 },
  ];
  const bag: Rate = { id: 'package-bag', text: 'Пакет', unit: 'шт.', tiers };
  const more = { note: 'До 5 кг', next: { unit: 'следующий литр', price: 80 }, minimum: 50_000 };
  const group = { id: 'package', title: 'Упаковка', lead: [], rows: [bag, { ...bag, ...more, id: 'package-more' }] };
  const table = parseHtml(renderToStaticMarkup(<PriceTable group={group} />));
  const cellsOf = (id: string) => all(one(table, `tr#${id}`), 'th, td').map(textOf);
  const prices = ['шт.', 'от 1 13 ₽', 'от 500 11,50 ₽'];
  expect(cellsOf('package-bag')).toEqual(['Пакет', ...prices]);
  expect(cellsOf('package-more')).toEqual(['ПакетДо 5 кгследующий литр: + 0,80 ₽минимум 500 ₽', ...prices]);
});
