import { expect } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import sharp from 'sharp';
import { axeFindings } from '../testing/axe.ts';
import { layoutFaults, withOlderStyles, withStyle } from '../testing/layout.ts';
import { plainService, studyPage, templates } from '../testing/pages.ts';
import { existsAt, withStates } from '../testing/states.ts';
import { testIf } from '../testing/test-if.ts';
import { siteOf, startTestSite } from '../testing/test-site.ts';

/* One walk over every kind of page and every state of one: what has to hold for all of them is asked here, once. */

const browserTest = testIf({ programs: ['browser'] });
const shippedBrowserTest = testIf({ programs: ['browser'], shipped: true });
const { front, newPage, states } = withStates();

/** How a reader has set up the browser; text is 16 px unless told otherwise. */
type Setting = { how: string; width: number; textSize?: number; css?: string };

/** WCAG 1.4.12. */
const spacing = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
  p { margin-bottom: 2em !important }`;

const settings: readonly Setting[] = [
  // WCAG 1.4.10: 1280 px at 400 %.
  { how: 'at 400 % zoom with wide spacing', width: 320, css: spacing },
  { how: 'as it is', width: 768 },
  { how: 'with wide spacing', width: 1280, css: spacing },
  { how: 'as it is', width: 1920 },
  // WCAG 1.4.4.
  ...[360, 768, 1280].map((width) => ({ how: 'with text of 200 %', width, textSize: 32 })),
  { how: 'with text of 200 % by a style of the reader', width: 360, css: 'html { font-size: 200% }' },
];

/** A sheet of A4, in CSS pixels. */
const paper = 794;

/** What axe is asked in a narrow window, after it was asked everything in a wide one. */
const ofWidth = ['target-size', 'scrollable-region-focusable'];

/** Buttons and fields whose place only a background shows, of which forced colours leave nothing. */
const borderless = `[...document.querySelectorAll('button, .action, textarea, select, input:not([type=hidden], [type=checkbox], [type=radio])')]
  .filter((element) => element.checkVisibility() && !element.closest('[aria-hidden=true]'))
  .filter((element) => {
    const { borderTopStyle, borderBottomStyle, borderBottomWidth, textDecorationLine } = getComputedStyle(element);
    const hasBorder = borderTopStyle !== 'none' && borderBottomStyle !== 'none' && parseFloat(borderBottomWidth) >= 1;
    return !hasBorder && textDecorationLine !== 'underline';
  })
  .map((element) => 'no border: ' + element.outerHTML.slice(0, 100))`;

/** Elements that do not show that they have the focus. */
const unmarked = `[...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((element) => {
  element.focus({ preventScroll: true });
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  return document.activeElement === element && (outlineStyle === 'none' || parseFloat(outlineWidth) < 2);
}).map((element) => 'shows no focus: ' + element.outerHTML.slice(0, 100))`;

/** Tables of which a part can only be scrolled to, unless that is seen, and the keyboard and a screen reader get there. */
const hidingTables = `[...document.querySelectorAll('main table')].flatMap((table) => {
  const around = [];
  for (let one = table; one.localName !== 'main'; one = one.parentElement) around.push(one);
  const scrolling = around.filter((one) => getComputedStyle(one).overflowX !== 'visible' && one.scrollWidth > one.clientWidth + 1);
  const isShown = (one) => getComputedStyle(one).backgroundAttachment.includes('local')
    && one.tabIndex === 0 && one.hasAttribute('aria-label');
  const leaves = scrolling.length === 0
    && [...table.querySelectorAll('th, td')]
      .some((cell) => cell.parentElement.offsetWidth > 1 && cell.getBoundingClientRect().right > innerWidth);
  return leaves || !scrolling.every(isShown) ? ['hides a part of ' + table.textContent.trim().slice(0, 60)] : [];
})`;

/** On paper nothing can be unfolded or pressed. */
const lostOnPaper = `[...document.querySelectorAll('main table')].filter((table) => !table.checkVisibility())
  .map((table) => 'folded up: ' + table.textContent.trim().slice(0, 60))
  .concat([...document.querySelectorAll('.site-header nav, .burger')].filter((one) => one.checkVisibility()).map(() => 'a menu'))`;

/** Everything that is asked of a page as it stands. */
async function faultsOf(page: Page, tools: CDPSession, existsIn: (setting: Setting) => boolean): Promise<string[]> {
  const faults: string[] = [];
  const root = (await page.locator('dialog[open]').count()) > 0 ? 'dialog' : 'body';
  const look = async (script: string) => (await page.evaluate(script)) as string[];
  const note = (where: string, found: readonly string[]) => faults.push(...found.map((fault) => `${where}: ${fault}`));
  const resize = async (width: number, textSize = 16) => {
    await page.setViewportSize({ width, height: 800 });
    await tools.send('Page.setFontSizes', { fontSizes: { standard: textSize, fixed: textSize } });
  };
  for (const { how, width, textSize, css = '' } of settings.filter(existsIn)) {
    await resize(width, textSize);
    note(`${how} at ${width}`, await withStyle(page, css, () => layoutFaults(page, root)));
  }
  const [narrow, wide] = [360, 1280].map((width) => existsIn({ how: '', width }));
  if (narrow) {
    await resize(360);
    note('at 360', await look(hidingTables));
    note('in a browser of 2020', await withOlderStyles(page, () => layoutFaults(page, root)));
  }
  await resize(wide ? 1280 : 360);
  note('axe', await axeFindings(page));
  if (root === 'body') {
    await page.emulateMedia({ media: 'print' });
    await resize(paper);
    note('on paper', [...(await look(lostOnPaper)), ...(await layoutFaults(page))]);
    await page.emulateMedia({ media: 'screen' });
  }
  await resize(wide ? 1280 : 360);
  await page.emulateMedia({ forcedColors: 'active', colorScheme: 'dark' });
  // Browsers show the focus that a script moves only after a key was used.
  await page.keyboard.press('Tab');
  note('in forced colours', [...(await look(borderless)), ...(await look(unmarked))]);
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' });
  return faults;
}

browserTest(
  'every kind of page can be read in every way, with all that unfolds unfolded',
  async () => {
    const faults: string[] = [];
    // What is about to appear has no contrast yet; nothing here waits for it.
    const page = await newPage({ reducedMotion: 'reduce' });
    const tools = await page.context().newCDPSession(page);
    page.on('console', (message) => faults.push(`${page.url()}: ${message.text()}`));
    page.on('response', (answer) => answer.status() < 400 || faults.push(`${answer.status()} for ${answer.url()}`));
    for (const path of templates) {
      await page.goto(path);
      await page.evaluate('for (const list of document.querySelectorAll("main details")) list.open = true');
      faults.push(...(await faultsOf(page, tools, () => true)).map((fault) => `${path} ${fault}`));
      await page.setViewportSize({ width: 360, height: 800 });
      faults.push(...(await axeFindings(page, ofWidth)).map((fault) => `${path} at 360: ${fault}`));
    }
    expect(faults.filter((one) => !/no-such-page: .*404|^404 for .*no-such-page$/.test(one))).toEqual([]);
  },
  180_000,
);

browserTest(
  'every state of a page can be read in every way',
  async () => {
    const faults: string[] = [];
    const shared = await newPage({ reducedMotion: 'reduce' });
    for (const state of states) {
      front().intercept((req, _res, pass) => {
        if (state.bare && req.url?.startsWith('/assets/')) req.destroy();
        else pass();
      });
      // Who has been here has the script.
      const page = state.bare ? await newPage({ reducedMotion: 'reduce' }) : shared;
      const tools = await page.context().newCDPSession(page);
      const existsIn = ({ width, textSize = 16 }: Setting) => existsAt(state, (width * 16) / textSize);
      await page.setViewportSize({ width: settings.find(existsIn)?.width ?? 1280, height: 800 });
      await state.reach(page);
      faults.push(...(await faultsOf(page, tools, existsIn)).map((fault) => `${state.name} ${fault}`));
    }
    expect(faults).toEqual([]);
  },
  180_000,
);

/** How long pages may be on a phone, in CSS pixels. */
const heights = {
  '/': 5500,
  '/rates': 4500,
  ...Object.fromEntries(templates.filter((path) => path.startsWith('/services/')).map((path) => [path, 4500])),
  '/questions': 3000,
};

/** How far a phone scrolls at most until the next thing to press that does not stick, in CSS pixels. */
const stretch = 1500;
const longestStretch = `{
  const tops = [...document.querySelectorAll('main .action, main [href^="tel"], footer [href^="tel"]')]
    .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().top + scrollY);
  Math.max(...tops.map((top, index) => top - (tops[index - 1] ?? 0)));
}`;

// How long an editor's pages are is for the editor to say.
shippedBrowserTest(
  'a phone scrolls through no more than is asked for, even when departures wait for the longest holidays',
  async () => {
    const january = await startTestSite({ site: await siteOf({ at: new Date('2027-01-02T12:00:00+03:00') }) });
    const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
    const longer: string[] = [];
    for (const site of ['', january.url]) {
      for (const [path, limit] of Object.entries(heights)) {
        await page.goto(site + path);
        const height = Number(await page.evaluate('document.documentElement.scrollHeight'));
        if (height > limit) longer.push(`${site}${path}: ${height} px of ${limit}`);
      }
    }
    expect(longer).toEqual([]);
  },
);

shippedBrowserTest('a phone never scrolls far without something to press', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  const longer: string[] = [];
  const ours = /^\/(?:services|rates$|cases|reviews|blog|questions|about|contacts|cargo|map)\b/;
  for (const path of templates.filter((path) => ours.test(path))) {
    await page.goto(path);
    const length = Number(await page.evaluate(longestStretch));
    if (length > stretch) longer.push(`${path}: ${length} px`);
  }
  expect(longer).toEqual([]);
});

browserTest('a phone has its answer on the first screen, and at its end only what its menu lacks', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  for (const [path, answer] of [
    [plainService, '.facts-main'],
    [studyPage.to, '.change-now'],
  ] as const) {
    await page.goto(path);
    const box = await page.locator(answer).first().boundingBox();
    expect([path, Number(box?.y) + Number(box?.height) <= 600]).toEqual([path, true]);
  }
  expect(await page.locator('.breadcrumbs li:visible').allTextContents()).toEqual(['Главная', 'Кейсы']);
  expect(await page.locator('.site-footer nav a:visible').count()).toBeLessThan(6);
  expect(await page.locator('.site-footer a[href^="tel"]').count()).toBe(1);
});

browserTest.each([320, 360, 768, 1024, 1280])('%i px wide, the header is one line', async (width) => {
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.goto('/');
  expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(72);
  // The calculator and the search have room from where the bar has it.
  for (const href of ['/rates/calc', '/search'])
    expect(await page.locator(`.site-header a[href="${href}"]:visible`).count()).toBe(width < 1024 ? 0 : 1);
  const action = await page.locator('.site-header-action').innerText();
  if (width >= 1024) expect(action.split(/\s+/)).toEqual(width < 1280 ? ['Посчитать'] : ['Посчитать', 'партию']);
});

type Box = { left: number; right: number; top: number; bottom: number };
const boxes = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  })`;

