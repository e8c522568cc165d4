import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'a visitor gets from the menu to a receipt, whatever the browser lacks');
const { site, front, newPage } = withVisitors();
const widths = [320, 360, 768, 1280];

/** How a visitor works what is on the screen. */
type Hand = { press(target: Locator): Promise<void>; type(target: Locator, text: string): Promise<void> };

const pointer: Hand = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
};

/** Tab, Enter and Space, and not the mouse; what has the focus must show it. */
function keyboard(page: Page): Hand {
  const reach = async (target: Locator) => {
    const wanted = await target.elementHandle();
    for (let step = 0; step < 150; step++) {
      if (await page.evaluate((element) => element === Reflect.get(globalThis, 'document').activeElement, wanted)) {
        expect(await page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
        const box = await target.boundingBox();
        expect([(box?.height ?? 0) > 0, (box?.y ?? 0) >= -1, (box?.y ?? 0) < 800]).toEqual([true, true, true]);
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${target}.`);
  };
  return {
    async press(target) {
      await reach(target);
      const box = await target.getAttribute('type');
      await page.keyboard.press(box === 'checkbox' ? 'Space' : 'Enter');
    },
    async type(target, text) {
      await reach(target);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
  };
}

/** From the menu to a service, through the form with an error in it, to the receipt. */
async function journey(page: Page, width: number, hand: Hand): Promise<void> {
  await page.goto('/');
  if (width < 1024) await hand.press(page.locator('.burger > summary'));
  const menu = page.locator(width < 1024 ? '.burger nav' : 'nav.bar');
  await hand.press(menu.locator('summary').first());
  await hand.press(menu.getByRole('link', { name: 'Фулфилмент' }));
  await page.waitForURL('**/services/fulfillment');

  await hand.press(page.locator('main a[href^="/contact?preset="]').first());
  const form = page.locator('.contact form');
  await form.waitFor();
  await hand.type(form.getByLabel('Как к вам обращаться'), `Анна ${width}`);
  await hand.type(form.getByLabel('Телефон'), '12');
  await hand.press(form.getByLabel(/обработку персональных данных/));
  await hand.press(form.locator('button'));
  await eventually(async () => (await page.title()).startsWith('Ошибка: '), true);
  expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe(`Анна ${width}`);

  await hand.press(page.locator('[role=alert] a').first());
  await eventually(() => new URL(page.url()).hash, '#field-phone');
  await hand.type(page.getByLabel('Телефон'), '89161234567');
  await hand.press(page.locator('.contact form button'));
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  expect(await page.locator('h1').textContent()).toMatch(/Заявка №\s\d+ принята/);
  const [lead] = await site().services.leads.list({ limit: 1 });
  expect(lead).toMatchObject({
    name: `Анна ${width}`,
    phone: '+79161234567',
    page: '/services/fulfillment',
    state: 'new',
  });
}

const stored = `
  const denied = { configurable: true, get() { throw new DOMException('denied', 'SecurityError'); }, set() { throw new DOMException('denied', 'SecurityError'); } };
  Object.defineProperty(window, 'localStorage', denied);
  Object.defineProperty(window, 'sessionStorage', denied);
  Object.defineProperty(Document.prototype, 'cookie', denied);
`;

type Lack = { what: string; options?: BrowserContextOptions; init?: string; withoutScripts?: boolean };

describe.each<Lack>([
  { what: 'everything' },
  { what: 'JavaScript off', options: { javaScriptEnabled: false } },
  { what: 'the script blocked', withoutScripts: true },
  { what: 'storage that throws', init: stored },
])('with $what', ({ options = {}, init = '', withoutScripts = false }) => {
  browserTest.each(widths)('a visitor gets from the menu to the receipt at %i px', async (width) => {
    front().intercept((req, _res, pass) => {
      if (withoutScripts && req.url?.startsWith('/assets/')) req.destroy();
      else pass();
    });
    const page = await newPage({ viewport: { width, height: 800 }, ...options });
    await page.addInitScript(init);
    const thrown: Error[] = [];
    page.on('pageerror', (error) => thrown.push(error));
    await journey(page, width, pointer);
    expect(thrown).toEqual([]);
  });
});

describe('with the keyboard alone', () => {
  browserTest.each(widths)('a visitor gets from the menu to the receipt at %i px', async (width) => {
    const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const complaints = complaintsOf(page);
    await journey(page, width, keyboard(page));
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  browserTest.each(widths)('Escape closes what was opened at %i px, and focus is where it was', async (width) => {
    const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    await page.goto('/services/photo');
    const { press } = keyboard(page);
    const opener = page.locator(width < 1024 ? '.burger > summary' : '.bar summary').first();
    for (const [open, opened] of [
      [opener, page.locator('.site-header details[open]')],
      [page.locator('main a[href^="/contact?preset="]').first(), page.locator('dialog')],
    ] as const) {
      await press(open);
      await eventually(() => opened.count(), 1);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await eventually(() => opened.count(), 0);
      const wanted = await open.elementHandle();
      expect(
        await page.evaluate((element) => element === Reflect.get(globalThis, 'document').activeElement, wanted),
      ).toBe(true);
    }
  });
});
