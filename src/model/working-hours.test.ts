import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localTime, minutesOf } from '../lib/calendar.ts';
import type { Company } from './content.ts';
import {
  afterWorkingMinutes,
  callDue,
  callPromise,
  callsFrom,
  hoursInWords,
  instant,
  isOpen,
  isWorkdayStart,
  nextOpening,
  type Span,
  spansOn,
  workdayAfter,
  workingFrom,
  workingMs,
} from './working-hours.ts';

type Hours = Company['workingHours'];

const shift = (...spans: Span[]) => spans;
const weekdays = shift(['09:00', '20:00']);
const hours: Hours = {
  timeZone: 'Europe/Moscow',
  text: 'Пн–пт 9:00–20:00, сб 10:00–18:00',
  callWithin: 10,
  week: [weekdays, weekdays, weekdays, weekdays, weekdays, shift(['10:00', '18:00']), []],
  holidays: ['2026-12-31', '2027-01-01', '2027-01-02', '2027-01-04'],
};

const half = shift(['09:00', '13:00'], ['14:00', '18:00']);
const three = shift(['08:00', '10:00'], ['11:00', '13:00'], ['14:00', '18:00']);
const withBreak: Hours = { ...hours, week: [half, half, half, half, half, shift(['10:00', '18:00']), []] };

const moscow = (local: string, minutesLater = 0) => new Date(Date.parse(`${local}+03:00`) + minutesLater * 60_000);

const later = (from: string, minutes: number, of = hours) =>
  afterWorkingMinutes(of, new Date(from), minutes)?.toISOString();

test.each([
  ['Пн–пт 9:00–20:00, сб 10:00–18:00, вс - выходной', hours.week],
  ['Пн 9:00–20:00, вт - выходной, ср–вс 9:00–20:00', Array(7).fill(weekdays).with(1, [])],
  ['Ежедневно 8:00–10:00, 11:00–13:00 и 14:00–18:00', Array(7).fill(three)],
])('the week is described in words: %s', (words, week) => {
  expect(hoursInWords(week)).toBe(words);
});

describe('work resumes', () => {
  test.each([
    ['later on the same day, before the shift', '2026-11-20T08:59:59', '2026-11-20', '09:00'],
    ['on Monday, after Saturday ends', '2026-11-21T18:00', '2026-11-23', '09:00'],
    ['after holidays with a Sunday between them', '2026-12-30T20:00', '2027-01-05', '09:00'],
  ])('%s', (_, local, date, from) => {
    expect(nextOpening(hours, moscow(local))).toEqual({ open: false, date, from });
  });
});

test('the day depends on the time zone of the company, not on that of the server', () => {
  // It is Saturday, 10:00 in Vladivostok and 3:00 in Moscow.
  const at = new Date('2026-11-21T00:00:00Z');
  expect(nextOpening({ ...hours, timeZone: 'Asia/Vladivostok' }, at)).toEqual({ open: true });
  expect(nextOpening(hours, at)).toEqual({ open: false, date: '2026-11-21', from: '10:00' });
});

