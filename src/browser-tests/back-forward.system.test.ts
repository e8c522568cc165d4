import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { plainService, templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'pages come back as they were left');
const { site, newPage } = withVisitors({}, { whole: true, without: ['--disable-back-forward-cache'] });

/** Goes elsewhere by a link and back again, as visitors do. */
async function leaveAndComeBack(page: Page): Promise<void> {
  const from = page.url();
  const link = page.locator('.site-footer nav a').first();
  const to = String(await link.getAttribute('href'));
  await link.press('Enter');
  await page.waitForURL(`**${to}`);
  await comeBack(page, from);
}

/** By the page's own way: the browser's tool forgets what it knows of a page that it opened. */
async function comeBack(page: Page, to: string): Promise<void> {
  await page.evaluate('void setTimeout(() => history.back())');
  await page.waitForURL(to, { waitUntil: 'commit' });
}

async function newVisitor(): Promise<Page> {
  const page = await newPage();
  await page.addInitScript(`addEventListener('pageshow', ({ persisted }) => { window.cameBack = persisted; })`);
  return page;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await moduleRan(page, 'loading-bar');
}

const cameBack = (page: Page) => page.evaluate('window.cameBack') as Promise<boolean>;
const reasons = (page: Page) =>
  page.evaluate(
    `performance.getEntriesByType('navigation')[0].notRestoredReasons?.reasons?.map(({ reason }) => reason)`,
  );

/** Forms and errors are kept by no cache, this one included. */
const neverKept = templates.filter((path) => path.startsWith('/contact?') || path === '/no-such-page');

describe('coming back', () => {
  browserTest(
    'restores every page that may be kept',
    async () => {
      const page = await newVisitor();
      // What may keep a page from being kept is what runs on it and how it is sent: one of each kind.
      const kinds = new Map<string, string>();
      for (const path of templates.filter((one) => !neverKept.includes(one))) {
        const { headers, text } = await site().request(path);
        const modules = [...text.matchAll(/ data-module="([^"]*)"/g)].map(([, name]) => name);
        kinds.set([headers['cache-control'], ...new Set(modules.toSorted())].join(), path);
      }
      expect(kinds.size).toBeGreaterThan(3);
      for (const path of kinds.values()) {
        await open(page, path);
        await leaveAndComeBack(page);
        await eventually(async () => [path, await cameBack(page), await reasons(page)], [path, true, undefined]);
      }
    },
    180_000,
  );

  browserTest('loads forms and errors anew, and only because they are not to be stored', async () => {
    const page = await newVisitor();
    for (const path of neverKept) {
      await open(page, path);
      await leaveAndComeBack(page);
      const others = async () =>
        ((await reasons(page)) as string[] | undefined)?.filter(
          (one) => !/^(response-cache-control-no-store.*|response-status-not-ok|masked)$/.test(one),
        );
      await eventually(async () => [path, await others()], [path, []]);
    }
  });

  browserTest('shows no loading bar, no open list, and a dialog with what was typed into it', async () => {
    const page = await newVisitor();
    await open(page, plainService);
    await page.locator('.bar .dropdown > summary').first().hover();
    const other = page.locator('.bar .dropdown a').first();
    const address = await other.getAttribute('href');
    await other.click();
    await page.waitForURL(`**${address}`);
    await comeBack(page, `**${plainService}`);
    await eventually(() => cameBack(page), true);
    expect(await page.locator('.loading-bar').count()).toBe(0);
    expect(await page.locator('.bar details[open]').count()).toBe(0);

    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.evaluate('window.cameBack = false');
    // No link of the dialog leads away; a bookmark does.
    const from = page.url();
    await page.evaluate(`location.assign('/consent')`);
    await page.waitForURL('**/consent');
    await comeBack(page, from);
    await eventually(() => cameBack(page), true);
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
    expect(await page.locator('.loading-bar').count()).toBe(0);
  });
});
