import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { journey, keyboard, pointer } from '../testing/journey.ts';
import { plainService } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'a visitor gets from the menu to a receipt, whatever the browser lacks');
const { site, front, newPage } = withVisitors();
/** Where the header is a menu, and where it is a bar. */
const widths = [360, 1280];

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
    await journey(page, site(), width, pointer);
    expect(thrown).toEqual([]);
  });
});

describe('with the keyboard alone', () => {
  browserTest.each(widths)('a visitor gets from the menu to the receipt at %i px', async (width) => {
    const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    const complaints = complaintsOf(page);
    await journey(page, site(), width, keyboard(page));
    expect(complaints.filter((text) => !text.includes('422'))).toEqual([]);
  });

  browserTest.each(widths)('Escape closes what was opened at %i px, and focus is where it was', async (width) => {
    const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
    await page.goto(plainService);
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
