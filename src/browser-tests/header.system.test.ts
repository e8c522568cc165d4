import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the header works before its script, after it, and with a finger');
const { front, newPage } = withVisitors();

const isLocked = (page: Page) =>
  page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"') as Promise<boolean>;
const isOpen = async (page: Page, selector: string) =>
  (await page.locator(selector).first().getAttribute('open')) !== null;

describe.each([360, 1280])('at %i px, when the script arrives late', (width) => {
  browserTest('the menu works before it, and nothing moves when it comes', async () => {
    const held: (() => void)[] = [];
    front().intercept((req, _res, pass) => (req.url?.startsWith('/assets/site.') ? held.push(pass) : pass()));
    const page = await newPage({ viewport: { width, height: 800 } });
    await page.addInitScript(`
      window.shifted = 0;
      new PerformanceObserver((list) => { for (const { value, hadRecentInput } of list.getEntries()) shifted += hadRecentInput ? 0 : value; })
        .observe({ type: 'layout-shift', buffered: true });
    `);
    await page.goto('/', { waitUntil: 'commit' });
    await page.locator('.site-footer').waitFor();
    await eventually(() => held.length, 1);
    const menu = width < 1024 ? '.burger' : '.bar .dropdown';
    await page.locator(`${menu} > summary`).first().click();
    expect(await isOpen(page, menu)).toBe(true);
    if (width < 1024) await page.locator(`${menu} .dropdown > summary`).first().click();
    const entry = page.locator(`${menu} .dropdown[open] a, ${menu}[open] > ul a`).first();
    const address = `${await entry.getAttribute('href')}`;
    expect(await entry.isVisible()).toBe(true);
    // What moves within half a second of a press is put down to the press, and on a busy machine what moves later is, too.
    await page.waitForTimeout(600);
    await page.evaluate('shifted = 0');
    for (const answer of held) answer();
    await moduleRan(page, 'loading-bar');
    await page.evaluate(
      'new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => {})',
    );
    expect(await page.evaluate('shifted')).toBe(0);
    await entry.click();
    await page.waitForURL(`**${address}`);
  });
});

browserTest.each([320, 360, 768, 1024, 1280])('at %i px the header is one line', async (width) => {
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.goto('/');
  const header = await page.locator('.site-header').boundingBox();
  expect(header?.height).toBeLessThan(72);
  expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
  // The calculator and the search have room from where the bar has it.
  for (const href of ['/rates/calc', '/search']) {
    const link = page.locator(`.site-header a[href="${href}"]:visible`);
    expect(await link.count()).toBe(width < 1024 ? 0 : 1);
  }
});

const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

describe('the burger', () => {
  browserTest('locks the page, keeps focus in, gives it back, and folds up its list of services', async () => {
    const page = await newPage({ viewport: { width: 360, height: 800 }, reducedMotion: 'reduce' });
    await page.goto('/');
    await moduleRan(page, 'loading-bar');
    const menu = page.locator('.burger');
    const button = page.locator('.burger > summary');
    await button.click();
    await eventually(() => isLocked(page), true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await isOpen(page, '.burger')).toBe(false);
    await eventually(() => isLocked(page), false);
    expect(await focused(page)).toBe('Меню');

    await button.click();
    await menu.locator('.dropdown > summary').first().click();
    expect(await menu.locator('details[open]').count()).toBe(1);
    await menu.locator('a').last().focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Меню');
    await button.click();
    await button.click();
    expect(await menu.locator('details[open]').count()).toBe(0);
    await page.evaluate('scrollTo(0, 2000)');
    await page.locator('.site-header-logo').click();
    expect(await isOpen(page, '.burger')).toBe(false);
    expect(await page.evaluate('scrollY')).toBe(0);
  });

  browserTest('lets the page go when the screen is turned and has room for the bar', async () => {
    const page = await newPage({ viewport: { width: 768, height: 1024 } });
    await page.goto('/');
    await page.locator('.burger > summary').click();
    await eventually(() => isLocked(page), true);
    await page.setViewportSize({ width: 1024, height: 768 });
    await eventually(() => isLocked(page), false);
  });

  browserTest.each(['/rates', '/'])('closes by its own links and by the logo (%s)', async (path) => {
    const page = await newPage({ viewport: { width: 360, height: 800 } });
    await page.goto(path);
    await page.locator('.burger > summary').click();
    await eventually(() => isLocked(page), true);
    await page.evaluate(`addEventListener('click', (event) => event.preventDefault())`);
    await page.locator('.burger nav a[href="/cargo"]').click();
    await eventually(() => isLocked(page), false);
    await page.locator('.burger > summary').click();
    await page.locator('.site-header-logo').click();
    await eventually(() => isOpen(page, '.burger'), false);
  });
});

describe('a dropdown', () => {
  const services = '.bar .dropdown';

  browserTest('opens under the pointer, stays while it travels into the list, closes behind it', async () => {
    const page = await newPage({ reducedMotion: 'reduce' });
    await page.goto('/rates');
    await moduleRan(page, 'loading-bar');
    const list = page.locator(services).first();
    await list.locator('summary').hover();
    expect(await isOpen(page, services)).toBe(true);
    await list.locator('a').nth(4).hover();
    expect(await isOpen(page, services)).toBe(true);
    await page.mouse.move(640, 700);
    expect(await isOpen(page, services)).toBe(false);
    // A click with the pointer on it does not fold it up again.
    await list.locator('summary').click();
    expect(await isOpen(page, services)).toBe(true);
  });

  browserTest('is opened by Enter and Space, and closes on Escape and when focus leaves it', async () => {
    const page = await newPage({ reducedMotion: 'reduce' });
    await page.goto('/rates');
    await moduleRan(page, 'loading-bar');
    const summary = page.locator(services).first().locator('summary');
    for (const key of ['Enter', 'Space']) {
      await summary.focus();
      await page.keyboard.press(key);
      expect(await isOpen(page, services)).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      expect(await isOpen(page, services)).toBe(false);
      expect(await focused(page)).toBe('Услуги');
    }
    await page.keyboard.press('Enter');
    await page.locator(services).first().locator('a').last().focus();
    await page.keyboard.press('Tab');
    expect(await isOpen(page, services)).toBe(false);
  });

  browserTest('that a finger has opened closes when the finger is put beside it', async () => {
    const page = await newPage({ hasTouch: true });
    await page.goto('/rates');
    await page.locator(`${services} > summary`).first().tap();
    await eventually(() => isOpen(page, services), true);
    await page.touchscreen.tap(1000, 600);
    await eventually(() => isOpen(page, services), false);
  });
});

browserTest('the logo of the home page opens a new tab where that is meant', async () => {
  const page = await newPage();
  await page.goto('/');
  const tab = page.context().waitForEvent('page');
  await page.locator('.site-header-logo').click({ modifiers: ['Control'] });
  await (await tab).waitForURL(`${front().url}/`);
});
