import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { testIf } from '../support/test-if.ts';
import { moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { front, newPage, site } = withVisitors();

const phone = { viewport: { width: 360, height: 740 }, isMobile: true };
const isOpen = async (page: Page, selector: string) =>
  (await page.locator(selector).first().getAttribute('open')) !== null;
const isLocked = (page: Page) => page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"');
const focused = (page: Page) => page.evaluate('document.activeElement.textContent.trim()');

browserTest.each([360, 1280])(
  'at %i px wide, the menu works before its script, and the script causes no layout shift',
  async (width) => {
    const held: (() => void)[] = [];
    front().intercept((req, _res, pass) => (req.url?.startsWith('/assets/entry.') ? held.push(pass) : pass()));
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
    const entry = page.locator(`${menu} .dropdown[open] a, ${menu}[open] > ul a`).first();
    expect(await entry.isVisible()).toBe(true);
    // Shifts within 500 ms of a press do not count, and on a busy machine later ones do not either.
    await page.waitForTimeout(600);
    await page.evaluate('shifted = 0');
    for (const answer of held) answer();
    await moduleRan(page, 'loading-bar');
    await page.evaluate(
      'new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame)).then(() => {})',
    );
    expect(await page.evaluate('shifted')).toBe(0);
    const address = String(await entry.getAttribute('href'));
    await entry.click();
    await page.waitForURL(`**${address}`);
  },
);

describe('the burger', () => {
  const button = (page: Page) => page.locator('.burger > summary');

  browserTest('locks the page, traps and returns the focus, and closes its lists with it', async () => {
    const page = await newPage({ ...phone, reducedMotion: 'reduce' });
    await page.goto('/');
    await moduleRan(page, 'loading-bar');
    await button(page).click();
    await eventually(() => isLocked(page), true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await isOpen(page, '.burger')).toBe(false);
    await eventually(() => isLocked(page), false);
    expect(await focused(page)).toBe('Меню');

    await button(page).click();
    await page.locator('.burger a').last().focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Меню');
    await page.locator('.burger .dropdown > summary').last().click();
    const opened = page.locator('.burger details[open] > summary');
    await eventually(async () => (await opened.allInnerTexts()).map((text) => text.replace(/\s/, ' ')), ['О нас']);
  });

  browserTest.each([
    ['with JavaScript', 740, 360, true],
    ['without JavaScript', 740, 360, false],
    ['at a zoom of 400 %', 320, 256, true],
  ])(
    'scrolls to its last link on a low screen while the page behind stays: %s',
    async (_how, width, height, script) => {
      const page = await newPage({ viewport: { width, height }, javaScriptEnabled: script });
      await page.goto('/');
      if (script) await moduleRan(page, 'loading-bar');
      await button(page).click();
      await page.locator('.burger a').last().waitFor();
      await page.mouse.move(width / 2, height - 40);
      await page.mouse.wheel(0, 3_000);
      const bottom = async () => {
        const { y = 0, height = 0 } = (await page.locator('.burger a').last().boundingBox()) ?? {};
        return y + height;
      };
      await eventually(async () => (await bottom()) <= height && (await bottom()) > 0, true);
      expect((await button(page).boundingBox())?.y).toBeGreaterThanOrEqual(0);
    },
  );

  browserTest.each([true, false])(
    'closes on a tap outside without following a link behind it, with JavaScript: %s',
    async (javaScriptEnabled) => {
      const page = await newPage({ ...phone, hasTouch: true, javaScriptEnabled });
      await page.goto('/');
      if (javaScriptEnabled) await moduleRan(page, 'loading-bar');
      await page.evaluate(`{
        const link = Object.assign(document.createElement('a'), { href: '/map' });
        Object.assign(link.style, { position: 'fixed', bottom: 0, left: 0, width: '100%', height: '40px' });
        document.querySelector('main').append(link);
      }`);
      await button(page).tap();
      await eventually(() => isLocked(page), true);
      // The open list leaves no room.
      await page.locator('.burger .dropdown > summary').first().tap();
      await page.touchscreen.tap(180, 730);
      await eventually(() => isLocked(page), false);
      expect([await isOpen(page, '.burger'), new URL(page.url()).pathname]).toEqual([false, '/']);
    },
  );

  browserTest('unlocks the page when a rotated screen has room for the bar', async () => {
    const page = await newPage({ viewport: { width: 768, height: 1024 } });
    await page.goto('/');
    await button(page).click();
    await eventually(() => isLocked(page), true);
    await page.setViewportSize({ width: 1024, height: 768 });
    await eventually(() => isLocked(page), false);
  });

  browserTest('closes when a link of it is pressed', async () => {
    const page = await newPage(phone);
    await page.goto('/');
    await button(page).click();
    await eventually(() => isLocked(page), true);
    // Keeps the page, as happens for a moment while the next one loads.
    await page.evaluate(`addEventListener('click', (event) => event.preventDefault())`);
    await page.locator('.burger nav a[href="/cargo"]').click();
    await eventually(() => isLocked(page), false);
    expect(await isOpen(page, '.burger')).toBe(false);
  });
});

describe('a dropdown', () => {
  const services = '.bar .dropdown';

  async function open(options: BrowserContextOptions = {}) {
    const page = await newPage({ reducedMotion: 'reduce', ...options });
    await page.goto('/rates');
    await moduleRan(page, 'loading-bar');
    return { page, list: page.locator(services).first() };
  }

  browserTest(
    'opens under the pointer, stays open on the way into the list, and closes after it or on Escape',
    async () => {
      const { page, list } = await open();
      await page.locator('main a').first().focus();
      const before = await focused(page);
      await list.locator('summary').hover();
      await list.locator('a').nth(4).hover();
      expect(await isOpen(page, services)).toBe(true);
      await page.keyboard.press('Escape');
      expect([await isOpen(page, services), await focused(page)]).toEqual([false, before]);
      await list.locator('summary').click();
      expect(await isOpen(page, services)).toBe(true);
      await page.mouse.move(640, 700);
      expect(await isOpen(page, services)).toBe(false);
    },
  );

  browserTest('opens on Enter and Space, and closes on Escape and when it loses the focus', async () => {
    const { page, list } = await open();
    for (const key of ['Enter', 'Space']) {
      await list.locator('summary').focus();
      await page.keyboard.press(key);
      expect(await isOpen(page, services)).toBe(true);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      expect([await isOpen(page, services), await focused(page)]).toEqual([false, 'Услуги']);
    }
    await page.keyboard.press('Enter');
    await list.locator('a').last().focus();
    await page.keyboard.press('Tab');
    expect(await isOpen(page, services)).toBe(false);
  });
});

describe('a section that is folded on a phone', () => {
  browserTest(
    'unfolds on a press on its heading, is always open on wide screens, and has its price in the accessible name',
    async () => {
      const [group] = site().services.site.content.rates.groups;
      const page = await newPage(phone);
      await page.goto('/rates');
      const table = page.locator(`#${group?.id} table`);
      const fold = page.locator('.section-fold', { has: page.locator(`#${group?.id}`) });
      expect(await fold.locator('summary').textContent()).toContain(group?.lead[0]?.text);
      for (const isUnfolded of [true, false]) {
        await fold.locator('h2').click();
        expect(await table.isVisible()).toBe(isUnfolded);
      }
      await page.setViewportSize({ width: 768, height: 800 });
      expect(await table.isVisible()).toBe(true);
    },
  );

  browserTest('opens an answer for a link to it, without a script', async () => {
    const page = await newPage({ ...phone, javaScriptEnabled: false });
    const [question] = site().services.site.content.questions;
    await page.goto(`/questions#${question?.slug}`);
    const summary = page.locator('.questions details').first().locator('summary');
    expect(await page.locator(`#${question?.slug} .prose`).isVisible()).toBe(true);
    const header = await page.locator('.site-header').boundingBox();
    expect((await summary.boundingBox())?.y).toBeGreaterThanOrEqual(Number(header?.height));
  });

  browserTest('opens by script in a browser that does not open it for a link, with its heading in view', async () => {
    const page = await newPage(phone);
    const held = Promise.withResolvers<void>();
    await page.route('**/assets/unfold.*', (route) => held.promise.then(() => route.continue()));
    const last = site().services.site.content.rates.groups.at(-1)?.id;
    await page.goto(`/rates#${last}`, { waitUntil: 'commit' });
    await page.locator('.site-footer').waitFor();
    // Restores the state that such a browser leaves.
    await page.evaluate(`document.querySelector('#${last}').closest('details').open = false; scrollTo(0, 0)`);
    held.resolve();
    await page.locator(`#${last} table`).waitFor();
    const fold = page.locator('.section-fold', { has: page.locator(`#${last}`) });
    const header = await page.locator('.site-header').boundingBox();
    await eventually(async () => Number((await fold.locator('h2').boundingBox())?.y) < 300);
    expect((await fold.locator('h2').boundingBox())?.y).toBeGreaterThan(Number(header?.height));
  });
});

describe('scrolling', () => {
  /** The id of the last heading that a page can scroll to its place at the top. */
  const last = `{
    const reachable = document.documentElement.scrollHeight - innerHeight;
    const ids = [...document.querySelectorAll('main [id]')]
      .filter((one) => one.getBoundingClientRect().top + scrollY - 120 < reachable && one.getBoundingClientRect().top > 1000);
    ids.at(-1).id;
  }`;
  const distance = (page: Page, id: string) =>
    page.evaluate(`Math.round(document.getElementById('${id}').getBoundingClientRect().top)`);
  const countStops = `
    window.stops = new Set();
    addEventListener('scroll', () => stops.add(Math.round(scrollY)));
  `;
  const wasSmooth = async (page: Page) => Number(await page.evaluate('stops.size')) > 2;

  browserTest.each([
    ['smoothly', 'no-preference', true],
    ['at once with reduced motion', 'reduce', false],
  ] as const)('by a link and by the logo of the home page goes %s', async (_how, reducedMotion, smooth) => {
    const page = await newPage({ reducedMotion });
    await page.goto('/rates');
    const id = String(await page.evaluate(last));
    await page.evaluate(`
      document.querySelector('main').prepend(Object.assign(document.createElement('a'), { href: '#${id}', id: 'here', textContent: '→' }));
      ${countStops}
    `);
    await page.locator('#here').press('Enter');
    await eventually(() => distance(page, id), 120);
    expect(await wasSmooth(page)).toBe(smooth);

    await page.goto('/');
    await page.evaluate(`scrollTo({ top: 2000, behavior: 'instant' })`);
    await page.evaluate(`new Promise(requestAnimationFrame).then(() => {${countStops}})`);
    await page.locator('.site-header-logo').click();
    await eventually(() => page.evaluate('scrollY'), 0);
    expect(await wasSmooth(page)).toBe(smooth);
  });
});

describe('blocks below the fold of the home page', () => {
  const hidden = (page: Page) => page.locator('.unrevealed').count();
  const invisible = (page: Page) =>
    page.evaluate(
      `[...document.querySelectorAll('main :not(input)')].filter((one) => getComputedStyle(one).opacity !== '1').length`,
    );

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto('/');
    await moduleRan(page, 'reveal');
    await moduleRan(page, 'loading-bar');
    return page;
  }

  async function openAndScroll(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await open(options);
    expect(await hidden(page)).toBe(0);
    await page.evaluate(`scrollBy({ top: 1, behavior: 'instant' })`);
    return page;
  }

  browserTest('appear in 400 ms once their top is 120 px above the lower edge of the window', async () => {
    const page = await openAndScroll();
    await eventually(async () => (await hidden(page)) > 2);
    const transition = await page.evaluate(`{
      window.block = document.querySelector('.unrevealed');
      getComputedStyle(block).transition;
    }`);
    expect(transition).toMatch(/opacity 0?\.4s( ease)?, transform 0?\.4s( ease)?$/);
    const isHidden = () => page.evaluate(`block.className.includes('unrevealed')`);
    /** Scrolls until the top of the block is this far above the lower edge of the window. */
    const bring = (distance: number) =>
      page.evaluate(`{
        const moved = new DOMMatrix(getComputedStyle(block).transform).f;
        scrollBy({ top: block.getBoundingClientRect().top - innerHeight + ${distance}, behavior: 'instant' });
        new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame));
      }`);
    await bring(100);
    expect(await isHidden()).toBe(true);
    await bring(125);
    await eventually(isHidden, false);
  });

  browserTest('become visible when they receive the focus', async () => {
    const page = await openAndScroll();
    await eventually(async () => (await hidden(page)) > 2);
    await page.evaluate(
      `[...document.querySelectorAll('.unrevealed a')].find((link) => link.checkVisibility()).focus({ preventScroll: true })`,
    );
    const opacity = `getComputedStyle(document.activeElement.closest('[data-module=reveal]')).opacity`;
    await eventually(() => page.evaluate(opacity), '1');
  });

  browserTest('are never invisible without a script, in print or with reduced motion', async () => {
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto('/');
    expect(await hidden(plain)).toBe(0);

    const printed = await openAndScroll();
    await eventually(async () => Number(await invisible(printed)) > 2, true);
    await printed.emulateMedia({ media: 'print' });
    await eventually(() => invisible(printed), 0);

    const still = await openAndScroll({ reducedMotion: 'reduce' });
    await eventually(async () => (await hidden(still)) > 2);
    expect(await invisible(still)).toBe(0);
  });
});