browserTest.each([360, 1280])('the first %i x 640 px have offer, price, date and button', async (width) => {
  const page = await newPage({ viewport: { width, height: 640 } });
  await page.goto('/');
  const lines = `{
    const heading = document.querySelector('h1');
    heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight);
  }`;
  expect(Math.round(Number(await page.evaluate(lines)))).toBeLessThanOrEqual(3);
  for (const [selector, count] of Object.entries({ '.answers > :first-child a': 2, '.action': 1 })) {
    const found = (await page.evaluate(boxes(`.hero ${selector}`))) as Box[];
    expect([selector, found.length]).toEqual([selector, count]);
    for (const { bottom } of found) expect(bottom).toBeLessThanOrEqual(640);
  }
});

browserTest(
  'drawings join into one scene, of which a phone shows the first and the beginning of the next',
  async () => {
    const page = await newPage();
    await page.goto('/');
    const joined = async () => {
      const scenes = (await page.evaluate(boxes('.way img'))) as Box[];
      expect(scenes.length).toBeGreaterThan(1);
      scenes.slice(1).forEach(({ left, top }, index) => {
        expect(left).toBeCloseTo(scenes[index]?.right ?? 0, 1);
        expect(top).toBeCloseTo(scenes[0]?.top ?? 0, 1);
      });
      return scenes;
    };
    await joined();
    await page.setViewportSize({ width: 360, height: 640 });
    const [, next] = await joined();
    expect(next?.left).toBeGreaterThan(240);
    expect(next?.left).toBeLessThan(330);
  },
);

