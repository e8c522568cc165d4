import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { cutFont, fontFile } from '../../../scripts/display-face.ts';
import { createApp } from '../../app.ts';
import { paths } from '../../lib/paths.ts';
import { readCode } from '../../site/compiled-code.ts';
import { eventually } from '../support/eventually.ts';
import { layoutShifts } from '../support/layout.ts';
import { articlePage, pageTemplates, plainService } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { shownSite, startTestSite } from '../support/test-site.ts';
import { complaintsOf, moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
const { front, newPage, site } = withVisitors();

/** The maximum Cumulative Layout Shift; visitors notice 0.1. */
const shiftAllowed = 0.05;
/** Where the system has neither Roboto nor Arial or Liberation Sans, whose metrics the styles adjust. */
const shiftAllowedUnadjusted = 0.1;

const hasAdjustedFace = `Promise.allSettled(
  ['Golos as Roboto', 'Golos as Arial'].map((name) => document.fonts.load(\`700 20px "\${name}"\`)),
).then((loads) => loads.some(({ status }) => status === 'fulfilled'))`;

describe('the first visit', () => {
  /** The maximum that a phone loads before the visitor scrolls, in bytes with headers. */
  const heaviest = 60_000;

  const moduleNames = readCode(paths.code).scripts.map(({ path }) => /\/assets\/([\w-]+)\./.exec(path)?.[1] ?? '');
  const modulesUsed = `[...document.querySelectorAll('[data-module]')].map(({ dataset }) => dataset.module)`;
  /** In the page: the scripts and data that scripts requested, by name. */
  const laterScripts = `{
    const [{ loadEventStart }] = performance.getEntriesByType('navigation');
    // The time of the paint. On a busy machine the screen shows it much later, at \`startTime\`.
    const [{ paintTime, startTime: shown }] = performance.getEntriesByName('first-paint');
    const ready = Math.max(loadEventStart, paintTime || shown);
    performance.getEntriesByType('resource')
      .filter(({ name }) => /\\/assets\\/(?!entry\\.).*js$|video-broadcast/.test(name))
      .map(({ name, startTime, responseEnd }) => ({
        name: name.replace(/.*\\/([\\w-]+).*/, '$1'), startTime, responseEnd, early: startTime < ready,
      }));
  }`;
  type Script = { name: string; startTime: number; responseEnd: number; early: boolean };

  browserTest(
    'to any template is light, requests no third party, loads only the modules in use and hardly shifts',
    async () => {
      const integrations = { metrikaId: '12345678', mapsApiKey: 'a-key-of-maps', turnstileSiteKey: 'a-site-key' };
      const keyed = createApp((await startTestSite({ site: await shownSite({ integrations }) })).services);
      const page = await newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true });
      const tools = await page.context().newCDPSession(page);
      await tools.send('Network.enable');
      await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
      let [bytes, requests] = [0, 0];
      tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
        bytes += encodedDataLength;
        requests++;
      });
      const faults: string[] = [];
      page.on('console', (message) => faults.push(`${page.url()}: ${message.text()}`));
      await page.route(/^https:/, (route) => {
        faults.push(`${page.url()} asks ${route.request().url()}`);
        return route.abort();
      });
      for (const path of pageTemplates) {
        const [face, question] = [Promise.withResolvers<() => void>(), Promise.withResolvers<() => void>()];
        front().intercept((req, res) => {
          const answer = () => keyed(req, res);
          if (req.url?.startsWith('/fonts/')) face.resolve(answer);
          else if (req.url?.startsWith('/assets/analytics.')) question.resolve(answer);
          else answer();
        });
        [bytes, requests] = [0, 0];
        const fault = (text: string) => faults.push(`${path}: ${text}`);
        await page.goto(path, { waitUntil: 'domcontentloaded' });
        // The display face arrives after the first paint.
        await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))');
        (await face.promise)();
        await eventually(() => page.evaluate('document.fonts.check("700 20px \\"Golos Text\\"")'), true);
        const ask = await question.promise;
        const before = await layoutShifts(page);
        const score = before.reduce((sum, { value }) => sum + value, 0);
        const allowed = (await page.evaluate(hasAdjustedFace)) ? shiftAllowed : shiftAllowedUnadjusted;
        if (score > allowed) fault(`moves by ${score.toFixed(3)}`);
        if (bytes > heaviest || requests < 3) fault(`${bytes} bytes in ${requests} requests`);
        ask();
        // None of these visits has a referrer.
        const last = ['loading-bar', ...(path.includes('?') ? ['attribution'] : [])];
        for (const name of ['analytics', ...last]) await moduleRan(page, name);
        const moved = (await layoutShifts(page)).slice(before.length);
        if (moved.length > 0) fault(`the question of analytics moves ${JSON.stringify(moved)}`);
        if (!(await page.locator('.analytics-choice').isVisible())) fault('does not ask about analytics');

        const asked = ((await page.evaluate(modulesUsed)) as string[]).filter((name) => moduleNames.includes(name));
        const used = [...new Set(['video-broadcast', ...last, ...asked])].sort();
        const scripts = (await page.evaluate(laterScripts)) as Script[];
        expect([path, scripts.map(({ name }) => name).sort()]).toEqual([path, used]);
        for (const { name, startTime, early } of scripts) {
          if (early) fault(`${name} loads before the page is there and painted`);
          const atOnce = scripts.filter((one) => one.startTime <= startTime && startTime < one.responseEnd).length;
          if (atOnce > 4) fault(`${atOnce} scripts load at once`);
        }
      }
      expect(faults.filter((one) => !/no-such-page: .*404/.test(one))).toEqual([]);
      expect(await page.context().cookies()).toEqual([]);
    },
  );

  test('the font of headings is exactly as the script subsets it', async () => {
    const font = readFileSync(fontFile);
    expect([font.equals(await cutFont()), font.length <= 14_000]).toEqual([true, true]);
  });
});

