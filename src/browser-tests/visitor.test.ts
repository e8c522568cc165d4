import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { browserHeaders, startTestSite, type TestSite } from '../testing/test-site.ts';

const widths = [320, 768, 1280];

const browserTest = testWith(chromiumPath, 'the pages work in a browser');
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

/** A page of the given width; without JavaScript, as the site must work. */
async function open(width: number, javaScriptEnabled = false): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height: 800 },
    javaScriptEnabled,
    locale: 'ru-RU',
    // What is about to appear has no contrast yet.
    reducedMotion: 'reduce',
    // A headless browser calls itself one, and bots get errors as a line of text.
    userAgent: browserHeaders['user-agent'],
  });
  return context.newPage();
}

describe.each([360, 768, 1280])('without JavaScript, %i px wide, a visitor', (width) => {
  browserTest('finds a service by the menu, corrects the form, and gets a receipt', async () => {
    const page = await open(width);
    await page.goto(site.url);
    if (width < 1024) await page.locator('.burger > summary').click();
    const menu = page.locator(width < 1024 ? '.burger nav' : 'nav.bar');
    await menu.getByText('Услуги', { exact: true }).click();
    await menu.getByRole('link', { name: 'Фулфилмент' }).click();
    expect(new URL(page.url()).pathname).toBe('/services/fulfillment');

    await page.locator('main a[href^="/contact?preset="]').first().click();
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.getByLabel('Телефон').fill('12');
    await page.getByLabel(/обработку персональных данных/).check();
    await page.locator('.contact form button').click();
    expect(await page.title()).toMatch(/^Ошибка: /);
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');

    await page.locator('[role=alert] a').first().click();
    expect(new URL(page.url()).hash).not.toBe('');
    await page.getByLabel('Телефон').fill('8 (916) 123-45-67');
    await page.locator('.contact form button').click();
    expect(new URL(page.url()).pathname).toMatch(/^\/contact\/[\w-]{22}$/);
    expect(await page.locator('h1').textContent()).toMatch(/\d/);
    const [lead] = await site.services.leads.list({ limit: 1 });
    expect(lead).toMatchObject({ name: 'Анна', phone: '+79161234567', page: '/services/fulfillment', state: 'new' });
    await page.context().close();
  });
});

browserTest(
  'no page scrolls sideways, at any width',
  async () => {
    for (const width of [...widths, 1920]) {
      const page = await open(width, true);
      for (const path of templates) {
        await page.goto(site.url + path);
        const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ path, width, excess: Math.max(0, Number(excess)) }).toEqual({ path, width, excess: 0 });
      }
      await page.context().close();
    }
  },
  90_000,
);

browserTest(
  'no page breaks its own content-security policy or asks for what is not there',
  async () => {
    const page = await open(768, true);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`${page.url()}: ${message.text()}`));
    page.on('response', (response) => {
      if (response.status() >= 400) complaints.push(`${page.url()}: ${response.status()} for ${response.url()}`);
    });
    for (const path of templates.filter((one) => one !== '/no-such-page')) await page.goto(site.url + path);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
  60_000,
);
