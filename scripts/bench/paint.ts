import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { httpServer } from '../../src/leads/delivery/testing.ts';
import { launchBrowser } from '../../src/testing/browser.ts';
import { templates } from '../../src/testing/pages.ts';
import { against, type Figure, inTurns } from './figure.ts';
import { type Peers, start } from './servers.ts';

const rounds = 3;
/** How many times slower than this machine the visitor's is; as Lighthouse has it. */
const slowdown = 4;
/**
 * A slow 4G connection with 150 ms there and back: milliseconds that a browser's tools must add to a request to
 * resemble it, and bytes per second. The figures are Lighthouse's `mobileSlow4G`.
 */
const network = { latency: 150 * 3.75, downloadThroughput: (1638.4 * 0.9 * 1024) / 8, uploadThroughput: 84_375 };
/** Ours to that of nothing but the text. */
const limit = { at: 'most', value: 1.25 } as const;

/**
 * When the largest thing of the first screen has been painted, on a slow phone and a slow
 * network, against a page that holds the very same text and nothing else.
 */
export async function measurePaint({ ours }: Peers): Promise<Figure[]> {
  await using server = await start(ours);
  await using browser = await launchBrowser();
  let text = '';
  await using bareServer = await httpServer((res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8').setHeader('Content-Encoding', 'br');
    res.end(brotliCompressSync(text));
  });
  const figures: Figure[] = [];
  for (const path of templates) {
    const url = `http://127.0.0.1:${server.port}${path}`;
    text = await textOf(browser, url);
    const paints = await inTurns(rounds, {
      ours: () => paintOf(browser, url),
      bare: () => paintOf(browser, bareServer.url),
    });
    const times = { ours: paints.ours.map(({ time }) => time), bare: paints.bare.map(({ time }) => time) };
    const painted = new Set(paints.ours.map(({ element }) => element));
    const figure = against(`largest paint of ${path}`, 'ms', times, limit);
    process.stderr.write(
      `${path.padEnd(28)} ${figure.ratio?.toFixed(2)}  ${Math.round(figure.ours)} : ${Math.round(figure.bare ?? 0)} ms  ${[...painted].join(' or ')}\n`,
    );
    figures.push(figure);
  }
  return figures;
}

/** The page's text, and nothing that it looks like: a paragraph for every line. */
async function textOf(browser: Browser, url: string): Promise<string> {
  const context = await phone(browser, { javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(url);
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const title = escaped(await page.title());
  const lines = (await page.innerText('body')).split(/\n+/).map((line) => `<p>${escaped(line)}</p>`);
  await context.close();
  return `<!doctype html><html lang="ru"><meta name="viewport" content="width=device-width"><title>${title}</title>${lines.join('\n')}`;
}

/** Milliseconds from the start of the visit, and what it was that came last. */
async function paintOf(browser: Browser, url: string): Promise<{ time: number; element: string }> {
  const context = await phone(browser, {});
  const page = await context.newPage();
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', { offline: false, ...network });
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(url, { waitUntil: 'networkidle' });
  const [time, element] = (await page.evaluate(`new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const { startTime, element, url } = list.getEntries().at(-1);
      resolve([startTime, element && url ? element.localName + ' ' + new URL(url).pathname : element && element.localName]);
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  })`)) as [number, string];
  await context.close();
  return { time, element };
}

function phone(browser: Browser, options: { javaScriptEnabled?: boolean }) {
  return browser.newContext({
    viewport: { width: 412, height: 823 },
    deviceScaleFactor: 1.75,
    // A browser without a window is taken for a bot, which gets no error page.
    userAgent: `Mozilla/5.0 (Linux; Android 10) Chrome/${browser.version()} Mobile Safari/537.36`,
    ...options,
  });
}
