import { brotliCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { readCode } from '../edition/code.ts';
import { paths } from '../lib/paths.ts';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { browserHeaders, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'the hydration script does what it should');
let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
beforeAll(async () => {
  site = await startTestSite();
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    userAgent: browserHeaders['user-agent'],
    reducedMotion: 'reduce',
  });
  page = await context.newPage();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser?.close();
  await site.close();
});

/** Loads a page and waits until the script has bound itself to it. */
async function open(path: string, width = 1280): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.goto(site.url + path, { waitUntil: 'networkidle' });
}

const isLocked = () => page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"');

const focused = () => page.evaluate('document.activeElement.textContent.trim()');

test('the script fits into 2,048 bytes', () => {
  const [entry] = readCode(paths.code).scripts;
  expect(brotliCompressSync(entry?.text ?? '').length).toBeLessThanOrEqual(2048);
});

describe('the burger', () => {
  const menu = () => page.locator('.burger');
  const button = () => page.locator('.burger > summary');

  browserTest('locks scrolling while it is open; Escape closes it and gives focus back', async () => {
    await open('/', 360);
    await button().click();
    await eventually(isLocked, true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await menu().getAttribute('open')).toBeNull();
    await eventually(isLocked, false);
    expect(await focused()).toBe('Меню');
  });

  browserTest('closed, it folds up the list of services', async () => {
    await open('/', 360);
    await button().click();
    await menu().getByText('Услуги', { exact: true }).click();
    expect(await menu().locator('details[open]').count()).toBe(1);
    await button().click();
    await button().click();
    expect(await menu().locator('details[open]').count()).toBe(0);
  });

  browserTest('keeps focus in: after its last link comes its button', async () => {
    await open('/', 360);
    await button().click();
    await menu().locator('a').last().focus();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Меню');
  });

  browserTest('the logo closes it and leads to the top', async () => {
    await open('/', 360);
    await page.evaluate('scrollTo(0, 2000)');
    await button().click();
    await page.locator('.site-header-logo').click();
    expect(await menu().getAttribute('open')).toBeNull();
    expect(await page.evaluate('scrollY')).toBe(0);
  });
});

describe('a dropdown', () => {
  const services = () => page.locator('.bar .dropdown').first();
  const isOpen = async () => (await services().getAttribute('open')) !== null;

  browserTest('opens under the pointer, stays while it travels into the list, closes behind it', async () => {
    await open('/rates');
    await services().locator('summary').hover();
    expect(await isOpen()).toBe(true);
    await services().locator('a').nth(4).hover();
    expect(await isOpen()).toBe(true);
    await page.mouse.move(640, 700);
    expect(await isOpen()).toBe(false);
  });

  browserTest('a click with the pointer on it does not fold it up again', async () => {
    await open('/rates');
    await services().locator('summary').click();
    expect(await isOpen()).toBe(true);
  });

  browserTest.each(['Enter', 'Space'])('%s opens it; Escape closes it and gives focus back', async (key) => {
    await open('/rates');
    await services().locator('summary').focus();
    await page.keyboard.press(key);
    expect(await isOpen()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    expect(await isOpen()).toBe(false);
    expect(await focused()).toBe('Услуги');
  });

  browserTest('closes when focus leaves it', async () => {
    await open('/rates');
    await services().locator('summary').focus();
    await page.keyboard.press('Enter');
    await services().locator('a').last().focus();
    await page.keyboard.press('Tab');
    expect(await isOpen()).toBe(false);
  });
});

describe('the request dialog', () => {
  const dialog = () => page.locator('dialog.modal-contact');
  const link = () => page.locator('main a[href^="/contact?preset="]').first();

  browserTest('opens over the page with the words of its preset, and posts as a form', async () => {
    await open('/services/photo');
    await link().click();
    await dialog().waitFor();
    await eventually(isLocked, true);
    await dialog().getByLabel('Как к вам обращаться').fill('Пётр');
    await dialog().getByLabel('Телефон').fill('8 916 123-45-67');
    await dialog()
      .getByLabel(/обработку персональных данных/)
      .check();
    await dialog().locator('form button').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    const [lead] = await site.services.leads.list({ limit: 1 });
    expect(lead).toMatchObject({ name: 'Пётр', page: '/services/photo', state: 'new' });
  });

  browserTest('keeps what was typed when it is closed and opened again', async () => {
    await open('/services/photo');
    await link().click();
    await dialog().getByLabel('Как к вам обращаться').fill('Пётр');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await eventually(isLocked, false);
    await link().click();
    await dialog().waitFor();
    expect(await dialog().getByLabel('Как к вам обращаться').inputValue()).toBe('Пётр');
  });

  browserTest('gives way to the form of its own page when it cannot be loaded', async () => {
    await open('/services/photo');
    let refused = 0;
    await page.route('**/contact?*', (route) => {
      if (route.request().isNavigationRequest()) return route.continue();
      refused += 1;
      return route.abort();
    });
    await link().click();
    await page.waitForURL(/\/contact\?preset=/);
    expect(refused).toBe(1);
  });
});
