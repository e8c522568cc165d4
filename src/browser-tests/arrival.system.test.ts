import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chromiumPath } from '../testing/browser.ts';
import { layoutShifts } from '../testing/layout.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

const browserTest = testWith(chromiumPath, 'nothing moves under the eyes of a visitor on a bad network');
const { front, newPage, site } = withVisitors();

/** How much of the window may move, as Cumulative Layout Shift counts it; 0.1 is what visitors begin to mind. */
const most = 0.05;

/** Opens a page that takes a second and a half to come: a piece, which is painted, and then the next. */
async function openInPieces(path: string, width: number, cut: (html: string) => readonly string[]): Promise<Page> {
  const pieces = cut((await site().request(path)).text);
  expect(pieces.length).toBeGreaterThan(3);
  front().intercept(async (req, res, pass) => {
    if (req.url !== path) return pass();
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    for (const piece of pieces) {
      res.write(piece);
      await sleep(1_500 / pieces.length);
    }
    res.end();
  });
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.route('**/fonts/**', (route) => route.abort());
  await page.goto(path);
  return page;
}

/** What comes in one packet or two, for as long as the first screens are on their way; then the rest. */
function ofPackets(html: string): string[] {
  const ends = Array.from({ length: 30 }, (_, index) => index * 1_500);
  return ends.map((end, index) => html.slice(end, ends[index + 1]));
}

const ofTheHeader = (html: string): string[] =>
  html.split(/(?=<[^>]*class="(?:bar|action site-header-action|site-header-contact|burger)"|<main)/);

browserTest.each([360, 768, 1280])(
  'the header moves nothing in it while it is still coming, %i px wide',
  async (width) => {
    const page = await openInPieces('/map', width, ofTheHeader);
    expect(await layoutShifts(page, '.site-header')).toEqual([]);
  },
);

browserTest.each([360, 1280])(
  'what has been read stays where it is while the rest is coming, %i px wide',
  async (width) => {
    const moved: string[] = [];
    for (const path of ['/', '/contacts']) {
      const shifts = await layoutShifts(await openInPieces(path, width, ofPackets));
      const score = shifts.reduce((sum, { value }) => sum + value, 0);
      if (score > most) moved.push(`${path}: ${score.toFixed(3)} by ${shifts.flatMap((shift) => shift.moved)}`);
    }
    expect(moved).toEqual([]);
  },
);
