import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import type { Span } from '../../model/working-hours.ts';
import { act, arrival, newLead } from '../../tests/support/sample-leads.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import type { OverdueLead } from '../store/deliveries.ts';
import { reminderAfter } from '../store/lead-events.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { type ChannelOrder, orderChannels, reminderOf, startEscalation } from './escalation.ts';

const shifts: Span[] = [
  ['09:00', '13:00'],
  ['14:00', '20:00'],
];
const hours = {
  timeZone: 'Europe/Moscow',
  text: '',
  callWithin: 10,
  week: [shifts, shifts, shifts, shifts, shifts, [], []],
  holidays: ['2026-11-19'],
};

const friday = (time: string) => new Date(`2026-11-20T${time}+03:00`);
const monday = new Date('2026-11-23T09:00:00+03:00');

const chat = { name: 'chat', joins: true } as const;
const both = orderChannels([chat, { name: 'boss' }], []);

test('all channels are notified and reminded in turn, unless some are reserved for reminders', () => {
  expect(both).toEqual({ atOnce: ['chat', 'boss'], joining: ['chat'], inTurn: ['chat', 'boss'] });
  const later = orderChannels([{ name: 'mail' }, { ...chat, name: 'boss' }, chat], ['boss']);
  expect(later).toEqual({ atOnce: ['mail', 'chat'], joining: ['chat'], inTurn: ['boss'] });
});

describe('a reminder', () => {
  type Case = Partial<OverdueLead> & { order?: ChannelOrder };

  const only = orderChannels([chat], []);
  const three = orderChannels([chat, { name: 'boss' }, { name: 'owner' }], []);
  const alone = orderChannels([{ name: 'crm' }], []);
  const opening = { remindAt: friday('09:00:00').toISOString() };
  const dueAt = (time: string) => ({ remindAt: friday(time).toISOString(), since: friday(time).toISOString() });

  test.each<[string, time: string, Case, message: string, next: Date]>([
    ['is soon followed by the next channel', '11:00:00', {}, 'reminder chat', friday('11:03:00')],
    ['takes turns', '11:00:00', { reminders: 1, order: three }, 'reminder boss', friday('11:03:00')],
    ['comes every hour after that', '11:00:00', { reminders: 1 }, 'reminder boss', friday('12:00:00')],
    ['comes every hour to the only channel', '11:00:00', { order: only }, 'reminder chat', friday('12:00:00')],
    ['waits for the end of a break', '12:30:00', { reminders: 4 }, 'reminder chat', friday('14:30:00')],
    ['comes in the last hour', '18:59:59', { reminders: 4 }, 'reminder chat', friday('19:59:59')],
    ['waits for the morning', '19:00:00', { reminders: 4 }, 'reminder chat', monday],
    ['is a digest in the morning', '09:00:01', { ...opening, reminders: 4 }, 'morningDigest chat', friday('10:00:01')],
    [
      'is no digest where none joins leads',
      '09:00:01',
      { ...opening, order: alone },
      'reminder crm',
      friday('10:00:01'),
    ],
    ['notifies all when a call is due', '12:00:00', dueAt('12:00:00'), 'due chat,boss', friday('12:03:00')],
    ['comes once for a taken lead', '12:00:00', { state: 'taken' }, 'reminder chat', monday],
    [
      'is a digest of taken leads',
      '09:00:00',
      { ...opening, state: 'taken', reminders: 1 },
      'morningDigest chat',
      monday,
    ],
    ['is postponed without channels', '11:00:00', { order: orderChannels([], []) }, 'reminder ', friday('12:00:00')],
  ])('%s', (_, time, { order = both, ...about }, message, next) => {
    const lead = { number: 1, state: 'waiting', since: friday('08:00:00').toISOString(), reminders: 0 } as const;
    const overdue = { ...lead, remindAt: friday('10:59:00').toISOString(), ...about };
    const reminder = reminderOf(overdue, order, hours, friday(time));
    expect(reminder).toMatchObject({ next: next.toISOString() });
    expect(`${reminder.reason} ${reminder.channels}`).toBe(message);
  });
});

