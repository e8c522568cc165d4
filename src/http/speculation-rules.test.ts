import { expect, test } from '@jest/globals';
import { speculationRulesPath } from '../document/document.tsx';
import { onDemand } from '../testing/pages.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();

test('every page says where the rules are', async () => {
  for (const path of [...site.served.paths, onDemand, '/contact?preset=request', '/no-such-page']) {
    const { headers } = await site.request(path);
    expect([path, headers['speculation-rules']]).toEqual([path, `"${speculationRulesPath}"`]);
  }
});

test('the rules only fetch, and only once a visitor hesitates over a link', async () => {
  const { status, headers, text } = await site.request(speculationRulesPath);
  const json = JSON.parse(text);
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/speculationrules\+json(;|$)/);
  expect(Object.keys(json)).toEqual(['prefetch']);
  expect(json.prefetch).toMatchObject([{ eagerness: 'moderate' }]);
});

test('nothing but reading is allowed', async () => {
  expect((await site.request(speculationRulesPath, { method: 'POST' })).status).toBe(405);
});
