import { expect, test } from '@jest/globals';
import { startOfDay, startOfDayRfc822 } from './calendar.ts';

test('a day starts at midnight of its own time zone', () => {
  expect(startOfDay('2026-11-20', 'Europe/Moscow')).toBe('2026-11-20T00:00:00+03:00');
  expect(startOfDay('2026-11-20', 'UTC')).toBe('2026-11-20T00:00:00+00:00');
  expect(startOfDay('2026-11-20', 'America/New_York')).toBe('2026-11-20T00:00:00-05:00');
});

test('RSS names the day of the week and the month in English', () => {
  expect(startOfDayRfc822('2026-11-20', 'Europe/Moscow')).toBe('Fri, 20 Nov 2026 00:00:00 +0300');
  expect(startOfDayRfc822('2026-01-01', 'UTC')).toBe('Thu, 01 Jan 2026 00:00:00 +0000');
});