browserTest.each([
  [360, '/'],
  [360, '/questions'],
  [768, '/'],
  [1280, '/'],
])('nothing shifts at %i px wide while %s arrives in pieces', async (width, path) => {
  const { text } = await site().request(path);
  const [header = '', rest = ''] = text.split(/(?=<main)/);
  const ends = Array.from({ length: 20 }, (_, index) => index * 1_500);
  const pieces = [
    ...header.split(/(?=<[^>]*class="(?:bar|action site-header-action|site-header-contact|burger)")/),
    ...ends.map((end, index) => rest.slice(end, ends[index + 1])),
  ];
  expect(pieces.length).toBeGreaterThan(20);
  front().intercept(async (req, res, pass) => {
    if (req.url !== path) return pass();
    res.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' });
    for (const piece of pieces) {
      res.write(piece);
      await sleep(50);
    }
    res.end();
  });
  const page = await newPage({ viewport: { width, height: 800 } });
  await page.route('**/fonts/**', (route) => route.abort());
  await page.goto(path);
  expect(await layoutShifts(page, '.site-header')).toEqual([]);
  const shifts = await layoutShifts(page);
  expect(shifts.reduce((sum, { value }) => sum + value, 0)).toBeLessThanOrEqual(shiftAllowed);
});

describe('a module that fails to load', () => {
  const broken = /^\/assets\/loading-bar\./;
  const documents = () => front().asked.filter(({ headers }) => headers['sec-fetch-dest'] === 'document').length;
  const checks = () => front().asked.filter(({ method }) => method === 'HEAD').length;
  const breakModule = () =>
    front().intercept((req, res, pass) => (broken.test(req.url ?? '') ? res.writeHead(404).end() : pass()));

  /** Resolves once the page has decided how to handle its modules, after so many `failures` since the first visit. */
  async function settled(page: Page, complaints: string[], failures: number): Promise<void> {
    const failed = () => complaints.filter((text) => text.includes('dynamically imported module')).length;
    await eventually(failed, failures);
    await page.evaluate(`fetch('/healthz').then(() => {})`);
  }

  browserTest('reloads the page once without storage', async () => {
    breakModule();
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.addInitScript(
      `Object.defineProperty(window, 'sessionStorage', { get() { throw new Error('denied'); } })`,
    );
    await page.goto('/rates?from=ad');
    await settled(page, complaints, 2);
    expect([documents(), page.url()]).toEqual([2, `${front().url}/rates?from=ad`]);
  });

  browserTest('reloads the page once, and again ten seconds later', async () => {
    breakModule();
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/rates');
    await settled(page, complaints, 2);
    expect(documents()).toBe(2);
    await page.evaluate('sessionStorage.reloadedAt = Date.now() - 10001');
    await page.reload();
    // A page cannot be closed cleanly during a navigation.
    await settled(page, complaints, 4);
    expect(documents()).toBe(4);
  });

  browserTest('does not reload a form that came back with errors', async () => {
    breakModule();
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/contact?preset=request');
    await settled(page, complaints, 2);
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.evaluate('sessionStorage.removeItem("reloadedAt")');
    // Submits like a page without a script.
    await page.evaluate(`document.querySelector('main form').submit()`);
    await page.locator('[role=alert]').waitFor();
    await settled(page, complaints, 3);
    expect(checks()).toBe(1);
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
  });

  browserTest.each([
    ['the network is gone', 0],
    ['the server is being restarted', 503],
  ])('does not reload the page when %s', async (_when, status) => {
    front().intercept((req, res, pass) => {
      if (!broken.test(req.url ?? '') && req.method !== 'HEAD') pass();
      else if (status === 0 || req.method !== 'HEAD') req.destroy();
      else res.writeHead(status).end();
    });
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/rates');
    await eventually(() => checks() > 0, true);
    await settled(page, complaints, 1);
    expect(documents()).toBe(1);
    expect(await page.locator('h1').isVisible()).toBe(true);
  });
});

