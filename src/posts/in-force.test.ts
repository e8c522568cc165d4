import { expect, test } from '@jest/globals';
import { shownSite } from '../testing/test-site.ts';
import { forceOf } from './in-force.ts';

test('a change holds from its day to its last one, by the day of the company', async () => {
  const content = (await shownSite()).content;
  // 00:10 in Moscow.
  const force = forceOf({ ...content, at: '2026-11-30T21:10:00Z' });
  expect(force({ since: '2026-12-02' })).toBe('coming');
  expect(force({ since: '2026-12-01' })).toBe('current');
  expect(force({ since: '2025-01-01' })).toBe('current');
  expect(force({ since: '2026-11-01', until: '2026-12-01' })).toBe('current');
  expect(force({ since: '2026-11-01', until: '2026-11-30' })).toBe('past');
});
