import { expect, test } from '@jest/globals';
import type { Span, WorkingHours } from '../../model/working-hours.ts';
import { cameraWords } from './camera-words.ts';

const shift: Span[] = [
  ['09:00', '13:00'],
  ['14:00', '20:00'],
];
const hours: WorkingHours = {
  timeZone: 'Europe/Moscow',
  callWithin: 10,
  week: [shift, shift, shift, shift, shift, [['10:00', '18:00']], []],
  holidays: ['2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04'],
};

test.each([
  ['before the hour', '2026-11-26T07:59', 'Сегодня включим в 8:00'],
  ['late', '2026-11-26T08:00', 'Камера должна была включиться в 8:00. Включим, как только сможем'],
  ['late in the break', '2026-11-26T13:30', 'Камера должна была включиться в 8:00. Включим, как только сможем'],
  ['over for the day', '2026-11-26T20:00', 'На сегодня всё. Включим завтра, 27 ноября, в 8:00'],
  ['on a day off', '2026-11-29T07:00', 'Сегодня выходной. Включим завтра, 30 ноября, в 8:00'],
  ['before holidays', '2026-12-30T21:00', 'На сегодня всё. Включим во вторник, 5 января, в 8:00'],
])('a camera that is off %s, says when it comes on', (_, local, words) => {
  expect(cameraWords(hours, '08:00', new Date(`${local}:00+03:00`)).replaceAll('\u00A0', ' ')).toBe(words);
});
