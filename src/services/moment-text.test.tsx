import { expect, test } from '@jest/globals';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseHtml, textOf } from '../testing/html.ts';
import { MomentText, ShortMomentText } from './moment-text.tsx';

// 2026-11-23 is a Monday.
const moment = { date: '2026-11-23', time: '07:00', at: '2026-11-23T04:00:00.000Z' };

test.each([
  ['2026-11-23', 'сегодня, пн 23 ноября, 7:00', 'пн 23, 7:00'],
  ['2026-11-22', 'завтра, пн 23 ноября, 7:00', 'пн 23, 7:00'],
  ['2026-11-17', 'пн 23 ноября, 7:00', 'пн 23, 7:00'],
  ['2026-11-16', 'пн 23 ноября, 7:00', 'пн 23 ноября, 7:00'],
])('read on %s, a moment is %s, or %s', (today, long, short) => {
  const told = (element: ReactElement) => textOf(parseHtml(renderToStaticMarkup(element))).replaceAll('\u00A0', ' ');
  expect(told(<MomentText moment={moment} today={today} />)).toBe(long);
  expect(told(<ShortMomentText moment={moment} after={today} />)).toBe(short);
});
