import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { ask } from '../../src/tests/support/ask.ts';
import { launchBrowser } from '../../src/tests/support/launch-browser.ts';
import { folder } from '../server-process.ts';
import { compare, type Figure, type FilledServer, startBare } from './harness.ts';

const rounds = 5;
const pages = ['/', '/rates', '/services/package'];

/**
 * A first visit on a cheap phone: the processor four times slower than this machine's, and the slow 4G of Lighthouse.
 * Chromium delays only the request, so this is the time of four round trips of 150 ms: name, connection, encryption
 * and request.
 */
const slowness = 4;
const network = { offline: false, latency: 600, downloadThroughput: 200_000, uploadThroughput: 93_750 };

const barePage = '<!doctype html><meta name="viewport" content="width=device-width"><h1>Короб</h1>';
const blockingLimitMs = 120;

/** Compared with one heading, and with the same elements without styles, scripts and drawings. */
export async function measurePaint({ port }: FilledServer): Promise<Figure[]> {
  await using browser = await launchBrowser();
  await using bare = await startPage(barePage);
  const firstText = async (of: number, path: string) => (await visit(browser, of, path)).firstText;
  const figures: Figure[] = [];
  for (const path of pages) {
    await using plain = await startPage(withoutLooks((await ask(port, path)).body.toString()));
    const ours = () => firstText(port, path);
    const blocked = async () => (await visit(browser, port, path)).blocked;
    const first = { unit: 'ms', rounds, ours };
    const name = `first text of ${path} to`;
    figures.push(
      await compare({ ...first, name: `${name} a bare page`, limit: 1.25, other: () => firstText(bare.port, '/') }),
      await compare({
        ...first,
        name: `${name} a page with its text`,
        limit: 1.1,
        other: () => firstText(plain.port, '/'),
      }),
      await compare({
        ...first,
        name: `blocking of ${path}`,
        limit: 1,
        ours: blocked,
        other: async () => blockingLimitMs,
      }),
    );
  }
  return figures;
}

async function startPage(html: string) {
  const file = join(folder, `${html.length}.br`);
  writeFileSync(file, brotliCompressSync(html));
  return startBare(
    'page',
    file,
    JSON.stringify(['Content-Type', 'text/html; charset=utf-8', 'Content-Encoding', 'br']),
  );
}

function withoutLooks(html: string): string {
  return html.replace(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '').replace(/<(link|img)\b[^>]*>/g, '');
}

/** Milliseconds until the first text, and those by which tasks after it exceed 50 ms. */
async function visit(browser: Browser, port: number, path: string) {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true });
  const page = await context.newPage();
  await page.addInitScript(`
    window.longTasks = [];
    new PerformanceObserver((list) => longTasks.push(...list.getEntries())).observe({ type: 'longtask' });
  `);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  await session.send('Network.emulateNetworkConditions', network);
  await page.goto(`http://127.0.0.1:${port}${path}`, { waitUntil: 'load' });
  await page.waitForTimeout(1_000);
  const { firstText, tasks } = await page.evaluate<{ firstText: number; tasks: [number, number][] }>(`({
    firstText: performance.getEntriesByName('first-contentful-paint')[0].startTime,
    tasks: longTasks.map(({ startTime, duration }) => [startTime, duration]),
  })`);
  await context.close();
  const after = tasks.map(([start, length]) => Math.min(length, start + length - firstText));
  return { firstText, blocked: after.reduce((sum, length) => sum + Math.max(0, length - 50), 0) };
}
