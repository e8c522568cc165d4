import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'the home page answers before anybody scrolls');
const { newPage } = withVisitors();

type Box = { left: number; right: number; top: number; bottom: number };
const boxes = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  })`;

browserTest.each([
  [360, 640],
  [1280, 640],
])('the first screen of %i × %i px has offer, price, date, button and total', async (width, height) => {
  const page = await newPage({ viewport: { width, height } });
  await page.goto('/');
  const lines = await page.evaluate(`(() => {
    const heading = document.querySelector('h1');
    return heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight);
  })()`);
  expect(Math.round(Number(lines))).toBeLessThanOrEqual(3);
  for (const [selector, count] of [
    ['.hero .facts a', 2],
    ['.hero .action', 1],
    ['.hero .bill-total', 1],
  ] as const) {
    const found = (await page.evaluate(boxes(selector))) as Box[];
    expect({ selector, found: found.length }).toEqual({ selector, found: count });
    for (const { bottom } of found) expect(bottom).toBeLessThanOrEqual(height);
  }
});

browserTest('drawings join into one scene where there is room, and reach both edges of a phone', async () => {
  const wide = await newPage();
  await wide.goto('/');
  const scenes = (await wide.evaluate(boxes('.way img'))) as Box[];
  expect(scenes.length).toBeGreaterThan(1);
  scenes.slice(1).forEach(({ left, top }, index) => {
    expect(left).toBeCloseTo(scenes[index]?.right ?? 0, 1);
    expect(top).toBeCloseTo(scenes[0]?.top ?? 0, 1);
  });

  const phone = await newPage({ viewport: { width: 360, height: 640 }, isMobile: true });
  await phone.goto('/');
  const strip = (await phone.evaluate(boxes('.way img'))) as Box[];
  for (const { left, right } of strip) expect([left, right]).toEqual([0, 360]);
});
