import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'pages scroll to what was asked for, and show what they scroll to');
const { newPage } = withVisitors();

describe('a hash', () => {
  /** The last heading that a page of rates can scroll to the top. */
  async function target(page: Page): Promise<string> {
    return String(
      await page.evaluate(`(() => {
        const reachable = document.documentElement.scrollHeight - innerHeight;
        const ids = [...document.querySelectorAll('main [id]')]
          .filter((one) => one.getBoundingClientRect().top + scrollY - 120 < reachable && one.getBoundingClientRect().top > 1000);
        return ids.at(-1).id;
      })()`),
    );
  }
  const distance = (page: Page, id: string) =>
    page.evaluate(`Math.round(document.getElementById('${id}').getBoundingClientRect().top)`);

  browserTest('in the address opens the page at its element, 120 px below the top', async () => {
    const page = await newPage();
    await page.goto('/rates');
    const id = await target(page);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/');
      await page.goto(`/rates#${id}`);
      await eventually(() => distance(page, id), 120);
    }
  });

  browserTest.each<[string, BrowserContextOptions, boolean]>([
    ['smoothly', {}, true],
    ['at once where motion is unwelcome', { reducedMotion: 'reduce' }, false],
  ])('of a link scrolls to its element %s', async (_how, options, smooth) => {
    const page = await newPage(options);
    await page.goto('/rates');
    const id = await target(page);
    await page.evaluate(`
      document.querySelector('main').prepend(Object.assign(document.createElement('a'), { href: '#${id}', id: 'here', textContent: '→' }));
      window.stops = new Set();
      addEventListener('scroll', () => stops.add(Math.round(scrollY)));
    `);
    await page.locator('#here').press('Enter');
    await eventually(() => distance(page, id), 120);
    expect(((await page.evaluate('stops.size')) as number) > 2).toBe(smooth);
  });
});

browserTest.each<[string, BrowserContextOptions, boolean]>([
  ['smoothly', {}, true],
  ['at once where motion is unwelcome', { reducedMotion: 'reduce' }, false],
])('the logo of the home page scrolls to its top %s', async (_how, options, smooth) => {
  const page = await newPage(options);
  await page.goto('/');
  await page.evaluate(`scrollTo({ top: 2000, behavior: 'instant' })`);
  await page.evaluate(`new Promise(requestAnimationFrame).then(() => {
    window.stops = new Set();
    addEventListener('scroll', () => stops.add(Math.round(scrollY)));
  })`);
  await page.locator('.site-header-logo').click();
  await eventually(() => page.evaluate('scrollY'), 0);
  expect(((await page.evaluate('stops.size')) as number) > 2).toBe(smooth);
});

describe('blocks below the fold of the home page', () => {
  const hidden = (page: Page) => page.locator('.unrevealed').count();
  /** Blocks of which the window shows something, 120 px above its lower edge or higher, and that cannot be seen. */
  const unseen = (page: Page) =>
    page.evaluate(`[...document.querySelectorAll('[data-module=reveal]')].filter((block) => {
      const { top, bottom } = block.getBoundingClientRect();
      return bottom > 0 && top < innerHeight - 120 && getComputedStyle(block).opacity !== '1';
    }).length`) as Promise<number>;
  const invisible = (page: Page) =>
    page.evaluate(
      `[...document.querySelectorAll('main *')].filter((one) => getComputedStyle(one).opacity !== '1').length`,
    );

  async function open(options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.goto('/');
    await moduleRan(page, 'reveal');
    await moduleRan(page, 'loading-bar');
    return page;
  }

  browserTest('appear in 400 ms once 120 px of the window are below their top', async () => {
    const page = await open();
    expect(await hidden(page)).toBeGreaterThan(2);
    const transition = await page.evaluate(`{
      const block = document.querySelector('.unrevealed');
      block.id = 'first';
      getComputedStyle(block).transition;
    }`);
    expect(transition).toMatch(/opacity 0?\.4s( ease)?, transform 0?\.4s( ease)?$/);
    const is = () => page.evaluate(`document.getElementById('first').className.includes('unrevealed')`);
    /** Scrolls until the block's top is so far above the lower edge of the window. */
    const bring = (distance: number) =>
      page.evaluate(`{
        const block = document.getElementById('first');
        const moved = new DOMMatrix(getComputedStyle(block).transform).f;
        scrollBy({ top: block.getBoundingClientRect().top - innerHeight + ${distance}, behavior: 'instant' });
        new Promise(requestAnimationFrame).then(() => new Promise(requestAnimationFrame));
      }`);
    await bring(100);
    expect(await is()).toBe(true);
    await bring(125);
    await eventually(is, false);
    await eventually(() => page.evaluate(`getComputedStyle(document.getElementById('first')).opacity`), '1');
  });

  browserTest.each([
    ['the End key', (page: Page) => page.keyboard.press('End')],
    ['a jump to the middle', (page: Page) => page.evaluate(`scrollTo({ top: 1500, behavior: 'instant' })`)],
    [
      'a hash',
      (page: Page) =>
        page.evaluate(`document.querySelectorAll('main section')[3].id = 'there'; location.hash = 'there'`),
    ],
  ])('are all seen that are on the screen after %s', async (_what, jump) => {
    const page = await open();
    await jump(page);
    await eventually(
      async () => ((await page.evaluate('scrollY')) as number) > 500 && (await unseen(page)) === 0,
      true,
    );
  });

  browserTest('are seen when focus comes into them, wherever it stops', async () => {
    const page = await open();
    await page.evaluate(
      `[...document.querySelectorAll('.unrevealed a')].find((link) => link.checkVisibility()).focus({ preventScroll: true })`,
    );
    const opacity = `getComputedStyle(document.activeElement.closest('[data-module=reveal]')).opacity`;
    await eventually(() => page.evaluate(opacity), '1');
  });

  browserTest('are never invisible without script, in print, or where motion is unwelcome', async () => {
    const plain = await newPage({ javaScriptEnabled: false });
    await plain.goto('/');
    expect(await plain.locator('.unrevealed').count()).toBe(0);

    const printed = await open();
    await eventually(async () => ((await invisible(printed)) as number) > 2, true);
    await printed.emulateMedia({ media: 'print' });
    await eventually(() => invisible(printed), 0);

    expect(await invisible(await open({ reducedMotion: 'reduce' }))).toBe(0);
  });
});

browserTest('one page passes into the next, but not on a phone, nor where motion is unwelcome', async () => {
  const passes: unknown[] = [];
  for (const [width, reducedMotion] of [
    [1280, 'no-preference'],
    [1280, 'reduce'],
    [360, 'no-preference'],
  ] as const) {
    const page = await newPage({ viewport: { width, height: 740 }, reducedMotion });
    await page.addInitScript(
      "addEventListener('pagereveal', ({ viewTransition }) => { window.passes = Boolean(viewTransition); })",
    );
    await page.goto('/about');
    await page.locator('.site-footer a[href="/rates"]').click();
    await page.waitForURL('**/rates');
    await page.waitForFunction('window.passes !== undefined');
    passes.push(await page.evaluate('window.passes'));
  }
  expect(passes).toEqual([true, false, false]);
});
