import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { testWith } from '../testing/requires.ts';
import { browserHeaders, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'visitors find the live broadcast');
const off = { status: false } as const;
const [video, player] = ['https://video.example/live.mp4', 'https://player.example/embed/1'];
const broadcast = fakeBroadcast();
let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the pages complain of in the console, such as a broken policy. */
let complaints: string[];

beforeAll(async () => {
  site = await startTestSite({ broadcast });
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

const place = () => page.locator(':is(.site-header-contact, .burger) .broadcast:visible');
const link = () => place().getByRole('link', { name: 'Прямая трансляция' });
const text = () => place().getByText(/^Трансляция с.8:00$/);

/** Where the parts of the header stand. */
const layout = () =>
  page.evaluate(`JSON.stringify(
    [...document.querySelectorAll('.site-header, .site-header *')].map((element) => element.getBoundingClientRect())
  )`);

describe('without JavaScript', () => {
  browserTest.each([1280, 360])('%i px wide, the link is there and leads to the player', async (width) => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: false, width });
    await page.goto(`${site.url}/rates`);
    if (width < 1024) await page.locator('.burger > summary').click();
    expect(await text().isVisible()).toBe(false);
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

  browserTest('without a broadcast there is the text, and the page says when to come back', async () => {
    await launch({ javaScriptEnabled: false });
    await page.goto(site.url);
    expect([await text().isVisible(), await link().isVisible()]).toEqual([true, false]);
    await page.goto(`${site.url}/broadcast`);
    expect(await page.locator('main').textContent()).toMatch(/Трансляция с.8:00/);
    await page.getByRole('link', { name: 'На главную' }).click();
    expect(new URL(page.url()).pathname).toBe('/');
  });
});

describe('with JavaScript', () => {
  const dialog = () => page.locator('dialog.modal-video');
  const isMarked = () => page.evaluate('document.body.classList.contains("video-open")');
  const isLocked = () => page.evaluate('getComputedStyle(document.documentElement).overflow === "hidden"');

  /** Loads a page and waits until the script has learnt whether a broadcast is on. */
  async function open(path: string, width = 1280): Promise<void> {
    await launch({ javaScriptEnabled: true, width });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
  }

  browserTest('off, it is a line of text', async () => {
    await open('/');
    expect([await text().isVisible(), await link().isVisible()]).toEqual([true, false]);
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
    await page.locator('.burger > summary').click();
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

  browserTest.each([
    ['live', 'has ended since', true],
    ['before it began', 'is on by now', false],
  ])('a page made %s while the broadcast %s shows what is now, and nothing moves', async (_made, _now, was) => {
    const live = { status: true, url: video } as const;
    await launch({ javaScriptEnabled: true });
    let answer = () => {};
    const asked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/video-broadcast', async (route) => {
      await asked;
      await route.continue();
    });
    broadcast.state = was ? live : off;
    await page.goto(site.url);
    expect([await text().isVisible(), await link().isVisible()]).toEqual([!was, was]);
    const before = await layout();
    broadcast.state = was ? off : live;
    answer();
    await (was ? text() : link()).waitFor();
    expect([await text().isVisible(), await link().isVisible()]).toEqual([was, !was]);
    expect(await layout()).toBe(before);
  });

  browserTest('while the state is not known, the link is a link', async () => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: true });
    await page.route('**/video-broadcast', (route) => route.abort());
    await page.goto(site.url);
    await link().click();
    await page.waitForURL('**/broadcast');
  });
});
