import { expect, test } from '@jest/globals';
import { speculationRulesPath } from '../document/document.tsx';
import { onDemand } from '../testing/pages.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();

const rules = async (headers: Record<string, string> = {}) => {
  const answer = await site.request(speculationRulesPath, { headers });
  return { ...answer, json: JSON.parse(answer.text) };
};

test('every page says where the rules are, and asks what network it is read on', async () => {
  for (const path of [...site.served.paths, onDemand, '/contact?preset=request', '/no-such-page']) {
    const { headers } = await site.request(path);
    expect([path, headers['speculation-rules'], headers['accept-ch']]).toEqual([
      path,
      `"${speculationRulesPath}"`,
      'ECT',
    ]);
  }
});

test('the rules only fetch, and only once a visitor hesitates over a link', async () => {
  const { status, headers, json } = await rules();
  expect(status).toBe(200);
  expect(headers['content-type']).toMatch(/^application\/speculationrules\+json(;|$)/);
  expect(Object.keys(json)).toEqual(['prefetch']);
  expect(json.prefetch).toMatchObject([{ eagerness: 'moderate' }]);
});

test.each<Record<string, string>>([{ 'save-data': 'on' }, { ect: '2g' }, { ect: 'slow-2g' }])(
  'there are none for a visitor with %j',
  async (headers) => {
    expect((await rules(headers)).json).toEqual({});
  },
);

test.each<Record<string, string>>([{ 'save-data': 'off' }, { ect: '3g' }, { ect: '4g' }])(
  'they are there with %j',
  async (headers) => {
    expect((await rules(headers)).json).toHaveProperty('prefetch');
  },
);

test('caches keep the answers apart', async () => {
  const { headers } = await rules();
  expect(String(headers.vary).toLowerCase()).toMatch(/save-data/);
  expect(String(headers.vary).toLowerCase()).toMatch(/ect/);
});

test('nothing but reading is allowed', async () => {
  expect((await site.request(speculationRulesPath, { method: 'POST' })).status).toBe(405);
});
