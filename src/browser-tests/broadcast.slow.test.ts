import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { testWith } from '../testing/requires.ts';
import { browserHeaders, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'visitors find the live broadcast');
const off = { status: false } as const;
const [video, player] = ['https://video.example/live.mp4', 'https://1.players.example/embed/1'];
const elsewhere = 'https://elsewhere.example/live';
const broadcast = fakeBroadcast();
let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the pages complain of in the console, such as a broken policy. */
let complaints: string[];

beforeAll(async () => {
  const videoHosts = ['video.example', '*.players.example'];
  site = await startTestSite({ broadcast, integrations: { videoHosts } });
  browser = await launchBrowser();
});
afterEach(async () => {
  broadcast.state = off;
  await context.close();
});
afterAll(async () => {
  await browser?.close();
  await site.close();
});

/** A browser in which the places of videos are faked, for nothing here leaves the machine. */
async function launch({ javaScriptEnabled, width = 1280 }: { javaScriptEnabled: boolean; width?: number }) {
  context = await browser.newContext({
    javaScriptEnabled,
    viewport: { width, height: 800 },
    userAgent: browserHeaders['user-agent'],
    reducedMotion: 'reduce',
  });
  await context.route(video, (route) => route.fulfill({ contentType: 'video/mp4', body: '' }));
  await context.route(player, (route) => route.fulfill({ contentType: 'text/html', body: '<p>The player</p>' }));
  page = await context.newPage();
  complaints = [];
  page.on('console', (message) => complaints.push(message.text()));
}

const link = () => page.locator('header a[href="/broadcast"]:visible');
const live = 'Прямая трансляция';
const schedule = /^Трансляция с.8:00$/;

/** Every place of the header that leads to the broadcast, folded up or not. */
const words = () => page.locator('header a[href="/broadcast"]').allTextContents();

/** Brings a link to the broadcast into view. */
async function unfold(width: number): Promise<void> {
  if (width < 1024) await page.locator('.burger > summary').click();
  await link().waitFor();
}

