import { expect, test } from '@jest/globals';
import { daysAfter, daysFrom, localTime, minutesOf, timeOf, weekdayOf, weekdays } from './calendar.ts';

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

test('lists the days of a period, including its first and last day', () => {
  expect(daysFrom('2026-12-31', '2027-01-02')).toEqual(['2026-12-31', '2027-01-01', '2027-01-02']);
  expect(daysFrom('2026-12-31', '2026-12-31')).toEqual(['2026-12-31']);
  expect(daysFrom('2026-12-31', '2026-12-30')).toEqual([]);
});

test('returns the weekday of a date', () => {
  const week = daysFrom('2026-11-23', '2026-11-29');
  expect(week.map((date) => weekdays[weekdayOf(date)])).toEqual([...weekdays]);
});

test('parses and formats the minutes of a day', () => {
  expect(['00:00', '09:30', '23:59'].map(minutesOf)).toEqual([0, 570, 1_439]);
  expect([0, 545, 570, 1_439].map(timeOf)).toEqual(['0:00', '9:05', '9:30', '23:59']);
});
