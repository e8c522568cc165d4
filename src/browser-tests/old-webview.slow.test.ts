import { beforeEach, describe, expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { paths } from '../lib/paths.ts';
import { readCode } from '../site/code.ts';
import { chromiumPath } from '../testing/browser.ts';
import { journey, keyboard, pointer } from '../testing/journey.ts';
import { layoutFaults } from '../testing/layout.ts';
import { answerAsBefore, olderCss, withoutNewer } from '../testing/old-webview.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { existsAt, withStates } from '../testing/states.ts';

const browserTest = testWith(chromiumPath, 'the site works in an Android WebView of 2020');
const { site, front, newPage, states } = withStates();
beforeEach(() => front().intercept((req, res) => answerAsBefore(site().port, req, res)));

/** A page in a browser that lacks what came after Chrome 80, with what it complains of. */
async function open(width: number): Promise<{ page: Page; complaints: string[] }> {
  const page = await newPage({ viewport: { width, height: 740 }, reducedMotion: 'reduce' });
  await page.addInitScript(withoutNewer);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    const text = message.text();
    if (message.type() === 'error' && !/status of (404|422|4\d\d|500)/.test(text)) complaints.push(text);
  });
  return { page, complaints };
}

describe('the stand-in for an old browser', () => {
  test('drops a whole rule for one selector, a block for its name, and a declaration for its property or value', () => {
    const css = [
      'a:hover,a:focus-visible{color:red}',
      '@layer base{p{color:red}}',
      '@media (forced-colors:active){p{color:red}}',
      '@media print,(width>=48em){p{color:blue}}',
      '@supports selector(::details-content){p{color:red}}',
      'p{height:10px;height:10dvh;inset:0;gap:1px;background:url("a;}b")}',
      'ul{display:grid;gap:1px;width:min(1px,2px)}',
      '.clip{clip:auto;overflow:hidden;overflow:clip}',
    ].join('');
    expect(olderCss(css)).toBe(
      [
        '@media print{p{color:blue}}',
        'p{height:10px;background:url("a;}b")}',
        'ul{display:grid;gap:1px;width:min(1px,2px)}',
        '.clip{clip:auto;overflow:hidden}',
      ].join(''),
    );
    expect(() => olderCss('a{b{color:red}}')).toThrow(/Nested/);
    expect(() => olderCss('@supports (color:red){p{color:red}}')).toThrow(/Say what/);
  });

  browserTest('lacks what it should lack, and keeps the policy of the page', async () => {
    const { page, complaints } = await open(360);
    await page.goto('/');
    const kept = `[typeof HTMLScriptElement.supports, typeof [].at, document.querySelectorAll('details[name]').length,
      /focus-visible|text-wrap/.test(document.querySelector('style').textContent), getComputedStyle(document.body).margin]`;
    expect(await page.evaluate(kept)).toEqual(['undefined', 'undefined', 0, false, '0px']);
    expect(complaints).toEqual([]);
  });
});

test.each(readCode(paths.code).scripts)('the script $path is written in words of 2020', ({ text }) => {
  const in2020 = transformSync(text, { format: 'esm', target: 'chrome80', charset: 'utf8' });
  expect(in2020.code).toBe(transformSync(text, { format: 'esm', target: 'esnext', charset: 'utf8' }).code);
});

browserTest(
  'nothing overlaps, is cut off or leaves the window on any kind of page, or in any state of it',
  async () => {
    const { page, complaints } = await open(360);
    const faults: string[] = [];
    for (const path of templates) {
      await page.goto(path);
      faults.push(...(await layoutFaults(page)).map((fault) => `${path}: ${fault}`));
    }
    expect(complaints).toEqual([]);
    for (const state of states.filter((one) => !one.bare && existsAt(one, 360))) {
      await state.reach(page);
      const isModal = (await page.locator('dialog[open]').count()) > 0;
      faults.push(...(await layoutFaults(page, isModal ? 'dialog' : 'body')).map((fault) => `${state.name}: ${fault}`));
    }
    expect(faults).toEqual([]);
  },
  120_000,
);

browserTest.each([
  ['a finger', 360],
  ['the keyboard', 1280],
])('a visitor gets from the menu to the receipt with %s, %i px wide', async (hand, width) => {
  const { page, complaints } = await open(width);
  await journey(page, site(), width, hand === 'the keyboard' ? keyboard(page) : pointer);
  expect(complaints).toEqual([]);
});
