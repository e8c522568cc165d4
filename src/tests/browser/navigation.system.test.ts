import { describe, expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { plainService } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { variedPages } from '../support/varied-pages.ts';
import { moduleRan, withVisitors } from '../support/visitors.ts';

const browserTest = testIf({ programs: ['browser'] });
/** The headless shell has no back/forward cache. */
const cacheTest = testIf({ programs: ['chromium'] });
const { site, front, newPage } = withVisitors({}, { whole: true, without: ['--disable-back-forward-cache'] });

async function follow(page: Page, selector: string): Promise<void> {
  const link = page.locator(selector).first();
  const to = await link.getAttribute('href');
  await link.press('Enter');
  await page.waitForURL(`**${to}`);
}

describe('going back', () => {
  async function newVisitor(): Promise<Page> {
    const page = await newPage();
    await page.addInitScript(`addEventListener('pageshow', ({ persisted }) => { window.cameBack = persisted; })`);
    return page;
  }

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(path);
    await moduleRan(page, 'loading-bar');
  }

  /** Navigates from inside the page, because the browser's tool would discard the cached page. */
  async function goBack(page: Page, to: string): Promise<void> {
    await page.evaluate('void setTimeout(() => history.back())');
    await page.waitForURL(`**${to}`, { waitUntil: 'commit' });
  }

  const cameBack = (page: Page) => page.evaluate('window.cameBack');
  /** The reasons why the page was not restored; undefined if it was. */
  const reasons = (page: Page) =>
    page.evaluate(
      `performance.getEntriesByType('navigation')[0].notRestoredReasons?.reasons?.map(({ reason }) => reason)`,
    ) as Promise<string[] | undefined>;

  cacheTest('restores every page from the back/forward cache, except for forms (no-store) and errors', async () => {
    const page = await newVisitor();
    // Scripts and headers decide whether a page can enter the cache.
    for (const path of [...(await variedPages(site())), '/no-such-page']) {
      await open(page, path);
      await follow(page, '.site-footer nav a');
      await goBack(page, path);
      if (path.startsWith('/no-such')) {
        const others = async () =>
          (await reasons(page))?.filter(
            (one) => !/^(response-cache-control-no-store.*|response-status-not-ok|masked)$/.test(one),
          );
        await eventually(async () => [path, await others()], [path, []]);
      } else {
        await eventually(async () => [path, await cameBack(page), await reasons(page)], [path, true, undefined]);
      }
    }
  });

  cacheTest('shows an empty form after the previous one was sent', async () => {
    const page = await newVisitor();
    await open(page, plainService);
    const consent = page.getByLabel(/обработку персональных данных/);
    const link = page.locator('main a[href^="/contact?preset="]').first();
    await link.click();
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.getByLabel('Телефон').fill('+7 (916) 123-45-67');
    await consent.check();
    await page.locator('dialog [type=submit]').click();
    await page.waitForURL(/\/contact\/[\w-]{22}$/);
    await goBack(page, plainService);
    await eventually(() => cameBack(page));
    await eventually(() => page.locator('dialog').count(), 0);
    await link.click();
    await page.waitForURL('**/contact?preset=*');
    expect([await page.getByLabel('Как к вам обращаться').inputValue(), await consent.isChecked()]).toEqual([
      '',
      false,
    ]);
  });
});

