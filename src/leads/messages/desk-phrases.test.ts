import { expect, test } from '@jest/globals';
import type { Span } from '../../model/working-hours.ts';
import { textOf } from '../../tests/support/html.ts';
import { keptLead } from '../../tests/support/sample-leads.ts';
import type { EventName, LeadEvent } from '../store/lead-events.ts';
import { todayPhrase } from './desk-phrases.ts';

const shift: Span[] = [['09:00', '20:00']];
const hours = { timeZone: 'Europe/Moscow', callWithin: 10, week: Array(7).fill(shift), holidays: [] };

const at = (time: string) => new Date(`2026-11-20T${time}:00+03:00`).toISOString();
const event = (eventName: EventName, time: string): LeadEvent => ({
  key: '',
  at: at(time),
  by: '',
  eventName,
  text: '',
});
const lead = (received: string, ...events: LeadEvent[]) => keptLead({ receivedAt: at(received), events });

test.each([
  ['Сегодня заявок ещё нет.', []],
  ['Сегодня 1 заявка, ещё ни одну не разобрали, дольше 10 минут - 0.', [lead('11:55')]],
  ['Сегодня 1 заявка, ещё ни одну не разобрали, дольше 10 минут - 1.', [lead('11:49')]],
  [
    'Сегодня 5 заявок, разобрали за 2 мин (медиана), дольше 10 минут - 2.',
    [
      lead('10:00', event('take', '10:02'), event('return', '10:05'), event('take', '11:00')),
      lead('10:00', event('take', '10:03')),
      lead('10:00', event('notOurs', '10:30')),
      // It came before work began.
      lead('07:00', event('take', '09:01')),
      lead('11:00'),
      keptLead({ receivedAt: at('10:00'), state: 'quarantined' }),
    ],
  ],
  [
    'Сегодня 1 заявка, разобрали за 4 мин (медиана), дольше 10 минут - 0.',
    [lead('09:00', event('release', '11:00'), event('take', '11:04'))],
  ],
])('the desk says: %s', (words, leads) => {
  expect(textOf(todayPhrase(leads, hours, new Date(at('12:00'))))).toBe(words);
});
