import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'a tab left open learns of a newer build');
const { site, front, newPage } = withVisitors();

const isCheck = (path: string) => path.startsWith('/builds/latest.json');
const checks = () => front().asked.filter(({ path }) => isCheck(path));

/** Answers of the running build, until `release` puts another one into its place. */
function builds(): { release(): void } {
  let id = site().served.id;
  front().intercept((req, res, pass) => {
    if (isCheck(req.url ?? '')) return void res.setHeader('Cache-Control', 'no-store').end(JSON.stringify({ id }));
    if (req.url !== '/rates') return pass();
    // A cache on the way that keeps pages for longer than it should.
    res.setHeader('Cache-Control', 'max-age=3600').setHeader('Content-Type', 'text/html');
    res.end(`<title>${id}</title>`);
  });
  return {
    release() {
      id = 'a-newer-build';
    },
  };
}

/** The test alone decides whether the tab is seen; a browser that is slow to show it says so later. */
const ownVisibility = `
  window.away = false;
  Object.defineProperty(document, 'hidden', { get: () => away });
  addEventListener('visibilitychange', (event) => event.isTrusted && event.stopImmediatePropagation(), true);
`;

/** A tab that counts the signals. */
async function tab(path: string): Promise<Page> {
  const page = await newPage();
  await page.addInitScript(`
    ${ownVisibility}
    window.updates = [];
    document.addEventListener('app:update', ({ detail }) => updates.push(detail.id));
  `);
  await page.goto(path);
  return page;
}

const leave = (page: Page) =>
  page.evaluate(`away = true; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
const comeBack = (page: Page) =>
  page.evaluate(`away = false; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
const updates = (page: Page) => page.evaluate('updates.map(String).join()') as Promise<string>;

/** Comes back so often that the tab has both learnt of its own build and of a newer one. */
async function learn(page: Page, build: { release(): void }): Promise<void> {
  await comeBack(page);
  await eventually(() => checks().length, 1);
  build.release();
  await leave(page);
  await comeBack(page);
  await eventually(() => updates(page), 'a-newer-build');
}

describe('a tab asks for the newest build', () => {
  browserTest('when its visitor comes back, past every cache', async () => {
    builds();
    const page = await tab('/map');
    await leave(page);
    await comeBack(page);
    await eventually(() => checks().length, 1);
    expect(checks()[0]?.path).toMatch(/^\/builds\/latest\.json\?\d{13}$/);
    await leave(page);
    await comeBack(page);
    await eventually(() => checks().length, 2);
    expect(await updates(page)).toBe('');
  });

  browserTest('every hour, but not while nobody sees it', async () => {
    builds();
    const page = await newPage();
    await page.clock.install();
    await page.addInitScript(ownVisibility);
    await page.goto('/map');
    // Meanwhile real seconds pass as well, so no step comes near the full hour.
    await page.evaluate(`away = true`);
    await page.clock.fastForward(3_660_000);
    expect(checks()).toEqual([]);
    await page.evaluate(`away = false`);
    await page.clock.fastForward(3_600_000);
    await eventually(() => checks().length, 1);
    await page.clock.fastForward(3_600_000);
    await eventually(() => checks().length, 2);
  });
});

describe('a newer build', () => {
  browserTest('is told of once, and then asked about no more', async () => {
    const page = await tab('/map');
    await learn(page, builds());
    const asked = checks().length;
    for (let time = 0; time < 3; time++) {
      await leave(page);
      await comeBack(page);
    }
    await page.evaluate(`fetch('/healthz').then(() => {})`);
    expect([await updates(page), checks().length]).toEqual(['a-newer-build', asked]);
  });

  browserTest('comes with the next page, past every cache', async () => {
    const build = builds();
    const page = await tab('/rates');
    expect(await page.title()).toBe(site().served.id);
    await page.goto('/map');
    await page.locator('.site-footer a[href="/rates"]').press('Enter');
    await page.waitForURL('**/rates');
    expect(front().asked.filter(({ path }) => path === '/rates')).toHaveLength(1);

    await page.goto('/map');
    await learn(page, build);
    await page.locator('.site-footer a[href="/rates"]').press('Enter');
    await page.waitForURL('**/rates');
    expect(await page.title()).toBe('a-newer-build');
    const [, fresh] = front().asked.filter(({ path }) => path === '/rates');
    expect(fresh?.headers['cache-control']).toBe('no-cache');
  });

  browserTest('comes even where the pointer had fetched the old page ahead', async () => {
    const build = builds();
    const page = await tab('/map');
    await page.locator('nav.bar a[href="/rates"]').hover();
    await eventually(() => front().asked.some(({ headers }) => headers['sec-purpose'] === 'prefetch'), true);
    await page.mouse.move(5, 700);
    await learn(page, build);
    await page.locator('nav.bar a[href="/rates"]').click();
    await page.waitForURL('**/rates');
    expect(await page.title()).toBe('a-newer-build');
  });

  browserTest('takes nothing that somebody has begun to write', async () => {
    const page = await tab('/contact?preset=request');
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await learn(page, builds());
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
    expect(page.url()).toContain('/contact?preset=request');
  });
});

browserTest.each([
  ['an error that is told as JSON', 503, '{"statusCode":503,"message":"Service Unavailable","fatal":false}'],
  ['a page instead of JSON', 200, '<!doctype html>'],
  ['no answer', 0, ''],
])('%s is no newer build, and is only logged', async (_what, status, body) => {
  const page = await tab('/map');
  const complaints = complaintsOf(page);
  builds();
  await comeBack(page);
  await eventually(() => checks().length, 1);
  front().intercept((req, res, pass) => {
    if (!isCheck(req.url ?? '')) pass();
    else if (status === 0) req.destroy();
    else res.writeHead(status, { 'Content-Type': 'application/json' }).end(body);
  });
  await leave(page);
  await comeBack(page);
  await eventually(() => complaints.length > 0, true);
  await page.evaluate(`fetch('/healthz').then(() => {})`);
  expect([await updates(page), page.url()]).toEqual(['', `${front().url}/map`]);
});
