import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import type { Span } from '../../model/working-hours.ts';
import { act, keptLead, newLead, type plan } from '../../tests/support/sample-leads.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import type { Due } from '../store/deliveries.ts';
import type { NewEvent } from '../store/leads.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { orderChannels, planFor, reminderOf, scheduleFor, startEscalation } from './escalation.ts';

const shift: Span[] = [['09:00', '20:00']];
const hours = {
  timeZone: 'Europe/Moscow',
  text: '',
  callWithin: 10,
  week: [shift, shift, shift, shift, shift, [], []],
  holidays: ['2026-11-19'],
};

const friday = (time: string) => new Date(`2026-11-20T${time}+03:00`);
const mondayMorning = '2026-11-23T06:00:00.000Z';

const chat = orderChannels(['chat'], []);
const both = orderChannels(['chat', 'boss'], []);

test('all channels are notified and reminded in turn, unless some are reserved for reminders', () => {
  expect(orderChannels(['mail', 'chat'], [])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['mail', 'chat'] });
  expect(orderChannels(['mail', 'chat', 'boss'], ['boss'])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['boss'] });
});

test.each([
  ['when the promised call is still due today', ['chat'], '19:49:59', '2026-11-20T16:52:59.000Z'],
  ['when the call is promised for Monday', ['chat'], '19:50:00', '2026-11-23T06:03:00.000Z'],
  ['also without channels, because one may be configured later', [], '12:00:00', '2026-11-20T09:03:00.000Z'],
])('the first reminder of a new lead is due three minutes after the wait begins: %s', (_, names, time, remindAt) => {
  const at = friday(time);
  const expected = { quarantined: false, channels: names, notifyAt: at.toISOString(), remindAt };
  expect(planFor(at, false, orderChannels(names, []), hours)).toEqual(expected);
});

describe('what follows from an event', () => {
  test.each<[string, NewEvent['kind'], string, string | undefined, string | null]>([
    [
      'a taken lead should have its outcome in an hour of work',
      'take',
      '19:30:00',
      undefined,
      '2026-11-23T06:30:00.000Z',
    ],
    ['a taken lead with a note is in the next summary', 'note', '12:00:00', undefined, mondayMorning],
    ['a released lead has its first reminder soon', 'release', '12:00:00', undefined, '2026-11-20T09:03:00.000Z'],
    ['a returned lead is due at once', 'return', '12:00:00', undefined, '2026-11-20T09:00:00.000Z'],
    ['a lead returned after work is due in the morning', 'return', '20:00:00', undefined, mondayMorning],
    ['a missed call is repeated at the chosen time', 'missed', '12:00:00', '12:15:00', '2026-11-20T09:15:00.000Z'],
    ['a missed call is repeated in working hours', 'missed', '19:55:00', '20:10:00', mondayMorning],
    ['a talk ends the lead', 'talked', '12:00:00', undefined, null],
    ['a lead that is not ours ends', 'notOurs', '12:00:00', undefined, null],
  ])('%s', (_, kind, time, callAt, remindAt) => {
    const schedule = scheduleFor({ kind }, friday(time), both, hours, callAt ? friday(callAt) : undefined);
    expect(schedule.remindAt).toBe(remindAt);
    if (kind === 'return' || kind === 'missed') expect(schedule.dueAt).toBe(remindAt);
    expect(schedule.channels).toEqual(kind === 'release' ? ['chat', 'boss'] : undefined);
  });

  test('is never later than 15 days after the chosen time, however long the company is closed', () => {
    const closed = { ...hours, callWithin: 10, week: Array(7).fill([]) };
    for (const kind of ['take', 'note', 'return', 'release'] as const) {
      expect(scheduleFor({ kind }, friday('12:00:00'), both, closed).remindAt).toBe('2026-12-05T09:00:00.000Z');
    }
  });
});

