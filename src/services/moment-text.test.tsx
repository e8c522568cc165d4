import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { parseHtml, textOf } from '../testing/html.ts';
import { MomentText } from './moment-text.tsx';

// 2026-11-23 is a Monday.
const moment = { date: '2026-11-23', time: '07:00', at: '2026-11-23T04:00:00.000Z' };

test.each([
  ['2026-11-23', 'пн 23, 7:00'],
  ['2026-11-17', 'пн 23, 7:00'],
  ['2026-11-16', 'пн 23 ноября, 7:00'],
])('read on %s, a moment is %s', (after, text) => {
  const html = renderToStaticMarkup(<MomentText moment={moment} after={after} />);
  expect(textOf(parseHtml(html)).replaceAll('\u00A0', ' ')).toBe(text);
});
