import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestSite, type TestSite } from './testing/test-site.ts';

let site: TestSite;
beforeAll(async () => {
  site = await startTestSite();
});
afterAll(() => site.close());

test('the home page is a whole document', async () => {
  const { status, text } = await site.request('/');
  expect(status).toBe(200);
  expect(text).toMatch(/^<!doctype html>/);
  expect(text.match(/<h1/g)).toHaveLength(1);
});
