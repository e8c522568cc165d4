import type { Browser, Page } from 'playwright-core';
import { httpServer } from '../../src/leads/delivery/testing.ts';
import { launchBrowser } from '../../src/testing/browser.ts';
import { alone, type Figure, median } from './figure.ts';
import { type Peers, start } from './servers.ts';

const rounds = 3;
/** How many times slower than this machine the visitor's is. */
const slowdown = 20;
/** From the press to the frame that shows what it did, in milliseconds; what people take for at once. */
const limit = { at: 'most', value: 100 } as const;
/** For so long a finger or a button stays down when people press, in milliseconds. */
const held = 80;
/** Browsers do not tell of events that are shown sooner, in milliseconds. */
const shortest = 16;

/** What is pressed, and what is in the page once the press has done its work. */
type Press = { name: string; selector: string; shown: string };
type Visit = { path: string; width: number; presses: Press[] };

const visits: Visit[] = [
  {
    path: '/',
    width: 360,
    presses: [
      { name: 'burger opened', selector: '.burger > summary', shown: '.burger[open]' },
      { name: 'burger closed', selector: '.burger > summary', shown: '.burger:not([open])' },
    ],
  },
  {
    path: '/services/photo',
    width: 1280,
    presses: [
      { name: 'dropdown opened', selector: '.bar summary', shown: '.bar details[open]' },
      { name: 'dialog asked for', selector: 'main a[href^="/contact?"]', shown: 'dialog[open]' },
      { name: 'dialog closed', selector: '.modal-close', shown: 'body:not(:has(dialog))' },
      // The second time its form is there, and the press itself opens it.
      { name: 'dialog opened', selector: 'main a[href^="/contact?"]', shown: 'dialog[open]' },
    ],
  },
];

/** The least that a browser needs for the like. */
const bare: Visit = {
  path: '/',
  width: 360,
  presses: [
    { name: 'bare details opened', selector: 'summary', shown: 'details[open]' },
    { name: 'bare dialog opened', selector: '#open', shown: 'dialog[open]' },
  ],
};
const barePage = `<!doctype html><details><summary>a</summary>b</details>
  <button id="open" onclick="document.querySelector('dialog').showModal()">c</button><dialog><button>d</button></dialog>`;

/**
 * How long menus and the request dialog take to answer a press on a slow phone, by the
 * browser's own Event Timing. Beside them, for information, what the browser itself needs.
 */
export async function measureInteraction({ ours }: Peers): Promise<Figure[]> {
  await using server = await start(ours);
  await using bareServer = await httpServer((res) => res.setHeader('Content-Type', 'text/html').end(barePage));
  await using browser = await launchBrowser();
  const times = new Map<string, number[]>();
  // One after another in each round, so that what else the machine does falls on all alike.
  for (let round = 0; round < rounds; round++) {
    for (const visit of [...visits, bare]) {
      const { port } = visit === bare ? bareServer : server;
      for (const [name, time] of await timesOf(browser, port, visit)) {
        times.set(name, [...(times.get(name) ?? []), time]);
      }
    }
  }
  return [...times].map(([name, all]) =>
    alone(`${name}, ${slowdown} times slower`, 'ms', median(all), name.startsWith('bare') ? undefined : limit),
  );
}

/** Milliseconds by the name of the press, in a browser that is slow once the page and its modules are there. */
async function timesOf(browser: Browser, port: number, { path, width, presses }: Visit): Promise<[string, number][]> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  await page.addInitScript(`
    window.durations = [];
    new PerformanceObserver((list) => {
      for (const { interactionId, duration } of list.getEntries()) if (interactionId) durations.push(duration);
    }).observe({ type: 'event', durationThreshold: ${shortest} });
  `);
  await page.goto(`http://127.0.0.1:${port}${path}`, { waitUntil: 'networkidle' });
  const tools = await context.newCDPSession(page);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const times: [string, number][] = [];
  for (const { name, selector, shown } of presses) times.push([name, await timeOf(page, selector, shown)]);
  await context.close();
  return times;
}

async function timeOf(page: Page, selector: string, shown: string): Promise<number> {
  const [x, y] = (await page.evaluate(`(() => {
    const { x, y, width, height } = document.querySelector('${selector}').getBoundingClientRect();
    return [x + width / 2, y + height / 2];
  })()`)) as [number, number];
  // What an earlier press has set going is none of this one's.
  await page.locator('.loading-bar').waitFor({ state: 'detached' });
  // The way to it is no press.
  await page.mouse.move(x, y);
  await settled(page);
  await page.evaluate('void (durations.length = 0)');
  await page.mouse.down();
  await page.waitForTimeout(held);
  await page.mouse.up();
  // Looking for what it did would keep the slow page busy while it does it.
  await page.waitForTimeout(1_500);
  await page.locator(shown).first().waitFor({ state: 'attached' });
  await settled(page);
  return Math.max(shortest, ...((await page.evaluate('durations')) as number[]));
}

/** Resolves once the browser has shown what there is to show, and told of it. */
async function settled(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 1500))).then(() => {})');
}