describe('prefetching', () => {
  const others = [
    '/contact?preset=request',
    '/cases?page=2',
    '/rates?utm_source=ad',
    '/rss.xml',
    'https://example.com/',
  ];

  /** Puts links into a page, presses each but the last, moves off it before releasing, and hovers over the last. */
  async function touch(page: Page, addresses: readonly string[]): Promise<void> {
    await page.evaluate(`
      for (const href of ${JSON.stringify(addresses)})
        document.querySelector('main').prepend(Object.assign(document.createElement('a'), {
          href, id: href, textContent: href, draggable: false, style: 'display: block',
        }));
    `);
    for (const address of addresses) {
      await page.locator(`[id="${address}"]`).first().hover();
      if (address === addresses.at(-1)) break;
      await page.mouse.down();
      await page.mouse.move(0, 0);
      await page.mouse.up();
    }
  }

  browserTest('uses speculation rules where the browser supports them', async () => {
    const page = await newPage();
    const complaints = complaintsOf(page);
    await page.goto('/map');
    await moduleRan(page, 'loading-bar');
    await touch(page, [...others, articlePage.byId]);
    const prefetched = () => front().asked.filter(({ headers }) => headers['sec-purpose']?.includes('prefetch'));
    await eventually(() => prefetched().map(({ path }) => path), [articlePage.byId]);
    expect(front().asked.filter(({ path }) => path.includes('/assets/prefetch.'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  /** Opens a page in a browser that is made to lack speculation rules. Its manifest has one page. */
  async function openWithout(connection: string) {
    front().intercept((req, res, pass) =>
      req.url?.startsWith('/builds/meta/') ? res.end('{"prerendered":["/rates"]}') : pass(),
    );
    const page = await newPage();
    await page.addInitScript(`
      HTMLScriptElement.supports = () => false;
      new MutationObserver(() => document.querySelector('script[type=speculationrules]')?.remove())
        .observe(document, { childList: true, subtree: true });
      Object.defineProperty(navigator, 'connection', { value: ${connection} });
    `);
    await page.goto('/map');
    await moduleRan(page, 'prefetch');
    const fetched = () =>
      front()
        .asked.filter(({ path, headers }) => headers['sec-fetch-dest'] === 'empty' && !/^\/(builds|video)/.test(path))
        .map(({ path }) => path);
    return { page, fetched };
  }

  browserTest('by a script fetches a page of the manifest once, and no other address', async () => {
    const { page, fetched } = await openWithout('{}');
    await touch(page, [...others, '/cargo', '/rates', '/cargo', '/rates']);
    await eventually(fetched, ['/rates']);
  });

  browserTest.each(['{ saveData: true }', "{ effectiveType: 'slow-2g' }"])(
    'by a script fetches nothing on %s',
    async (connection) => {
      const { page, fetched } = await openWithout(connection);
      await touch(page, ['/cargo', '/rates']);
      await page.evaluate(`fetch('/builds/latest.json').then(() => {})`);
      expect(fetched()).toEqual([]);
    },
  );
});

describe('the loading bar', () => {
  /** The state of the bar after a change; `color` is null when there is no bar. */
  type Look = { at: number; path: string; color: string | null } & Partial<{
    height: number;
    top: number;
    opacity: string;
    transition: string;
    above: boolean;
  }>;
  const green = 'rgb(13, 87, 45)';
  const error = 'rgb(156, 33, 24)';

  /** Reports every look from inside the page, because browser tools cannot query a page that is being left. */
  const tellOfBar = `
    const observer = new MutationObserver(() => {
      const bar = document.querySelector('.loading-bar');
      const told = { at: performance.now(), path: location.pathname, color: null };
      if (!bar) return tell(told);
      const { backgroundColor: color, opacity, transition } = getComputedStyle(bar);
      const { top } = bar.getBoundingClientRect();
      bar.style.pointerEvents = 'auto';
      const above = document.elementFromPoint(0, 4) === bar || new DOMMatrix(getComputedStyle(bar).transform).a === 0;
      bar.style.pointerEvents = 'none';
      observer.takeRecords();
      tell({ ...told, color, height: bar.offsetHeight, top, opacity, transition, above });
    });
    observer.observe(document, { childList: true, subtree: true, attributeFilter: ['style'] });
  `;

  async function watched(path: string, options: BrowserContextOptions = {}): Promise<{ page: Page; looks: Look[] }> {
    const page = await newPage(options);
    const looks: Look[] = [];
    await page.exposeBinding('tell', (_source, look: Look) => {
      // The initial markup also arrives in pieces.
      if (look.color !== null || looks.length > 0) looks.push(look);
    });
    await page.addInitScript(tellOfBar);
    await page.goto(path);
    await moduleRan(page, 'loading-bar');
    return { page, looks };
  }

  const colorOf = (looks: Look[]) => looks.at(-1)?.color;
  const wasRed = (looks: Look[]) => looks.some(({ color }) => color === error);

  /** Holds back every answer for a path; the result releases them. */
  function hold(path: string, method = 'GET'): () => void {
    const held: (() => void)[] = [];
    front().intercept((req, _res, pass) => (req.method === method && req.url === path ? held.push(pass) : pass()));
    return () => {
      front().intercept((_req, _res, pass) => pass());
      for (const answer of held) answer();
    };
  }

  async function press(page: Page, selector: string): Promise<void> {
    await page.locator(selector).first().focus();
    // Does not wait for the navigation, which is held back.
    await page.keyboard.press('Enter');
  }
  const toRates = '.site-footer a[href="/rates"]';
  const toForm = 'main a[href^="/contact?preset="]';

  browserTest('runs green and 8 px high at the top from the press of a link until the next page', async () => {
    const release = hold('/rates');
    const { page, looks } = await watched('/map');
    await press(page, toRates);
    await eventually(() => colorOf(looks), green);
    expect(looks.at(-1)).toMatchObject({ height: 8, top: 0, opacity: '1', path: '/map', above: true });
    expect(looks.at(-1)?.transition).toMatch(/transform 2s/);
    release();
    await page.waitForURL('**/rates');
    expect([await page.locator('.loading-bar').count(), wasRed(looks)]).toEqual([0, false]);
  });

  browserTest('does not appear when the page stays', async () => {
    const { page, looks } = await watched('/map');
    await page.evaluate(`
      for (const [id, value] of [
        ['hash', { href: '#main' }],
        ['download', { href: '/rates', download: '' }],
        ['tab', { href: '/rates', target: '_blank' }],
        ['phone', { href: 'tel:88000000000' }],
        ['taken', { href: '/rates', onclick: (event) => event.preventDefault() }],
        ['control', { href: '/cargo' }],
      ]) document.querySelector('main').prepend(Object.assign(document.createElement('a'), { id, textContent: id }, value));
      // Prevents navigation after all handlers of the page have run.
      addEventListener('click', (event) => event.preventDefault());
    `);
    for (const name of ['hash', 'download', 'tab', 'phone', 'taken']) await page.locator(`#${name}`).click();
    await page.locator('#control').click({ modifiers: ['Control'] });
    await page.evaluate('1');
    expect(looks).toEqual([]);
    await page.locator('#control').click();
    await eventually(() => colorOf(looks), green);
  });

  browserTest('takes the error colour when a navigation is stopped, and disappears 900 ms later', async () => {
    hold('/rates');
    const { page, looks } = await watched('/map');
    await page.evaluate(`navigation.addEventListener('navigate', () => setTimeout(stop, 100))`);
    await press(page, toRates);
    await eventually(() => wasRed(looks) && colorOf(looks), null);
    const failed = looks.find(({ color }) => color === error)?.at ?? 0;
    const faded = looks.find(({ transition }) => transition?.includes('opacity 0.4s'))?.at ?? 0;
    expect(faded - failed).toBeGreaterThanOrEqual(495);
    expect((looks.at(-1)?.at ?? 0) - failed).toBeGreaterThanOrEqual(895);
    expect(page.url()).toBe(`${front().url}/map`);
  });

  browserTest('disappears without an error ten seconds after an answer without content', async () => {
    front().intercept((req, res, pass) => (req.url === '/rates' ? res.writeHead(204).end() : pass()));
    const { page, looks } = await watched('/map');
    await page.clock.install();
    await press(page, toRates);
    await eventually(() => colorOf(looks), green);
    await page.clock.fastForward(9000);
    expect(colorOf(looks)).toBe(green);
    await page.clock.fastForward(1400);
    await eventually(() => colorOf(looks), null);
    expect([wasRed(looks), page.url()]).toEqual([false, `${front().url}/map`]);
  });

  browserTest('runs until the request dialog opens, and shows above the dialog while its form is sent', async () => {
    const { page, looks } = await watched(plainService);
    const link = page.locator(toForm).first();
    const release = hold(String(await link.getAttribute('href')));
    await page.clock.install();
    await press(page, toForm);
    await eventually(() => colorOf(looks), green);
    await page.clock.fastForward(15_000);
    expect(colorOf(looks)).toBe(green);
    expect(await link.getAttribute('aria-busy')).toBe('true');
    release();
    await page.locator('dialog').waitFor();
    await page.clock.runFor(2_000);
    await eventually(() => colorOf(looks), null);
    expect([await link.getAttribute('aria-busy'), wasRed(looks)]).toEqual([null, false]);
    looks.length = 0;
    const answer = hold('/contact', 'POST');
    await press(page, 'dialog form button');
    await eventually(() => looks.some(({ color, above }) => color === green && above === true), true);
    expect(looks.some(({ above }) => above === false)).toBe(false);
    answer();
    await page.locator('dialog [role=alert]').waitFor();
  });
});