test.each([
  ['in winter', '2026-01-15', '02:30', 'Europe/Berlin', '2026-01-15T01:30:00.000Z'],
  ['that a clock change skips is an hour later', '2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  // West of Greenwich, the first guess is on the other side of the change.
  [
    'that a clock change skips west of Greenwich is also an hour later',
    '2026-03-08',
    '02:30',
    'America/New_York',
    '2026-03-08T07:30:00.000Z',
  ],
  ['after a skipped hour', '2026-03-29', '03:00', 'Europe/Berlin', '2026-03-29T01:00:00.000Z'],
  ['that occurs twice is the second of the two', '2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
])('a local time %s', (_, date, time, timeZone, at) => {
  expect(new Date(instant(date, time, timeZone)).toISOString()).toBe(at);
});

describe('the promise of a call', () => {
  // The shift ends at 20:00.
  test.each([
    [
      'is within ten minutes while the shift lasts long enough',
      '2026-11-20T19:49:59',
      'Позвоним в течение 10 минут',
      '2026-11-20T19:49:59',
    ],
    [
      'is for the next shift once the current one is too short',
      '2026-11-20T19:50',
      'Рабочий день заканчивается, позвоним завтра, 21 ноября, с 10:00',
      '2026-11-21T10:00',
    ],
    [
      'is for the same day before work',
      '2026-11-20T08:59:59',
      'Сейчас закрыто, позвоним сегодня, 20 ноября, с 9:00',
      '2026-11-20T09:00',
    ],
    [
      'is for the next working day during holidays',
      '2026-12-30T20:00',
      'Сейчас закрыто, позвоним во вторник, 5 января, с 9:00',
      '2027-01-05T09:00',
    ],
  ])('%s', (_, local, promise, from) => {
    expect(callPromise(hours, moscow(local))).toBe(promise);
    expect(callsFrom(hours, moscow(local))).toEqual(moscow(from));
  });

  test('leaves at least ten working minutes on the day that it names, at any instant', () => {
    const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(instants, (at) => {
        const from = callsFrom(hours, at) as Date;
        expect(from.getTime()).toBeGreaterThanOrEqual(at.getTime());
        expect(afterWorkingMinutes(hours, from, 10)).toEqual(new Date(from.getTime() + 600_000));
      }),
    );
  });

  test.each([
    ['2026-11-20T19:49:59', '2026-11-20T19:59:59'],
    ['2026-11-20T19:50', '2026-11-21T10:10'],
    ['2026-11-21T18:00', '2026-11-23T09:10'],
  ])('of a request at %s is due ten minutes into working time, at %s', (local, due) => {
    expect(callDue(hours, moscow(local))).toEqual(moscow(due));
  });

  test('has no hour when the company never works', () => {
    const never = { ...hours, callWithin: 10, week: Array(7).fill([]) };
    expect(nextOpening(never, moscow('2026-11-20T12:00'))).toBeUndefined();
    expect(callPromise(never, moscow('2026-11-20T12:00'))).toBe('Сейчас закрыто, позвоним в первый рабочий день');
    expect(callsFrom(never, moscow('2026-11-20T12:00'))).toBeUndefined();
    expect(callDue(never, moscow('2026-11-20T12:00'))).toBeUndefined();
    expect(later('2026-11-20T09:00:00Z', 3, never)).toBeUndefined();
  });
});

test('the company is open from the first minute to the last, and its opening is one instant', () => {
  const [before, first, later] = ['08:59:59.999', '09:00', '09:00:00.001'].map((time) =>
    moscow(`2026-11-20T${time}`),
  ) as [Date, Date, Date];
  expect([before, first, later].map((at) => isOpen(hours, at))).toEqual([false, true, true]);
  expect([before, first, later].map((at) => isWorkdayStart(hours, at))).toEqual([false, true, false]);
  expect(workdayAfter(hours, before)).toEqual(first);
  expect(workdayAfter(hours, first)).toEqual(moscow('2026-11-21T10:00'));
});

test.each([
  ['within a shift', '2026-11-20T10:00', '2026-11-20T10:05', 5],
  ['over a night', '2026-11-20T19:50', '2026-11-21T10:05', 15],
  ['backwards', '2026-11-20T12:00', '2026-11-20T11:00', 0],
])('working time is counted %s', (_, from, until, minutes) => {
  expect(workingMs(hours, moscow(from), moscow(until))).toBe(minutes * 60_000);
});

test('the next opening is the nearest future working time, at any instant', () => {
  const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(instants, (instant) => {
      const opening = nextOpening(hours, instant);
      if (opening === undefined) throw new Error('There is no opening.');
      if (opening.open) return;
      const start = moscow(`${opening.date}T${opening.from}`);
      expect(start.getTime()).toBeGreaterThan(instant.getTime());
      expect(nextOpening(hours, start)).toEqual({ open: true });
      const between = new Date((instant.getTime() + start.getTime()) / 2);
      expect(nextOpening(hours, between)).toEqual(opening);
    }),
  );
});

