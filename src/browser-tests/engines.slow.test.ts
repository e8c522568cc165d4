import { afterAll, afterEach, beforeAll, describe, expect } from '@jest/globals';
import { createApp } from '../app.ts';
import { engines, type RunningEngine, type Tab, type TabOptions, until } from '../testing/engines.ts';
import { eventually } from '../testing/eventually.ts';
import { startFront } from '../testing/front.ts';
import { order, plainService } from '../testing/pages.ts';
import { has, testWith } from '../testing/requires.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();
const front = await startFront(createApp(site.services));
afterEach(() => front.reset());

const toForm = 'main a[href^="/contact?preset="]';
const toRates = '.site-footer a[href="/rates"]';

/** How often something was asked for; as a document, unless told otherwise. */
const asked = (path: RegExp, dest: string | undefined = 'document') =>
  front.asked.filter((one) => path.test(one.path) && one.headers['sec-fetch-dest'] === dest).length;
const checks = () => front.asked.filter(({ method }) => method === 'HEAD').length;

/** Holds back all that is asked for at some addresses, and tells how to end that: with a status, or as the site does. */
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
  const missing = programs.find((one) => !has(one));
  const walk = testWith(missing ?? String(programs[0]), `pages work in ${name}`);
  let engine: RunningEngine | undefined;
  beforeAll(async () => {
    if (missing === undefined) engine = await start();
  });
  afterAll(() => engine?.stop());

  async function open(path: string, options: TabOptions = {}): Promise<Tab> {
    if (!engine) throw new Error(`${missing} is not installed.`);
    const tab = await engine.newTab(options);
    await tab.open(front.url + path);
    return tab;
  }

  /** Waits until the page tells: while it is being left, Chromium answers no tool, and WebKit asks for nothing. */
  async function told(tab: Tab): Promise<void> {
    if (name === 'WebKit') await until(tab, 'window.told');
    else await eventually(() => asked(/^\/healthz/, 'empty') > 0);
  }

  /** Resolves once the page has done what it had to do so far. */
  async function settled(tab: Tab): Promise<void> {
    const before = asked(/^\/healthz/, 'empty');
    await tab.see(`void fetch('/healthz')`);
    await eventually(() => asked(/^\/healthz/, 'empty') > before);
  }

  walk('a visitor gets from the home page by a calculation to the receipt', async () => {
    const tab = await open('/', { width: 360 });
    await tab.press('main a[href^="/rates/calc"]');
    await until(tab, `location.pathname + document.readyState`, '/rates/calccomplete');
    await tab.open(`${front.url}/rates/calc?${order}`);
    await tab.press('main a[href^="/contact?"][href*="calc="]');
    await until(tab, `document.querySelector('dialog:modal form') !== null`);
    if (await tab.see(`document.querySelector('dialog [name=name]') !== null`))
      await tab.type('dialog [name=name]', 'Анна');
    await tab.type('dialog [name=phone]', '89161234567');
    await tab.press('dialog [name=consent]');
    await tab.press('dialog form [type=submit]');
    await until(tab, `/^\\/contact\\/[\\w-]{22}$/.test(location.pathname)`);
    const [lead] = await site.services.leads.list({ limit: 1 });
    expect(lead).toMatchObject({ phone: '+79161234567', page: '/rates/calc' });
    expect(lead?.calculation).toBeTruthy();
  });

  walk('a visitor searches, and goes to what was found', async () => {
    const tab = await open('/search', { width: 360 });
    await tab.type('main [type=search]', 'фулфилмент');
    await tab.key('Enter');
    await until(tab, `location.search.startsWith('?q=')`);
    await tab.press('.search-results a');
    await until(tab, `location.pathname !== '/search' && document.querySelector('h1') !== null`);
  });

  walk('the request dialog takes the focus and gives it back, and nothing behind it moves', async () => {
    const tab = await open(plainService);
    const scrollbar = 'innerWidth - document.documentElement.clientWidth';
    const place = `(({ left, width }) => [left, width])(document.querySelector('h1').getBoundingClientRect())`;
    expect(await tab.see(scrollbar)).toBeGreaterThan(0);
    // The column beside the heading is as wide as its words.
    await until(tab, `document.fonts.check('700 20px "Golos Text"')`);
    const before = await tab.see(place);
    await tab.press(toForm);
    await until(tab, `document.activeElement.closest('dialog:modal') !== null`);
    await until(tab, `getComputedStyle(document.documentElement).overflowY`, 'hidden');
    expect(await tab.see(place)).toEqual(before);
    await tab.key('Escape');
    await until(tab, `document.activeElement.matches('${toForm}')`);
    expect(await tab.see(place)).toEqual(before);
  });

  walk('the burger holds the page while it is open', async () => {
    const tab = await open('/rates', { width: 360 });
    expect(await tab.see('innerWidth')).toBe(360);
    await tab.press('.burger > summary');
    await until(tab, `document.querySelector('.burger').open`);
    await until(tab, `getComputedStyle(document.documentElement).overflowY`, 'hidden');
    expect(await tab.see(`document.querySelector('.burger-panel').getBoundingClientRect().bottom <= innerHeight`)).toBe(
      true,
    );
    await tab.key('Escape');
    await until(tab, `document.querySelector('.burger').open`, false);
    await until(tab, `getComputedStyle(document.documentElement).overflowY === 'hidden'`, false);
  });

  walk('a list of the bar opens under the pointer, and leads on', async () => {
    const tab = await open('/rates');
    await tab.point('.bar .dropdown > summary');
    await until(tab, `document.querySelector('.bar .dropdown').open`);
    const to = await tab.see(`document.querySelector('.bar .dropdown a').pathname`);
    await tab.press('.bar .dropdown a');
    await until(tab, 'location.pathname', to);
  });

  describe('whoever is leaving', () => {
    walk('gets there, though a module fails meanwhile', async () => {
      const end = hold(/^\/assets\/loading-bar\./, /^\/rates$/);
      const tab = await open('/map');
      await eventually(() => asked(/^\/assets\/loading-bar\./, 'script'), 1);
      await tab.see(tellOfErrors);
      await tab.press(toRates);
      await eventually(() => asked(/^\/rates$/), 1);
      end(/^\/assets/, 404);
      await told(tab);
      end(/^\/rates$/);
      await until(tab, 'location.pathname', '/rates');
      expect([asked(/^\/map$/), checks()]).toEqual([1, 0]);
    });

    walk('gets there, though the request dialog fails meanwhile', async () => {
      const end = hold(/^\/contact\?/, /^\/rates$/);
      const tab = await open(plainService);
      await tab.see(tellOfErrors);
      await tab.press(toForm);
      await eventually(() => asked(/^\/contact\?/, 'empty'), 1);
      await tab.see(`void location.assign('/rates')`);
      await eventually(() => asked(/^\/rates$/), 1);
      end(/^\/contact/, 503);
      await told(tab);
      end(/^\/rates$/);
      await until(tab, 'location.pathname', '/rates');
      expect(asked(/^\/contact/)).toBe(0);
    });

    walk('goes back, though the request dialog is still on its way', async () => {
      const end = hold(/^\/contact\?/);
      const tab = await open('/map');
      await tab.open(front.url + plainService);
      await tab.see(tellOfErrors);
      await tab.press(toForm);
      await eventually(() => asked(/^\/contact\?/, 'empty'), 1);
      await tab.see('void setTimeout(() => history.back())');
      await until(tab, 'location.pathname', '/map');
      end(/^\/contact/, 503);
      await settled(tab);
      expect([await tab.see('location.pathname'), asked(/^\/contact/)]).toEqual(['/map', 0]);
    });
  });

  walk('a page whose module is missing is loaded anew, once', async () => {
    const broken = /^\/assets\/loading-bar\./;
    front.intercept((req, res, pass) => (broken.test(req.url ?? '') ? res.writeHead(404).end() : pass()));
    const tab = await open('/map');
    await eventually(() => asked(/^\/map$/), 2);
    await eventually(() => asked(broken, 'script'), 2);
    await until(tab, 'document.readyState', 'complete');
    await settled(tab);
    expect([asked(/^\/map$/), checks()]).toEqual([2, 1]);
  });

  walk('the loading bar is painted while a page is on its way', async () => {
    hold(/^\/rates$/);
    const tab = await open('/map');
    await until(
      tab,
      `performance.getEntriesByType('resource').some(({ name }) => name.includes('/assets/loading-bar.'))`,
    );
    await tab.see(`void (() => {
      const look = () => (document.querySelector('.loading-bar') ? (${tell})() : requestAnimationFrame(look));
      look();
    })()`);
    await tab.press(toRates);
    await eventually(() => asked(/^\/rates$/), 1);
    await told(tab);
  });

  walk('no page is fetched twice to be shown once', async () => {
    const tab = await open('/map');
    await eventually(() => asked(/^\/assets\/loading-bar\./, 'script'), 1);
    if (name !== 'Chromium') await eventually(() => asked(/^\/assets\/prefetch\./, 'script'), 1);
    await settled(tab);
    await tab.point(toRates);
    // Chromium does that by itself.
    const ahead = name === 'Firefox' ? 1 : 0;
    await eventually(() => asked(/^\/rates$/, 'empty'), ahead);
    await tab.press(toRates);
    await until(tab, 'location.pathname', '/rates');
    const whole = front.asked.filter(({ path, headers }) => path === '/rates' && !headers['if-none-match']);
    expect(whole.length).toBe(1);
  });

  walk(
    'on paper there is no bar and no footer, the logo is whole, and what belongs together stays on one page',
    async () => {
      const tab = await open(plainService);
      const see = (selector: string, what: string) =>
        tab.see(`[...document.querySelectorAll('${selector}')].map((one) => ${what})`);
      const logo = await see('.site-header-logo svg', 'one.getBoundingClientRect().width');
      await tab.see(onPaper);
      expect(await see('.site-header nav', 'getComputedStyle(one.closest(".burger") ?? one).display')).toEqual([
        'none',
        'none',
      ]);
      expect(await see('.site-header-logo svg', 'one.getBoundingClientRect().width')).toEqual(logo);
      const broken = await see(
        'figure, img, tr, h2',
        'getComputedStyle(one).breakInside === "avoid" ? "" : one.outerHTML',
      );
      expect(broken).toEqual((broken as string[]).map(() => ''));
      expect((broken as string[]).length).toBeGreaterThan(5);
      expect(await see('.site-footer', 'getComputedStyle(one).display')).toEqual(['none']);
    },
  );
});

/** In a page: tells the test something, in both ways that a browser may have. */
const tell = `() => {
  window.told = true;
  const ask = () => fetch('/healthz').catch(() => setTimeout(ask, 100));
  ask();
}`;

/** In a page: tells of whatever it complains of. */
const tellOfErrors = `void (console.error = ${tell})`;

/** Lets the rules for print apply to the screen, and those for the screen to nothing: not every engine emulates that. */
const onPaper = `(() => {
  const turn = ({ cssRules }) => {
    for (const rule of cssRules) {
      if (rule.media) rule.media.mediaText = rule.media.mediaText.replace(/\\bscreen\\b/g, 'tty').replace(/\\bprint\\b/g, 'screen');
      if (rule.cssRules) turn(rule);
    }
  };
  [...document.styleSheets].forEach(turn);
})()`;
