import { describe, expect, test } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { blankDraft } from '../../leads/desk/lead-actions.tsx';
import { takeView } from '../../leads/desk/take.page.tsx';
import { verifyChallenge } from '../../leads/form/verify-challenge.ts';
import { integrationsOn } from '../../site/document.tsx';
import { axeFindings } from '../support/axe.ts';
import { notificationOf } from '../support/channels.ts';
import { eventually } from '../support/eventually.ts';
import { all, one, parseHtml, textOf } from '../support/html.ts';
import { onDemand, order, pageTemplates, plainService } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { filledForm, startTestSite } from '../support/test-site.ts';
import { challengeToken, fakeThirdParties, type ThirdParties } from '../support/third-parties.ts';
import { variedPages } from '../support/varied-pages.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const counter = 12345678;
const integrations = { metrikaId: String(counter), mapsApiKey: 'a-key-of-maps', turnstileSiteKey: 'a-site-key' };
const metrika = 'https://mc.yandex.ru/metrika/tag.js';
const maps = 'https://api-maps.yandex.ru/';
const cloudflare = 'https://challenges.cloudflare.com/';

const browserTest = testIf({ programs: ['browser'] });
/** Tokens that the server sent to Cloudflare for verification. */
const verified: string[] = [];
const { site, front, newPage } = withVisitors({
  integrations,
  challenge: verifyChallenge({
    secret: 'a-secret',
    fetch: async (_, init) => {
      verified.push(new URLSearchParams(String(init?.body)).get('response') ?? '');
      return Response.json({ success: true });
    },
  }),
});
/** A site without any key. */
const plain = await startTestSite();

let page: Page;
let others: ThirdParties;
/** Console errors of the page: CSP violations and failed scripts. */
let complaints: string[];

/** Opens a page for a visitor without a choice about analytics, and waits for its scripts. */
async function visit(path?: string): Promise<void> {
  page = await newPage({ reducedMotion: 'reduce' });
  others = await fakeThirdParties(page.context());
  complaints = complaintsOf(page);
  if (path) await open(path);
}

async function open(path: string): Promise<void> {
  await page.goto(path);
  await bound();
}
/** Waits for the last module. */
const bound = () => moduleRan(page, 'loading-bar');

/** Resolves once the page has sent its pending requests. */
const settled = () => page.evaluate(`fetch('/healthz').then((answer) => answer.text())`);

const bar = () => page.locator('.analytics-choice');
const press = (name: string) => bar().getByRole('button', { name, exact: true }).click();
const choices = () => bar().getByRole('button').allTextContents();
const watched = () => others.to(`https://mc.yandex.ru/watch/${counter}`).map(({ url }) => new URL(url).searchParams);
const counted = () => watched().map((sent) => sent.get('page-url') ?? '');
const hits = () => counted().filter((url) => !url.startsWith('goal:'));
const showMap = () => page.getByRole('button', { name: 'Показать карту' });
const consentBox = () => page.getByLabel(/обработку персональных данных/);
const submit = () => page.locator('.contact [type=submit]').click();
const dialog = () => page.locator('dialog.modal-contact');

async function allow(count: number): Promise<void> {
  await press('Разрешить');
  await eventually(() => hits().length, count);
}

async function fillIn(): Promise<void> {
  await page.getByLabel('Как к вам обращаться').pressSequentially('Анна');
  await page.getByLabel('Телефон').pressSequentially('9161234567');
}

async function getReceipt(): Promise<string> {
  await submit();
  await page.waitForURL(/\/contact\/[\w-]{22}$/);
  await bound();
  return new URL(page.url()).pathname.slice('/contact/'.length);
}

