import { expect } from '@jest/globals';
import { pageTemplates, plainService, studyPage } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { newPage } = withVisitors();

const bar = '.action-bar';

browserTest('a phone has one button in a bar, on every part of a page', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  const ours = /^\/(?:$|services|rates$|cases|reviews|blog|questions|about|contacts|cargo|map|search)/;
  const paths = pageTemplates.filter((path) => ours.test(path));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    await page.goto(path);
    const states = (await page.evaluate(`[0, 0.9].map((part) => {
      const { offsetTop, offsetHeight } = document.querySelector('main');
      scrollTo({ top: part * Math.max(0, offsetTop + offsetHeight - innerHeight), behavior: 'instant' });
      const { top, bottom, height } = document.querySelector('${bar}').getBoundingClientRect();
      const isCovered = document.elementFromPoint(180, (top + bottom) / 2).closest('${bar}') === null;
      return { bottom, height, isCovered };
    })`)) as object[];
    for (const state of states) expect([path, state]).toEqual([path, { bottom: 740, height: 62, isCovered: false }]);
    expect([path, await page.locator('main form [type=submit]:not(:visible)').count()]).toEqual([path, 0]);
    // The last section may say it once more.
    const same = await page.locator('main a.action:not(.action-quiet, [href^="tel"]):visible').count();
    expect([path, same <= 1]).toEqual([path, true]);
  }
  for (const path of ['/rates/calc', '/contact?preset=request', '/policy']) {
    await page.goto(path);
    expect([path, await page.locator(bar).count()]).toEqual([path, 0]);
  }
});

browserTest('the bar never covers what has the focus', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true, reducedMotion: 'reduce' });
  await page.goto(plainService);
  const below = `document.activeElement.closest('main') !== null &&
    document.activeElement.getBoundingClientRect().bottom > document.querySelector('${bar}').getBoundingClientRect().top`;
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press('Tab');
    expect([step, await page.evaluate(below)]).toEqual([step, false]);
  }
});

browserTest.each([320, 360, 768, 1024, 1280])('at %i px wide, the header is one line', async (width) => {
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.goto('/');
  expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(72);
  const shown = (href: string) => page.locator(`.site-header a[href="${href}"]:visible`).count();
  expect([await shown('/rates/calc'), await shown('/search')]).toEqual([Number(width >= 768), Number(width >= 1024)]);
});

browserTest.each([
  [360, '/', ['.answers .of-0 a:not(dd[class]:not(.of-7) a)', `${bar} > .action:first-child`]],
  [1280, '/', ['.answers .of-0 a:not(dd[class]:not(.of-7) a)', '.hero .action']],
  [360, plainService, ['.facts-main >> nth=0']],
  [360, studyPage.to, ['.change-now >> nth=0']],
])('the first %i x 640 px of %s show the answer and the button', async (width, path, selectors) => {
  const page = await newPage({ viewport: { width, height: 640 } });
  await page.goto(path);
  for (const selector of selectors) {
    const { y = 640, height = 0 } = (await page.locator(selector).last().boundingBox()) ?? {};
    expect([selector, y + height <= 640]).toEqual([selector, true]);
  }
});

browserTest('without a script, choosing a marketplace swaps price, day and bill without a layout shift', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  await page.goto('/');
  await page.evaluate('document.querySelector(".hero details").open = true; document.fonts.ready.then(() => 0)');
  const shown = async () => ({
    answers: await page.locator('.answers div[class^="of-"]:visible').allInnerTexts(),
    bills: await page.locator('.hero tbody:visible').count(),
    button: (await page.locator('.hero-next').boundingBox())?.y,
  });
  const before = await shown();
  expect([before.answers.length, before.bills]).toEqual([1, 2]);
  await page.locator('.hero > label').last().click();
  const after = await shown();
  expect(after).toEqual({ ...before, answers: [expect.stringContaining('₽')] });
  expect(after.answers).not.toEqual(before.answers);
});
