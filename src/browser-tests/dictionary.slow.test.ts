import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { dictionaryLink } from '../edition/dictionary.ts';
import { chromiumPath } from '../testing/browser.ts';
import { eventually } from '../testing/eventually.ts';
import { testWith } from '../testing/requires.ts';
import { complaintsOf, moduleRan, withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the second page comes packed with the dictionary');
const { site, front, newPage } = withVisitors({}, { cold: true });

/** Milliseconds after which the dictionary is asked for, if ever, and some more. */
const longEnough = 3_500;

const asked = (path: string) => front().asked.filter((one) => one.path === path);
const dictionaryPath = () => site().edition.dictionary.path;

/** Bytes of the page's own answer as they came, and as they are. */
async function weighed(page: Page): Promise<{ encoded: number; decoded: number }> {
  return page.evaluate(`(({ encodedBodySize, decodedBodySize }) => ({ encoded: encodedBodySize, decoded: decodedBodySize }))(
    performance.getEntriesByType('navigation')[0])`);
}

/** Goes from page to page until one comes packed; one that has come otherwise would be kept so. @returns its address */
async function packedPage(page: Page): Promise<string> {
  const paths = site().edition.pages().values();
  let path = '';
  await eventually(async () => {
    path = paths.next().value ?? '';
    return (await page.goto(path))?.headers()['content-encoding'];
  }, 'dcz');
  return path;
}

browserTest(
  'the dictionary is fetched when the page is done, and the pages after it come packed with it',
  async () => {
    const page = await newPage();
    const complaints = complaintsOf(page);
    const first = await page.goto('/');
    expect(first?.headers()['content-encoding']).toBe('br');
    expect(asked('/')[0]?.headers['available-dictionary']).toBeUndefined();
    await moduleRan(page, 'ahead');
    expect(asked(dictionaryLink)).toEqual([]);
    await eventually(() => asked(dictionaryPath()).length, 1);

    const path = await packedPage(page);
    const whole = await site().request(path);
    const { encoded, decoded } = await weighed(page);
    expect(encoded).toBeLessThan(whole.body.length / 4);
    expect(decoded).toBe(whole.body.length);
    expect(await page.locator('h1').isVisible()).toBe(true);
    await moduleRan(page, 'ahead');
    await page.waitForTimeout(longEnough);
    // What is known is not asked for again.
    expect([asked(dictionaryLink).length, asked(dictionaryPath()).length]).toEqual([1, 1]);
    expect(complaints).toEqual([]);
  },
  30_000,
);

browserTest(
  'only pages are asked for with it',
  async () => {
    const page = await newPage();
    await page.goto('/');
    await eventually(() => asked(dictionaryPath()).length, 1);
    await packedPage(page);
    await page.evaluate(`fetch('/rss.xml').then(() => {})`);
    const others = front().asked.filter(({ headers }) => headers['sec-fetch-dest'] !== 'document');
    expect(others.filter(({ headers }) => headers['available-dictionary'] !== undefined)).toEqual([]);
  },
  30_000,
);

browserTest('nothing is fetched where data is to be saved, or by a browser that knows no dictionaries', async () => {
  const connected = (to: string) => `Object.defineProperty(navigator, 'connection', { value: ${to} })`;
  const complaints: string[][] = [];
  for (const lack of [
    ...['{ saveData: true }', "{ effectiveType: '2g' }", "{ effectiveType: '3g' }"].map(connected),
    `DOMTokenList.prototype.supports = () => false`,
  ]) {
    const page = await newPage();
    complaints.push(complaintsOf(page));
    await page.addInitScript(lack);
    await page.goto('/');
    await moduleRan(page, 'ahead');
  }
  await sleep(longEnough);
  expect([asked(dictionaryLink), complaints.flat()]).toEqual([[], []]);
});
