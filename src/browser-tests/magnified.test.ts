import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { addStyle, layoutFaults } from '../testing/layout.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { existsAt, withStates } from '../testing/states.ts';

const browserTest = testWith(chromiumPath, 'people who need large or wide text lose nothing');

/** `textSize` is what the browser is set to, in pixels. */
type Reader = { how: string; width: number; textSize?: number; css?: string };

const unfold = (page: Page) =>
  page.evaluate('for (const list of document.querySelectorAll("main details")) list.open = true');

/** All that a reader finds wrong on any kind of page, and in any state of it. */
async function faultsFor(
  { width, textSize = 16, css = '' }: Reader,
  { newPage, states }: ReturnType<typeof withStates>,
): Promise<string[]> {
  const page = await newPage({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  const faults: string[] = [];
  const look = async (name: string, root?: string) => {
    await addStyle(page, css);
    faults.push(...(await layoutFaults(page, root)).map((fault) => `${name}: ${fault}`));
  };
  for (const path of templates) {
    await page.goto(path);
    await unfold(page);
    await look(path);
  }
  for (const state of states.filter((one) => !one.bare && existsAt(one, (width * 16) / textSize))) {
    await state.reach(page);
    const isModal = (await page.locator('dialog[open]').count()) > 0;
    await look(state.name, isModal ? 'dialog' : 'body');
  }
  return faults;
}

/** WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

describe('nothing is lost to whoever reads', () => {
  const visitors = withStates();
  browserTest.each<Reader>([
    // WCAG 1.4.10: 1280 px at 400 %.
    { how: 'at 400 % zoom', width: 320 },
    { how: 'with wide spacing', width: 320, css: spacing },
    { how: 'with wide spacing', width: 1280, css: spacing },
    // The most that phones of that time offer.
    { how: 'with text of 130 %', width: 360, css: 'html { font-size: 130% !important }' },
  ])(
    '$how, $width px wide',
    async (reader) => {
      expect(await faultsFor(reader, visitors)).toEqual([]);
    },
    120_000,
  );
});

describe('nothing is lost to whoever has set text to 200 %', () => {
  // WCAG 1.4.4, as browsers do it: what depends on the width in `em` takes the text into account.
  const visitors = withStates({ textSize: 32 });
  browserTest.each<Reader>([
    { how: 'on a screen', width: 1280, textSize: 32 },
    { how: 'on a tablet', width: 768, textSize: 32 },
  ])(
    '$how, $width px wide',
    async (reader) => {
      expect(await faultsFor(reader, visitors)).toEqual([]);
    },
    120_000,
  );
});
