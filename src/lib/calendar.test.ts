import { expect, test } from '@jest/globals';
import { daysAfter, localTime } from './calendar.ts';

// Tests run in Pacific/Kiritimati (UTC+14).
test.each([
  ['2026-11-20T20:59:00Z', 'Europe/Moscow', '2026-11-20', 23 * 60 + 59],
  ['2026-11-20T21:00:00Z', 'Europe/Moscow', '2026-11-21', 0],
  ['2026-11-20T21:00:00Z', 'UTC', '2026-11-20', 21 * 60],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29', 3 * 60],
])('returns the local time at %s in %s', (at, timeZone, date, minutes) => {
  expect(localTime(new Date(at), timeZone)).toEqual({ date, minutes });
});

test.each([
  ['2026-11-30', 1, '2026-12-01'],
  ['2026-01-01', -1, '2025-12-31'],
  ['2028-02-28', 1, '2028-02-29'],
  ['2026-03-28', 2, '2026-03-30'],
])('counts from %s by %i days', (date, days, expected) => {
  expect(daysAfter(date, days)).toBe(expected);
});