describe('over a break', () => {
  const broken = {
    ...hours,
    week: Array<Span[]>(7).fill([
      ['09:00', '13:00'],
      ['14:00', '20:00'],
    ]),
  };
  const saturdayMorning = '2026-11-21T06:00:00.000Z';

  test.each<[string, NewEvent['kind'], string, string | undefined, string]>([
    ['a taken lead has an hour of work', 'take', '12:30:00', undefined, '2026-11-20T11:30:00.000Z'],
    ['a note waits for the next morning, not for the end of the break', 'note', '11:00:00', undefined, saturdayMorning],
    ['a call in the break is due when it ends', 'missed', '12:50:00', '13:20:00', '2026-11-20T11:00:00.000Z'],
  ])('%s', (_, kind, time, callAt, remindAt) => {
    expect(scheduleFor({ kind }, friday(time), both, broken, callAt ? friday(callAt) : undefined).remindAt).toBe(
      remindAt,
    );
  });

  test.each([
    ['12:30:00', friday('14:30:00').toISOString()],
    ['18:59:59', friday('19:59:59').toISOString()],
    ['19:00:00', saturdayMorning],
  ])('hourly reminders go on, and stop in the evening: after one at %s', (time, next) => {
    const lead = keptLead({ state: 'waiting', since: '2026-11-19T09:00:00.000Z' });
    const due = { lead, remindAt: friday('14:00:00').toISOString(), reminders: 3 };
    const reminder = reminderOf(due, { channelOrder: both, joining: ['chat'] }, broken, friday(time));
    // The end of a break is no morning, so it has no summary.
    expect([reminder.reason, reminder.next]).toEqual(['reminder', next]);
  });
});

describe('a reminder that is due', () => {
  const due = (about: Partial<Due> & { state?: 'waiting' | 'taken'; since?: string } = {}): Due => {
    const { state = 'waiting', since = '2026-11-19T09:00:00.000Z', ...rest } = about;
    return { lead: keptLead({ state, since }), remindAt: friday('12:00:00').toISOString(), reminders: 0, ...rest };
  };
  const at = (time: string, about: Parameters<typeof due>[0] = {}, channelOrder = both, joining = ['chat']) =>
    reminderOf(due(about), { channelOrder, joining }, hours, friday(time));

  test('goes to one channel after another, each of the first three minutes apart', () => {
    expect(at('12:00:00')).toEqual({ reason: 'reminder', channels: ['chat'], next: friday('12:03:00').toISOString() });
    const three = orderChannels(['chat', 'boss', 'owner'], []);
    expect(at('12:00:00', { reminders: 1 }, three)).toMatchObject({
      channels: ['boss'],
      next: friday('12:03:00').toISOString(),
    });
  });

  test('is repeated every hour, and from the evening on in the morning', () => {
    expect(at('12:00:00', { reminders: 1 })).toMatchObject({
      channels: ['boss'],
      next: friday('13:00:00').toISOString(),
    });
    expect(at('18:59:59', { reminders: 3 })).toMatchObject({
      channels: ['boss'],
      next: friday('19:59:59').toISOString(),
    });
    expect(at('19:00:00', { reminders: 3 })).toMatchObject({ next: mondayMorning });
  });

  test('goes to the only channel once before the hourly ones', () => {
    expect(at('12:00:00', {}, chat)).toMatchObject({ channels: ['chat'], next: friday('13:00:00').toISOString() });
  });

  test('at the opening is a summary for the channels that join leads, or else a usual one', () => {
    const remindAt = friday('09:00:00').toISOString();
    const summary = { reason: 'summary', channels: ['chat'], next: friday('10:00:01').toISOString() };
    expect(at('09:00:01', { remindAt, reminders: 4 })).toEqual(summary);
    expect(at('11:00:00', { remindAt, reminders: 4 })).toMatchObject({ reason: 'summary' });
    expect(at('09:00:01', { remindAt, reminders: 4 }, both, [])).toMatchObject({
      reason: 'reminder',
      channels: ['chat'],
    });
  });

  test('tells all first channels that a lead is due again', () => {
    const since = friday('12:00:00').toISOString();
    expect(at('12:00:00', { since })).toEqual({
      reason: 'due',
      channels: ['chat', 'boss'],
      next: friday('12:03:00').toISOString(),
    });
    expect(
      at('09:00:00', { since: friday('09:00:00').toISOString(), remindAt: friday('09:00:00').toISOString() }),
    ).toMatchObject({
      reason: 'due',
    });
  });

  test('comes once for a taken lead, and then with each morning', () => {
    expect(at('12:00:00', { state: 'taken' })).toEqual({ reason: 'reminder', channels: ['chat'], next: mondayMorning });
    const remindAt = friday('09:00:00').toISOString();
    expect(at('09:00:00', { state: 'taken', remindAt, reminders: 1 })).toEqual({
      ...{ reason: 'summary', channels: ['chat'], next: mondayMorning },
    });
  });

  test('without channels is postponed', () => {
    const nowhere = orderChannels([], []);
    expect(at('12:00:00', {}, nowhere, [])).toMatchObject({ channels: [], next: friday('13:00:00').toISOString() });
  });
});

