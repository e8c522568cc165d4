import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

/** What a phone may have to load before anybody scrolls, in bytes, with headers. */
const limit = 60_000;

const browserTest = testWith(chromiumPath, 'a first view with its pictures is light');
const { newPage } = withVisitors();

type Weight = { path: string; bytes: number; requests: number };

/** As a visitor of its own, because caches would hide what pages share. */
async function weigh(path: string): Promise<Weight> {
  const page = await newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true });
  const tools = await page.context().newCDPSession(page);
  const weight = { path, bytes: 0, requests: 0 };
  // The dictionary for the pages after this one comes when all else is done.
  const later = new Set<string>();
  tools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (/\/dictionary(\.\w+\.dat)?$/.test(request.url)) later.add(requestId);
  });
  tools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (later.has(requestId)) return;
    weight.bytes += encodedDataLength;
    weight.requests++;
  });
  await tools.send('Network.enable');
  await page.goto(path, { waitUntil: 'networkidle' });
  await page.context().close();
  return weight;
}

browserTest(
  'the first view of every kind of page comes to at most 60 KB on a phone of double density',
  async () => {
    const left = [...templates];
    const weights: Weight[] = [];
    // Side by side, because each waits until nothing comes any more.
    const lane = async () => {
      for (let path = left.pop(); path !== undefined; path = left.pop()) weights.push(await weigh(path));
    };
    await Promise.all(Array.from({ length: 6 }, lane));
    weights.sort((a, b) => b.bytes - a.bytes);
    const largest = weights
      .slice(0, 5)
      .map(({ path, bytes, requests }) => `  ${bytes} in ${requests} requests: ${path}`);
    process.stdout.write(`First views with pictures, the largest of ${weights.length}:\n${largest.join('\n')}\n`);
    // The page, its script and what that loads.
    expect(weights.filter(({ requests }) => requests < 3)).toEqual([]);
    expect(weights.filter(({ bytes }) => bytes > limit)).toEqual([]);
  },
  120_000,
);
