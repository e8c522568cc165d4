import { afterEach, describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { typeset } from '../../model/typography.ts';
import { eventually } from '../support/eventually.ts';
import { fakeBroadcast } from '../support/fake-broadcast.ts';
import { all, one, parseHtml } from '../support/html.ts';
import { testIf } from '../support/test-if.ts';
import { shownSite } from '../support/test-site.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const shippedBrowserTest = testIf({ programs: ['browser'], shipped: true });
const [video, player] = ['https://video.example/live.mp4', 'https://1.players.example/embed/1'];
const stream = 'https://video.example/live.m3u8';
const elsewhere = 'https://elsewhere.example/live';
const broadcast = fakeBroadcast();
/** A blog video that this site hosts. */
const recorded = (await shownSite()).content.articles.find(({ video }) => video?.href.startsWith('/'));
const videoHosts = ['video.example', '*.players.example'];
const { site, front, newPage } = withVisitors({ broadcast, integrations: { videoHosts } });

function goOnAir(url: string): void {
  broadcast.state = { status: true, url };
}
afterEach(() => {
  broadcast.state = { status: false };
});

describe('the broadcast page', () => {
  const openPage = async () => one(parseHtml((await site().request('/broadcast')).text), 'main');

  test.each([
    [video, { 'video[controls]': 1, iframe: 0, '[data-module]': 0 }],
    [player, { video: 0, iframe: 1, '[data-module]': 0 }],
    [stream, { video: 0, iframe: 0, '[data-module="video"]': 1 }],
    [elsewhere, { video: 0, iframe: 0, '[data-module]': 0, 'a.action[href^="http"]': 1 }],
  ])('links to %s, and embeds it only from a configured video host', async (url, shown) => {
    goOnAir(url);
    const page = await openPage();
    expect(all(page, `a[href="${url}"]`)).toHaveLength(1);
    for (const [selector, count] of Object.entries(shown)) {
      expect([selector, all(page, selector).length]).toEqual([selector, count]);
    }
    for (const { attrs } of all(page, 'video, iframe')) expect(attrs.src).toBe(url);
  });
});

let page: Page;
/** Console errors and warnings of the page, such as CSP violations. */
let complaints: string[];

/** Opens a page with faked video hosts, because tests request nothing from the internet. */
async function visit(url: string, options: BrowserContextOptions = {}): Promise<void> {
  goOnAir(url);
  page = await newPage({ reducedMotion: 'reduce', ...options });
  complaints = complaintsOf(page);
  for (const place of [video, stream])
    await page.route(place, (route) => route.fulfill({ contentType: 'video/mp4', body: '' }));
  await page.route(player, (route) => route.fulfill({ contentType: 'text/html', body: '<p>The player</p>' }));
}

/** Opens a page that knows that a broadcast is on and is ready to show it. */
async function open(): Promise<void> {
  await page.goto('/rates');
  await moduleRan(page, 'broadcast-dialog');
}

/** Overrides whether the browser can play streams. */
const canPlay = (answer: string) => page.addInitScript(`HTMLMediaElement.prototype.canPlayType = () => '${answer}'`);

const link = () => page.locator('.site-header-contact a[href="/broadcast"]');
const dialog = () => page.locator('dialog.modal-video');
const apart = () => page.getByRole('link', { name: 'Открыть отдельно' });
/** The texts of both links in the header, one of which is in the closed menu. */
const words = () => page.locator('header a[href="/broadcast"]').allTextContents();
const schedule = () => Array(2).fill(typeset(site().services.site.content.company.broadcast ?? ''));

browserTest('the header link leads to the embedded player without a script, and the CSP allows it', async () => {
  await visit(player, { javaScriptEnabled: false });
  await page.goto('/rates');
  expect(await words()).toEqual(schedule());
  await link().click();
  await page.frameLocator('main iframe').getByText('The player').waitFor();
  expect(complaints).toEqual([]);
});

browserTest('both header links say at once that a broadcast is on, without a layout shift', async () => {
  await visit(video);
  let answer = () => {};
  front().intercept((req, _res, pass) => {
    if (req.url === '/video-broadcast') answer = pass;
    else pass();
  });
  const widths = [320, 360, 768, 1024, 1280];
  /** The boxes of the header at every width, except for those of the link text. */
  async function layouts(): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const boxes = await page.evaluate(`document.fonts.ready.then(() =>
        [...document.querySelectorAll('.site-header, .site-header *:not(.broadcast, .broadcast *)')].map((element) =>
          [element.className, ...Object.values(element.getBoundingClientRect().toJSON())].join(' ')))`);
      found.push([width, boxes]);
    }
    return found;
  }
  await page.goto('/');
  expect(await words()).toEqual(schedule());
  const before = await layouts();
  answer();
  await page.locator('.site-header-contact .on-air').waitFor();
  expect(await words()).toEqual(Array(2).fill('Прямая трансляция'));
  expect(front().asked.filter(({ path }) => path === '/video-broadcast')).toHaveLength(1);
  expect(await layouts()).toEqual(before);
});

