import { expect } from '@jest/globals';
import { chromiumPath } from '../testing/browser.ts';
import { templates } from '../testing/pages.ts';
import { testWith } from '../testing/requires.ts';
import { withVisitors } from '../testing/visitors.ts';

/** What a phone may have to load before its visitor scrolls, in bytes, with headers. */
const limit = 60_000;

const browserTest = testWith(chromiumPath, 'a first view with its pictures is light');
const { front, newPage } = withVisitors({}, { cold: true });

type Weight = { path: string; bytes: number; requests: number };

/** Weighs pages as they are to one who has seen none: without caches, which would hide what pages share. */
async function lane(paths: string[]): Promise<Weight[]> {
  const page = await newPage({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true });
  const tools = await page.context().newCDPSession(page);
  const weights: Weight[] = [];
  tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    const weight = weights.at(-1);
    if (weight === undefined) return;
    weight.bytes += encodedDataLength;
    weight.requests++;
  });
  await tools.send('Network.enable');
  await tools.send('Network.setCacheDisabled', { cacheDisabled: true });
  for (let path = paths.pop(); path !== undefined; path = paths.pop()) {
    await page.goto('about:blank');
    weights.push({ path, bytes: 0, requests: 0 });
    await page.goto(path, { waitUntil: 'networkidle' });
  }
  return weights;
}

browserTest(
  'the first view of every kind of page comes to at most 60 KB on a phone of double density',
  async () => {
    // It is for the pages after this one.
    const dictionary = /^\/dictionary/;
    front().intercept((req, _res, pass) => (dictionary.test(req.url ?? '') ? req.destroy() : pass()));
    const left = [...templates];
    // Side by side, because each waits until nothing comes any more.
    const weights = (await Promise.all([1, 2, 3, 4].map(() => lane(left)))).flat();
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