describe('without JavaScript', () => {
  browserTest.each([1280, 360])('%i px wide, the link leads to the player', async (width) => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: false, width });
    await page.goto(`${site.url}/rates`);
    await unfold(width);
    expect(await link().textContent()).toMatch(schedule);
    await link().click();
    expect(new URL(page.url()).pathname).toBe('/broadcast');
    expect(await page.locator('main video').getAttribute('src')).toBe(video);
    expect(await page.locator('main video').getAttribute('controls')).toBe('');
    expect(await page.locator(`main a[href="${video}"]`).isVisible()).toBe(true);
  });

  browserTest('a player from elsewhere is shown in a frame, which the policy allows', async () => {
    broadcast.state = { status: true, url: player };
    await launch({ javaScriptEnabled: false });
    await page.goto(`${site.url}/broadcast`);
    await page.frameLocator('main iframe').getByText('The player').waitFor();
    expect(complaints).toEqual([]);
  });

  browserTest('without a broadcast, the link leads to where it says when to come back', async () => {
    await launch({ javaScriptEnabled: false });
    await page.goto(site.url);
    await link().click();
    expect(await page.locator('main').textContent()).toMatch(/Трансляция с.8:00/);
    await page.getByRole('link', { name: 'На главную' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

describe('with JavaScript', () => {
  const dialog = () => page.locator('dialog.modal-video');
  const isMarked = () => page.evaluate('document.body.classList.contains("video-open")');
  const isLocked = () => page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"');

  /** Where the parts of the header stand, but for the width of the words themselves. */
  const layout = () =>
    page.evaluate(`document.fonts.ready.then(() =>
      [...document.querySelectorAll('.site-header, .site-header *:not([href="/broadcast"])')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.localName, element.className, x, y, width, height].join(' ');
      }))`);
  /** Of the links that can be seen. */
  const areUnderlined = () =>
    page.evaluate(`[...document.querySelectorAll('header a[href="/broadcast"]')]
      .filter((element) => element.checkVisibility())
      .map((element) => getComputedStyle(element).textDecorationLine === 'underline')`);
  const height = async () => (await link().boundingBox())?.height;

  /** Loads a page and waits until the script has learnt whether a broadcast is on. */
  async function open(path: string, width = 1280): Promise<void> {
    await launch({ javaScriptEnabled: true, width });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
  }

  browserTest.each([1280, 360])('off, %i px wide, the link stays as it was made and is followed', async (width) => {
    await open('/', width);
    for (const text of await words()) expect(text).toMatch(schedule);
    await unfold(width);
    expect(await areUnderlined()).toEqual([false]);
    expect(await height()).toBeGreaterThanOrEqual(width < 1024 ? 44 : 24);
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
  });

  browserTest.each([1280, 1024, 360])('on, %i px wide, it says so in both places, and nothing moves', async (width) => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: true, width });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    let questions = 0;
    await page.route('**/video-broadcast', async (route) => {
      questions += 1;
      await asked;
      await route.continue();
    });
    await page.goto(site.url);
    await unfold(width);
    expect(await link().textContent()).toMatch(schedule);
    const before = await layout();
    answer();
    await page.getByRole('link', { name: live }).waitFor();
    expect([await words(), questions]).toEqual([[live, live], 1]);
    expect(await layout()).toEqual(before);
    expect(await areUnderlined()).toEqual([true]);
    expect(await height()).toBeGreaterThanOrEqual(width < 1024 ? 44 : 24);
  });

  browserTest.each([
    [video, 'video'],
    [player, 'iframe'],
  ])('the link opens %s in a %s over the page, which is gone with the dialog', async (url, name) => {
    broadcast.state = { status: true, url };
    await open('/rates');
    await link().click();
    await dialog().locator(name).waitFor();
    expect(await dialog().locator(name).getAttribute('src')).toBe(url);
    expect(new URL(page.url()).pathname).toBe('/rates');
    expect(await isMarked()).toBe(true);
    await page.mouse.click(5, 5);
    await dialog().waitFor({ state: 'detached' });
    await page.locator('body:not(.video-open)').waitFor();
    expect(await page.locator(name).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  browserTest('what comes from a host that the operator has not named is linked to, and never shown', async () => {
    broadcast.state = { status: true, url: elsewhere };
    await open('/rates');
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await page.locator('main').locator('video, iframe').count()).toBe(0);
    expect(await page.locator(`main a[href="${elsewhere}"]`).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });

  browserTest('the dialog opens again, and Escape closes it', async () => {
    broadcast.state = { status: true, url: video };
    await open('/');
    for (let time = 0; time < 2; time++) {
      await link().click();
      await dialog().locator('video').waitFor();
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'detached' });
    }
  });

  browserTest('from the menu of narrow screens, the page behind the dialog does not scroll', async () => {
    broadcast.state = { status: true, url: video };
    await open('/', 360);
    await unfold(360);
    await link().click();
    await dialog().locator('video').waitFor();
    // The menu tells of its closing a moment later.
    await page.waitForTimeout(200);
    expect(await isLocked()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('html:not(.scroll-locked)').waitFor();
    // The link is folded up by now; what unfolds it has the focus.
    expect(await page.evaluate('document.activeElement.textContent.trim()')).toBe('Меню');
  });

  browserTest('a press with Ctrl is for the link itself', async () => {
    broadcast.state = { status: true, url: video };
    await open('/');
    const [other] = await Promise.all([context.waitForEvent('page'), link().click({ modifiers: ['Control'] })]);
    await other.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
  });

  browserTest('a video that the policy would not let play is left to the page', async () => {
    broadcast.state = { status: true, url: 'http://video.example/live.mp4' };
    await open('/');
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(complaints).toEqual([]);
  });

  browserTest.each<[string, (route: Route) => Promise<void>]>([
    ['does not come', (route) => route.abort()],
    ['is an error', (route) => route.fulfill({ status: 500, contentType: 'text/html', body: '<p>Error</p>' })],
  ])('while the state %s, the link is a link', async (_what, fail) => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: true });
    await page.route('**/video-broadcast', fail);
    await page.goto(site.url, { waitUntil: 'networkidle' });
    for (const text of await words()) expect(text).toMatch(schedule);
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
  });
});
