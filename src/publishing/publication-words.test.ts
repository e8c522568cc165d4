import { expect, test } from '@jest/globals';
import { formatRecentMoment, formatSince } from './publication-words.ts';

const zone = 'Europe/Moscow';

// It is 23:30 on 20 November in Moscow.
const now = new Date('2026-11-20T20:30:00Z');

test.each([
  ['2026-11-20T20:05:00Z', 'сегодня в 23:05', 'с 23:05'],
  ['2026-11-19T21:00:00Z', 'сегодня в 0:00', 'с 0:00'],
  ['2026-11-19T20:59:00Z', '19 ноября 2026 г. в 23:59', 'с 23:59 19 ноября 2026 г.'],
  ['2026-11-20T21:00:00Z', '21 ноября 2026 г. в 0:00', 'с 0:00 21 ноября 2026 г.'],
  ['2025-11-20T20:05:00Z', '20 ноября 2025 г. в 23:05', 'с 23:05 20 ноября 2025 г.'],
])('the moment %s is %s, and a time from then is %s', (instant, moment, since) => {
  expect([formatRecentMoment(instant, now, zone), formatSince(instant, now, zone)]).toEqual([moment, since]);
});