describe('the escalation', () => {
  let store: Store;
  let wakes = 0;
  let week = hours.week;
  const begun = friday('10:00:00').getTime();

  beforeEach(async () => {
    jest.useFakeTimers({ now: begun, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    wakes = 0;
    week = hours.week;
    store = await openStore({ dataDir: temporaryFolder(), databaseUrl: undefined });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await store.close();
  });

  const startOne = () =>
    startEscalation({
      deliveries: store.deliveries,
      order: both,
      hours: () => ({ ...hours, week }),
      logger: pino({ level: 'silent' }),
      wake: () => {
        wakes += 1;
      },
    });

  const add = async (about: Partial<typeof arrival> = {}, key = 'key') => {
    const remindAt = reminderAfter('release', hours, new Date());
    return (await store.leads.add(newLead({ key }), { ...arrival, remindAt, ...about })).number;
  };
  const listNotified = async (number: number) =>
    (await store.deliveries.of(number)).map(({ channel, reason }) => `${reason} ${channel}`);
  const deliver = () => store.sql.query('UPDATE delivery SET delivered_at = due_at WHERE delivered_at IS NULL');

  /** Runs the escalation for some time. @returns the minutes after the start in which it woke the outbox */
  async function run(minutes: number, processes = 1): Promise<number[]> {
    const running = Array.from({ length: processes }, startOne);
    const woken: number[] = [];
    for (let minute = 0; minute < minutes; minute += 1) {
      const before = wakes;
      await jest.advanceTimersByTimeAsync(minuteMs);
      if (wakes > before) woken.push(minute);
    }
    for (const escalation of running) await escalation.stop();
    return woken;
  }

  test('reminds staff of a lead until they take it, once for each time even when two processes run', async () => {
    const number = await add();
    expect(await run(130, 2)).toEqual([2, 5, 65, 125]);
    expect(await listNotified(number)).toEqual(['reminder chat', 'reminder boss', 'reminder chat', 'reminder boss']);
    await act(store.leads, number, 'take');
    await deliver();
    expect(await run(50)).toEqual([]);
  });

  test('sends nothing after closing time, and in the morning one digest', async () => {
    jest.setSystemTime(friday('19:40:00'));
    const number = await add();
    await run(60);
    expect(await listNotified(number)).toEqual(['reminder chat', 'reminder boss']);
    jest.setSystemTime(monday);
    await run(59);
    expect(await listNotified(number)).toEqual(['reminder chat', 'reminder boss', 'morningDigest chat']);
  });

  test('sends a reminder that was missed during an outage when the company opens next', async () => {
    const number = await add();
    jest.setSystemTime(friday('23:00:00'));
    await run(5);
    expect(await listNotified(number)).toEqual([]);
    jest.setSystemTime(monday);
    await run(1);
    expect(await listNotified(number)).toEqual(['reminder chat']);
  });

  test('reminds staff of the other leads when one fails', async () => {
    const numbers = [await add({}, 'one'), await add({}, 'another')];
    const { remind } = store.deliveries;
    jest.spyOn(store.deliveries, 'remind').mockImplementation(async (lead, reminder) => {
      if (lead.number === numbers[0]) throw new TypeError('a lead that cannot be read');
      return remind(lead, reminder);
    });
    await run(4);
    expect(await Promise.all(numbers.map(listNotified))).toEqual([[], ['reminder chat']]);
  });

  test('follows the working hours that are published while it runs', async () => {
    const number = await add();
    week = hours.week.map(() => []);
    await run(10);
    expect(await listNotified(number)).toEqual([]);
    week = hours.week;
    await run(1);
    expect(await listNotified(number)).toEqual(['reminder chat']);
  });

  test('sends one digest a working day about the leads that are in quarantine at that time', async () => {
    const number = await add({ quarantined: true });
    await run(1);
    const later = await add({ quarantined: true }, 'later-that-day');
    await run(10);
    expect([await listNotified(number), await listNotified(later)]).toEqual([['quarantineDigest chat'], []]);
    jest.setSystemTime(friday('23:00:00').getTime() + 24 * hourMs);
    await run(1);
    expect(await listNotified(later)).toEqual([]);
    jest.setSystemTime(monday);
    await run(1);
    expect(await listNotified(later)).toEqual(['quarantineDigest chat']);
  });
});
