import { afterAll, beforeAll, beforeEach, describe, expect } from '@jest/globals';
import { createApp } from '../../app.ts';
import { engines, type Tab, until as untilIn } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { type Front, startFront } from '../support/front.ts';
import { order, plainService } from '../support/sample-pages.ts';
import { testIf } from '../support/test-if.ts';
import { startTestSite } from '../support/test-site.ts';

const site = await startTestSite();
let front: Front;
// Another port makes the site a new origin for the browser.
beforeEach(async () => {
  front = await startFront(createApp(site.services));
});

const toForm = 'main a[href^="/contact?preset="]';
const toRates = '.site-footer a[href="/rates"]';

/** How many requests were made for a path, by default for documents. */
const asked = (path: RegExp, dest: string | undefined = 'document') =>
  front.asked.filter((one) => path.test(one.path) && one.headers['sec-fetch-dest'] === dest).length;
const checks = () => front.asked.filter(({ method }) => method === 'HEAD').length;
const bar = /^\/assets\/loading-bar\./;

/** Holds back all requests for some paths; the result ends them with a status, or lets the site answer. */
function hold(...paths: RegExp[]): (path: RegExp, status?: number) => void {
  const held: { url: string; end(status?: number): void }[] = [];
  front.intercept((req, res, pass) => {
    const { url = '' } = req;
    if (req.method === 'HEAD' || !paths.some((path) => path.test(url))) return pass();
    held.push({ url, end: (status) => (status ? res.writeHead(status).end() : pass()) });
  });
  return (path, status) => {
    for (const { url, end } of held) if (path.test(url)) end(status);
  };
}

describe.each(engines)('in $name', ({ name, programs, start }) => {
  const walk = testIf({ programs });
  let tab: Tab;
  // Runs only if a test of this engine runs.
  beforeAll(async () => {
    tab = await start();
  });
  afterAll(() => tab?.stop());

  async function open(path: string, width = 1280): Promise<void> {
    await tab.resize(width);
    await tab.open(front.url + path);
  }
  const until = (expression: string, wanted?: unknown) => untilIn(tab, expression, wanted);

  /** Waits for the signal of the page. During navigation, Chromium answers no tool and WebKit sends no requests. */
  async function told(): Promise<void> {
    if (name === 'WebKit') await until('window.told');
    else await eventually(() => asked(/^\/healthz/, 'empty') > 0);
  }

  /** Resolves once the page has finished its pending work. */
  async function settled(): Promise<void> {
    const before = asked(/^\/healthz/, 'empty');
    await tab.see(`void fetch('/healthz')`);
    await eventually(() => asked(/^\/healthz/, 'empty') > before);
  }

  walk('a visitor gets from the home page through a calculation to the receipt', async () => {
    await open('/', 360);
    await tab.press('[for="choice-8"]');
    await tab.press('.answers .of-8 a');
    await until(`location.pathname + document.readyState`, '/rates/calccomplete');
    await tab.open(`${front.url}/rates/calc?${order}`);
    await tab.press('main a[href^="/contact?"][href*="calc="]');
    await until(`document.querySelector('dialog:modal form') !== null`);
    await tab.type('dialog [name=phone]', '89161234567');
    await tab.press('dialog [name=consent]');
    await tab.press('dialog form [type=submit]');
    await until(`/^\\/contact\\/[\\w-]{22}$/.test(location.pathname)`);
    const [lead] = await site.services.leads.list({ limit: 1 });
    expect(lead).toMatchObject({ phone: '+79161234567', page: '/rates/calc', calculation: expect.anything() });
  });

  walk('the request dialog takes the focus and returns it, and the page behind does not move', async () => {
    await open(plainService);
    const place = `(({ left, width }) => [left, width])(document.querySelector('h1').getBoundingClientRect())`;
    expect(await tab.see('innerWidth - document.documentElement.clientWidth')).toBeGreaterThan(0);
    // The column next to the heading is as wide as its text.
    await until(`document.fonts.check('700 20px "Golos Text"')`);
    const before = await tab.see(place);
    await tab.press(toForm);
    await until(`document.activeElement.closest('dialog:modal') !== null`);
    await until(`getComputedStyle(document.documentElement).overflowY`, 'hidden');
    expect(await tab.see(place)).toEqual(before);
    await tab.key('Escape');
    await until(`document.activeElement.matches('${toForm}')`);
    expect(await tab.see(place)).toEqual(before);
  });

  walk('the burger menu locks the page while it is open', async () => {
    await open('/rates', 360);
    const state = `document.querySelector('.burger').open + ' ' + getComputedStyle(document.documentElement).overflowY`;
    const closed = await tab.see(state);
    await tab.press('.burger > summary');
    await until(state, 'true hidden');
    expect(await tab.see(`document.querySelector('.burger-panel').getBoundingClientRect().bottom <= innerHeight`)).toBe(
      true,
    );
    await tab.key('Escape');
    await until(state, closed);
  });

  describe('a visitor who is leaving', () => {
    walk.each([
      ['a module', '/map', bar, 'script'],
      ['the request dialog', plainService, /^\/contact\?/, 'empty'],
    ])('reaches the next page although %s fails meanwhile', async (_, from, failing, dest) => {
      const end = hold(failing, /^\/rates$/);
      await open(from);
      await tab.see(tellOfErrors);
      if (from !== '/map') await tab.press(toForm);
      await eventually(() => asked(failing, dest), 1);
      await tab.see(`void location.assign('/rates')`);
      await eventually(() => asked(/^\/rates$/), 1);
      end(failing, 503);
      await told();
      end(/^\/rates$/);
      await until('location.pathname', '/rates');
      expect([asked(/^\/(map|contact)/), checks()]).toEqual([from === '/map' ? 1 : 0, 0]);
    });

    walk('gets back although the request dialog is still loading', async () => {
      const end = hold(/^\/contact\?/);
      await open('/map');
      await tab.open(front.url + plainService);
      await tab.press(toForm);
      await eventually(() => asked(/^\/contact\?/, 'empty'), 1);
      await tab.see('void setTimeout(() => history.back())');
      await until('location.pathname', '/map');
      end(/^\/contact/, 503);
      await settled();
      expect([await tab.see('location.pathname'), asked(/^\/contact/)]).toEqual(['/map', 0]);
    });
  });

  walk('a page whose module is missing reloads once', async () => {
    front.intercept((req, res, pass) => (bar.test(req.url ?? '') ? res.writeHead(404).end() : pass()));
    await open('/map');
    await eventually(() => asked(bar, 'script'), 2);
    await until('document.readyState', 'complete');
    await settled();
    expect([asked(/^\/map$/), checks()]).toEqual([2, 1]);
  });

  walk('a page is fetched only once when its link is hovered and pressed', async () => {
    await open('/map');
    await eventually(() => asked(bar, 'script'), 1);
    if (name !== 'Chromium') await eventually(() => asked(/^\/assets\/prefetch\./, 'script'), 1);
    await settled();
    await tab.point(toRates);
    // Chromium prefetches without this script.
    await eventually(() => asked(/^\/rates$/, 'empty'), name === 'Firefox' ? 1 : 0);
    await tab.press(toRates);
    await until('location.pathname', '/rates');
    const whole = front.asked.filter(({ path, headers }) => path === '/rates' && !headers['if-none-match']);
    expect(whole.length).toBe(1);
  });
});

/** In a page: signals every console error in both ways, because a browser may support only one. */
const tellOfErrors = `void (console.error = () => {
  window.told = true;
  const ask = () => fetch('/healthz').catch(() => setTimeout(ask, 100));
  ask();
})`;
