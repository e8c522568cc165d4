import { beforeEach, describe, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { formatDate, formatPrice } from '../design/format.ts';
import { generalPreset } from '../model/schema.ts';
import { siteUrl } from '../testing/built.ts';
import { rateOf } from '../testing/content.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { filledForm, startTestSite, type TestSite } from '../testing/test-site.ts';
import { billText } from './bill.ts';
import { calculatorWith, orderFields } from './order.ts';

const base = await startTestSite();
const { content } = base.services.site;
let site: TestSite;

const order = {
  ...{ mp: 'wb', scheme: 'fbo', units: '1200', length: '20', width: '15', height: '8', weight: '0,4' },
  ...{ pack: 'bag', mark: 'label', check: 'none', days: '', place: 'box', places: '40', to: 'koledino' },
  ...{ mark: 'barcode', pickup: 'none', km: '' },
};
const queryOf = (about: object = {}) => new URLSearchParams({ ...order, ...about }).toString();
const pageOf = async (about: object = {}) => parseHtml((await base.request(`/rates/calc?${queryOf(about)}`)).text);
const plain = (text: string) => text.replaceAll('\u00a0', ' ');
const warehouse = () => content.calculator.warehouses.find(({ id }) => id === order.to)?.text;
const since = () => plain(formatDate(content.rates.effective));
const roubles = (kopecks: number) => plain(formatPrice(kopecks));
const totals = (element: Element) => all(one(element, 'dl.bill-total'), 'dd').map(textOf);
const sums = (element: Element) => textOf(element).match(/[\d ]+(,\d+)? ₽/g) ?? [];

describe('the calculator', () => {
  test('is prerendered without a query, as an example that is marked, and asks for everything with a label', async () => {
    expect(base.served.paths).toContain('/rates/calc');
    const main = one(parseHtml((await base.request('/rates/calc')).text), 'main');
    const form = one(main, 'form');
    expect([form.attrs.action, form.attrs.method]).toEqual(['/rates/calc', undefined]);
    const names = new Set(all(form, '[name]').map(({ attrs }) => attrs.name));
    expect([...names]).toEqual([...orderFields]);
    for (const { attrs } of all(form, 'input[type="text"], select')) {
      expect(all(form, `label[for="${attrs.id ?? ''}"]`)).toHaveLength(1);
    }
    expect(sums(form)).toEqual([]);
    expect(textOf(one(main, 'h2#result-heading'))).toBe('Пример расчёта');
    expect(all(main, 'a').filter(({ attrs }) => attrs.href?.includes('calc='))).toEqual([]);
    const asked = await base.request(`/rates/calc?${new URLSearchParams(formData(form) as never)}`);
    const result = one(parseHtml(asked.text), 'main');
    expect(textOf(one(result, 'h2#result-heading'))).toBe('Ваш расчёт');
    expect(totals(result)).toEqual(totals(main));
  });

  test('fills into the example what an address says, or nothing if the two do not go together', async () => {
    const pageAt = async (query: string) => one(parseHtml((await base.request(`/rates/calc?${query}`)).text), 'main');
    const shrunk = await pageAt('pack=shrink');
    expect(formData(one(shrunk, 'form')).get('pack')).toBe('shrink');
    expect(textOf(one(shrunk, 'h2#result-heading'))).toBe('Пример расчёта');
    const elsewhere = await pageAt('mp=ozon');
    expect(Object.fromEntries(formData(one(elsewhere, 'form')))).toMatchObject({ mp: 'ozon', to: '', units: '' });
    expect([...sums(elsewhere), ...all(elsewhere, 'div[role="alert"]')]).toEqual([]);
  });

  test('answers with every line, the total that they add up to, and the price of a unit', async () => {
    const document = await pageOf();
    const table = one(one(document, 'main'), 'table');
    const body = one(table, 'tbody');
    const rows = all(body, 'tr').map(textOf);
    const [barcode, bag] = [rateOf(content, 'marking-barcode', 1200), rateOf(content, 'package-bag', 1200)];
    const further = bag.row.next?.price ?? 0;
    const of = `1 200 шт. × (${roubles(bag.price)} + 2 × ${roubles(further)})`;
    expect(rows.some((row) => row.includes(`1 200 шт. × ${roubles(barcode.price)}`))).toBe(true);
    expect(rows.some((row) => row.endsWith(roubles(1200 * barcode.price)))).toBe(true);
    expect(rows.find((row) => row.includes(of))).toMatch(new RegExp(`${roubles(1200 * (bag.price + 2 * further))}$`));
    const kopecks = (text: string) => Number(text.replace(/[^\d,]/g, '').replace(',', '.')) * 100;
    const lines = all(body, 'td').map((cell) => kopecks(textOf(cell)));
    const [total = '', unit = ''] = totals(document);
    expect(lines.reduce((sum, line) => sum + line, 0)).toBe(kopecks(total));
    expect(Math.round(kopecks(total) / 1200)).toBe(Math.round(kopecks(unit)));
    expect(textOf(one(document, 'p.calc-sum'))).toBe(`Итого ${total}, ${unit} за единицу`);
    expect(textOf(one(document, 'main'))).toContain(`действуют с ${since()}`);
  });

  test('has one canonical address, and keeps what was asked in the form', async () => {
    const document = await pageOf();
    expect(one(document, 'link[rel="canonical"]').attrs.href).toBe(`${siteUrl}/rates/calc`);
    expect(Object.fromEntries(formData(one(one(document, 'main'), 'form')))).toEqual(order);
  });

  test('says when it leaves, where there is a timetable', async () => {
    expect(textOf(one(await pageOf(), 'main'))).toMatch(
      new RegExp(`Ближайший рейс, ${warehouse()}: сдать до .*, на складе`),
    );
    expect(textOf(one(await pageOf({ scheme: 'fbs', to: '' }), 'main'))).not.toContain('Ближайший рейс');
  });

  test('says what it took for granted, and what a minimum replaced', async () => {
    const few = textOf(one(await pageOf({ units: '10', places: '' }), 'main'));
    const { row, price } = rateOf(content, 'marking-barcode', 10);
    expect(few).toContain(`минимум ${roubles(row.minimum ?? 0)} вместо ${roubles(10 * price)}`);
    expect(few).toContain('1 короб: наша оценка по объёму и весу');
    expect(textOf(one(await pageOf(), 'main'))).not.toContain('наша оценка');
  });

  test.each([
    ['an order', { units: '100001', places: '' }],
    ['a unit', { weight: '25,5', places: '' }],
    ['a car', { pickup: 'shared' }],
  ])('names no total where %s is beyond the rates', async (_, about) => {
    const document = await pageOf(about);
    expect(totals(document)).toEqual(['индивидуально']);
  });

  test('shows the form again for what it cannot read: what is wrong, what was written, and no sum', async () => {
    const { status, text } = await base.request(`/rates/calc?${queryOf({ units: '<b>', to: 'tver' })}`);
    const document = parseHtml(text);
    expect(status).toBe(200);
    expect(textOf(one(document, 'title'))).toMatch(/^Ошибка: /);
    const summary = one(document, 'div[role="alert"]');
    expect(all(summary, 'a').map(({ attrs }) => attrs.href)).toEqual(['#field-units', '#field-to']);
    expect(one(document, 'input#field-units').attrs).toMatchObject({
      value: '<b>',
      'aria-invalid': 'true',
    });
    expect(sums(one(document, 'main'))).toEqual([]);
    expect(all(document, 'table')).toEqual([]);
  });

  test('is led to from the home page, the rates, the map, the sitemap and the services that it counts', async () => {
    const counted = content.services.map(({ to, rates }) => {
      const groups = content.rates.groups.filter(({ id }) => rates.includes(id));
      const rows = groups.flatMap((group) => group.rows.map(({ id }) => id));
      return [to, calculatorWith(content.calculator, rows) !== undefined] as const;
    });
    for (const [path, leads] of [...['/', '/rates', '/map'].map((path) => [path, true] as const), ...counted]) {
      const main = one(parseHtml((await base.request(path)).text), 'main');
      const links = all(main, 'a').map(({ attrs }) => attrs.href ?? '');
      expect([path, links.some((href) => href.startsWith('/rates/calc'))]).toEqual([path, leads]);
    }
    expect((await base.request('/sitemap.xml')).text).toContain(`${siteUrl}/rates/calc<`);
    expect(calculatorWith(content.calculator, ['package-bag', 'marking-code'])).toBe('/rates/calc?pack=bag&mark=code');
  });

  test('the example of the home page leads to itself', async () => {
    const home = one(parseHtml((await base.request('/')).text), 'main');
    const example = one(home, 'div.hero-bill');
    const href = all(home, 'a').find(({ attrs }) => attrs.href?.startsWith('/rates/calc?'))?.attrs.href;
    const page = one(parseHtml((await base.request(href ?? '')).text), 'main');
    const bill = (element: Element) => [...totals(element), ...all(element, 'td').map(textOf)];
    expect(bill(page)).toEqual(bill(example));
  });
});

describe('a calculation that goes with a request', () => {
  beforeEach(async () => {
    site = await startTestSite({ site: base.served });
  });

  const form = async (calc: string) =>
    one(
      parseHtml((await site.request(`/contact?${new URLSearchParams({ preset: generalPreset, calc })}`)).text),
      'main',
    );
  const lead = async () => (await site.services.leads.list({ limit: 1 }))[0];

  test('is shown by the form and posted as its query, not as its sum', async () => {
    const page = await pageOf();
    const link = all(page, 'a').find(({ attrs }) => /^\/contact\?preset=[\w-]+&calc=/.test(attrs.href ?? ''));
    const main = one(parseHtml((await site.request(link?.attrs.href ?? '')).text), 'main');
    expect(totals(main)).toEqual(totals(page));
    expect(textOf(main)).toContain(`Цены с ${since()}`);
    const { calc = '' } = Object.fromEntries(formData(one(main, 'form')));
    expect(calc).toBe(
      'mp=wb&units=1200&weight=0%2C4&length=20&width=15&height=8&pack=bag&mark=barcode&places=40&to=koledino',
    );
  });

  test('is computed again by the server and kept with the lead; the receipt shows it', async () => {
    const { headers } = await site.post({ ...filledForm, calc: queryOf(), calculation: 'Итого: 1 ₽' });
    const [total = ''] = totals(await pageOf());
    const { calculation, attribution } = (await lead()) ?? {};
    const lines = calculation ? billText(calculation).split('\n') : [];
    expect(lines[0]).toBe(`Wildberries, FBO, 1 200 шт., 20×15×8 см, 0,4 кг, 40 коробов, ${warehouse()}`);
    const { row, price } = rateOf(content, 'marking-barcode', 1200);
    expect(lines).toContain(`${plain(row.text)}: ${roubles(1200 * price)} (1 200 шт. × ${roubles(price)})`);
    expect(lines.at(-2)).toMatch(`Итого: ${total}, на единицу `.replaceAll('\u00a0', ' '));
    expect(lines.at(-1)).toMatch(`Цены с ${since()}, http://localhost:3000/rates/calc?mp=wb&`);
    expect(attribution).toEqual({});
    expect(totals(parseHtml((await site.request(headers.location ?? '')).text))[0]).toBe(total);
  });

  test('stays through a form with errors', async () => {
    const { status, text } = await site.post({ ...filledForm, phone: '1', calc: queryOf() });
    expect(status).toBe(422);
    const main = one(parseHtml(text), 'main');
    expect(new URLSearchParams(formData(one(main, 'form')).get('calc') ?? '').get('units')).toBe('1200');
    expect(totals(main)).toHaveLength(2);
  });

  test.each([
    ['too long', `${queryOf()}&more=${'x'.repeat(500)}`],
    ['no order', 'units=abc'],
    ['no query', '%%%'],
    ['only filled in', 'pack=bag'],
  ])('is left out if it is %s, and nothing else is lost', async (_, calc) => {
    const main = await form(calc);
    expect(all(main, 'table')).toEqual([]);
    expect(formData(one(main, 'form')).has('calc')).toBe(false);
    expect((await site.post({ ...filledForm, calc })).status).toBe(303);
    expect(await lead()).toMatchObject({ name: 'Анна', calculation: null });
  });

  test('is not taken for a campaign, wherever the form was opened; a campaign beside it is', async () => {
    const referer = `${siteUrl}/rates/calc?${queryOf({ utm_source: 'ya' })}`;
    const { text } = await site.request('/contact', { headers: { referer } });
    const names = [...formData(one(one(parseHtml(text), 'main'), 'form')).keys()];
    expect(names.filter((name) => name.startsWith('attribution'))).toEqual(['attribution.utm_source']);
    const kept = Object.entries({ ...order, calc: 'x', utm_source: 'ya' });
    const stored = Object.fromEntries(kept.map(([name, value]) => [`attribution.${name}`, value || '1']));
    await site.post({ ...filledForm, ...stored });
    expect((await lead())?.attribution).toEqual({ utm_source: 'ya' });
  });
});

test('the price list for spreadsheets has every tier, a dated name, and stands on the page of the rates', async () => {
  const { status, headers, body } = await base.request('/rates.csv');
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    `attachment; filename="tarify-${content.rates.effective}.csv"`,
  ]);
  const { data } = Papa.parse<string[]>(body.toString().replace('\ufeff', ''), {
    delimiter: ';',
    skipEmptyLines: true,
  });
  const tiers = content.rates.groups.flatMap((group) => group.rows.flatMap((row) => row.tiers));
  expect(data).toHaveLength(tiers.length + 1);
  const page = parseHtml((await base.request('/rates')).text);
  expect(all(one(page, 'main'), 'a[href="/rates.csv"]')).toHaveLength(1);
});