describe('the content-security policy', () => {
  const policyOf = async (path: string, at = site()) => {
    const { headers } = await at.request(path);
    return String(headers['content-security-policy']).replaceAll(/ 'sha256-[^']*'/g, '');
  };

  test('names third parties only where they may be needed, with all their hosts, and is the same on other pages', async () => {
    const usual = await policyOf('/rates');
    for (const host of ['mc.yandex.ru', 'challenges.cloudflare.com']) expect(usual).toContain(host);
    for (const path of pageTemplates.filter((one) => one !== '/contacts')) {
      expect([path, await policyOf(path)]).toEqual([path, usual]);
    }
    expect(usual).not.toMatch(/maps|unsafe/);
    expect(await policyOf('/contacts')).toMatch(/script-src [^;]*'unsafe-eval'/);
    expect(await policyOf('/contacts')).not.toMatch(/unsafe-inline/);
    expect(await policyOf('/contacts', plain)).not.toMatch(/yandex|yastatic|cloudflare|unsafe/);
    const receipt = await policyOf((await site().post(filledForm)).headers.location ?? '');
    expect(receipt).not.toMatch(/yandex|yastatic|unsafe/);
  });

  browserTest(
    'allows all requests of third parties once the visitor consents, and the pages send none before',
    async () => {
      await visit();
      const paths = (await variedPages(site())).filter((path) => path !== '/no-such-page');
      const tiles = 'https://core-renderer-tiles.maps.yandex.net/';
      const sources: Record<string, string[]> = {
        '/': ['https://mc.yandex.com/sync_cookie_image_check', 'https://mc.yandex.com/metrika/match.html'],
        '/contact': [`${cloudflare}widget`],
        '/contacts': [`${tiles}style`, `${tiles}tile`, 'https://yastatic.net/maps/', 'https://log.api-maps.yandex.ru/'],
      };
      for (const path of paths) {
        await open(path);
        expect([path, await bar().isVisible()]).toEqual([path, true]);
        await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      }
      await settled();
      expect([others.requests, await page.context().cookies()]).toEqual([[], []]);

      await page.evaluate('localStorage.analytics = "allowed"');
      for (const [index, path] of paths.entries()) {
        await page.goto(path);
        await eventually(() => hits().length, index + 1);
        if (path.startsWith('/contact?')) await consentBox().check();
        if (path === '/contacts') await showMap().click();
        for (const start of sources[path.replace(/\?.*/, '')] ?? []) {
          await eventually(() => others.to(start).length > 0, true, start);
        }
      }
      expect(complaints).toEqual([]);
    },
  );
});

test('a site without keys has no consent question and no map, and buttons without a script are hidden', async () => {
  const { postalCode, locality, street, longitude, latitude } = site().services.site.content.company.address;
  for (const [at, count] of [
    [site(), 1],
    [plain, 0],
  ] as const) {
    const body = parseHtml((await at.request('/contacts')).text);
    const place = one(body, '.way-here');
    expect(all(body, '.analytics-choice[hidden], .way-here button[hidden]')).toHaveLength(2 * count);
    expect(all(body, '.analytics-choice, .way-here button')).toHaveLength(2 * count);
    expect(all(place, `a[href^="https://yandex.ru/maps/?pt=${longitude},${latitude}"]`)).toHaveLength(1);
    expect(textOf(place)).toContain(textOf([postalCode, locality, street].join(', ')));
    expect(textOf(place).includes('Схема условная')).toBe(count === 0);
  }
});

test('analytics counts neither pages with a secret address nor errors there, and their address does not leak', async () => {
  const { lead } = notificationOf();
  const { page: taking } = takeView({
    lead,
    content: site().services.site.content,
    siteUrl: site().url,
    draft: blankDraft(),
    pressed: true,
    now: new Date(),
  });
  expect(integrationsOn(taking, integrations)).toEqual({ turnstileSiteKey: 'a-site-key' });
  for (const path of ['/take/a-token', '/contact/a-receipt', '/CONTACT/a-receipt', '/contact/a-receipt/more']) {
    const { status, headers, text } = await site().request(path);
    expect([path, status, headers['referrer-policy']]).toEqual([path, 404, 'strict-origin']);
    expect(String(headers['content-security-policy']) + text).not.toMatch(/yandex|class="analytics-choice"/);
  }
  expect((await site().request('/no-such-page')).text).toContain('class="analytics-choice"');
});

