import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import type { Content } from '../model/content.ts';
import { siteUrl } from '../testing/built.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { startTestSite, type TestSite } from '../testing/test-site.ts';
import { calculatorWith, orderFields } from './order.ts';

let base: TestSite;
let site: TestSite;
let content: Content;
beforeAll(async () => {
  base = await startTestSite();
  content = base.services.site.content;
});
afterAll(() => base.close());

const order = {
  ...{ mp: 'wb', scheme: 'fbo', units: '1200', length: '20', width: '15', height: '8', weight: '0,4' },
  ...{ pack: 'bag', mark: 'label', check: 'none', days: '', place: 'box', places: '40', to: 'koledino' },
  ...{ mark: 'barcode', pickup: 'none', km: '' },
};
const queryOf = (about: object = {}) => new URLSearchParams({ ...order, ...about }).toString();
const pageOf = async (about: object = {}) => parseHtml((await base.request(`/rates/calc?${queryOf(about)}`)).text);
/** Every number of roubles in an element. */
const sums = (element: Element) => textOf(element).match(/[\d ]+(,\d+)? ₽/g) ?? [];

describe('the calculator', () => {
  test('is prerendered without a query, and asks for everything with a label', async () => {
    expect(base.edition.pages()).toContain('/rates/calc');
    const form = one(one(parseHtml((await base.request('/rates/calc')).text), 'main'), 'form');
    expect([form.attributes.action, form.attributes.method]).toEqual(['/rates/calc', undefined]);
    const names = new Set(all(form, '*', { name: true }).map(({ attributes }) => attributes.name));
    expect([...names]).toEqual([...orderFields]);
    for (const { attributes } of [...all(form, 'input', { type: 'text' }), ...all(form, 'select')]) {
      expect(all(form, 'label', { for: attributes.id ?? '' })).toHaveLength(1);
    }
    expect(sums(form)).toEqual([]);
  });

  test('answers with every line, the total that they add up to, and the price of a unit', async () => {
    const document = await pageOf();
    const table = one(one(document, 'main'), 'table');
    const [body, foot] = [one(table, 'tbody'), one(table, 'tfoot')];
    expect(all(body, 'tr').map(textOf)).toContain(
      'Штрихкод товара 58×40 мм, печать и наклейка1 200 шт. × 6 ₽ =7 200 ₽',
    );
    expect(all(body, 'tr').map(textOf)).toContain(
      'Пакет с клеевым клапаном, до 1 литра1 200 шт. × (11 ₽ + 2 × 0,80 ₽) =15 120 ₽',
    );
    const kopecks = (text: string) => Number(text.replace(/[^\d,]/g, '').replace(',', '.')) * 100;
    const lines = all(body, 'td').map((cell) => kopecks(textOf(cell)));
    const [total = '', unit = ''] = all(foot, 'td').map(textOf);
    expect(lines.reduce((sum, line) => sum + line, 0)).toBe(kopecks(total));
    expect(Math.round(kopecks(total) / 1200)).toBe(Math.round(kopecks(unit)));
    expect(textOf(one(document, 'h2', { id: 'total' }))).toBe(`Итого: ${total}`);
    expect(textOf(one(document, 'main'))).toContain('действуют с 1 ноября 2026 г.');
  });

  test('has one canonical address, and keeps what was asked in the form', async () => {
    const document = await pageOf();
    expect(one(document, 'link', { rel: 'canonical' }).attributes.href).toBe(`${siteUrl}/rates/calc`);
    expect(Object.fromEntries(formData(one(one(document, 'main'), 'form')))).toEqual(order);
  });

  test('says when it leaves, where there is a timetable', async () => {
    expect(textOf(one(await pageOf(), 'main'))).toMatch(
      /Ближайший рейс, Коледино: сдать до .*, отправление .*, разгрузка/,
    );
    expect(textOf(one(await pageOf({ scheme: 'fbs', to: '' }), 'main'))).not.toContain('Ближайший рейс');
  });

  test('says what it took for granted, and what a minimum replaced', async () => {
    const few = textOf(one(await pageOf({ units: '10', places: '' }), 'main'));
    expect(few).toContain('минимум 700 ₽ вместо 70 ₽');
    expect(few).toContain('1 короб — наша оценка по объёму и весу');
    expect(textOf(one(await pageOf(), 'main'))).not.toContain('наша оценка');
  });

  test.each([
    ['an order', { units: '100001', places: '' }],
    ['a unit', { weight: '25,5', places: '' }],
    ['a car', { pickup: 'shared' }],
  ])('names no total where %s is beyond the rates', async (_, about) => {
    const document = await pageOf(about);
    expect(textOf(one(document, 'h2', { id: 'total' }))).toBe('Итого: индивидуально');
    expect(sums(one(one(document, 'main'), 'tfoot'))).toEqual([]);
    expect(all(document, 'p', { class: 'calc-unit' })).toEqual([]);
  });

  test('shows the form again for what it cannot read: what is wrong, what was written, and no sum', async () => {
    const { status, text } = await base.request(`/rates/calc?${queryOf({ units: '<b>', to: 'tver' })}`);
    const document = parseHtml(text);
    expect(status).toBe(200);
    expect(textOf(one(document, 'title'))).toMatch(/^Ошибка: /);
    const summary = one(document, 'div', { role: 'alert' });
    expect(all(summary, 'a').map(({ attributes }) => attributes.href)).toEqual(['#field-units', '#field-to']);
    expect(one(document, 'input', { id: 'field-units' }).attributes).toMatchObject({
      value: '<b>',
      'aria-invalid': 'true',
    });
    expect(sums(one(document, 'main'))).toEqual([]);
    expect(all(document, 'table')).toEqual([]);
  });

  test('is led to from the home page, the rates, the map, the sitemap and the services that it counts', async () => {
    for (const path of ['/', '/rates', '/map', '/services/package', '/services/region-delivery']) {
      const main = one(parseHtml((await base.request(path)).text), 'main');
      const links = all(main, 'a').map(({ attributes }) => attributes.href ?? '');
      expect({ path, leads: links.some((href) => href.startsWith('/rates/calc')) }).toEqual({ path, leads: true });
    }
    expect((await base.request('/sitemap.xml')).text).toContain(`${siteUrl}/rates/calc<`);
    expect((await base.request('/services/photo')).text).not.toContain('/rates/calc');
    expect(calculatorWith(content.calculator, ['package-bag', 'marking-code'])).toBe('/rates/calc?pack=bag&mark=code');
  });

  test('the example of the home page leads to itself', async () => {
    const home = one(parseHtml((await base.request('/')).text), 'main');
    const example = one(home, 'table', { class: 'bill' });
    const href = all(home, 'a').find(({ attributes }) => attributes.href?.startsWith('/rates/calc?'))?.attributes.href;
    const page = one(parseHtml((await base.request(href ?? '')).text), 'main');
    expect(textOf(one(one(page, 'table', { class: 'bill' }), 'tbody'))).toBe(textOf(one(example, 'tbody')));
  });
});

