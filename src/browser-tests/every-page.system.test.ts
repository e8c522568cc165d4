import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from '../testing/axe.ts';
import { chromiumPath } from '../testing/browser.ts';
import { layoutFaults, withStyle } from '../testing/layout.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { existsAt, type State, withStates } from '../testing/states.ts';

const browserTest = testWith(chromiumPath, 'people who do not see or point, or need large text, find their way');

/** `textSize` is what the browser is set to, in pixels. */
type Reader = { how: string; width: number; textSize?: number; css?: string };

/** WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const readers: readonly Reader[] = [
  // WCAG 1.4.10: 1280 px at 400 %.
  { how: 'with wide spacing and at 400 % zoom', width: 320, css: spacing },
  // The most that phones of that time offer.
  { how: 'with text of 130 %', width: 360, css: 'html { font-size: 130% !important }' },
  { how: 'with wide spacing', width: 1280, css: spacing },
];

/** WCAG 1.4.4, as browsers do it: what depends on the width in `em` takes the text into account. */
const largeText: readonly Reader[] = [
  { how: 'with text of 200 %', width: 360, textSize: 32 },
  { how: 'with text of 200 %', width: 768, textSize: 32 },
  { how: 'with text of 200 %', width: 1280, textSize: 32 },
];

/** Where the header is a bar, and where it is a menu. */
const [wide, narrow] = [1280, 320];

/** What has which colour hangs on no width; what only a narrow window has, the menu, is judged as a state. */
const ofColours = ['color-contrast-enhanced'];

/** At which nothing may scroll sideways, besides those of the readers. */
const otherWidths = [768, 1920];

/** Buttons and fields whose place only a background shows, of which nothing is left; native ones have their own look. */
const borderless = `[...document.querySelectorAll('button, .action, textarea, select, input:not([type=hidden], [type=checkbox], [type=radio])')]
  .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true]'))
  .filter((element) => {
    const { borderTopStyle, borderBottomStyle, borderBottomWidth, textDecorationLine } = getComputedStyle(element);
    const hasBorder = borderTopStyle !== 'none' && borderBottomStyle !== 'none' && parseFloat(borderBottomWidth) >= 1;
    return !hasBorder && textDecorationLine !== 'underline';
  })
  .map((element) => 'no border: ' + element.outerHTML.slice(0, 100))`;

const unfold = (page: Page) =>
  page.evaluate('for (const list of document.querySelectorAll("main details")) list.open = true');

const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 800 });

/** What readers find wrong with a page as it stands. */
async function layoutFor(page: Page, name: string, group: readonly Reader[]): Promise<string[]> {
  const isModal = (await page.locator('dialog[open]').count()) > 0;
  const faults: string[] = [];
  for (const { how, width, css = '' } of group) {
    await resize(page, width);
    const found = await withStyle(page, css, () => layoutFaults(page, isModal ? 'dialog' : 'body'));
    faults.push(...found.map((fault) => `${name}, ${how} at ${width}: ${fault}`));
  }
  return faults;
}

async function axeAt(page: Page, name: string, width: number, without?: readonly string[]): Promise<string[]> {
  await resize(page, width);
  return (await axeFindings(page, without)).map((found) => `${name} at ${width}: ${found}`);
}

async function coloursOf(page: Page, name: string): Promise<string[]> {
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  const found = (await page.evaluate(borderless)) as string[];
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  return found.map((fault) => `${name} in colours of the visitor: ${fault}`);
}

describe.each([
  { size: 16, group: readers },
  { size: 32, group: largeText },
])('where text has $size px, nothing is wrong or lost', ({ size, group }) => {
  const { front, newPage, states } = withStates({ textSize: size });
  const usual = size === 16;
  /** What is about to appear has no contrast yet; nothing here waits for it. */
  const open = () => newPage({ reducedMotion: 'reduce' });
  const existing = (state: State) => group.filter(({ width }) => existsAt(state, (width * 16) / size));

  browserTest(
    'on any kind of page, with all that unfolds unfolded',
    async () => {
      const faults: string[] = [];
      const page = await open();
      page.on('console', (message) => faults.push(`${page.url()}: ${message.text()}`));
      page.on('response', (answer) => answer.status() < 400 || faults.push(`${answer.status()} for ${answer.url()}`));
      for (const path of templates) {
        await page.goto(path);
        await unfold(page);
        faults.push(...(await layoutFor(page, path, group)));
        if (!usual) continue;
        faults.push(...(await coloursOf(page, path)));
        faults.push(...(await axeAt(page, path, wide)), ...(await axeAt(page, path, narrow, ofColours)));
        for (const width of otherWidths) {
          await resize(page, width);
          const excess = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
          if (excess > 0) faults.push(`${path} at ${width}: scrolls sideways by ${excess} px`);
        }
      }
      expect(faults.filter((one) => !/no-such-page: .*404|^404 for .*no-such-page$/.test(one))).toEqual([]);
    },
    180_000,
  );

  browserTest(
    'in any state of a page',
    async () => {
      const faults: string[] = [];
      const shared = await open();
      for (const state of states.filter(({ bare }) => usual || !bare)) {
        const [first] = existing(state);
        if (first === undefined) continue;
        front().intercept((req, _res, pass) => {
          if (state.bare && req.url?.startsWith('/assets/')) req.destroy();
          else pass();
        });
        // Who has been here has the script.
        const page = state.bare ? await open() : shared;
        await resize(page, first.width);
        await state.reach(page);
        if (usual) faults.push(...(await axeAt(page, state.name, first.width)));
        if (!state.bare) faults.push(...(await layoutFor(page, state.name, existing(state))));
        if (usual && !state.bare) faults.push(...(await coloursOf(page, state.name)));
      }
      expect(faults).toEqual([]);
    },
    180_000,
  );
});
