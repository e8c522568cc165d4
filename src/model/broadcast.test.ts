import { expect, test } from '@jest/globals';
import { broadcastUrl, laterToday } from './broadcast.ts';

test.each([
  ['https://vkvideo.ru/video-1_2', 'https://vkvideo.ru/video_ext.php?oid=-1&id=2'],
  ['javascript:alert(1)', undefined],
])('the address %j becomes the video %j', (address, url) => {
  expect(broadcastUrl(address)).toBe(url);
});

test.each([
  ['12:01', '2026-11-20T09:01:00.000Z'],
  ...['12:00', '24:00', '6'].map((time) => [time, undefined] as const),
])('the end time %s, given at noon in Moscow, is %s', (time, end) => {
  expect(laterToday(time, new Date('2026-11-20T09:00:30Z'), 'Europe/Moscow')).toBe(end);
});
