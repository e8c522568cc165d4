import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { createApp } from '../app.ts';
import { browserHeaders } from './ask.ts';
import { type LaunchOptions, launchBrowser } from './browser.ts';
import { eventually } from './eventually.ts';
import { type Front, startFront } from './front.ts';
import { startTestSite, type TestSite } from './test-site.ts';

/** With `clock`, the test may put in a clock of its own, which never again becomes that of the machine. */
export type VisitorOptions = BrowserContextOptions & { clock?: boolean };

export type Visitors = {
  site(): TestSite;
  /** What stands between the browser and the site; reset after each test. */
  front(): Front;
  /** A page of a visitor who was never here, 1280 px wide unless told otherwise; gone with the test. */
  newPage(options?: VisitorOptions): Promise<Page>;
};

/** A visitor who is forgotten after a test, and what keeps the processes of the browser from ending meanwhile. */
type Forgetful = { context: BrowserContext; anchor: Page; busy: boolean };

/**
 * Gives the tests of a file one site and one browser, which start and end with them.
 *
 * @param launch `cold` starts every visitor anew, for suites about what a browser remembers besides files and storage
 */
export function withVisitors(
  services: Parameters<typeof startTestSite>[0] = {},
  { cold = false, ...launch }: LaunchOptions & { cold?: boolean } = {},
): Visitors {
  let site: TestSite;
  let front: Front;
  let browser: Browser;
  const contexts: BrowserContext[] = [];
  /** By what they ask of a browser: a new visitor costs four times as much as another page. */
  const known = new Map<string, Forgetful>();

  beforeAll(async () => {
    site = await startTestSite(services);
    front = await startFront(createApp(site.services));
    browser = await launchBrowser(launch);
  });
  afterEach(async () => {
    front.reset();
    await Promise.all(contexts.splice(0).map((context) => context.close()));
    await Promise.all([...known.values()].filter(({ busy }) => busy).map(forget));
  });
  afterAll(async () => {
    await browser?.close();
  });

  async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    return browser.newContext({
      viewport: { width: 1280, height: 800 },
      locale: 'ru-RU',
      // A headless browser calls itself one, and bots get errors as a line of text.
      userAgent: browserHeaders['user-agent'],
      baseURL: front.url,
      ...options,
    });
  }

  async function forget(visitor: Forgetful): Promise<void> {
    const { context, anchor } = visitor;
    await Promise.all(context.pages().map((page) => page === anchor || page.close()));
    await context.unrouteAll();
    for (const event of ['console', 'weberror', 'page'] as const) context.removeAllListeners(event);
    const tools = await context.newCDPSession(anchor);
    await tools.send('Network.clearBrowserCache');
    await tools.send('Storage.clearDataForOrigin', { origin: front.url, storageTypes: 'all' });
    await context.clearCookies();
    visitor.busy = false;
  }

  return {
    site: () => site,
    front: () => front,
    async newPage({ viewport = { width: 1280, height: 800 }, clock = false, ...options } = {}) {
      const key = JSON.stringify(options);
      let visitor = known.get(key);
      if (cold || clock || visitor?.busy) {
        const context = await newContext({ viewport, ...options });
        contexts.push(context);
        return context.newPage();
      }
      if (visitor === undefined) {
        const context = await newContext(options);
        const anchor = await context.newPage();
        await anchor.goto(`${site.url}/robots.txt`);
        visitor = { context, anchor, busy: true };
        known.set(key, visitor);
      }
      visitor.busy = true;
      const page = await visitor.context.newPage();
      if (viewport) await page.setViewportSize(viewport);
      return page;
    },
  };
}

/** Waits until a module that pages load later has run in this one, which may just be loading itself anew. */
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

/** What the page complains of in its console, or throws, from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return complaints;
}
