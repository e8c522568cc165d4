import { expect } from '@jest/globals';
import sharp from 'sharp';
import { pageTemplates, plainService, studyPage } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { siteOf, startTestSite } from '../support/test-site.ts';
import { withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const shippedBrowserTest = testIf({ programs: ['browser'], shipped: true });
const { newPage, site } = withVisitors();

/** Replaces all whitespace with plain spaces. */
const plain = (text: string) => text.replaceAll(/\s+/g, ' ');

/** The maximum height of pages on a phone, in CSS pixels. */
const heights = {
  '/': 5500,
  '/rates': 4500,
  ...Object.fromEntries(pageTemplates.filter((path) => path.startsWith('/services/')).map((path) => [path, 5300])),
  '/questions': 3000,
};

// Editors decide how long their pages are, so this checks only the shipped content.
shippedBrowserTest(
  'pages stay within their maximum height on a phone, even when departures wait for the longest holidays',
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
  await page.setViewportSize({ width: 768, height: 800 });
  expect(await page.locator(bar).isVisible()).toBe(false);
});

browserTest.each(['/rates/calc', '/contact?preset=request', '/policy'])('%s has no bar', async (path) => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  await page.goto(path);
  expect(await page.locator(bar).count()).toBe(0);
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

browserTest('a phone shows the answer on the first screen', async () => {
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
});

browserTest('a phone shows the heading and the subheading of a service on its card', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  await page.goto('/search');
  const links = (await page.evaluate(
    `[...document.querySelectorAll('.services h3 a')].map((link) => link.getAttribute('href'))`,
  )) as string[];
  const services = site().services.site.content.services.filter(({ to }) => links.includes(to));
  expect(services.length).toBeGreaterThan(1);
  const shown = async (selector: string) => (await page.locator(`${selector}:visible`).allInnerTexts()).map(plain);
  expect(await shown('.services h3')).toEqual(services.map(({ heading }) => plain(heading)));
  expect(await shown('.services-name p')).toEqual(services.map(({ subheading }) => plain(subheading)));
});

browserTest('the footer on a phone has all services and sections in two columns of half a screen', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, isMobile: true });
  await page.goto('/');
  const { services, navigation } = site().services.site.content;
  const links = (await page.evaluate(`[...document.querySelectorAll('.site-footer nav a')]
    .filter((link) => link.checkVisibility())
    .map((link) => ({ to: link.getAttribute('href'), left: link.getBoundingClientRect().left }))`)) as {
    to: string;
    left: number;
  }[];
  expect(links.map(({ to }) => to)).toEqual([...services, ...navigation.footer].map(({ to }) => to));
  expect(new Set(links.map(({ left }) => left)).size).toBe(2);
  expect((await page.locator('.site-footer nav').boundingBox())?.height).toBeLessThan(370);
});

browserTest('links of the dark footer keep their colour and underline under the pointer', async () => {
  const page = await newPage({ reducedMotion: 'reduce' });
  await page.goto('/');
  const link = page.locator('.site-footer nav a').first();
  const look = async () =>
    (await page.evaluate(`{
      const { color, textDecorationColor, textDecorationLine } = getComputedStyle(document.querySelector('.site-footer nav a'));
      [color, textDecorationColor, textDecorationLine];
    }`)) as string[];
  const [colour] = await look();
  await link.hover();
  expect(await look()).toEqual([colour, colour, 'underline']);
});

browserTest.each([320, 360, 768, 1024, 1280])('at %i px wide, the header is one line', async (width) => {
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.goto('/');
  expect((await page.locator('.site-header').boundingBox())?.height).toBeLessThan(72);
  const shown = (href: string) => page.locator(`.site-header a[href="${href}"]:visible`).count();
  expect([await shown('/rates/calc'), await shown('/search')]).toEqual([Number(width >= 768), Number(width >= 1024)]);
  const action = await page.locator('.site-header-action').innerText();
  if (width >= 768) expect(action.split(/\s+/)).toEqual(width === 1024 ? ['Посчитать'] : ['Посчитать', 'цену']);
});

