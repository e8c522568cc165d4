import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { plainService } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, type VisitorOptions, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the loading bar tells how a navigation fares');
const { front, newPage } = withVisitors();

/** How the bar looked after something had changed about it; `color` is null where there is no bar. */
type Look = { at: number; path: string; color: string | null } & Partial<{
  height: number;
  top: number;
  opacity: string;
  transition: string;
  above: boolean;
}>;
const green = 'rgb(24, 119, 65)';
const error = 'rgb(156, 33, 24)';

/** Tells of every look by itself: while a page is being left, a browser's tools cannot ask it anything. */
const tellOfBar = `
  const observer = new MutationObserver(() => {
    const bar = document.querySelector('.loading-bar');
    const told = { at: performance.now(), path: location.pathname, color: null };
    if (!bar) return tell(told);
    const { backgroundColor: color, opacity, transition } = getComputedStyle(bar);
    const { top } = bar.getBoundingClientRect();
    bar.style.pointerEvents = 'auto';
    const above = document.elementFromPoint(0, 4) === bar || new DOMMatrix(getComputedStyle(bar).transform).a === 0;
    bar.style.pointerEvents = 'none';
    observer.takeRecords();
    tell({ ...told, color, height: bar.offsetHeight, top, opacity, transition, above });
  });
  observer.observe(document, { childList: true, subtree: true, attributeFilter: ['style'] });
`;

async function watched(path: string, options: VisitorOptions = {}): Promise<{ page: Page; looks: Look[] }> {
  const page = await newPage(options);
  const looks: Look[] = [];
  await page.exposeBinding('tell', (_source, look: Look) => {
    // The page's own markup arrives piece by piece, too.
    if (look.color !== null || looks.length > 0) looks.push(look);
  });
  await page.addInitScript(tellOfBar);
  await page.goto(path);
  await moduleRan(page, 'loading-bar');
  return { page, looks };
}

const colorOf = (looks: Look[]) => looks.at(-1)?.color;

/** Holds every answer for a path back; the result lets them go. */
function hold(path: string, method = 'GET'): () => void {
  const held: (() => void)[] = [];
  front().intercept((req, _res, pass) => {
    if (req.method === method && req.url === path) held.push(pass);
    else pass();
  });
  return () => {
    front().intercept((_req, _res, pass) => pass());
    for (const answer of held) answer();
  };
}

async function press(page: Page, selector: string): Promise<void> {
  await page.locator(selector).first().focus();
  await page.keyboard.press('Enter');
}

const toRates = '.site-footer a[href="/rates"]';

