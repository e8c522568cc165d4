import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createApp } from '../../app.ts';
import { browserHeaders } from './ask.ts';
import { defaultTimeoutMs, eventually } from './eventually.ts';
import { type Front, startFront } from './front.ts';
import { type LaunchOptions, launchBrowser } from './launch-browser.ts';
import { startTestSite, type TestSite } from './test-site.ts';

export type Visitors = {
  site(): TestSite;
  /** The server between the browser and the site; reset after each test. */
  front(): Front;
  /** Opens a page for a new visitor, 1280 px wide by default; closed after the test. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
};

/** Gives the tests of a file one site and one browser, which starts with the first page. Both stop after the tests. */
export function withVisitors(services: Parameters<typeof startTestSite>[0] = {}, launch: LaunchOptions = {}): Visitors {
  let site: TestSite;
  let front: Front;
  let browser: Promise<Browser> | undefined;

  beforeAll(async () => {
    site = await startTestSite(services);
    front = await startFront(createApp(site.services));
  });
  afterEach(async () => {
    front.reset();
    const contexts = (await browser)?.contexts() ?? [];
    // Requests that a test still holds cannot be answered after their page has closed.
    const pages = contexts.flatMap((context) => context.pages());
    await Promise.all(pages.map((page) => page.unrouteAll({ behavior: 'ignoreErrors' })));
    await Promise.all(contexts.map((context) => context.close()));
  });
  afterAll(async () => {
    await (await browser)?.close();
  });

  return {
    site: () => site,
    front: () => front,
    async newPage(options) {
      browser ??= launchBrowser(launch).catch((error) => {
        browser = undefined;
        throw error;
      });
      const context = await (await browser).newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'ru-RU',
        // A headless browser identifies itself as headless, and bots get errors as a line of text.
        userAgent: browserHeaders['user-agent'],
        baseURL: front.url,
        ...options,
      });
      context.setDefaultTimeout(defaultTimeoutMs);
      return context.newPage();
    },
  };
}

/** Waits until a module that loads later has run in the page, which may be reloading. */
export async function moduleRan(page: Page, name: string): Promise<void> {
  const address = `performance.getEntriesByType('resource').map((one) => one.name).find((one) => one.includes('/assets/${name}.'))`;
  await eventually(
    () =>
      page.evaluate(`${address} && import(${address}).then(() => true)`).catch((error) => {
        if (!String(error).includes('Execution context was destroyed')) throw error;
      }),
    true,
  );
}

/** Records console errors, warnings and uncaught errors of the page from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
