import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { chromiumPath } from '../testing/browser.ts';
import { askingPreset } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'people who choose their own colours can use the site');
const { newPage } = withVisitors();

const open = (width: number): Promise<Page> =>
  newPage({ viewport: { width, height: 800 }, forcedColors: 'active', colorScheme: 'dark', reducedMotion: 'reduce' });

browserTest.each([
  [360, ['/', '/rates/calc', `/contact?preset=${askingPreset}`, '/questions', '/contacts']],
  [1280, ['/']],
])('whatever has the focus shows it %i px wide', async (width, pages) => {
  const page = await open(width);
  const hidden: string[] = [];
  for (const path of pages) {
    await page.goto(path);
    for (let step = 0; step < 150; step++) {
      await page.keyboard.press('Tab');
      const [html, style, thickness] = (await page.evaluate(`(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement);
        return [document.activeElement.outerHTML.slice(0, 100), outlineStyle, parseFloat(outlineWidth)];
      })()`)) as [string, string, number];
      if (html.startsWith('<body')) break;
      if (style === 'none' || thickness < 2) hidden.push(`${path}: ${html}`);
    }
  }
  expect(hidden).toEqual([]);
});

browserTest('the sign of the menu is seen, whether the menu is closed or open', async () => {
  const page = await open(360);
  await page.goto('/rates');
  const sign = page.locator('.burger > summary');
  const contrast = async () =>
    (
      await sharp(await sign.screenshot())
        .greyscale()
        .stats()
    ).channels[0]?.stdev ?? 0;
  expect(await contrast()).toBeGreaterThan(20);
  await sign.click();
  await page.locator('.burger-panel').waitFor();
  await page.mouse.move(5, 700);
  expect(await contrast()).toBeGreaterThan(20);
});

browserTest('a browser that darkens pages by itself leaves paper and drawings as they are', async () => {
  const page = await open(360);
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' });
  await page.goto('/');
  const shade = async () =>
    (
      await sharp(await page.screenshot())
        .greyscale()
        .stats()
    ).channels[0]?.mean;
  const before = await shade();
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setAutoDarkModeOverride', { enabled: true });
  expect(await shade()).toBe(before);
  // So that the test knows that such a browser was there.
  await page.evaluate('document.querySelector("meta[name=color-scheme]").remove()');
  expect(await shade()).not.toBe(before);
});