describe('a calculation that goes with a request', () => {
  beforeEach(async () => {
    await site?.close();
    site = await startTestSite({ edition: base.edition });
  });
  afterAll(() => site.close());

  const form = async (calc: string) =>
    one(
      parseHtml((await site.request(`/contact?${new URLSearchParams({ preset: 'calculation', calc })}`)).text),
      'main',
    );
  const filled = { preset: 'calculation', name: 'Анна', phone: '89161234567', consent: 'yes' };
  const lead = async () => (await site.services.leads.list({ limit: 1 }))[0];

  test('is shown by the form and posted as its query, not as its sum', async () => {
    const page = await pageOf();
    const link = all(page, 'a').find(({ attributes }) =>
      attributes.href?.startsWith('/contact?preset=calculation&calc='),
    );
    const main = one(parseHtml((await site.request(link?.attributes.href ?? '')).text), 'main');
    expect(textOf(one(main, 'tfoot'))).toBe(textOf(one(page, 'tfoot')));
    expect(textOf(main)).toContain('Цены с 1 ноября 2026 г.');
    const { calc = '' } = Object.fromEntries(formData(one(main, 'form')));
    expect(calc).toBe(
      'mp=wb&units=1200&length=20&width=15&height=8&weight=0%2C4&pack=bag&mark=barcode&places=40&to=koledino',
    );
  });

  test('is computed again by the server and kept with the lead; the receipt shows it', async () => {
    const { headers } = await site.post({ ...filled, calc: queryOf(), calculation: 'Итого: 1 ₽' });
    const total = textOf(all(one(await pageOf(), 'tfoot'), 'td')[0] ?? '');
    const { calculation, attribution } = (await lead()) ?? {};
    const lines = calculation?.split('\n') ?? [];
    expect(lines[0]).toBe('Wildberries, FBO, 1 200 шт., 20×15×8 см, 0,4 кг, 40 коробов, Коледино');
    expect(lines).toContain('Штрихкод товара 58×40 мм, печать и наклейка: 1 200 шт. × 6 ₽ = 7 200 ₽');
    expect(lines.at(-2)).toMatch(`Итого: ${total}, на единицу `.replaceAll('\u00a0', ' '));
    expect(lines.at(-1)).toMatch(/^Цены с 1 ноября 2026 г\., http:\/\/localhost:3000\/rates\/calc\?mp=wb&/);
    expect(attribution).toEqual({});
    expect(textOf(one(parseHtml((await site.request(headers.location ?? '')).text), 'main'))).toContain(lines.at(-2));
  });

  test('stays through a form with errors', async () => {
    const { status, text } = await site.post({ ...filled, phone: '1', calc: queryOf() });
    expect(status).toBe(422);
    const main = one(parseHtml(text), 'main');
    expect(new URLSearchParams(formData(one(main, 'form')).get('calc') ?? '').get('units')).toBe('1200');
    expect(all(main, 'tfoot')).toHaveLength(1);
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
    expect((await site.post({ ...filled, calc })).status).toBe(303);
    expect(await lead()).toMatchObject({ name: 'Анна', calculation: null });
  });

  test('is not taken for a campaign, wherever the form was opened; a campaign beside it is', async () => {
    const referer = `${siteUrl}/rates/calc?${queryOf({ utm_source: 'ya' })}`;
    const { text } = await site.request('/contact?preset=calculation', { headers: { referer } });
    const names = [...formData(one(one(parseHtml(text), 'main'), 'form')).keys()];
    expect(names.filter((name) => name.startsWith('attribution'))).toEqual(['attribution.utm_source']);
    const kept = Object.entries({ ...order, calc: 'x', utm_source: 'ya' });
    const stored = Object.fromEntries(kept.map(([name, value]) => [`attribution.${name}`, value || '1']));
    await site.post({ ...filled, ...stored });
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
  expect(all(one(page, 'main'), 'a', { href: '/rates.csv' })).toHaveLength(1);
});