browserTest.each([360, 1280])(
  '%i px wide without a script, choosing a marketplace swaps price, day and bill, and moves nothing',
  async (width) => {
    const page = await newPage({ viewport: { width, height: 740 }, javaScriptEnabled: false });
    await page.goto('/');
    await page.evaluate('document.querySelector(".receipt details").open = true; document.fonts.ready.then(() => 0)');
    const shown = async () => ({
      answers: await page.locator('.answers > :visible').allInnerTexts(),
      bills: await page.locator('.receipt tbody:visible').count(),
      button: (await page.locator('.hero-next').boundingBox())?.y,
    });
    const before = await shown();
    expect([before.answers.length, before.bills]).toEqual([1, 2]);
    await page.locator('.hero > label').last().click();
    const after = await shown();
    expect(after).toEqual({ ...before, answers: [expect.stringContaining('₽')] });
    expect(after.answers).not.toEqual(before.answers);
  },
);

/** Mean and standard deviation of lightness, 0 to 255. */
async function lightness(shot: Promise<Buffer>) {
  const [channel] = (
    await sharp(await shot)
      .greyscale()
      .stats()
  ).channels;
  return { mean: channel?.mean ?? 0, contrast: channel?.stdev ?? 0 };
}

browserTest('in forced colours the sign of the menu is seen, whether the menu is closed or open', async () => {
  const page = await newPage({ viewport: { width: 360, height: 800 }, forcedColors: 'active', colorScheme: 'dark' });
  await page.goto('/rates');
  const sign = page.locator('.burger > summary');
  expect((await lightness(sign.screenshot())).contrast).toBeGreaterThan(20);
  await sign.click();
  await page.locator('.burger-panel').waitFor();
  await page.mouse.move(5, 700);
  expect((await lightness(sign.screenshot())).contrast).toBeGreaterThan(20);
});

browserTest('a browser that darkens pages by itself leaves paper and drawings as they are', async () => {
  const page = await newPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/');
  const shade = async () => (await lightness(page.screenshot())).mean;
  const before = await shade();
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setAutoDarkModeOverride', { enabled: true });
  expect(await shade()).toBe(before);
  // So that the test knows that such a browser was there.
  await page.evaluate('document.querySelector("meta[name=color-scheme]").remove()');
  expect(await shade()).not.toBe(before);
});
