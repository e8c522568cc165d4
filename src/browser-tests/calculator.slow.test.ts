import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'a visitor calculates and sends the calculation along');
const { site, newPage } = withVisitors();

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
  })) {
    await page.getByLabel(label).fill(value);
  }
  await page.getByLabel('Упаковка').selectOption({ label: 'Пакет с клеевым клапаном' });
  await page.getByRole('button', { name: 'Посчитать' }).click();
  await page.waitForURL(/units=1/);
  expect(await page.title()).toMatch(/^Ошибка: /);
  expect(await page.getByLabel('Сколько единиц').inputValue()).toBe('1 200');

  await page.getByLabel('Склад маркетплейса').selectOption({ label: 'Коледино' });
  await page.getByRole('button', { name: 'Посчитать' }).click();
  await page.waitForURL(/to=koledino/);
  const total = (await page.locator('#total b').innerText()).replaceAll('\u00a0', ' ');
  expect(total).toMatch(/^\d\d \d{3} ₽$/);
  expect((await page.locator('#total').boundingBox())?.y).toBeLessThan(300);

  await page.getByRole('link', { name: 'Отправить расчёт с заявкой' }).click();
  await page.locator('.contact form').waitFor();
  expect((await page.locator('.contact tfoot').innerText()).replaceAll('\u00a0', ' ')).toContain(total);
  await page.getByLabel('Как к вам обращаться').fill('Анна');
  await page.getByLabel('Телефон').fill('89161234567');
  await page.getByLabel(/обработку персональных данных/).check();
  await page.locator('.contact form button').click();
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  await page.getByText('Расчёт отправлен вместе с заявкой').click();
  expect(await page.locator('.receipt').innerText()).toContain(`Итого: ${total}`);
  const [lead] = await site().services.leads.list({ limit: 1 });
  expect(lead).toMatchObject({ page: '/rates/calc', attribution: {} });
  expect(lead?.calculation).toContain(`\nИтого: ${total}, на единицу `);
  expect(lead?.calculation).toContain(
    'Пакет с клеевым клапаном, до 1 литра: 1 200 шт. × (11 ₽ + 2 × 0,80 ₽) = 15 120 ₽\n',
  );
});