describe('the link to a broadcast', () => {
  browserTest.each([
    [video, 'video'],
    [player, 'iframe'],
  ])('opens %s in a %s over the page and removes it with the dialog', async (url, name) => {
    await visit(url);
    await open();
    const shown = dialog().locator(name);
    for (const close of [() => page.mouse.click(5, 5), () => page.keyboard.press('Escape')]) {
      await link().click();
      await page.locator('body.video-open').waitFor();
      expect([await shown.getAttribute('src'), await shown.getAttribute('title')]).toEqual([url, 'Прямая трансляция']);
      expect(await dialog().locator(`a[href="${url}"][target=_blank]`).textContent()).toBe('Открыть отдельно');
      expect(new URL(page.url()).pathname).toBe('/rates');
      await close();
      await page.locator('body:not(.video-open)').waitFor();
      expect(await page.locator(`dialog, ${name}`).count()).toBe(0);
    }
    expect(complaints).toEqual([]);
  });

  browserTest('shows an error over the page when the video fails', async () => {
    await visit(video);
    await page.route(video, (route) => route.abort());
    await open();
    await link().click();
    await dialog().getByText('Видео не загрузилось.').waitFor();
    expect(await apart().isVisible()).toBe(true);
  });
});

/** Answers with an error, or never when there is no status. */
const fail = (path: string, status?: number) =>
  page.route(path, (route) => (status ? route.fulfill({ status, body: '<p>Error</p>' }) : undefined));
const isOnAir = () => page.locator('.site-header-contact .on-air').waitFor();
const ran = (name: string) => () => moduleRan(page, name);

browserTest.each([
  ['the host is not configured', elsewhere, async () => {}, isOnAir],
  ['the browser cannot play the stream', stream, () => canPlay(''), ran('broadcast-dialog')],
  ['the dialog module has not loaded', video, () => fail('**/assets/broadcast-dialog.*'), isOnAir],
  ['the state does not arrive', video, () => fail('**/video-broadcast'), ran('loading-bar')],
  ['the state is an error', video, () => fail('**/video-broadcast', 500), ran('loading-bar')],
  [
    'the state is minutes old',
    video,
    async () => {},
    async () => {
      await moduleRan(page, 'broadcast-dialog');
      await page.clock.install();
      await page.clock.fastForward(600_000);
    },
  ],
])('while %s, the link leads to the broadcast page', async (_, url, hinder, ready) => {
  await visit(url);
  await hinder();
  await page.goto('/rates');
  await ready();
  await link().click();
  await page.waitForURL('**/broadcast');
});

browserTest.each(['', 'maybe'])(
  'a press on a stream navigates to it, or plays it when the browser can: %j',
  async (can) => {
    await visit(stream);
    await canPlay(can);
    await page.goto('/broadcast');
    await moduleRan(page, 'video');
    const asked = page.waitForRequest(stream);
    await page.getByRole('link', { name: 'Смотреть эфир' }).click();
    expect((await asked).isNavigationRequest()).toBe(can === '');
    if (can) expect(await apart().isVisible()).toBe(true);
  },
);

shippedBrowserTest.each([true, false])(
  'a blog video plays in place and is not requested before, with a script: %s',
  async (javaScriptEnabled) => {
    await visit(video, { javaScriptEnabled });
    const href = recorded?.video?.href;
    const asked = () => front().asked.flatMap(({ path, headers }) => (path === href ? [headers.range] : []));
    await page.goto(`/blog/${recorded?.category}/${recorded?.slug}`, { waitUntil: 'load' });
    const shown = page.locator('.video-still video');
    await shown.focus();
    expect(asked()).toEqual([]);
    await page.keyboard.press('Space');
    await eventually(() => page.evaluate(`document.querySelector('.video-still video').currentTime > 0`), true);
    expect(asked()[0]).toBe('bytes=0-');
    expect(complaints).toEqual([]);
  },
);