describe('the escalation', () => {
  let store: Store;
  let wakes = 0;
  let week = hours.week;
  const begun = friday('12:00:00').getTime();

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
      channelOrder: both,
      joining: ['chat'],
      hours: () => ({ ...hours, week }),
      logger: pino({ level: 'silent' }),
      wake: () => {
        wakes += 1;
      },
    });

  const add = async (about: Partial<typeof plan> = {}, key = 'key') =>
    (await store.leads.add(newLead({ key }), { ...planFor(new Date(), false, both, hours), channels: [], ...about }))
      .number;
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
    await act(store.leads, number, 'take', scheduleFor({ kind: 'take' }, new Date(), both, hours));
    await deliver();
    expect(await run(50)).toEqual([]);
  });

  test('reminds staff of a taken lead without an outcome after an hour, and with each morning', async () => {
    const number = await add();
    await act(store.leads, number, 'take', scheduleFor({ kind: 'take' }, new Date(), both, hours));
    await run(65);
    expect(await listNotified(number)).toEqual(['reminder chat']);
    jest.setSystemTime(new Date(mondayMorning));
    await run(5);
    expect(await listNotified(number)).toEqual(['reminder chat', 'summary chat']);
  });

  test('sends nothing after closing time, and in the morning one summary', async () => {
    jest.setSystemTime(friday('19:40:00'));
    const number = await add();
    await run(60);
    expect(await listNotified(number)).toEqual(['reminder chat', 'reminder boss']);
    jest.setSystemTime(new Date(mondayMorning));
    await run(59);
    expect(await listNotified(number)).toEqual(['reminder chat', 'reminder boss', 'summary chat']);
  });

  test('sends a reminder that was missed during an outage when the company opens next', async () => {
    const number = await add();
    jest.setSystemTime(friday('23:00:00'));
    await run(5);
    expect(await listNotified(number)).toEqual([]);
    jest.setSystemTime(new Date(mondayMorning));
    await run(1);
    expect(await listNotified(number)).toEqual(['reminder chat']);
  });

  test('finds a lead whose reminder was set by a clock that was years ahead', async () => {
    const number = await add({ remindAt: '2036-01-01T00:00:00.000Z' });
    await run(1);
    expect(await listNotified(number)).toEqual(['reminder chat']);
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
    expect([await listNotified(number), await listNotified(later)]).toEqual([['digest chat'], []]);
    jest.setSystemTime(friday('23:00:00').getTime() + 24 * hourMs);
    await run(1);
    expect(await listNotified(later)).toEqual([]);
    jest.setSystemTime(new Date(mondayMorning));
    await run(1);
    expect(await listNotified(later)).toEqual(['digest chat']);
  });
});
