import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plainService, studyPage } from '../testing/pages.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();

async function locationOf(path: string, method = 'GET'): Promise<[number, string | undefined]> {
  const { status, headers } = await site.request(path, { method });
  return [status, headers.location];
}

test('where an address leads is asked for each time: it may be moved back', async () => {
  const { headers } = await site.request('/rates/');
  expect(headers['cache-control']).toBe('no-cache');
});

test.each([
  ['/rates/', '/rates'],
  ['/RATES', '/rates'],
  ['//rates', '/rates'],
  [plainService.replace('/s', '//S').concat('/'), plainService],
  ['/rates///', '/rates'],
  ['//', '/'],
  [
    '/rates/?utm_source=ya&utm_term=%D0%BA%D0%BE%D1%80%D0%BE%D0%B1',
    '/rates?utm_source=ya&utm_term=%D0%BA%D0%BE%D1%80%D0%BE%D0%B1',
  ],
  ['/Rates/Calc/?units=0', '/rates/calc?units=0'],
  ['/Cases/?page=1', '/cases'],
  ['/CASES?page=1&a=b', '/cases?a=b'],
  ['/Blog/News/Null/', '/blog/news'],
  ['/blog/news/null?page=1', '/blog/news'],
  ['/blog/news/null?page=1&a=b', '/blog/news?a=b'],
  ['/%72ates', '/rates'],
  ['/%52ATES/', '/rates'],
  [plainService.replace('s/', 's%2F'), plainService],
  [studyPage.byId.replace(/\d/, '%3$&'), studyPage.byId],
  ['/Contact/?preset=request', '/contact?preset=request'],
  ['/contact/', '/contact'],
  ['/Broadcast/', '/broadcast'],
  ['/video-broadcast/', '/video-broadcast'],
  ['/healthz/', '/healthz'],
  ['/HEALTHZ', '/healthz'],
  ['/readyz/', '/readyz'],
  ['/Sitemap.xml', '/sitemap.xml'],
  ['/favicon.ICO', '/favicon.ico'],
  ['/rates/_payload.json/', '/rates/_payload.json'],
  ['/builds/latest.json/', '/builds/latest.json'],
])('%s leads for good to %s, in one step', async (spelling, address) => {
  expect(await locationOf(spelling)).toEqual([301, address]);
  expect(await locationOf(spelling, 'HEAD')).toEqual([301, address]);
  expect((await site.request(address)).status).toBe(200);
});

test('a form posted to another spelling keeps its method and its body', async () => {
  expect(await locationOf('/Contact/', 'POST')).toEqual([308, '/contact']);
  expect(await locationOf('//contact', 'POST')).toEqual([308, '/contact']);
  expect(await locationOf('/RATES/', 'PUT')).toEqual([308, '/rates']);
});

test('an address that no page has is refused as it was asked for', async () => {
  for (const path of ['/nowhere/', '/NOWHERE', '//nowhere', '/rates/nowhere/', '/contact/nowhere/'])
    expect(await locationOf(path)).toEqual([404, undefined]);
});

test('never leads to another site', async () => {
  for (const path of [
    '//example.com',
    '//example.com/',
    '//example.com/rates',
    '/\\example.com/',
    '/%2F%2Fexample.com/',
    '//rates//example.com',
  ]) {
    const [status, location] = await locationOf(path);
    expect([path, status, location]).toEqual([path, 404, undefined]);
  }
  for (const path of ['//rates', '/%2Frates', '/%5Crates', '///rates/']) {
    const [, location = '/rates'] = await locationOf(path);
    expect([path, location]).toEqual([path, '/rates']);
  }
});

test('every spelling of every page leads to it in at most one step, its query kept', async () => {
  const blots = fc.array(fc.constantFrom('case', 'slash', 'end', 'encode'), { maxLength: 4 });
  const queries = fc.constantFrom('', '?utm_source=ya', '?a=1&b=%D1%8F', '?q=%2F%2F');
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...site.served.paths), blots, fc.nat(), queries, async (path, how, at, query) => {
      const spelling = how.reduce((text, blot) => spoil(text, blot, at), path) + query;
      const [status, location] = await locationOf(spelling);
      if (spelling === path + query) expect(status).toBe(200);
      else expect([spelling, status, location]).toEqual([spelling, 301, path + query]);
    }),
    { numRuns: 300 },
  );
});

function spoil(path: string, how: string, at: number): string {
  const letters = [...path.matchAll(/(?<!%|%[\dA-F])[a-z](?![a-z]*%)/gi)];
  const letter = letters[at % letters.length];
  switch (how) {
    case 'slash':
      return path.replace('/', '//');
    case 'end':
      return `${path}/`;
    case 'encode':
    case 'case': {
      if (letter === undefined) return path;
      const spelt = how === 'case' ? letter[0].toUpperCase() : `%${letter[0].charCodeAt(0).toString(16).toUpperCase()}`;
      return path.slice(0, letter.index) + spelt + path.slice(letter.index + 1);
    }
    default:
      return path;
  }
}