describe('the loading bar', () => {
  browserTest('runs green and 8 px high at the top from the press of a link until the next page', async () => {
    const release = hold('/rates');
    const { page, looks } = await watched('/map');
    await press(page, toRates);
    await eventually(() => colorOf(looks), green);
    expect(looks.at(-1)).toMatchObject({ height: 8, top: 0, opacity: '1', path: '/map', above: true });
    expect(looks.at(-1)?.transition).toMatch(/transform 2s/);
    release();
    await page.waitForURL('**/rates');
    expect(await page.locator('.loading-bar').count()).toBe(0);
    expect(looks.some(({ color }) => color === error)).toBe(false);
  });

  browserTest('runs while a form is being sent', async () => {
    const release = hold('/contact', 'POST');
    const { page, looks } = await watched('/contact?preset=request');
    await press(page, 'main form button');
    await eventually(() => colorOf(looks), green);
    release();
    await page.locator('[role=alert]').waitFor();
    await eventually(() => page.locator('.loading-bar').count(), 0);
  });

  browserTest('moves nothing where motion is unwelcome', async () => {
    hold('/rates');
    const { page, looks } = await watched('/map', { reducedMotion: 'reduce' });
    await press(page, toRates);
    await eventually(() => colorOf(looks), green);
    expect(looks.filter(({ transition }) => transition?.includes('transform'))).toEqual([]);
    expect(looks.at(-1)).toMatchObject({ above: true, height: 8 });
  });

  browserTest('stays away where the page stays', async () => {
    const { page, looks } = await watched('/map');
    await page.evaluate(`
      for (const [name, value] of [
        ['hash', { href: '#main' }],
        ['file', { href: '/price.pdf' }],
        ['download', { href: '/rates', download: '' }],
        ['tab', { href: '/rates', target: '_blank' }],
        ['elsewhere', { href: 'https://example.com/' }],
        ['phone', { href: 'tel:88000000000' }],
        ['taken', { href: '/rates', onclick: (event) => event.preventDefault() }],
        ['control', { href: '/cargo' }],
      ]) document.querySelector('main').append(Object.assign(document.createElement('a'), { id: name, textContent: name }, value));
      // Nobody leaves: this comes after all that the page itself does.
      addEventListener('click', (event) => event.preventDefault());
    `);
    const modifier = { modifiers: ['Control' as const] };
    for (const name of ['hash', 'file', 'download', 'tab', 'elsewhere', 'phone', 'taken'])
      await page.locator(`#${name}`).click();
    await page.locator('#control').click(modifier);
    await page.evaluate('1');
    expect(looks).toEqual([]);
    await page.locator('#control').click();
    await eventually(() => colorOf(looks), green);
  });

  browserTest('takes the error colour when a navigation is stopped, and is gone 900 ms later', async () => {
    hold('/rates');
    const { page, looks } = await watched('/map');
    await page.evaluate(`navigation.addEventListener('navigate', () => setTimeout(stop, 100))`);
    await press(page, toRates);
    await eventually(() => looks.some(({ color }) => color === error), true);
    await eventually(() => colorOf(looks), null);
    const failed = looks.find(({ color }) => color === error);
    const faded = looks.find(({ transition }) => transition?.includes('opacity 0.4s'));
    const since = (look: Look | undefined) => (look?.at ?? 0) - (failed?.at ?? 0);
    expect(since(faded)).toBeGreaterThanOrEqual(495);
    expect(since(looks.at(-1))).toBeGreaterThanOrEqual(895);
    expect(page.url()).toBe(`${front().url}/map`);
  });

  browserTest('takes the error colour when nothing is heard of a page for half a minute', async () => {
    front().intercept((req, res, pass) => (req.url === '/rates' ? res.writeHead(204).end() : pass()));
    const { page, looks } = await watched('/map', { clock: true });
    await page.clock.install();
    await press(page, toRates);
    await eventually(() => colorOf(looks), green);
    await page.clock.fastForward(29_000);
    expect(looks.some(({ color }) => color === error)).toBe(false);
    await page.clock.fastForward(1000);
    await eventually(() => looks.some(({ color }) => color === error), true);
    await page.clock.fastForward(500);
    await page.clock.fastForward(400);
    await eventually(() => colorOf(looks), null);
  });

  browserTest('runs on when a link is pressed twice', async () => {
    const release = hold('/rates');
    const { page, looks } = await watched('/map');
    await page.exposeBinding('pressedTwice', () => looks.push({ at: 0, path: 'pressed twice', color: green }));
    await page.evaluate(`{
      const link = document.querySelector('${toRates}');
      link.click();
      setTimeout(() => { link.click(); setTimeout(pressedTwice, 100); }, 100);
    }`);
    await eventually(() => looks.at(-1)?.path, 'pressed twice');
    expect(looks.map(({ color }) => color).filter((color) => color !== green)).toEqual([]);
    release();
    await page.waitForURL('**/rates');
  });
});

describe('over the request dialog, the loading bar', () => {
  const toForm = 'main a[href^="/contact?preset="]';

  browserTest('runs while the dialog is on its way, and ends with it', async () => {
    const { page, looks } = await watched(plainService);
    const release = hold(String(await page.locator(toForm).first().getAttribute('href')));
    await press(page, toForm);
    await eventually(() => colorOf(looks), green);
    expect(await page.locator(toForm).first().getAttribute('aria-busy')).toBe('true');
    release();
    await page.locator('dialog').waitFor();
    await eventually(() => colorOf(looks), null);
    expect(await page.locator(toForm).first().getAttribute('aria-busy')).toBeNull();
    expect(looks.some(({ color }) => color === error)).toBe(false);
  });

  browserTest('takes the error colour when the dialog cannot be had', async () => {
    front().intercept((req, res, pass) => {
      if (req.url?.startsWith('/contact?') && req.headers['sec-fetch-dest'] === 'empty') res.writeHead(503).end();
      else pass();
    });
    const { page, looks } = await watched(plainService);
    await press(page, toForm);
    await page.waitForURL('**/contact?preset=*');
    await eventually(() => looks.some(({ color, path }) => color === error && path === plainService), true);
  });

  browserTest('is seen above it while its form is being sent', async () => {
    hold('/contact', 'POST');
    const { page, looks } = await watched(plainService);
    await press(page, toForm);
    await page.locator('dialog').waitFor();
    await eventually(() => colorOf(looks), null);
    looks.length = 0;
    await press(page, 'dialog form button');
    await eventually(() => looks.some(({ color, above }) => color === green && above === true), true);
    expect(looks.some(({ above }) => above === false)).toBe(false);
  });
});