describe('the map', () => {
  const view = () => page.locator('.way-here-view');
  const status = () => view().getByRole('status').textContent();
  /** Where the content below the map begins. */
  const below = () =>
    page.evaluate(`document.querySelector('.way-here').parentElement.getBoundingClientRect().bottom + scrollY`);
  const isGivenUp = () => eventually(async () => (await status())?.startsWith('Карта не загрузилась'), true);

  browserTest('replaces the drawing on request without a layout shift', async () => {
    const { longitude, latitude, street } = site().services.site.content.company.address;
    await visit('/contacts');
    const before = await below();
    await showMap().click();
    await view()
      .getByRole('region', { name: street.replaceAll('\u00A0', ' ') })
      .waitFor();
    expect(others.to(maps)[0]?.url).toBe('https://api-maps.yandex.ru/v3/?apikey=a-key-of-maps&lang=ru_RU');
    expect(await page.evaluate('drawn[0]')).toMatchObject({ location: { center: [longitude, latitude], zoom: 16 } });
    expect(await page.locator('.way-here-canvas:focus').getAttribute('tabindex')).toBe('0');
    expect(await page.locator('.way-here-marker').isVisible()).toBe(true);
    expect(await view().locator('button, picture').count()).toBe(0);
    expect(await below()).toBe(before);
    expect(await axeFindings(page)).toEqual([]);
  });

  browserTest.each([
    ['cannot be loaded', undefined],
    ['refuses the key', 'window.ymaps3 = { ready: Promise.reject(new Error("key")) }'],
    ['is something else', ''],
  ])('that %s shows an error and keeps the drawing', async (_, body) => {
    await visit('/contacts');
    await page.route(`${maps}**`, (route) => (body === undefined ? route.abort() : route.fulfill({ body })));
    const before = await below();
    await showMap().click();
    await isGivenUp();
    expect(await view().locator('picture').isVisible()).toBe(true);
    expect(await view().locator('button').count()).toBe(0);
    expect(await below()).toBe(before);
  });

  browserTest('that never answers is given up after 15 seconds, and is shown as loading until then', async () => {
    await visit('/contacts');
    await page.route(`${maps}**`, () => {});
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const time of ['first', 'second']) {
      await view().getByRole('button').click();
      expect([time, await status()]).toEqual([time, 'Карта загружается…']);
    }
    await page.clock.runFor(14_900);
    expect(await status()).toBe('Карта загружается…');
    await page.clock.runFor(200);
    await isGivenUp();
    expect(others.to(maps)).toHaveLength(1);
  });
});

const loaded = () => others.to(metrika).length;

