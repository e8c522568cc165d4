import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'headings come in the display face on the first view, and move nothing');
const { front, newPage } = withVisitors({}, { cold: true });

/** How much of the window has moved, as Cumulative Layout Shift counts it; 0.1 is what visitors begin to mind. */
const most = 0.05;
const shift = `new Promise((resolve) => {
  const seen = [];
  new PerformanceObserver((list) => seen.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => setTimeout(() => resolve(seen.reduce((sum, { value }) => sum + value, 0)), 50));
})`;

browserTest.each([360, 1280])(
  'the display face comes after the first paint of any page, and moves next to nothing %i px wide',
  async (width) => {
    const moved: string[] = [];
    for (const path of templates) {
      const face = Promise.withResolvers<() => void>();
      front().intercept((req, _res, pass) => (req.url?.startsWith('/fonts/') ? face.resolve(pass) : pass()));
      const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
      await page.goto(path, { waitUntil: 'domcontentloaded' });
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
      const came = page.waitForResponse(/\/fonts\//);
      (await face.promise)();
      await came;
      await page.evaluate('document.fonts.ready');
      const isSet = await page.evaluate('document.fonts.check("700 20px \\"Golos Text\\"")');
      const score = Number(await page.evaluate(shift));
      if (!isSet || score > most) moved.push(`${path}: ${isSet ? score.toFixed(3) : 'no face'}`);
      await page.close();
    }
    expect(moved).toEqual([]);
  },
  180_000,
);
