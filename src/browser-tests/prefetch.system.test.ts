import { describe, expect } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { speculationRulesPath } from '../document/document.tsx';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { articlePage } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'pages are fetched ahead, and nothing else is');
const { site, front, newPage } = withVisitors({}, { cold: true });

/** Longer than a pointer must rest on a link before the browser or the script acts on it, in milliseconds. */
const dwell = 400;

/** Puts links into a page, by their address. */
async function addLinks(page: Page, addresses: readonly string[]): Promise<void> {
  await page.evaluate(`
    for (const href of ${JSON.stringify(addresses)})
      document.querySelector('main').prepend(Object.assign(document.createElement('a'), { href, id: href, textContent: href }));
  `);
}

/** Rests the pointer on links that must not be fetched, and then on one that must be. */
async function restOn(page: Page, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    await page.locator(`[id="${address}"]`).hover();
    await page.waitForTimeout(dwell);
  }
}

const others = ['/contact?preset=request', '/cases?page=2', '/rates?utm_source=ad', '/rss.xml', 'https://example.com/'];

describe('a browser that knows speculation rules', () => {
  const prefetched = () =>
    front()
      .asked.filter(({ headers }) => headers['sec-purpose']?.includes('prefetch'))
      .map(({ path }) => path);

  browserTest('takes them from a header, without a complaint', async () => {
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/');
    await eventually(() => front().asked.filter(({ path }) => path === speculationRulesPath).length, 1);
    await moduleRan(page, 'loading-bar');
    expect(complaints).toEqual([]);
    expect(front().asked.some(({ path }) => path.includes('/assets/prefetch.'))).toBe(false);
  });

  browserTest('fetches the page under the pointer, and no other addresses', async () => {
    const page = await newPage();
    await page.goto('/map');
    await moduleRan(page, 'loading-bar');
    await addLinks(page, [...others, articlePage.byId]);
    await restOn(page, [...others, articlePage.byId]);
    await eventually(prefetched, [articlePage.byId]);
  });
});

describe('a browser that knows none', () => {
  const fetched = () =>
    front()
      .asked.filter(({ path, headers }) => headers['sec-fetch-dest'] === 'empty' && !/^\/(builds|video)/.test(path))
      .map(({ path }) => path);
  const manifests = () => front().asked.filter(({ path }) => path.startsWith('/builds/meta/')).length;

  /** Opens a page in a browser that is made to forget what it knows of speculation rules and of dictionaries. */
  async function open(connection = '{}', options: BrowserContextOptions = {}): Promise<Page> {
    const page = await newPage(options);
    await page.addInitScript(`
      HTMLScriptElement.supports = () => false;
      DOMTokenList.prototype.supports = (name) => name === 'prefetch';
      Object.defineProperty(navigator, 'connection', { value: ${connection} });
    `);
    await page.goto('/map');
    await moduleRan(page, 'prefetch');
    return page;
  }

  /** Without the browser's own rules; with this manifest, if one is given. */
  function serve(manifest?: { status: number; prerendered: string[] }, page?: (answer: () => void) => void): void {
    front().intercept((req, res, pass) => {
      const path = req.url ?? '';
      if (path === speculationRulesPath) res.setHeader('Content-Type', 'application/speculationrules+json').end('{}');
      else if (manifest && path.startsWith('/builds/meta/'))
        res.writeHead(manifest.status).end(JSON.stringify(manifest));
      else if (page && req.headers['sec-fetch-dest'] === 'empty' && !/^\/(builds|video)/.test(path)) page(pass);
      else pass();
    });
  }

  browserTest('fetches the page under the pointer once, and no other addresses', async () => {
    serve();
    const page = await open();
    const wanted = ['/rates', articlePage.byId];
    await addLinks(page, [...others, ...wanted]);
    await restOn(page, [...others, ...wanted, '/rates']);
    await eventually(fetched, wanted);
    expect(manifests()).toBe(1);
    expect(site().served.paths).toEqual(expect.arrayContaining(wanted));
  });

  browserTest('fetches only what the manifest lists', async () => {
    serve({ status: 200, prerendered: ['/rates'] });
    const page = await open();
    await addLinks(page, ['/cargo', '/rates']);
    await restOn(page, ['/cargo', '/rates']);
    await eventually(fetched, ['/rates']);
  });

  browserTest('fetches at most four pages at once', async () => {
    const held: (() => void)[] = [];
    serve(undefined, (answer) => held.push(answer));
    const page = await open();
    const press = (paths: readonly string[]) =>
      page.evaluate(`
        for (const path of ${JSON.stringify(paths)})
          document.querySelector('.site-footer a[href="' + path + '"]').dispatchEvent(new Event('pointerdown', { bubbles: true }));
      `);
    await press(['/rates', '/cargo', '/about', '/cases', '/reviews', '/blog']);
    await eventually(() => held.length, 4);
    await press(['/contacts']);
    await page.evaluate(`fetch('/builds/latest.json').then(() => {})`);
    expect(fetched()).toEqual(['/rates', '/cargo', '/about', '/cases']);
    for (const answer of held) answer();
    await eventually(async () => {
      await press(['/reviews']);
      return held.length;
    }, 5);
    held.at(-1)?.();
  });

  browserTest.each(['{ saveData: true }', "{ effectiveType: '2g' }", "{ effectiveType: 'slow-2g' }"])(
    'fetches nothing on %s',
    async (connection) => {
      serve();
      const page = await open(connection);
      await addLinks(page, ['/rates']);
      await restOn(page, ['/rates']);
      expect([fetched(), manifests()]).toEqual([[], 0]);
    },
  );

  browserTest('only logs that there is no manifest', async () => {
    serve({ status: 404, prerendered: [] });
    const page = await open();
    const complaints = complaintsOf(page);
    await addLinks(page, ['/rates']);
    await restOn(page, ['/rates']);
    await eventually(() => complaints.some((text) => text.includes('/builds/meta/')), true);
    expect(fetched()).toEqual([]);
    await page.locator('[id="/rates"]').click();
    await page.waitForURL('**/rates');
  });
});
