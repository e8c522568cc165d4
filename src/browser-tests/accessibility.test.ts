import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { axeFindings } from '../testing/axe.ts';
import { chromiumPath } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { existsAt, withStates } from '../testing/states.ts';

const widths = [320, 768, 1280];

const browserTest = testWith(chromiumPath, 'people who do not see or point find their way');
const { front, newPage, states } = withStates();

/** What is about to appear has no contrast yet; nothing here waits for it. */
const open = () => newPage({ reducedMotion: 'reduce' });

const unfold = (page: Page) =>
  page.evaluate('for (const list of document.querySelectorAll("main details")) list.open = true');

browserTest(
  'axe finds nothing on any kind of page, with all that unfolds unfolded',
  async () => {
    const findings: string[] = [];
    const page = await open();
    for (const path of templates) {
      await page.goto(path);
      await unfold(page);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        for (const found of await axeFindings(page)) findings.push(`${path} at ${width}: ${found}`);
      }
    }
    expect(findings).toEqual([]);
  },
  180_000,
);

browserTest(
  'axe finds nothing in any state of a page',
  async () => {
    const findings: string[] = [];
    const shared = await open();
    for (const state of states) {
      front().intercept((req, _res, pass) => {
        if (state.bare && req.url?.startsWith('/assets/')) req.destroy();
        else pass();
      });
      // Whoever has been here has the script.
      const page = state.bare ? await open() : shared;
      for (const [index, width] of widths.filter((one) => existsAt(state, one)).entries()) {
        await page.setViewportSize({ width, height: 800 });
        if (index === 0) await state.reach(page);
        for (const found of await axeFindings(page)) findings.push(`${state.name} at ${width}: ${found}`);
      }
    }
    expect(findings).toEqual([]);
  },
  180_000,
);
