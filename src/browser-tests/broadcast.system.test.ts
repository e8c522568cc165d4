import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { browserHeaders } from '../testing/ask.ts';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { testWith } from '../testing/requires.ts';
import { shownSite, startTestSite, type TestSite } from '../testing/test-site.ts';

const browserTest = testWith(chromiumPath, 'visitors find the live broadcast and see videos');
const off = { status: false } as const;
const [video, player] = ['https://video.example/live.mp4', 'https://1.players.example/embed/1'];
const elsewhere = 'https://elsewhere.example/live';
const broadcast = fakeBroadcast();
/** A video of the blog. */
const recorded = (await shownSite()).content.articles.find((article) => article.video);
let site: TestSite;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the pages complain of in the console, such as a broken policy. */
let complaints: string[];

beforeAll(async () => {
  const videoHosts = ['video.example', '*.players.example', new URL(recorded?.video?.href ?? '').host];
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

const link = () => page.locator('.site-header-contact a[href="/broadcast"]');
const menuLink = () => page.locator('.burger a[href="/broadcast"]');
const live = ['Эфир', 'Прямая трансляция'];
const schedule = () => site.services.site.content.company.broadcast;

/** Every place of the header that leads to the broadcast, folded up or not. */
const words = () => page.locator('header a[href="/broadcast"]').allTextContents();

/** Brings the link of the menu into view. */
async function unfold(): Promise<void> {
  await page.locator('.burger > summary').click();
  await menuLink().waitFor();
}

describe('without JavaScript', () => {
  browserTest.each([1280, 360])('%i px wide, the link leads to the player', async (width) => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: false, width });
    await page.goto(`${site.url}/rates`);
    expect(await link().textContent()).toBe(schedule());
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
    const { camera, broadcast } = site.served.content.company;
    const main = page.locator('main');
    expect(await main.textContent()).toContain(camera?.hours ?? broadcast);
    expect(await main.locator('svg').isVisible()).toBe(true);
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
      [...document.querySelectorAll('.site-header, .site-header *:not(.broadcast, .broadcast *)')].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.localName, element.className, x, y, width, height].join(' ');
      }))`);
  /** Of the links that can be seen. */
  const areUnderlined = () =>
    page.evaluate(`[...document.querySelectorAll('header a[href="/broadcast"]')]
      .filter((element) => element.checkVisibility())
      .map((element) => getComputedStyle(element).textDecorationLine === 'underline')`);
  const colourOf = (selector: string) => page.evaluate(`getComputedStyle(document.querySelector('${selector}')).color`);
  const height = async (link: Locator) => (await link.boundingBox())?.height;

  /** Loads a page and waits until the script has learnt whether a broadcast is on. */
  async function open(path: string, width = 1280): Promise<void> {
    await launch({ javaScriptEnabled: true, width });
    await page.goto(site.url + path, { waitUntil: 'networkidle' });
  }

  browserTest.each([1280, 360])('off, %i px wide, the link stays as it was made and is followed', async (width) => {
    await open('/', width);
    for (const text of await words()) expect(text).toBe(schedule());
    expect(await areUnderlined()).toEqual([false]);
    expect(await height(link())).toBeGreaterThanOrEqual(24);
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
  });

  browserTest.each([1280, 1024, 768, 360])(
    'on, %i px wide, it says so in both places, and nothing moves',
    async (width) => {
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
      expect(await link().textContent()).toBe(schedule());
      const before = await layout();
      answer();
      await page.locator('.site-header-contact .on-air').waitFor();
      expect([await words(), questions]).toEqual([live, 1]);
      expect(await layout()).toEqual(before);
      expect(await areUnderlined()).toEqual([true]);
      expect(await colourOf('.site-header-contact .on-air')).not.toBe(await colourOf('.site-header-logo'));
      expect(await height(link())).toBeGreaterThanOrEqual(24);
      if (width >= 1024) return;
      await unfold();
      expect(await height(menuLink())).toBeGreaterThanOrEqual(44);
    },
  );

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

  browserTest.each([320, 360])('on, %i px wide, the header is one line, which nothing overlaps', async (width) => {
    broadcast.state = { status: true, url: video };
    await open('/', width);
    const boxes = await Promise.all(
      ['.site-header-logo', '.site-header-contact [href^=tel]', '.on-air:visible', '.burger > summary'].map((part) =>
        page.locator(part).first().boundingBox(),
      ),
    );
    const header = await page.locator('.site-header').boundingBox();
    for (const [at, box] of boxes.entries()) {
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(header?.height ?? 0);
      for (const other of boxes.slice(at + 1)) {
        const apart = [
          [box?.x, box?.width, other?.x, other?.width],
          [box?.y, box?.height, other?.y, other?.height],
        ].some(([a = 0, long = 0, b = 0, wide = 0]) => a + long <= b || b + wide <= a);
        expect([at, other, apart]).toEqual([at, other, true]);
      }
    }
    expect(header?.height).toBe(56);
  });

  browserTest('the dialog names its player, and has a way to see the video elsewhere', async () => {
    broadcast.state = { status: true, url: player };
    await open('/rates');
    await link().click();
    expect(await dialog().locator('iframe').getAttribute('title')).toBe('Прямая трансляция');
    const apart = dialog().getByRole('link', { name: 'Открыть отдельно' });
    expect([await apart.getAttribute('href'), await apart.getAttribute('target')]).toEqual([player, '_blank']);
    expect(await dialog().getByRole('status').textContent()).toBe('Видео не показывается?');
  });

  browserTest('a video that fails says so', async () => {
    broadcast.state = { status: true, url: 'https://video.example/gone.mp4' };
    await open('/rates');
    await context.route('https://video.example/gone.mp4', (route) => route.abort());
    await link().click();
    await dialog().getByText('Видео не загрузилось.').waitFor();
    expect(await dialog().getByRole('link', { name: 'Открыть отдельно' }).isVisible()).toBe(true);
  });

  browserTest('a stream that the browser cannot play is left to the page', async () => {
    broadcast.state = { status: true, url: 'https://video.example/live.m3u8' };
    await launch({ javaScriptEnabled: true });
    await page.addInitScript(
      `HTMLMediaElement.prototype.canPlayType = (type) => (type === 'application/vnd.apple.mpegurl' ? '' : 'maybe')`,
    );
    await page.goto(`${site.url}/rates`, { waitUntil: 'networkidle' });
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
    const main = page.locator('main');
    expect(await main.locator('video').count()).toBe(0);
    const [asked] = await Promise.all([
      page.waitForRequest('https://video.example/live.m3u8'),
      main.getByRole('link', { name: 'Смотреть эфир' }).click(),
    ]);
    expect(asked.isNavigationRequest()).toBe(true);
  });

  browserTest('a stream that the browser can play plays on the page of the broadcast by a press', async () => {
    broadcast.state = { status: true, url: 'https://video.example/live.m3u8' };
    await launch({ javaScriptEnabled: true });
    await page.addInitScript(`HTMLMediaElement.prototype.canPlayType = () => 'maybe'`);
    await page.goto(`${site.url}/broadcast`, { waitUntil: 'networkidle' });
    await page.getByRole('link', { name: 'Смотреть эфир' }).click();
    await page.locator('main video').waitFor();
    expect(await page.locator('main video').getAttribute('src')).toBe('https://video.example/live.m3u8');
    expect(await page.getByRole('link', { name: 'Открыть отдельно' }).isVisible()).toBe(true);
  });

  browserTest('while what shows it is not there, the link is a link', async () => {
    broadcast.state = { status: true, url: video };
    await launch({ javaScriptEnabled: true });
    await page.route('**/assets/broadcast-dialog.*', () => {});
    await page.goto(`${site.url}/rates`);
    await page.locator('.site-header-contact .on-air').click();
    await page.waitForURL('**/broadcast');
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
    await unfold();
    await menuLink().click();
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
    for (const text of await words()) expect(text).toBe(schedule());
    await link().click();
    await page.waitForURL('**/broadcast');
    expect(await dialog().count()).toBe(0);
  });
});

describe('a video of the blog', () => {
  const address = () => `${site.url}/blog/${recorded?.category}/${recorded?.slug}`;
  const href = recorded?.video?.href ?? '';
  const still = () => page.locator(`main a[href="${href}"]`);

  async function open(javaScriptEnabled: boolean): Promise<string[]> {
    await launch({ javaScriptEnabled });
    const asked: string[] = [];
    await context.route(href, (route) => {
      asked.push(route.request().resourceType());
      return route.fulfill({ contentType: 'video/mp4', body: '' });
    });
    await page.goto(address(), { waitUntil: 'networkidle' });
    return asked;
  }

  browserTest('plays in the place of its still once that is pressed, and loads nothing before', async () => {
    const asked = await open(true);
    expect(asked).toEqual([]);
    await still().click();
    const shown = page.locator('.video-still video');
    await shown.waitFor();
    expect(await page.evaluate('document.activeElement.localName')).toBe('video');
    expect([await shown.getAttribute('src'), await shown.getAttribute('title')]).toEqual([
      href,
      await page.locator('h1').textContent(),
    ]);
    expect([asked[0], new URL(page.url()).pathname]).toEqual(['media', new URL(address()).pathname]);
    expect(await page.getByRole('link', { name: 'Открыть отдельно' }).getAttribute('href')).toBe(href);
    expect(complaints).toEqual([]);
  });

  browserTest('is a link without a script', async () => {
    await open(false);
    await still().click();
    await page.waitForURL(href);
  });
});
