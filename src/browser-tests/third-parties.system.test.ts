import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page, Route } from 'playwright-core';
import { integrationsOn } from '../document/document.tsx';
import { limits } from '../http/limits.ts';
import type { Channel, Notification } from '../leads/channels/channel.ts';
import { verifyChallenge } from '../leads/form/challenge.ts';
import { takeView } from '../operator/take.page.tsx';
import { browserHeaders } from '../testing/ask.ts';
import { axeFindings } from '../testing/axe.ts';
import { chromiumPath, launchBrowser } from '../testing/browser.ts';
import { notificationOf } from '../testing/channels.ts';
import { eventually } from '../testing/eventually.ts';
import { layoutShifts } from '../testing/layout.ts';
import { onDemand, order, plainService, templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { filledForm, shownSite, startTestSite, type TestSite } from '../testing/test-site.ts';
import { challengeToken, fakeThirdParties, type ThirdParties } from '../testing/third-parties.ts';
import { moduleRan } from '../testing/visitors.ts';

const counter = 12345678;
const integrations = { metrikaId: String(counter), mapsApiKey: 'a-key-of-maps', turnstileSiteKey: 'a-site-key' };
const metrika = 'https://mc.yandex.ru/metrika/tag.js';
const maps = 'https://api-maps.yandex.ru/';
const cloudflare = 'https://challenges.cloudflare.com/';

const browserTest = testWith(chromiumPath, 'third parties are asked for nothing before visitors allow it');
/** With all keys, and with none. */
let site: TestSite;
let plain: TestSite;
/** Tokens that the server asked Cloudflare about. */
let verified: string[];
/** What whoever is on duty was told. */
const told: Notification[] = [];
let browser: Browser;
let context: BrowserContext;
let page: Page;
let scripted = true;
let others: ThirdParties;
/** What the browser complained of: broken policies and failed scripts. */
let complaints: string[];
beforeAll(async () => {
  const challenge = verifyChallenge({
    secret: 'a-secret',
    fetch: async (_, init) => {
      verified.push(new URLSearchParams(String(init?.body)).get('response') ?? '');
      return Response.json({ success: true });
    },
  });
  const chat: Channel = {
    kind: 'webhook',
    name: 'chat',
    parallel: 1,
    deliver: async (some) => void told.push(...some),
  };
  site = await startTestSite({ site: await shownSite({ integrations }), challenge, channels: [chat] });
  plain = await startTestSite();
  browser = await launchBrowser();
}, 60_000);
beforeEach(async () => {
  verified = [];
  await newVisitor();
});
afterEach(() => context.close());
afterAll(async () => {
  await browser?.close();
  await plain.close();
  await site.close();
});

/** A visitor who was not asked anything yet, in place of the one before. */
async function newVisitor(options: { javaScriptEnabled?: boolean; width?: number } = {}): Promise<void> {
  await context?.close();
  scripted = options.javaScriptEnabled ?? true;
  context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    userAgent: browserHeaders['user-agent'],
    reducedMotion: 'reduce',
    javaScriptEnabled: scripted,
  });
  others = await fakeThirdParties(context);
  complaints = [];
  context.on('console', (message) => {
    if (message.location().url.includes('/fonts/')) return;
    if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  context.on('weberror', (error) => complaints.push(`${page.url()}: ${error.error()}`));
  page = await context.newPage();
}

/** Loads a page and waits until the scripts have bound themselves to it. */
async function open(path: string, at = site): Promise<void> {
  await page.goto(at.url + path);
  // The last of them.
  if (scripted) await moduleRan(page, 'loading-bar');
}

/** What the display face moves when it comes is judged apart. */
const withoutFace = () => context.route('**/fonts/**', (route) => route.abort());

const bar = () => page.locator('.analytics');
const allow = () => bar().getByRole('button', { name: 'Разрешить' }).click();
const refuse = () => bar().getByRole('button', { name: 'Не разрешать' }).click();
const withdraw = () => bar().getByRole('button', { name: 'Отозвать' }).click();
const watched = () => others.to(`https://mc.yandex.ru/watch/${counter}`).map(({ url }) => new URL(url).searchParams);
const isGoal = (sent: URLSearchParams) => sent.get('page-url')?.startsWith('goal://');
const hits = () => watched().filter((sent) => !isGoal(sent));
const goals = () =>
  watched().flatMap((sent) => (isGoal(sent) ? (sent.get('page-url') ?? '').replace(/^.*\//, '') : []));
const showMap = () => page.getByRole('button', { name: 'Показать карту' });
const consentBox = (form: Locator | Page = page) => form.getByLabel(/обработку персональных данных/);

async function fillIn(form: Locator | Page = page): Promise<void> {
  await form.getByLabel('Как к вам обращаться').pressSequentially('Анна');
  await form.getByLabel('Телефон').pressSequentially('9161234567');
}

const answered = (decision: string) =>
  context.addInitScript(`if (top === self) localStorage.analytics = '${decision}'`);

const questionScript = '**/assets/analytics.*';

/** What moves when the question appears. It is held back until the page is there, which a busy machine paints in parts. */
async function movedByQuestion(go: () => Promise<unknown>): Promise<unknown[]> {
  const asked = Promise.withResolvers<Route>();
  await page.route(questionScript, asked.resolve);
  await go();
  const script = await asked.promise;
  const before = await layoutShifts(page);
  await script.continue();
  await moduleRan(page, 'loading-bar');
  await page.unroute(questionScript);
  return (await layoutShifts(page)).slice(before.length);
}

describe('before a visitor allows anything, nothing leaves the site', () => {
  browserTest(
    'on any kind of page, and nothing moves when the question appears',
    async () => {
      await withoutFace();
      for (const path of templates) {
        const moved = await movedByQuestion(() => page.goto(site.url + path));
        expect([path, moved, await bar().isVisible()]).toEqual([path, [], true]);
        await page.mouse.move(640, 400);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      }
      expect(others.requests).toEqual([]);
      expect(complaints.filter((text) => !/no-such-page: .*404/.test(text))).toEqual([]);
      expect(await context.cookies()).toEqual([]);
    },
    90_000,
  );

  browserTest('on the way to the form, and in it until the box is ticked', async () => {
    await open(`${plainService}?utm_source=yandex`);
    await page.locator('main a[href^="/contact?preset="]').first().click();
    const dialog = page.locator('dialog.modal-contact');
    await dialog.waitFor();
    await fillIn(dialog);
    await dialog.locator('[type=submit]').click();
    await dialog.getByRole('alert').waitFor();
    await fillIn(dialog);
    expect(others.requests).toEqual([]);
  });

  browserTest('on the whole way to the receipt and home again, where there is no challenge', async () => {
    const { metrikaId, mapsApiKey } = integrations;
    const unchallenged = await startTestSite({ integrations: { metrikaId, mapsApiKey } });
    await open('/contact?preset=request', unchallenged);
    await fillIn();
    await consentBox().check();
    await page.locator('main [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    await page.locator('.site-header-logo').click();
    await page.waitForLoadState('networkidle');
    expect(others.requests).toEqual([]);
  });
});

describe('the content-security policy', () => {
  browserTest(
    'is not broken by third parties on any kind of page once they are allowed',
    async () => {
      await answered('allowed');
      const widgets = () => others.to(`${cloudflare}widget`).length;
      let [pages, forms] = [0, 0];
      for (const path of templates.filter((one) => one !== '/no-such-page')) {
        await page.goto(site.url + path);
        await eventually(() => hits().length, ++pages);
        if (path.startsWith('/contact?')) {
          await consentBox().check();
          await eventually(widgets, ++forms);
        }
        if (path === '/contacts') {
          await showMap().click();
          await eventually(() => others.to('https://yastatic.net/maps/worker.js').length, 2);
          await eventually(() => others.to('https://core-renderer-tiles.maps.yandex.net/tile').length, 1);
        }
      }
      expect(complaints).toEqual([]);
      for (const start of [
        'https://mc.yandex.com/sync_cookie_image_check',
        'https://mc.yandex.com/metrika/match.html',
        'https://yastatic.net/maps/map.css',
        'https://core-renderer-tiles.maps.yandex.net/style',
        'https://log.api-maps.yandex.ru/watch',
      ]) {
        expect([start, others.to(start).length > 0]).toEqual([start, true]);
      }
    },
    120_000,
  );

  test('lets the counter be reached wherever its documentation says, and its maps show the page', async () => {
    const { headers } = await site.request('/');
    const policy = String(headers['content-security-policy']);
    for (const host of ['mc.yandex.ru', 'mc.yandex.com.tr', 'mc.yandex.kz', 'mc.webvisor.org']) {
      for (const source of ['script', 'img', 'frame', 'connect']) {
        expect(policy).toMatch(new RegExp(`${source}-src [^;]*https://${host}[ ;]`));
      }
      expect(policy).toMatch(new RegExp(`connect-src [^;]*wss://${host}[ ;]`));
    }
    expect(policy).toMatch(/script-src [^;]*https:\/\/yastatic\.net/);
    expect(policy).toMatch(/frame-ancestors https:\/\/metrika\.yandex\.ru [^;]*https:\/\/webvisor\.com/);
    expect(headers).not.toHaveProperty('x-frame-options');
    const { headers: without } = await plain.request('/');
    expect(without['content-security-policy']).toMatch(/frame-ancestors 'none'/);
    expect(without['x-frame-options']).toBe('DENY');
  });

  test('names third parties only where they may be needed', async () => {
    const policyOf = async (path: string, at = site) =>
      String((await at.request(path)).headers['content-security-policy']);
    const fields = filledForm;
    const receipt = (await site.post(fields)).headers.location ?? '';
    expect(await policyOf('/contacts', plain)).not.toMatch(/yandex|yastatic|cloudflare|unsafe/);
    expect(await policyOf('/rates')).not.toMatch(/maps|unsafe|blob: https/);
    expect(await policyOf('/contacts')).toMatch(/script-src [^;]*'unsafe-eval'/);
    expect(await policyOf('/contacts')).not.toMatch(/unsafe-inline/);
    expect(await policyOf(receipt)).toMatch(/connect-src 'self' https:\/\/mc\.yandex\.ru;/);
    expect((await policyOf(receipt)).replace('https://mc.yandex.ru', '')).not.toMatch(/yandex|yastatic|unsafe/);
    const { lead } = notificationOf();
    const { page: takePage } = takeView({ lead, content: site.services.site.content, siteUrl: site.url });
    expect(integrationsOn(takePage, integrations)).toEqual({ turnstileSiteKey: 'a-site-key' });
  });
});

describe('the map', () => {
  const view = () => page.locator('.way-here-view');
  const status = () => view().getByRole('status').textContent();
  const link = () => page.getByRole('link', { name: 'Открыть в Яндекс Картах' });
  /** Where what follows the map stands. */
  const below = () =>
    page.evaluate(`document.querySelector('.way-here').parentElement.getBoundingClientRect().bottom + scrollY`);

  const script = (body: string) => ({ type: 'text/javascript', body });
  const address = () => site.services.site.content.company.address;
  const place = () => [address().postalCode, address().locality, address().street].join(', ').replaceAll('\u00A0', ' ');

  browserTest('without a key is a drawing, the address, a link, and a sentence that says so', async () => {
    await open('/contacts', plain);
    await page.locator('.way-here img').scrollIntoViewIfNeeded();
    await eventually(() => page.evaluate('document.querySelector(".way-here img").naturalWidth'), 960);
    const said = (await page.locator('.way-here').textContent())?.replaceAll('\u00A0', ' ');
    expect(said).toMatch(new RegExp(`${RegExp.escape(place())}.*Схема условная`));
    const { longitude, latitude } = address();
    expect(await link().getAttribute('href')).toContain(`https://yandex.ru/maps/?pt=${longitude},${latitude}`);
    expect(await page.locator('.way-here button').count()).toBe(0);
  });

  browserTest('without JavaScript is the same, and has no button that does nothing', async () => {
    await newVisitor({ javaScriptEnabled: false });
    await open('/contacts');
    expect(await link().isVisible()).toBe(true);
    expect(await page.locator('.way-here button').isVisible()).toBe(false);
  });

  browserTest('comes in place of the drawing once it is asked for, and moves nothing', async () => {
    await open('/contacts');
    const before = await below();
    expect(others.requests).toEqual([]);
    await showMap().click();
    const region = page.getByRole('region', { name: `Карта: ${place()}` });
    await region.waitFor();
    expect(others.to(maps)[0]?.url).toBe('https://api-maps.yandex.ru/v3/?apikey=a-key-of-maps&lang=ru_RU');
    const center = [address().longitude, address().latitude];
    expect(await page.evaluate('drawn')).toEqual([
      { location: { center, zoom: 16 }, behaviors: ['drag', 'pinchZoom', 'dblClick'] },
      ['Scheme', {}],
      ['Features', {}],
      ['Marker', { coordinates: center }],
    ]);
    expect(await page.evaluate('[document.activeElement.className, document.activeElement.tabIndex]')).toEqual([
      'way-here-canvas',
      0,
    ]);
    expect(await page.locator('.way-here-marker').isVisible()).toBe(true);
    expect([await view().getByRole('button').count(), await view().locator('picture').count()]).toEqual([0, 0]);
    expect(await below()).toBe(before);
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest.each([
    ['cannot be loaded', 'abort' as const],
    ['refuses the key', script('window.ymaps3 = { ready: Promise.reject(new Error("key")) }')],
    ['is something else', script('')],
  ])('that %s says so, and leaves the drawing and the link', async (_, answer) => {
    others.answer(maps, answer);
    await open('/contacts');
    const place = await below();
    await showMap().click();
    await eventually(async () => (await status())?.startsWith('Карта не загрузилась'), true);
    expect([await link().isVisible(), await view().locator('picture').isVisible()]).toEqual([true, true]);
    expect(await view().getByRole('button').count()).toBe(0);
    expect(await below()).toBe(place);
  });

  browserTest('that never answers is given up; until then it says that it is on its way', async () => {
    others.answer(maps, 'never');
    await page.clock.install();
    await page.goto(`${site.url}/contacts`);
    await showMap().waitFor();
    await page.clock.pauseAt(Date.now() + 3_600_000);
    await showMap().click();
    expect(await status()).toBe('Карта загружается…');
    await view().getByRole('button').click();
    await page.clock.runFor(14_900);
    expect(await status()).toBe('Карта загружается…');
    await page.clock.runFor(200);
    await eventually(async () => (await status())?.startsWith('Карта не загрузилась'), true);
    expect(others.to(maps)).toHaveLength(1);
  });
});

describe('the counter', () => {
  const loaded = () => others.to(metrika).length;
  const stored = () =>
    page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter((name) => /ym/.test(name))');

  browserTest('is allowed once, and then counts every page one time', async () => {
    await open('/rates');
    expect(await bar().getByRole('button').count()).toBe(2);
    await allow();
    await eventually(() => hits().length, 1);
    expect(JSON.parse(others.to(`https://mc.yandex.ru/options/${counter}`)[0]?.body ?? '')).toEqual({
      clickmap: true,
      trackLinks: true,
      webvisor: true,
      trackHash: false,
    });
    await open(onDemand);
    await open('/contact?preset=request');
    await page.evaluate('location.hash = "#main"');
    await page.waitForTimeout(200);
    expect(hits().map((hit) => hit.get('page-url'))).toEqual([
      `${site.url}/rates`,
      `${site.url}${onDemand}`,
      `${site.url}/contact?preset=request`,
    ]);
    expect(await bar().textContent()).toContain('Счётчик посещений включён');
    expect(await bar().getByRole('button').allTextContents()).toEqual(['Отозвать']);
  });

  browserTest('refused, is asked for nowhere and never again, until the visitor changes their mind', async () => {
    await open('/rates');
    await refuse();
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(/выключен/);
    await open('/cases');
    expect(await bar().getByRole('button').allTextContents()).toEqual(['Разрешить']);
    expect(others.requests).toEqual([]);
    await allow();
    await eventually(() => hits().length, 1);
  });

  browserTest('withdrawn, leaves nothing behind and sends nothing more', async () => {
    await open('/rates');
    await allow();
    await eventually(() => hits().length, 1);
    expect((await context.cookies()).length).toBeGreaterThan(0);
    expect(await stored()).toHaveLength(3);
    await withdraw();
    await page.waitForLoadState('networkidle');
    expect(await context.cookies()).toEqual([]);
    expect(await stored()).toEqual([]);
    const { length } = others.requests;
    await page.locator('h1').click();
    await open('/contact?preset=request');
    await fillIn();
    await open('/');
    expect(others.requests.slice(length)).toEqual([]);
    expect(await bar().getByRole('button').allTextContents()).toEqual(['Разрешить']);
    await allow();
    await eventually(() => hits().length, 2);
  });

  browserTest('withdrawn and allowed again on one page, counts again', async () => {
    await open('/rates');
    for (const count of [1, 2]) {
      await allow();
      await eventually(() => hits().length, count);
      await withdraw();
    }
    expect(loaded()).toBe(1);
  });

  browserTest('withdrawn before its script has come, sends nothing when it comes', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await context.route(metrika, async (route) => {
      await held;
      await route.fallback();
    });
    await page.goto(`${site.url}/rates`);
    await allow();
    await withdraw();
    release();
    await eventually(loaded, 1);
    await page.waitForLoadState('networkidle');
    expect(others.requests).toHaveLength(1);
    await allow();
    await eventually(() => hits().length, 1);
  });

  browserTest(
    'counts a page that the browser brings back from its memory, for it is on the screen once more',
    async () => {
      await open('/rates');
      await allow();
      await eventually(() => hits().length, 1);
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
      await eventually(() => hits().length, 2);
      await page.evaluate('localStorage.analytics = "refused"');
      await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))');
      await page.locator('h1').click();
      await page.waitForLoadState('networkidle');
      expect(hits()).toHaveLength(2);
      expect(await context.cookies()).toEqual([]);
    },
  );

  browserTest('is stopped in every tab by one withdrawal', async () => {
    await open('/rates');
    await allow();
    const other = await context.newPage();
    await other.goto(`${site.url}/cases`);
    await eventually(() => hits().length, 2);
    await other.getByRole('button', { name: 'Отозвать' }).click();
    await eventually(() => bar().getByRole('button').allTextContents(), ['Разрешить']);
    const { length } = others.requests;
    await page.locator('h1').click();
    await page.waitForLoadState('networkidle');
    expect(others.requests.slice(length)).toEqual([]);
  });

  browserTest('asks on every page where the browser keeps nothing; an answer holds for its page', async () => {
    await context.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } })`,
    );
    await open('/rates');
    await allow();
    await eventually(loaded, 1);
    expect(await bar().getByRole('button').allTextContents()).toEqual(['Отозвать']);
    await open('/cases');
    expect(await bar().getByRole('button').count()).toBe(2);
    expect(loaded()).toBe(1);
  });

  browserTest('never learns what is typed, nor the address of a receipt', async () => {
    await answered('allowed');
    await open(plainService);
    await page.locator('main a[href^="/contact?preset="]').first().click();
    const dialog = page.locator('dialog.modal-contact');
    await dialog.waitFor();
    await dialog.getByLabel('Как к вам обращаться').pressSequentially('Анна');
    await dialog.getByLabel('Телефон').pressSequentially('12345');
    await dialog.locator('[type=submit]').click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Телефон').fill('+7 916 123-45-67');
    await consentBox(dialog).check();
    await page.waitForLoadState('networkidle');
    const before = loaded();
    await dialog.locator('[type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    await page.waitForLoadState('networkidle');
    expect([await bar().count(), loaded()]).toEqual([0, before]);
    const receipt = new URL(page.url()).pathname.slice('/contact/'.length);
    await page.locator('.site-header-logo').click();
    await page.waitForLoadState('networkidle');
    expect(hits().map((hit) => new URL(hit.get('page-url') ?? '').pathname)).toEqual([plainService, '/']);
    const sent = decodeURIComponent(JSON.stringify(others.requests));
    expect(sent).toContain('webvisor');
    expect(sent).not.toContain(receipt);
    expect(sent).not.toMatch(/Анна|12345 |123-45|6123/);
  });

  browserTest(
    'is told of goals that were reached, once a page, if the visitor allows it',
    async () => {
      await context.addInitScript(`addEventListener('click', (event) => {
      if (event.target.closest('[href^="tel:"]')) event.preventDefault();
    })`);
      const pass = async () => {
        await open(`/rates/calc?${order}`);
        await page.locator('.site-header-contact [href^="tel:"]').click();
        await page.locator('main a[href^="/contact?preset="]').first().click();
        await page.locator('dialog.modal-contact form').waitFor();
        await page.keyboard.press('Escape');
        await page.locator('dialog.modal-contact').waitFor({ state: 'detached' });
        await open('/contact?preset=request');
        await page.locator('main [type=submit]').click();
        await page.locator('[role=alert]').waitFor();
        await page.getByLabel('Телефон').fill('8 916 123-45-67');
        await consentBox().check();
        await page.locator('main [type=submit]').click();
        await page.waitForURL(/\/contact\/[\w-]{22}$/);
        await moduleRan(page, 'goal');
        await page.reload({ waitUntil: 'networkidle' });
        await page.locator('.receipt-label a').click();
        await page.waitForLoadState('networkidle');
      };
      await pass();
      expect(others.requests.filter(({ url }) => url.includes('yandex'))).toEqual([]);
      await open('/rates');
      await allow();
      await eventually(() => hits().length, 1);
      await pass();
      expect(goals()).toEqual(['calculation', 'call', 'form', 'form', 'request']);
      expect(
        watched()
          .find((sent) => sent.get('page-url')?.endsWith('/request'))
          ?.get('page-ref'),
      ).toBe(`${site.url}/contact`);
      const receipt = new URL(page.url()).pathname.slice('/contact/'.length);
      expect(decodeURIComponent(JSON.stringify(others.requests))).not.toContain(receipt);
    },
    60_000,
  );

  browserTest('is on no error page whose address is a secret', async () => {
    await answered('allowed');
    told.length = 0;
    await site.post(filledForm);
    await eventually(() => told.length, 1);
    const take = new URL(told[0]?.takeUrl ?? '').pathname;
    for (let look = 0; look < limits.staff.limit; look++) await site.request(take);
    for (const [path, status] of [
      [take, 429],
      ['/take/a-token', 429],
      ['/contact/a-receipt', 404],
      ['/CONTACT/a-receipt', 404],
      ['/contact/a-receipt/more', 404],
    ] as const) {
      const answer = await page.goto(site.url + path, { waitUntil: 'networkidle' });
      expect([path, answer?.status(), await bar().count()]).toEqual([path, status, 0]);
      expect(answer?.headers()['content-security-policy']).not.toContain('yandex');
    }
    expect(others.requests).toEqual([]);
    await page.goto(site.url + take);
    await page.getByRole('link', { name: 'На главную' }).click();
    await eventually(() => hits().length, 1);
    expect(decodeURIComponent(JSON.stringify(others.requests))).not.toContain(take);
    await page.goto(`${site.url}/no-such-page`);
    await eventually(() => hits().length, 2);
  });

  browserTest('is not offered without JavaScript, nor without a number', async () => {
    await open('/rates', plain);
    expect(await bar().count()).toBe(0);
    await newVisitor({ javaScriptEnabled: false });
    await open('/rates');
    expect([await bar().count(), await bar().isVisible()]).toEqual([1, false]);
  });

  browserTest.each([360, 1280])(
    'moves nothing where the end of the page is on the screen, %i px wide',
    async (width) => {
      await newVisitor({ width });
      await withoutFace();
      for (const path of ['/', '/contact?preset=request', '/no-such-page']) {
        await open(path);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
        await page.reload({ waitUntil: 'networkidle' });
        expect([path, await layoutShifts(page), await bar().isVisible()]).toEqual([path, [], true]);
      }
    },
  );

  browserTest('has a question, an answer and a form that axe finds nothing against', async () => {
    for (const path of ['/', '/contacts', '/contact?preset=request']) {
      await open(path);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect([path, width, await axeFindings(page)]).toEqual([path, width, []]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
      }
    }
    await refuse();
    // The header stays at the top of the window and would hide half a link.
    await page.evaluate('scrollTo(0, 0)');
    expect(await axeFindings(page)).toEqual([]);
  });
});

describe('the challenge', () => {
  const widgets = () => others.to(`${cloudflare}widget`).length;

  browserTest('comes with the tick, and its token is verified with the form', async () => {
    const said: string[] = [];
    page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
    await open('/contact?preset=request');
    await fillIn();
    expect(others.requests).toEqual([]);
    const button = () =>
      page.evaluate('document.querySelector("main [type=submit]").getBoundingClientRect().top + scrollY');
    const place = await button();
    await consentBox().check();
    await page.locator('#cf-turnstile iframe').waitFor();
    const [script, widget] = others.to(cloudflare).map(({ url }) => new URL(url));
    expect(script?.href).toBe('https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit');
    expect(Object.fromEntries(widget?.searchParams ?? [])).toMatchObject({ sitekey: 'a-site-key', language: 'ru' });
    await eventually(() => said, ['info: challenge passed']);
    expect(await button()).toBe(place);
    await page.locator('main [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(verified).toEqual([`${challengeToken}-1`]);
    expect((await site.services.leads.list({ limit: 1 }))[0]).toMatchObject({
      name: 'Анна',
      state: 'new',
      signals: expect.not.arrayContaining(['challenge']),
    });
  });

  browserTest.each(['abort', 'never'] as const)('holds nobody up when Cloudflare cannot be had: %s', async (answer) => {
    others.answer(cloudflare, answer);
    await open('/contact?preset=request');
    await fillIn();
    await consentBox().check();
    await eventually(() => others.to(cloudflare).length, 1);
    await page.locator('main [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(verified).toEqual([]);
    expect((await site.services.leads.list({ limit: 1 }))[0]).toMatchObject({ state: 'new' });
  });

  browserTest('comes to a form that is given back with its tick', async () => {
    await open('/contact?preset=request');
    await consentBox().check();
    await page.locator('#cf-turnstile iframe').waitFor();
    await page.locator('main [type=submit]').click();
    await page.waitForLoadState('networkidle');
    expect(await page.title()).toMatch(/^Ошибка: /);
    expect([await consentBox().isChecked(), widgets()]).toEqual([true, 2]);
  });

  browserTest('comes to every dialog, and anew to one that is opened again', async () => {
    await open(plainService);
    const dialog = page.locator('dialog.modal-contact');
    const links = page.locator('main a[href^="/contact?preset="]');
    const hrefs = await Promise.all((await links.all()).map((link) => link.getAttribute('href')));
    const [first, second] = new Set(hrefs);
    for (const [index, href] of [first, second].entries()) {
      await page.locator(`main a[href="${href}"]`).first().click();
      await dialog.waitFor();
      await consentBox(dialog).check();
      await eventually(widgets, index + 1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    }
    await page.locator(`main a[href="${first}"]`).first().click();
    await fillIn(dialog);
    await eventually(widgets, 3);
    await eventually(() => dialog.locator('[name=cf-turnstile-response]').inputValue(), `${challengeToken}-3`);
    await dialog.locator('[type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    expect(verified).toEqual([`${challengeToken}-3`]);
    expect(others.to(`${cloudflare}turnstile`)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });

  browserTest('is no part of a site without a key', async () => {
    await open('/contact?preset=request', plain);
    await consentBox().check();
    await page.waitForLoadState('networkidle');
    expect([others.requests, await page.locator('#cf-turnstile').count()]).toEqual([[], 0]);
  });
});