describe('a tab left open', () => {
  const newer = 'a-newer-build';
  const checks = () => front().asked.filter(({ path }) => path.startsWith('/builds/latest.json'));
  let answer: { status: number; body: string };

  const show = (id: string) => {
    answer = { status: 200, body: JSON.stringify({ id }) };
  };

  /** Opens a tab whose visibility only the test decides; a slow browser would report it late. */
  async function visit(path: string): Promise<Page> {
    show(site().served.id);
    front().intercept((req, res, pass) => {
      if (req.url?.startsWith('/builds/latest.json')) {
        if (answer.status === 0) req.destroy();
        else res.writeHead(answer.status, { 'Cache-Control': 'no-store' }).end(answer.body);
      } else if (req.url === '/rates') {
        // Imitates a cache that stores pages for too long.
        res.writeHead(200, { 'Cache-Control': 'max-age=3600', 'Content-Type': 'text/html' });
        res.end(`<title>${answer.body}</title>`);
      } else pass();
    });
    const page = await newPage();
    await page.addInitScript(`
      window.away = false;
      window.updates = [];
      Object.defineProperty(document, 'hidden', { get: () => away });
      addEventListener('visibilitychange', (event) => event.isTrusted && event.stopImmediatePropagation(), true);
      document.addEventListener('app:update', ({ detail }) => updates.push(detail.id));
    `);
    await page.goto(path);
    return page;
  }

  const updates = (page: Page) => page.evaluate('updates');

  async function comeBack(page: Page): Promise<void> {
    for (const away of [true, false])
      await page.evaluate(`away = ${away}; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  }

  async function learn(page: Page): Promise<void> {
    show(newer);
    await comeBack(page);
    await eventually(() => updates(page), [newer]);
  }

  browserTest('requests the newest build past every cache when it becomes visible, until there is one', async () => {
    const page = await visit('/map');
    for (const count of [1, 2]) {
      await comeBack(page);
      await eventually(() => checks().length, count);
    }
    expect(checks()[0]?.path).toMatch(/^\/builds\/latest\.json\?\d{13}$/);
    expect(await updates(page)).toEqual([]);
    await learn(page);
    await comeBack(page);
    await page.evaluate(`fetch('/healthz').then(() => {})`);
    expect([await updates(page), checks().length]).toEqual([[newer], 3]);
  });

  browserTest('requests the newest build every hour, but only while it is visible', async () => {
    const page = await visit('/robots.txt');
    await page.clock.install();
    await page.goto('/map');
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const [away, count] of [
      [true, 0],
      [false, 1],
      [false, 2],
    ] as const) {
      await page.evaluate(`away = ${away}`);
      await page.clock.fastForward(3_600_000);
      await eventually(() => checks().length, count);
    }
  });

  browserTest('loads the newer page past every cache on its next link', async () => {
    const page = await visit('/rates');
    const rates = '.site-footer a[href="/rates"]';
    await page.goto('/map');
    await follow(page, rates);
    const documents = () => front().asked.filter(({ path }) => path === '/rates');
    expect(documents()).toHaveLength(1);
    await page.goto('/map');
    await learn(page);
    await follow(page, rates);
    expect(await page.title()).toContain(newer);
    expect(documents()[1]?.headers['cache-control']).toBe('no-cache');
  });

  browserTest('follows its next link after five seconds even if the newer page does not arrive', async () => {
    const page = await visit('/map');
    await learn(page);
    let fetched = false;
    front().intercept((req, _res, pass) => {
      if (req.url === '/cargo' && !fetched) fetched = true;
      else pass();
    });
    await page.locator('nav.bar a[href="/cargo"]').click();
    await page.waitForURL('**/cargo', { timeout: 9_000 });
  });

  browserTest.each([
    ['a page', '/contact?preset=request', comeBack],
    ['a dialog', plainService, (page: Page) => page.locator('main a[href^="/contact?preset="]').first().click()],
  ])('%s says when staff call, also minutes later, and keeps the typed words', async (_, path, comeTo) => {
    const page = await visit(path);
    await moduleRan(page, 'loading-bar');
    await page.clock.install();
    await comeTo(page);
    await page.getByLabel('Как к вам обращаться').fill('Анна');
    await page.keyboard.press('Escape');
    front().intercept(async (req, res, pass) => {
      if (!req.url?.startsWith('/contact?')) return pass();
      const { text } = await site().request(req.url);
      res.writeHead(200, { 'Content-Type': 'text/html' });
      res.end(text.replace(/(class="contact-promise"[^>]*>)[^<]*/, '$1Позвоним завтра.'));
    });
    await page.clock.fastForward(600_000);
    await comeTo(page);
    await eventually(() => page.locator('.contact-promise').textContent(), 'Позвоним завтра.');
    expect(await page.getByLabel('Как к вам обращаться').inputValue()).toBe('Анна');
  });
});