describe('the counter', () => {
  browserTest('loads nothing after a refusal until it is allowed, and then counts every page once', async () => {
    await visit('/rates');
    expect(await choices()).toHaveLength(2);
    await press('Не разрешать');
    expect(await page.locator('.analytics-choice :focus').textContent()).toMatch(/выключен/);
    await open('/cases');
    expect([await choices(), others.requests]).toEqual([['Разрешить'], []]);
    await allow(1);
    const options = others.to(`https://mc.yandex.ru/options/${counter}`)[0]?.body ?? '';
    expect(JSON.parse(options)).toEqual({ clickmap: true, trackLinks: true, webvisor: true, trackHash: false });
    const paths = [onDemand, '/contact?preset=request'];
    for (const [index, path] of paths.entries()) {
      await open(path);
      await eventually(() => hits().length, index + 2);
    }
    expect(hits()).toEqual(['/cases', ...paths].map((path) => front().url + path));
    expect(await choices()).toEqual(['Отозвать']);
  });

  browserTest('removes its storage and sends nothing after a withdrawal, and can be allowed again', async () => {
    const stored = () => page.evaluate('[...Object.keys(localStorage), ...Object.keys(sessionStorage)]');
    await visit('/rates');
    for (const count of [1, 2]) {
      await allow(count);
      expect((await page.context().cookies()).length).toBeGreaterThan(0);
      expect(await stored()).toHaveLength(4);
      await press('Отозвать');
      expect([await page.context().cookies(), await stored()]).toEqual([[], ['analytics']]);
    }
    expect(loaded()).toBe(1);
    await settled();
    const { length } = others.requests;
    await page.locator('h1').click();
    await open('/contact?preset=request');
    await fillIn();
    await settled();
    expect(others.requests.slice(length)).toEqual([]);
    expect(await choices()).toEqual(['Разрешить']);
  });

  browserTest('sends nothing if consent is withdrawn before its script arrives', async () => {
    await visit();
    const held = Promise.withResolvers<Route>();
    await page.route(metrika, held.resolve);
    await page.goto('/rates');
    await press('Разрешить');
    await press('Отозвать');
    const came = page.waitForEvent('requestfinished', (request) => request.url() === metrika);
    await (await held.promise).fallback();
    await came;
    await settled();
    expect(others.requests.map(({ url }) => url)).toEqual([metrika]);
    await allow(1);
  });

  browserTest('asks on every page if the browser stores nothing, and an answer holds for its page', async () => {
    await visit();
    await page.addInitScript(
      `Object.defineProperty(window, 'localStorage', { get() { throw new Error('no storage'); } })`,
    );
    await open('/rates');
    await press('Разрешить');
    await eventually(loaded, 1);
    expect(await choices()).toEqual(['Отозвать']);
    await open('/cases');
    expect([(await choices()).length, loaded()]).toEqual([2, 1]);
  });

  const goals = () => counted().flatMap((url) => /^goal:.*\/(\w+)$/.exec(url)?.[1] ?? []);

  browserTest('receives each goal once per page, but neither typed values nor the address of a receipt', async () => {
    await visit();
    await page.addInitScript(`addEventListener('click', (event) => {
      if (event.target.closest('[href^="tel:"]')) event.preventDefault();
    })`);
    async function pass(...expected: string[]): Promise<string> {
      await open(`/rates/calc?${order}`);
      await page.locator('.site-header-contact [href^="tel:"]').click();
      await page.locator('main a[href^="/contact?preset="]').first().click();
      await dialog().locator('form').waitFor();
      await eventually(goals, expected.slice(0, 3));
      await open('/contact?preset=request');
      await page.getByLabel('Как к вам обращаться').pressSequentially('Анна');
      await page.getByLabel('Телефон').pressSequentially('12345');
      await submit();
      await page.getByRole('alert').waitFor();
      await eventually(goals, expected.slice(0, 4));
      await page.getByLabel('Телефон').fill('8 916 123-45-67');
      await consentBox().check();
      const before = loaded();
      const receipt = await getReceipt();
      expect([await bar().count(), loaded()]).toEqual([0, before]);
      return receipt;
    }
    await pass();
    expect(others.requests.filter(({ url }) => !url.startsWith(cloudflare))).toEqual([]);
    await open('/rates');
    await allow(1);
    const reached = ['calculation', 'call', 'form', 'form', 'request'];
    const receipt = await pass(...reached);
    await page.reload();
    const opened = page.waitForEvent('load');
    await page.locator('.receipt-label a[rel]').click();
    await opened;
    await eventually(goals, reached);
    expect(watched().at(-1)?.get('page-ref')).toBe(`${front().url}/contact?preset=request`);
    await page.locator('.site-header-logo').click();
    await eventually(() => hits().at(-1), `${front().url}/`);
    await settled();
    const sent = decodeURIComponent(JSON.stringify(others.requests));
    expect(sent).toContain('webvisor');
    expect(sent).not.toContain(receipt);
    expect(sent).not.toMatch(/Анна|12345 |123-45|6123/);
  });

  browserTest('has a question, next to a form with a challenge, and an answer without axe findings', async () => {
    await visit();
    await open('/contact?preset=request');
    for (const width of [1280, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await axeFindings(page)]).toEqual([width, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    }
    await press('Не разрешать');
    // The header sticks to the top of the window and would hide half a link.
    await page.evaluate('scrollTo(0, 0)');
    expect(await axeFindings(page)).toEqual([]);
  });
});

browserTest('a page that is rendered in advance is counted, and runs its modules, only when it is shown', async () => {
  await visit();
  await page.addInitScript(`
    localStorage.analytics = 'allowed';
    window.waiting = true;
    Object.defineProperty(document, 'prerendering', { get: () => waiting });
  `);
  await page.goto('/contacts');
  const modules = `performance.getEntriesByType('resource')
    .flatMap(({ name }) => /\\/assets\\/([\\w-]+)\\.[^/]*js$/.exec(name)?.[1] ?? [])`;
  // A module that did not wait would have time to load.
  await page.waitForTimeout(500);
  expect([await page.evaluate(modules), loaded()]).toEqual([['entry'], 0]);
  await page.evaluate(`waiting = false; document.dispatchEvent(new Event('prerenderingchange'))`);
  await bound();
  await eventually(() => hits().length, 1);
});

describe('the challenge', () => {
  const lastLead = async () => (await site().services.leads.list({ limit: 1 }))[0];
  const token = () => page.locator('[name=cf-turnstile-response]').inputValue();

  browserTest('loads with the consent box, renews its token in a rejected form, and is verified', async () => {
    await visit('/contact?preset=request');
    expect(others.requests).toEqual([]);
    verified.length = 0;
    const held = Promise.withResolvers<void>();
    await page.route(`${cloudflare}turnstile/**`, (route) => held.promise.then(() => route.fallback()));
    await consentBox().check();
    await eventually(() => others.to(cloudflare).length, 1);
    // Each focus asks for the widget while there is none.
    await page.getByLabel('Телефон').focus();
    await settled();
    held.resolve();
    await eventually(token, `${challengeToken}-1`);
    expect(others.to(`${cloudflare}widget`)).toHaveLength(1);
    expect(others.to(`${cloudflare}widget`)[0]?.url).toContain('sitekey=a-site-key');
    await submit();
    await page.getByRole('alert').waitFor();
    await eventually(token, `${challengeToken}-2`);
    await fillIn();
    await getReceipt();
    expect(verified).toEqual([`${challengeToken}-2`]);
    expect(await lastLead()).toMatchObject({ state: 'waiting', signals: expect.not.arrayContaining(['challenge']) });
  });

  browserTest.each(['abort', 'never'])('does not block visitors when Cloudflare is unreachable: %s', async (answer) => {
    await visit('/contact?preset=request');
    await page.route(`${cloudflare}**`, (route) => (answer === 'abort' ? route.abort() : undefined));
    verified.length = 0;
    await fillIn();
    await consentBox().check();
    await eventually(() => others.to(cloudflare).length, 1);
    await getReceipt();
    expect([verified, await lastLead()]).toEqual([[], expect.objectContaining({ state: 'waiting' })]);
  });

  browserTest('loads in every dialog, and again in a reopened one', async () => {
    await visit(plainService);
    const links = await page.locator('main a[href^="/contact?preset="]').all();
    const [first, second] = new Set(await Promise.all(links.map((link) => link.getAttribute('href'))));
    for (const [index, href] of [first, second, first].entries()) {
      await page.locator(`main a[href="${href}"]`).first().click();
      await dialog().waitFor();
      await consentBox().check();
      await page.getByLabel('Телефон').focus();
      await eventually(token, `${challengeToken}-${index + 1}`);
      await page.keyboard.press('Escape');
      await dialog().waitFor({ state: 'hidden' });
    }
    expect(others.to(`${cloudflare}turnstile`)).toHaveLength(1);
    expect(complaints).toEqual([]);
  });
});
