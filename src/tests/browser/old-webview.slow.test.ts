import { expect, test } from '@jest/globals';
import { transformSync } from 'esbuild';
import type { Page } from 'playwright-core';
import { paths } from '../../lib/paths.ts';
import { readCode } from '../../site/compiled-code.ts';
import { journey, keyboard, pointer } from '../support/journey.ts';
import { layoutFaults } from '../support/layout.ts';
import { makeOld } from '../support/old-webview.ts';
import { withStates } from '../support/states.ts';
import { testIf } from '../support/test-if.ts';
import { variedPages } from '../support/varied-pages.ts';
import { complaintsOf } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { site, newPage, states } = withStates();

async function open(width: number): Promise<{ page: Page; complaints(): string[] }> {
  const page = await newPage({ viewport: { width, height: 740 }, reducedMotion: 'reduce' });
  await makeOld(page);
  const complaints = complaintsOf(page);
  return { page, complaints: () => complaints.filter((text) => !/status of (4\d\d|500)/.test(text)) };
}

test('every script uses only the syntax of Chrome 80', () => {
  for (const { path, text } of readCode(paths.code).scripts) {
    const of = (target: string) => transformSync(text, { format: 'esm', target, charset: 'utf8' }).code;
    expect([path, of('chrome80')]).toEqual([path, of('esnext')]);
  }
});

browserTest('an old WebView logs no script errors and shows no overlap, cut-off or overflow', async () => {
  const { page, complaints } = await open(360);
  await page.goto('/');
  const older = `[typeof HTMLScriptElement.supports, typeof [].at, document.querySelectorAll('details[name]').length,
      /focus-visible|text-wrap/.test(document.querySelector('style').textContent), getComputedStyle(document.body).margin]`;
  expect(await page.evaluate(older)).toEqual(['undefined', 'undefined', 0, false, '0px']);
  const faults: string[] = [];
  const visits = (await variedPages(site())).map((path) => ({ name: path, reach: () => page.goto(path) }));
  const scripted = states.filter(({ name, bare }) => !bare && /menu|dialog|player/.test(name));
  expect(scripted.length).toBeGreaterThan(5);
  for (const { name, reach } of [...visits, ...scripted]) {
    await reach(page);
    const isModal = (await page.locator('dialog[open]').count()) > 0;
    faults.push(...(await layoutFaults(page, isModal ? 'dialog' : 'body')).map((fault) => `${name}: ${fault}`));
  }
  expect([faults, complaints()]).toEqual([[], []]);
});

browserTest.each([
  ['a finger', 360],
  ['the keyboard', 1280],
])('a visitor gets from the menu to the receipt with %s at %i px wide', async (hand, width) => {
  const { page, complaints } = await open(width);
  await journey(page, site(), width, hand === 'the keyboard' ? keyboard(page) : pointer);
  expect(complaints()).toEqual([]);
});
