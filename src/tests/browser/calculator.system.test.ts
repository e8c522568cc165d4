import { once } from 'node:events';
import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { billText } from '../../pricing/bill.ts';
import { eventually } from '../support/eventually.ts';
import { testIf } from '../support/test-if.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { site, front, newPage } = withVisitors();

const phone = { viewport: { width: 360, height: 640 } };
const plain = (text: string | null) => (text ?? '').replaceAll('\u00a0', ' ').trim();
const units = (page: Page) => page.getByLabel('Сколько единиц');
const totalOf = async (page: Page) => plain(await page.locator('.calc-result dd').first().textContent());
const announced = async (page: Page) => plain(await page.locator('.calc [role=status]').textContent());
const heightAt = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox())?.y;

describe('while the form is filled in', () => {
  /** Opens the example calculation and waits for the script. */
  async function visit(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto('/rates/calc');
    await moduleRan(page, 'calculator');
    return page;
  }

  /** Resolves once the page has handled the answers that it has received. */
  const settled = (page: Page) => page.evaluate(`fetch('/healthz').then((answer) => answer.text())`);

  browserTest('the result updates without a submit: bill, announced total, address and link to the form', async () => {
    const page = await visit();
    const complaints = complaintsOf(page);
    const example = await totalOf(page);
    expect(await announced(page)).toBe('');
    await units(page).fill('2 000');
    await eventually(async () => (await totalOf(page)) !== example);
    const total = await totalOf(page);
    expect(await announced(page)).toMatch(new RegExp(`^Итого ${total}, .* за единицу$`));
    expect(await page.locator('h2#result-heading').textContent()).toBe('Ваш расчёт');
    expect(await units(page).inputValue()).toBe('2 000');
    expect(await page.evaluate('document.activeElement.name')).toBe('units');
    const address = page.url();
    expect(new URL(address).searchParams.get('units')).toBe('2000');

    await page.locator('#result .action').click();
    await page.getByLabel('Телефон').fill('89161234567');
    expect(plain(await page.locator('dialog summary').innerText())).toBe(`Расчёт: ${total}`);
    await page.getByLabel(/обработку персональных данных/).check();
    await page.locator('dialog [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    const [lead] = await site().services.leads.list({ limit: 1 });
    expect(lead?.calculation && billText(lead.calculation)).toContain(`\nИтого: ${total}, на единицу `);

    await page.goBack();
    expect([page.url(), await totalOf(page)]).toEqual([address, total]);
    await page.goBack();
    expect(page.url()).not.toContain('/rates/calc');
    expect(complaints).toEqual([]);
  });

  browserTest('one pause sends one request, and a late answer to an earlier request is dropped', async () => {
    const page = await visit();
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    let late: { answer(): void; ended: Promise<unknown> } | undefined;
    front().intercept((req, res, pass) => {
      if (req.url?.includes('units=3000')) late = { answer: pass, ended: once(res, 'close') };
      else pass();
    });
    await units(page).fill('3000');
    await page.clock.runFor(300);
    await eventually(() => late !== undefined);
    await units(page).fill('');
    await units(page).pressSequentially('4000');
    await page.clock.runFor(300);
    await eventually(() => new URL(page.url()).searchParams.get('units'), '4000');
    const total = await totalOf(page);
    late?.answer();
    await late?.ended;
    await settled(page);
    expect(await totalOf(page)).toBe(total);
    const asked = front().asked.flatMap(({ path }) => /units=(\d*)/.exec(path)?.[1] ?? []);
    expect(asked).toEqual(['3000', '4000']);
  });

  browserTest('an error appears when its field loses the focus, and disappears once it is corrected', async () => {
    const page = await visit();
    const total = await totalOf(page);
    const address = page.url();
    const width = page.getByLabel('Ширина');
    async function typeZero(): Promise<void> {
      const answered = page.waitForResponse(/width=0/);
      await width.fill('0');
      await (await answered).finished();
      await settled(page);
      expect([await page.locator('.field-error').count(), await totalOf(page)]).toEqual([0, total]);
    }
    await typeZero();
    await page.getByLabel('Упаковка').focus();
    await page.locator('#field-width-error').waitFor();
    expect(await width.getAttribute('aria-invalid')).toBe('true');
    expect(await page.locator('.calc-result table').count()).toBe(0);
    expect([page.url(), await announced(page)]).toEqual([address, '']);

    await width.fill('10');
    await page.getByLabel('Упаковка').focus();
    await page.locator('.calc-result dd').first().waitFor();
    expect(await page.locator('.field-error, [aria-invalid]').count()).toBe(0);
    expect(await totalOf(page)).toBe(total);
  });

  browserTest('choosing a marketplace selects its warehouse, and a phone shows an error at once', async () => {
    const page = await visit(phone);
    expect(await heightAt(page, '[name=units]')).toBeLessThan(640);
    const to = page.getByLabel('Склад маркетплейса');
    const before = await to.inputValue();
    await page.getByLabel('Ozon').check();
    await eventually(async () => (await to.inputValue()) !== before);
    expect(new URL(page.url()).searchParams.get('to')).toBe(await to.inputValue());
    await units(page).fill('0');
    await units(page).blur();
    await eventually(() => page.locator('.calc-sum a').getAttribute('href'), '#field-units');
    await to.scrollIntoViewIfNeeded();
    const height = Number(await heightAt(page, '.calc-sum'));
    expect([height > 0, height < 70]).toEqual([true, true]);
  });

  browserTest.each<[string, Parameters<ReturnType<typeof front>['intercept']>[0]]>([
    ['is cut off', (req) => req.socket.destroy()],
    ['is an error', (_, res) => res.writeHead(429).end('Too Many Requests')],
  ])(
    'the page says that it was not recalculated when the answer %s, and the button submits the form',
    async (_, answer) => {
      const page = await visit(phone);
      const total = await totalOf(page);
      const failure = page.getByText('Пересчитать не вышло');
      expect(await failure.isVisible()).toBe(false);
      front().intercept((req, res, pass) => {
        if (req.url?.includes('units=5000')) answer(req, res, pass);
        else pass();
      });
      await units(page).fill('5000');
      await failure.waitFor();
      expect([await totalOf(page), await units(page).inputValue()]).toEqual([total, '5000']);
      await units(page).fill('5500');
      await eventually(async () => (await totalOf(page)) !== total);
      expect(await failure.isVisible()).toBe(false);
      await units(page).fill('5000');
      await failure.waitFor();
      front().reset();
      await page.locator('.calc-form [type=submit]').click();
      await page.waitForURL(/units=5000/);
    },
  );

  browserTest('until an answer comes, the form of the request has the order that the fields say', async () => {
    const page = await visit();
    await units(page).fill('2000');
    const button = page.locator('#result .action');
    await button.waitFor();
    const held = Promise.withResolvers<void>();
    front().intercept((req, _, pass) => {
      if (req.url?.startsWith('/rates/calc?')) held.promise.then(pass);
      else pass();
    });
    await units(page).fill('3000');
    await button.click();
    expect(await page.locator('dialog [name=calc]').inputValue()).toContain('units=3000&');
    held.resolve();
  });
});

browserTest.each([true, false])('a phone shows the bill first and the form on request (script: %s)', async (script) => {
  const page = await newPage({ ...phone, javaScriptEnabled: script });
  await page.goto('/rates/calc');
  await page.locator('.calc-form [type=submit]').click();
  await page.waitForURL(/units=/);
  expect(await heightAt(page, '.bill-total dd')).toBeLessThan(500);
  expect(await units(page).isVisible()).toBe(false);
  await page.getByText('изменить').click();
  await units(page).fill('2500');
  const folded = page.locator('.calc-order > summary b');
  if (script) await eventually(async () => plain(await folded.textContent()).startsWith('2 500 шт. → '));
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.reload();
  expect(await units(page).isVisible()).toBe(true);
});

browserTest('the form shows only the questions that the given answers need, also without a script', async () => {
  const page = await newPage({ javaScriptEnabled: false });
  await page.goto('/rates/calc');
  const asked = async () =>
    Promise.all(['Склад маркетплейса', 'Упаковка', 'километров'].map((label) => page.getByLabel(label).isVisible()));
  expect(await asked()).toEqual([true, true, false]);
  await page.getByLabel(/^FBS/).check();
  await page.getByLabel('Как груз приедет').selectOption({ index: 1 });
  expect(await asked()).toEqual([false, false, true]);
});

const minute = 60_000;
const hour = 60 * minute;

browserTest('a departure counts down to its deadline by the visitor’s clock, without a layout shift', async () => {
  const page = await newPage();
  await page.clock.install();
  const held = Promise.withResolvers<void>();
  await page.route('**/assets/countdown.*', (route) => held.promise.then(() => route.continue()));
  const [departure] = site().services.site.content.departures;
  await page.goto(departure?.service ?? '/');
  const line = page.locator('.departures summary').first();
  const height = async () => (await line.boundingBox())?.height;
  const before = await height();
  held.resolve();
  await eventually(async () => (await line.locator('.departures-closes').textContent()) !== '');
  const at = Date.parse((await line.locator('time').first().getAttribute('datetime')) ?? '');
  for (const [left, told] of [
    [42 * hour + 30 * minute, 'приём закроется через 1 дн. 18 ч'],
    [23 * hour + 49 * minute, 'приём закроется через 23 ч 49 мин'],
    [1, 'приём закроется через минуту'],
    [-1, 'приём закрыт'],
  ] as const) {
    await page.clock.setFixedTime(at - left);
    await page.clock.runFor(10_000);
    expect([plain(await line.locator('.departures-closes').textContent()), await height()]).toEqual([told, before]);
  }
});
