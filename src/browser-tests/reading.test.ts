import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'pages read as their visitors have set it');
const { newPage } = withVisitors();

/** The distances that WCAG 1.4.12 lets a reader set. */
const spaced = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

browserTest(
  'no page scrolls sideways at 320 px with its text spaced',
  async () => {
    const page = await newPage({ viewport: { width: 320, height: 640 }, bypassCSP: true, javaScriptEnabled: true });
    const wide: string[] = [];
    for (const path of templates) {
      await page.goto(path);
      await page.addStyleTag({ content: spaced });
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
      if (excess > 0) wide.push(`${path}: ${excess} px`);
    }
    expect(wide).toEqual([]);
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
    const page = await newPage({ viewport: { width, height: 740 }, reducedMotion });
    await page.addInitScript(
      "addEventListener('pagereveal', ({ viewTransition }) => { window.passes = Boolean(viewTransition); })",
    );
    await page.goto('/about');
    await page.locator('.site-footer a[href="/rates"]').click();
    await page.waitForURL('**/rates');
    passes.push(await page.evaluate('window.passes'));
  }
  expect(passes).toEqual([true, false, false]);
});
