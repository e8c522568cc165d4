import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { ships } from '../testing/content.ts';
import { testWith } from '../testing/requires.ts';
import { siteOf, startTestSite, textAt } from '../testing/test-site.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'nobody scrolls through what they did not ask for');
const { newPage, site } = withVisitors();

const phone = { viewport: { width: 360, height: 740 }, isMobile: true };

/** How long pages may be on a phone, in CSS pixels. */
const limits: [path: string, limit: number][] = [
  ['/', 6500],
  ['/rates', 6000],
  ['/services/marketplace-delivery', 6000],
  ['/questions', 3500],
];

// How long an editor's pages are is for the editor to say.
const shippedTest = ships ? browserTest : test.skip;

async function lengthOf(url: string): Promise<number> {
  const page = await newPage(phone);
  await page.goto(url);
  return (await page.evaluate('document.documentElement.scrollHeight')) as number;
}

shippedTest.each(limits)('%s is at most %d px long on a phone', async (path, limit) => {
  expect(await lengthOf(path)).toBeLessThanOrEqual(limit);
});

shippedTest('nor is any longer when trucks leave after the longest holidays, which takes more words', async () => {
  const january = await siteOf({ at: new Date('2027-01-02T12:00:00+03:00') });
  const { url } = await startTestSite({ site: january });
  const longer: string[] = [];
  for (const [path, limit] of limits) {
    const length = await lengthOf(url + path);
    if (length > limit) longer.push(`${path}: ${length} px of ${limit}`);
  }
  expect(longer).toEqual([]);
});

/** Tables of which a part can only be scrolled to, unless that is seen, and the keyboard and a screen reader get there. */
const hiding = `[...document.querySelectorAll('main table')].flatMap((table) => {
  const around = [];
  for (let one = table; one.localName !== 'main'; one = one.parentElement) around.push(one);
  const scrolling = around.filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1);
  const isShown = (one) => getComputedStyle(one).backgroundAttachment.includes('local')
    && one.tabIndex === 0 && one.hasAttribute('aria-label');
  const leaves = scrolling.length === 0
    && [...table.querySelectorAll('th, td')]
      .some((cell) => cell.parentElement.offsetWidth > 1 && cell.getBoundingClientRect().right > innerWidth);
  return leaves || !scrolling.every(isShown) ? [table.textContent.trim().slice(0, 60)] : [];
})`;

const unfold = (page: Page) =>
  page.evaluate('for (const one of document.querySelectorAll("main details")) one.open = true');

browserTest(
  'no table hides a column on a phone without a sign',
  async () => {
    const { served } = site();
    const page = await newPage(phone);
    const found: string[] = [];
    const paths = served.paths.filter((path) => textAt(served, path).includes('<table'));
    expect(paths.length).toBeGreaterThan(0);
    for (const path of paths) {
      await page.goto(path);
      await unfold(page);
      found.push(...((await page.evaluate(hiding)) as string[]).map((table) => `${path}: ${table}`));
    }
    expect(found).toEqual([]);
  },
  120_000,
);

describe('what a phone folds up', () => {
  const group = () => site().services.site.content.rates.groups[0]?.id ?? '';
  const table = (page: Page) => page.locator(`#${group()} table`);

  browserTest('unfolds by a press on its heading, and folds up by another', async () => {
    const page = await newPage(phone);
    await page.goto('/rates');
    expect(await table(page).isVisible()).toBe(false);
    const heading = await page.locator(`#${group()} h2`).boundingBox();
    const press = () => page.mouse.click((heading?.x ?? 0) + 20, (heading?.y ?? 0) + 10);
    await page.locator(`#${group()} h2`).scrollIntoViewIfNeeded();
    const at = await page.locator(`#${group()} h2`).boundingBox();
    Object.assign(heading ?? {}, at);
    await press();
    expect(await table(page).isVisible()).toBe(true);
    await press();
    expect(await table(page).isVisible()).toBe(false);
  });

  browserTest('is named, with what it costs, to those who listen', async () => {
    const page = await newPage(phone);
    await page.goto('/rates');
    const content = site().services.site.content;
    const [first] = content.rates.groups;
    const name = await page.locator(`#${first?.id} summary`).textContent();
    expect(name).toContain(first?.title);
    expect(name).toContain(first?.lead[0]?.text);
  });

  browserTest('stands open where there is room, and on paper', async () => {
    const page = await newPage({ viewport: { width: 768, height: 800 } });
    await page.goto('/rates');
    expect(await table(page).isVisible()).toBe(true);
    expect(await page.locator(`#${group()} summary`).isVisible()).toBe(false);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await table(page).isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('main table:visible').count()).toBe(await page.locator('main table').count());
  });

  browserTest('opens for a link that leads into it', async () => {
    const page = await newPage(phone);
    const [question] = site().services.site.content.questions;
    await page.goto(`/questions#${question?.slug}`);
    expect(await page.locator(`#${question?.slug} .prose`).isVisible()).toBe(true);
  });
});