type Box = { left: number; right: number; top: number; bottom: number };
const boxes = (selector: string) =>
  `[...document.querySelectorAll('${selector}')].map((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    return { left, right, top, bottom };
  })`;

browserTest.each([360, 1280])('the first %i x 640 px show the offer, price, date and button', async (width) => {
  const page = await newPage({ viewport: { width, height: 640 } });
  await page.goto('/');
  const lines = `{
    const heading = document.querySelector('h1');
    heading.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(heading).lineHeight);
  }`;
  expect(Math.round(Number(await page.evaluate(lines)))).toBeLessThanOrEqual(3);
  const button = width < 768 ? `${bar} > .action:first-child` : '.hero .action';
  for (const [selector, count] of Object.entries({
    '.answers .of-0 a:not(dd[class]:not(.of-7) a)': 2,
    [button]: 1,
  })) {
    const found = (await page.evaluate(boxes(selector))) as Box[];
    expect([selector, found.length]).toEqual([selector, count]);
    for (const { bottom } of found) expect(bottom).toBeLessThanOrEqual(640);
  }
});

browserTest('drawings join into one scene, and a phone shows the first and the beginning of the next', async () => {
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
});

browserTest.each([360, 1280])(
  'at %i px wide without a script, choosing a marketplace swaps price, day and bill without a layout shift',
  async (width) => {
    const page = await newPage({ viewport: { width, height: 740 }, javaScriptEnabled: false });
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
  },
);

browserTest('without a script, choosing a number of units swaps price and sum for every marketplace', async () => {
  const page = await newPage({ viewport: { width: 360, height: 740 }, javaScriptEnabled: false });
  await page.goto('/');
  const price = async () => (await page.locator('.answers dd[class]:visible').allInnerTexts()).join();
  const [own, button] = [await price(), await page.locator('.hero-next').boundingBox()];
  await page.locator('.answers label').last().click();
  const large = await price();
  expect(large).not.toBe(own);
  await page.locator('.hero > label').last().click();
  expect(await price()).not.toBe(large);
  await page.locator('.answers label').first().click();
  await page.keyboard.press('ArrowRight');
  await page.locator('.hero > label').first().click();
  expect(await price()).toBe(own);
  expect(await page.locator('.hero-next').boundingBox()).toEqual(button);
});

/** Returns mean and standard deviation of lightness, 0 to 255. */
async function lightness(shot: Promise<Buffer>) {
  const [channel] = (
    await sharp(await shot)
      .greyscale()
      .stats()
  ).channels;
  return { mean: channel?.mean ?? 0, contrast: channel?.stdev ?? 0 };
}

browserTest('the menu icon is visible in forced colours, with the menu closed or open', async () => {
  const page = await newPage({ viewport: { width: 360, height: 800 }, forcedColors: 'active', colorScheme: 'dark' });
  await page.goto('/rates');
  const sign = page.locator('.burger > summary');
  expect((await lightness(sign.screenshot())).contrast).toBeGreaterThan(20);
  await sign.click();
  await page.locator('.burger-panel').waitFor();
  await page.mouse.move(5, 700);
  expect((await lightness(sign.screenshot())).contrast).toBeGreaterThan(20);
});

browserTest('automatic dark mode of a browser changes neither paper nor drawings', async () => {
  const page = await newPage({ viewport: { width: 360, height: 800 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.goto('/');
  const shade = async () => (await lightness(page.screenshot())).mean;
  const before = await shade();
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setAutoDarkModeOverride', { enabled: true });
  expect(await shade()).toBe(before);
  // Proves that automatic dark mode was on.
  await page.evaluate('document.querySelector("meta[name=color-scheme]").remove()');
  expect(await shade()).not.toBe(before);
});
