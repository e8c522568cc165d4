import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { paths } from '../lib/paths.ts';
import { readCode } from '../site/code.ts';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'modules are loaded when they are needed, and mended when they cannot be');
const { front, newPage } = withVisitors();
const [entry, ...others] = readCode(paths.code).scripts;

const nameOf = (path: string) => /\/assets\/([\w-]+)\.\w+\.js$/.exec(path)?.[1] ?? path;
const size = (text: string) => brotliCompressSync(text).length;

describe('what browsers load of our own', () => {
  test('the first script fits into 1,800 bytes, every other one into 1,024, and the dialog with its frame into 1,344', () => {
    expect(size(entry?.text ?? '')).toBeLessThanOrEqual(1800);
    expect(others.length).toBeGreaterThan(5);
    for (const { path, text } of others) {
      const limit = nameOf(path) === 'broadcast-dialog' ? 1344 : 1024;
      expect([path, size(text) <= limit]).toEqual([path, true]);
    }
  });

  test('no script waits for another file before it runs', () => {
    for (const { path, text } of [...(entry ? [entry] : []), ...others]) {
      expect([path, text.match(/\bimport\b(?!\()|(?<!")\bfrom\s*["']/g)]).toEqual([path, null]);
    }
  });
});

/** In the page: its scripts besides the first one, as the browser remembers them. */
const laterScripts = `(() => {
  const [{ loadEventStart }] = performance.getEntriesByType('navigation');
  return performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/assets/') && name.endsWith('.js') && !name.includes('/assets/site.'))
    .map(({ name, startTime, responseEnd }) => ({ name, startTime, responseEnd, early: startTime < loadEventStart }));
})()`;
type Script = { name: string; startTime: number; responseEnd: number; early: boolean };

const namesOfLaterScripts = async (page: Page) =>
  ((await page.evaluate(laterScripts)) as Script[]).map(({ name }) => nameOf(name)).sort();

browserTest(
  'a page loads the modules that it uses, after itself, never more than four at once',
  async () => {
    const page = await newPage();
    const names = others.map(({ path }) => nameOf(path));
    for (const path of templates) {
      await page.goto(path);
      const asked = (await page.evaluate(
        `[...document.querySelectorAll('[data-module]')].map(({ dataset }) => dataset.module)`,
      )) as string[];
      // Each of these visits comes from nowhere.
      const always = ['loading-bar', ...(path.includes('?') ? ['attribution'] : [])];
      const used = [...new Set([...always, ...asked.filter((name) => names.includes(name))])].sort();
      await eventually(() => namesOfLaterScripts(page), used);
      await moduleRan(page, 'loading-bar');
      const scripts = (await page.evaluate(laterScripts)) as Script[];
      expect([path, scripts.map(({ name }) => nameOf(name)).sort()]).toEqual([path, used]);
      expect([path, scripts.filter(({ early }) => early)]).toEqual([path, []]);
      const atOnce = scripts.map(
        ({ startTime }) => scripts.filter((one) => one.startTime <= startTime && startTime < one.responseEnd).length,
      );
      expect([path, Math.max(...atOnce) <= 4]).toEqual([path, true]);
      expect(await page.locator('link[rel=preload], link[rel=modulepreload]').count()).toBeLessThanOrEqual(4);
    }
  },
  60_000,
);

browserTest('only a visitor who comes from elsewhere with parameters loads what keeps them', async () => {
  const page = await newPage();
  await page.goto('/map?utm_source=ad');
  await moduleRan(page, 'attribution');
  await page.goto('/cases');
  await page.locator('a[href="/map"]').last().click();
  await page.waitForURL('**/map');
  await moduleRan(page, 'loading-bar');
  expect(await namesOfLaterScripts(page)).toEqual(['loading-bar']);
});

describe('a module that cannot be had', () => {
  const broken = /^\/assets\/loading-bar\./;
  const documents = () => front().asked.filter(({ headers }) => headers['sec-fetch-dest'] === 'document').length;
  const checks = () => front().asked.filter(({ method }) => method === 'HEAD').length;
  const attempts = () => front().asked.filter(({ path }) => broken.test(path)).length;

  function breakModule(): void {
    front().intercept((req, res, pass) => (broken.test(req.url ?? '') ? res.writeHead(404).end() : pass()));
  }

  /** Resolves once the page has decided what to do about its modules. */
  async function settled(page: Page, complaints: string[]): Promise<void> {
    await eventually(() => complaints.some((text) => text.includes('dynamically imported module')), true);
    await page.evaluate(`fetch('/healthz').then(() => {})`);
  }

  browserTest('loads the page anew, once', async () => {
    breakModule();
    const page = await newPage();
    await page.goto('/rates?from=ad');
    await eventually(documents, 2);
    const complaints = complaintsOf(page);
    await page.waitForLoadState();
    await settled(page, complaints);
    expect([documents(), checks(), page.url()]).toEqual([2, 1, `${front().url}/rates?from=ad`]);

    await page.evaluate('sessionStorage.reloadedAt = Date.now() - 9000');
    await page.reload();
    await eventually(attempts, 3);
    await settled(page, complaints.splice(0));
    expect(documents()).toBe(3);
    await page.evaluate('sessionStorage.reloadedAt = Date.now() - 10001');
    await page.reload();
    await eventually(documents, 5);
    // A page that is being left cannot be closed in peace.
    await eventually(attempts, 5);
  });

  browserTest('does so when there is no storage, and never in a loop', async () => {
    breakModule();
    const page = await newPage();
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('denied'); } })`,
    );
    await page.goto('/rates');
    await eventually(documents, 2);
    const complaints = complaintsOf(page);
    await page.waitForLoadState();
    await settled(page, complaints);
    expect(documents()).toBe(2);
  });

  browserTest('mends itself when the page names a newer one', async () => {
    const first = new Set<string>();
    front().intercept((req, res, pass) => {
      const path = req.url ?? '';
      if (!broken.test(path) || first.has(path)) return pass();
      first.add(path);
      res.writeHead(404).end();
    });
    const page = await newPage();
    await page.goto('/rates');
    await eventually(documents, 2);
    await page.waitForLoadState();
    await moduleRan(page, 'loading-bar');
    expect(documents()).toBe(2);
  });

  browserTest('leaves a page alone in which something was typed', async () => {
    let answer: () => void = () => {};
    front().intercept((req, res, pass) => {
      if (broken.test(req.url ?? '')) answer = () => res.writeHead(404).end();
      else pass();
    });
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/contact?preset=request');
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await eventually(attempts, 1);
    answer();
    await settled(page, complaints);
    expect([documents(), checks()]).toEqual([1, 0]);
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
  });

  browserTest('leaves a form alone that came back with errors', async () => {
    breakModule();
    const page = await newPage();
    await page.goto('/contact?preset=request');
    await eventually(documents, 2);
    await page.waitForLoadState();
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.evaluate('sessionStorage.removeItem("reloadedAt")');
    const complaints = complaintsOf(page);
    // As it is sent without a script.
    await page.evaluate(`document.querySelector('main form').submit()`);
    await page.locator('[role=alert]').waitFor();
    await settled(page, complaints);
    expect(checks()).toBe(1);
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
  });

  browserTest.each([
    ['the network is gone', (fail: () => void) => fail()],
    ['the server is being restarted', (_fail: () => void, refuse: () => void) => refuse()],
  ])('leaves the page alone when %s', async (_when, answer) => {
    front().intercept((req, res, pass) => {
      if (broken.test(req.url ?? '')) req.destroy();
      else if (req.method === 'HEAD')
        answer(
          () => req.destroy(),
          () => res.writeHead(503).end(),
        );
      else pass();
    });
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/rates');
    await eventually(() => checks() > 0, true);
    await settled(page, complaints);
    expect(documents()).toBe(1);
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});
