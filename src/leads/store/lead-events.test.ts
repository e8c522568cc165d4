import { expect, test } from '@jest/globals';
import type { Span } from '../../model/working-hours.ts';
import { type EventName, leadEvents, reminderAfter } from './lead-events.ts';

const week = (...shifts: Span[]) => [...Array(5).fill(shifts), [], []];
const hours = { timeZone: 'Europe/Moscow', callWithin: 10, week: week(['09:00', '20:00']), holidays: [] };
const broken = { ...hours, week: week(['09:00', '13:00'], ['14:00', '20:00']) };
const at = (time: string, day = 20) => new Date(`2026-11-${day}T${time}+03:00`);

test.each<[string, EventName, string, Date | null, typeof hours?]>([
  ['a released lead waits three minutes, while its call is due today', 'release', '19:49:59', at('19:52:59')],
  ['a released lead whose call is due on Monday waits until then', 'release', '19:50:00', at('09:03:00', 23)],
  ['a taken lead should have its outcome in an hour of work', 'take', '19:30:00', at('09:30:00', 23)],
  ['a break is no work', 'take', '12:30:00', at('14:30:00'), broken],
  ['a note waits for the next morning', 'note', '12:00:00', at('09:00:00', 23)],
  ['a note does not wait for the end of a break only', 'note', '11:00:00', at('09:00:00', 23), broken],
  ['a returned lead is due at once', 'return', '12:00:00', at('12:00:00')],
  ['a lead returned after work is due in the morning', 'return', '20:00:00', at('09:00:00', 23)],
  ['a call in the break is due when it ends', 'missed', '13:20:00', at('14:00:00'), broken],
  ['a talk ends the lead', 'talked', '12:00:00', null],
  ['a lead that is not ours ends', 'notOurs', '12:00:00', null],
])('the next reminder: %s', (_, eventName, time, expected, during = hours) => {
  expect(reminderAfter(eventName, during, at(time))).toBe(expected?.toISOString() ?? null);
});

test('no reminder is later than 15 days, however long the company is closed', () => {
  const closed = { ...hours, week: [] };
  for (const [eventName, { reminds }] of Object.entries(leadEvents) as [EventName, { reminds?: unknown }][]) {
    const latest = reminds ? '2026-12-05T09:00:00.000Z' : null;
    expect([eventName, reminderAfter(eventName, closed, at('12:00:00'))]).toEqual([eventName, latest]);
  }
});