describe('with a break from 13:00 to 14:00', () => {
  test.each([
    ['12:49:59', 'Позвоним в течение 10 минут', '12:49:59'],
    ['12:50', 'Скоро перерыв, позвоним сегодня, 20 ноября, с 14:00', '14:00'],
    ['13:30', 'Сейчас закрыто, позвоним сегодня, 20 ноября, с 14:00', '14:00'],
  ])('the promise at %s is: %s', (time, promise, from) => {
    const at = moscow(`2026-11-20T${time}`);
    expect(callPromise(withBreak, at)).toBe(promise);
    expect(callsFrom(withBreak, at)).toEqual(moscow(`2026-11-20T${from}`));
    expect(callDue(withBreak, at)).toEqual(moscow(`2026-11-20T${from}`, 10));
  });

  test('only the first opening of a day begins a working day', () => {
    const [before, first, second] = ['08:59', '09:00', '14:00'].map((time) => moscow(`2026-11-20T${time}`)) as [
      Date,
      Date,
      Date,
    ];
    expect([first, second].map((at) => isWorkdayStart(withBreak, at))).toEqual([true, false]);
    expect(workdayAfter(withBreak, before)).toEqual(first);
    expect(workdayAfter(withBreak, first)).toEqual(moscow('2026-11-21T10:00'));
    expect(workingFrom(withBreak, moscow('2026-11-20T13:30'))).toEqual(second);
  });

  test('working time leaves out breaks, and is what is added, for any spans and instants', () => {
    const week = fc.uniqueArray(fc.integer({ min: 0, max: 47 }), { minLength: 2, maxLength: 8 }).map((halves) => {
      const times = halves
        .toSorted((a, b) => a - b)
        .map((half) => `${String(Math.floor(half / 2)).padStart(2, '0')}:${half % 2 ? '30' : '00'}`);
      return Array.from(
        { length: Math.floor(times.length / 2) },
        (_, n): Span => [times[2 * n] ?? '', times[2 * n + 1] ?? ''],
      );
    });
    const instants = fc.date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(week, instants, fc.integer({ min: 1, max: 3000 }), (spans, at, minutes) => {
        const of = { ...hours, week: [...Array(6).fill(spans), []] };
        const then = afterWorkingMinutes(of, at, minutes) as Date;
        expect(workingMs(of, at, then)).toBe(minutes * 60_000);
        const isWithin = (moment: Date) => {
          const { date, minutes } = localTime(moment, of.timeZone);
          return spansOn(of, date).some(([from, until]) => minutesOf(from) <= minutes && minutes < minutesOf(until));
        };
        expect(isOpen(of, at)).toBe(isWithin(at));
        const from = workingFrom(of, at) as Date;
        expect([isWithin(from), workingMs(of, at, from)]).toEqual([true, 0]);
      }),
    );
  });
});

// 2026-11-20 is a Friday. Moscow is UTC+3 all year.
describe('adding working minutes', () => {
  test.each([
    ['follows the clock within a shift', '2026-11-20T09:00:30.500Z', 3, '2026-11-20T09:03:30.500Z'],
    ['carries the rest to the next day when a shift ends', '2026-11-20T16:59:00Z', 3, '2026-11-21T07:02:00.000Z'],
    ['skips holidays', '2026-12-30T17:00:00Z', 6, '2027-01-05T06:06:00.000Z'],
  ])('%s', (_, from, minutes, expected) => {
    expect(later(from, minutes)).toBe(expected);
  });

  test('uses the UTC offset of the resulting day when clocks change', () => {
    const berlin = { ...hours, timeZone: 'Europe/Berlin' };
    expect(later('2026-03-28T17:00:00Z', 3, berlin)).toBe('2026-03-30T07:03:00.000Z');
  });
});
