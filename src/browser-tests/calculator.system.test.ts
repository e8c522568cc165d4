import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { formatPrice } from '../design/format.ts';
import { billText } from '../services/bill.ts';
import { chromiumPath } from '../testing/browser.ts';
import { rateOf } from '../testing/content.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'a visitor calculates and sends the calculation along');
const { site, front, newPage } = withVisitors();

const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ').trim();
const totalOf = async (page: Page) => plain(await page.locator('.calc-result dd').first().textContent());
const announced = async (page: Page) => plain(await page.locator('.calc [role=status]').textContent());

browserTest.each([
  ['without a script', { javaScriptEnabled: false }],
  ['in the dialog', {}],
])('a calculation goes from the form to the lead %s', async (_, options) => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, ...options });
  await page.goto('/rates/calc');
  expect((await page.getByLabel('Wildberries').boundingBox())?.y).toBeLessThan(740);
  await page.getByLabel('Wildberries').check();
  for (const [label, value] of Object.entries({
    'Сколько единиц': '1 200',
    Длина: '20',
    Ширина: '15',
    Высота: '8',
    Вес: '0,4',
    'Сколько коробов': '',
  })) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByLabel('Упаковка').selectOption({ label: 'Пакет с клеевым клапаном' });
  await page.getByLabel('Склад маркетплейса').selectOption({ label: 'Выберите склад' });
  await page.locator('.calc-form [type=submit]').click();
  await page.waitForURL(/units=1/);
  expect(await page.title()).toMatch(/^Ошибка: /);
  expect(await page.getByLabel('Сколько единиц').inputValue()).toBe('1 200');

  await page.getByLabel('Склад маркетплейса').selectOption('koledino');
  await page.locator('.calc-form [type=submit]').click();
  await page.waitForURL(/to=koledino/);
  const total = await totalOf(page);
  expect(total).toMatch(/^\d\d \d{3} ₽$/);
  const sum = page.locator('.calc-sum');
  expect(plain(await sum.textContent())).toContain(total);
  expect((await sum.boundingBox())?.y).toBeLessThan(300);

  await page.getByRole('link', { name: 'Отправить расчёт менеджеру' }).click();
  await page.locator('.contact form').waitFor();
  expect(plain(await page.locator('.contact summary').innerText())).toBe(`Расчёт: ${total}`);
  await page.getByLabel('Телефон').fill('89161234567');
  await page.getByLabel(/обработку персональных данных/).check();
  await page.locator('.contact form [type=submit]').click();
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  await page.locator('.receipt summary').click();
  const { row, price } = rateOf(site().services.site.content, 'package-bag', 1200);
  const further = row.next?.price ?? 0;
  const [unit, litre, all] = [price, further, 1200 * (price + 2 * further)].map((sum) => plain(formatPrice(sum)));
  expect(plain(await page.locator('.receipt table').innerText())).toContain(all);
  const [lead] = await site().services.leads.list({ limit: 1 });
  expect(lead).toMatchObject({ page: '/rates/calc', attribution: {} });
  const sent = lead?.calculation ? billText(lead.calculation) : '';
  expect(sent).toContain(`\nИтого: ${total}, на единицу `);
  expect(sent).toContain(`${plain(row.text)}: ${all} (1 200 шт. × (${unit} + 2 × ${litre}))\n`);
});

