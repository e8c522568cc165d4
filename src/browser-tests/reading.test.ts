import { afterAll, beforeAll, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { browserHeaders, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'pages read as their visitors have set it');
let site: TestSite;
let browser: Browser;
beforeAll(async () => {
  site = await startTestSite();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site.close();
});

async function open(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ userAgent: browserHeaders['user-agent'], ...options });
  return context.newPage();
}

/** The distances that WCAG 1.4.12 lets a reader set. */
const spaced = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

browserTest(
  'no page scrolls sideways at 320 px with its text spaced',
  async () => {
    const page = await open({ viewport: { width: 320, height: 640 }, bypassCSP: true, javaScriptEnabled: true });
    const wide: string[] = [];
    for (const path of templates) {
      await page.goto(site.url + path);
      await page.addStyleTag({ content: spaced });
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (excess > 0) wide.push(`${path}: ${excess} px`);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  },
  60_000,
);

browserTest('one page passes into the next, but not on a phone, nor where motion is unwelcome', async () => {
  const passes: unknown[] = [];
  for (const [width, reducedMotion] of [
    [1280, 'no-preference'],
    [1280, 'reduce'],
    [360, 'no-preference'],
  ] as const) {
    const page = await open({ viewport: { width, height: 740 }, reducedMotion });
    await page.addInitScript(
      "addEventListener('pagereveal', ({ viewTransition }) => { window.passes = Boolean(viewTransition); })",
    );
    await page.goto(`${site.url}/about`);
    await page.locator('.site-footer a[href="/rates"]').click();
    await page.waitForURL('**/rates');
    passes.push(await page.evaluate('window.passes'));
    await page.context().close();
  }
  expect(passes).toEqual([true, false, false]);
});
