import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the search works without a script');
const { newPage, site } = withVisitors();

browserTest('a visitor without JavaScript finds a page from anywhere, and goes to it', async () => {
  const words = site().services.site.content.services[0]?.text ?? '';
  const page = await newPage({ javaScriptEnabled: false, viewport: { width: 360, height: 740 } });
  await page.goto('/rates');
  await page.locator('.burger > summary').click();
  await page.locator('.burger a[href="/search"]').click();
  await page.waitForURL('**/search');
  for (const target of await page.locator('main .search-form input, main .search-form button').all()) {
    expect((await target.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
  await page.locator('input[type="search"]').fill(words);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/search?q=**');
  expect(await page.locator('main input[type="search"]').inputValue()).toBe(words);
  const [result] = await page.locator('.search-results a').all();
  const address = await result?.getAttribute('href');
  await result?.click();
  await page.waitForURL(`**${address}`);
});