describe('while the form is filled in', () => {
  /** A visitor at the example, once the page is whole. */
  async function visit(path = '/rates/calc', options = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto(path);
    await moduleRan(page, 'calculator');
    return page;
  }

  browserTest('the answer comes by itself: bill, total announced, address to copy; and Back finds it', async () => {
    const page = await visit();
    const complaints = complaintsOf(page);
    const example = await totalOf(page);
    expect(await announced(page)).toBe('');
    await page.getByLabel('Сколько единиц').fill('2 000');
    await eventually(async () => (await totalOf(page)) !== example);
    const total = await totalOf(page);
    expect(await announced(page)).toMatch(new RegExp(`^Итого ${total}, .* за единицу$`));
    expect(await page.locator('h2#result-heading').textContent()).toBe('Ваш расчёт');
    expect(await page.getByLabel('Сколько единиц').inputValue()).toBe('2 000');
    expect(new URL(page.url()).searchParams.get('units')).toBe('2000');

    const copied = await newPage({ javaScriptEnabled: false });
    await copied.goto(page.url());
    expect(await totalOf(copied)).toBe(total);

    await page.goto('/rates');
    await page.goBack();
    expect(await totalOf(page)).toBe(total);
    expect(plain(await page.getByLabel('Сколько единиц').inputValue()).replace(' ', '')).toBe('2000');
    await page.goBack();
    expect(page.url()).not.toContain('/rates/calc');
    expect(complaints).toEqual([]);
  });

  browserTest('one pause is one question, and a late answer to an earlier one is dropped', async () => {
    const page = await visit();
    let late: (() => void) | undefined;
    front().intercept((req, _res, pass) => {
      if (late === undefined && req.url?.includes('units=3000')) late = pass;
      else pass();
    });
    await page.getByLabel('Сколько единиц').fill('3000');
    await eventually(() => late !== undefined);
    front().asked.length = 0;
    const units = page.getByLabel('Сколько единиц');
    await units.fill('');
    await units.pressSequentially('4000');
    await eventually(() => new URL(page.url()).searchParams.get('units'), '4000');
    const total = await totalOf(page);
    late?.();
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(await totalOf(page)).toBe(total);
    const asked = front().asked.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('units'));
    expect(asked.filter((one) => one !== null)).toEqual(['4000']);
  });

  browserTest('an error waits until its field is left, and goes when it is mended', async () => {
    const page = await visit();
    const total = await totalOf(page);
    const asked = () => front().asked.some(({ path }) => path.includes('width=0'));
    await page.getByLabel('Ширина').fill('0');
    await eventually(asked);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect([await page.locator('.field-error').count(), await totalOf(page)]).toEqual([0, total]);
    const address = page.url();

    await page.getByLabel('Упаковка').focus();
    await page.locator('.field-error').waitFor();
    expect(plain(await page.locator('.field-error').textContent())).toMatch(/^Ошибка: Укажите ширину/);
    expect(await page.getByLabel('Ширина').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Ширина').getAttribute('aria-describedby')).toBe('field-width-error');
    expect(await page.locator('.calc-result table').count()).toBe(0);
    expect([page.url(), await announced(page)]).toEqual([address, '']);

    await page.getByLabel('Ширина').fill('10');
    await page.getByLabel('Упаковка').focus();
    await page.locator('.calc-result dd').first().waitFor();
    expect(await page.locator('.field-error, [aria-invalid]').count()).toBe(0);
    expect(await totalOf(page)).toBe(total);
  });

  browserTest('a choice that does not go with another says so at once, in sight of a phone', async () => {
    const page = await visit('/rates/calc', { viewport: { width: 360, height: 640 } });
    await page.getByLabel('Ozon').check();
    const sum = page.locator('.calc-sum a');
    await eventually(async () => (await sum.getAttribute('href')) === '#field-to');
    const { warehouses, example } = site().services.site.content.calculator;
    const warehouse = warehouses.find(({ id }) => id === example.to)?.text;
    expect(plain(await sum.textContent())).toBe(
      `Склад ${warehouse} принимает только Wildberries. Выберите другой склад или маркетплейс`,
    );
    await page.getByLabel('Склад маркетплейса').scrollIntoViewIfNeeded();
    expect((await sum.boundingBox())?.y).toBeLessThan(70);
  });

  browserTest('lines that were unfolded stay so, and the focus stays with what a visitor went on to', async () => {
    const page = await visit('/rates/calc', { viewport: { width: 360, height: 640 } });
    await page.locator('.fold summary').click();
    const total = await totalOf(page);
    await page.getByLabel('Сколько единиц').fill('2000');
    await page.locator('.fold summary').focus();
    await eventually(async () => (await totalOf(page)) !== total);
    expect(await page.locator('.calc-result tbody tr').last().isVisible()).toBe(true);
    expect(await page.evaluate('document.activeElement.localName')).toBe('summary');
  });

  browserTest('trouble leaves the page as it is, and the button sends the form', async () => {
    const page = await visit();
    const total = await totalOf(page);
    let refused = 0;
    front().intercept((req, res, pass) => {
      if (!req.url?.includes('units=5')) return pass();
      refused += 1;
      if (refused === 1) return void req.socket.destroy();
      res.writeHead(429).end('Too Many Requests');
    });
    await page.getByLabel('Сколько единиц').fill('5000');
    await eventually(() => refused >= 1);
    await page.getByLabel('Сколько единиц').fill('5500');
    await eventually(() => refused >= 2);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await totalOf(page), await page.getByLabel('Сколько единиц').inputValue()]).toEqual([total, '5500']);
    front().reset();
    await page.locator('.calc-form [type=submit]').click();
    await page.waitForURL(/units=5500/);
    expect(await totalOf(page)).not.toBe(total);
  });
});

browserTest('only what matters with the answers given is asked', async () => {
  const page = await newPage({ javaScriptEnabled: false });
  await page.goto('/rates/calc');
  const asked = async () =>
    Promise.all(['Склад маркетплейса', 'Упаковка', 'километров'].map((label) => page.getByLabel(label).isVisible()));
  expect(await asked()).toEqual([true, true, false]);
  await page.getByLabel(/^FBS/).check();
  await page.getByLabel('Как груз приедет').selectOption({ index: 1 });
  expect(await asked()).toEqual([false, false, true]);
  await page.locator('.calc-form [type=submit]').click();
  await page.waitForURL(/scheme=fbs/);
  expect(await page.title()).not.toMatch(/^Ошибка/);
});
