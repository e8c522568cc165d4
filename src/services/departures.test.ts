import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { localTime, weekdayOf } from '../lib/calendar.ts';
import type { Departure } from '../model/content.ts';
import { shiftOn, type WorkingHours } from '../model/working-hours.ts';
import { nearestDeparture, nearestDepartures, nextDepartureChange } from './departures.ts';

const shift = (from: string, until: string): [string, string] => [from, until];
const nine = shift('09:00', '20:00');
const january = ['01', '02', '03', '04', '05', '06', '07', '08'].map((day) => `2027-01-${day}`);
const hours: WorkingHours = {
  timeZone: 'Europe/Moscow',
  text: '',
  week: [nine, nine, nine, nine, nine, shift('10:00', '18:00'), null],
  holidays: ['2026-11-04', '2026-12-31', ...january],
};

const monday = 0;
const friday = 4;

/** Leaves at 06:00 on working days; cut-off at 17:00 the working day before. */
const daily: Departure = {
  id: 'koledino',
  warehouse: 'Коледино',
  marketplaces: ['Wildberries'],
  service: '/services/marketplace-delivery',
  days: [0, 1, 2, 3, 4, 5],
  departure: '06:00',
  handOver: { workingDaysBefore: 1, until: '17:00' },
  unloading: { daysAfter: 0, text: 'днём' },
  limit: 'Короба',
  checked: '2026-11-18',
};

const moscow = (local: string) => new Date(`${local}+03:00`);

function told(departure: Departure, at: Date, where = hours) {
  const [row] = nearestDepartures([departure], where, at);
  const moment = ({ date, time }: { date: string; time: string }) => `${date} ${time}`;
  return row && [moment(row.handOver), moment(row.departure), row.unloading.date];
}

// 2026-11-20 is a Friday.
describe('the nearest departure of a truck that leaves every working day', () => {
  test.each([
    ['leaves tomorrow', '2026-11-19T12:00', '2026-11-19 17:00', '2026-11-20'],
    ['is still that in the last second of taking goods', '2026-11-19T16:59:59', '2026-11-19 17:00', '2026-11-20'],
    ['is the next one from the cut-off on', '2026-11-19T17:00', '2026-11-20 17:00', '2026-11-21'],
    ['takes goods on the new day right after midnight', '2026-11-20T00:00', '2026-11-20 17:00', '2026-11-21'],
    ['on Friday evening takes goods on Saturday for Monday', '2026-11-20T20:30', '2026-11-21 17:00', '2026-11-23'],
    ['on Saturday evening takes goods on Monday', '2026-11-21T17:00', '2026-11-23 17:00', '2026-11-24'],
    ['on Sunday takes goods on Monday', '2026-11-22T12:00', '2026-11-23 17:00', '2026-11-24'],
    ['before the 4 November leaves after it', '2026-11-02T17:00', '2026-11-03 17:00', '2026-11-05'],
    ['on the 4 November takes goods after it', '2026-11-04T12:00', '2026-11-05 17:00', '2026-11-06'],
    ['before the New Year leaves after the holidays', '2026-12-29T17:00', '2026-12-30 17:00', '2027-01-09'],
    ['in the holidays takes goods on their first day after', '2027-01-02T12:00', '2027-01-09 17:00', '2027-01-11'],
  ])('%s', (_, local, until, leaves) => {
    expect(told(daily, moscow(local))).toEqual([until, `${leaves} 06:00`, leaves]);
  });
});

describe('goods are taken in working hours alone', () => {
  const weekly = { ...daily, days: [monday] };
  const sunday = moscow('2026-11-16T18:00');
  test.each([
    ['on the very day', { workingDaysBefore: 0, until: '11:00' }, '2026-11-23 11:00'],
    ['so many working days before, without Sunday', { workingDaysBefore: 2, until: '17:00' }, '2026-11-20 17:00'],
    ['until work ends, where that is earlier', { workingDaysBefore: 1, until: '19:00' }, '2026-11-21 18:00'],
    ['at the latest the working day before', { workingDaysBefore: 1, until: '09:30' }, '2026-11-20 20:00'],
  ])('%s', (_, handOver, until) => {
    expect(told({ ...weekly, departure: '14:00', handOver }, sunday)?.[0]).toBe(until);
  });
});

describe('a truck is unloaded', () => {
  const weekly = { ...daily, days: [friday] };
  test.each([
    ['so many calendar days later', 3, '2026-11-23'],
    ['on Monday where that is Sunday', 2, '2026-11-23'],
    ['on Saturday, which is a working day', 1, '2026-11-21'],
    ['after the holidays where it is one of them', 42, '2027-01-09'],
  ])('%s', (_, daysAfter, date) => {
    const departure = { ...weekly, unloading: { daysAfter, text: '' } };
    expect(told(departure, moscow('2026-11-19T12:00'))?.[2]).toBe(date);
  });
});

test('those whose goods are due first come first', () => {
  const later = { ...daily, id: 'later', handOver: { workingDaysBefore: 1, until: '18:00' } };
  const sooner = { ...daily, id: 'sooner', handOver: { workingDaysBefore: 1, until: '10:00' } };
  const ids = (local: string) => nearestDepartures([later, daily, sooner], hours, moscow(local)).map(({ id }) => id);
  expect(ids('2026-11-19T09:00')).toEqual(['sooner', 'koledino', 'later']);
  expect(ids('2026-11-19T10:00')).toEqual(['koledino', 'later', 'sooner']);
});

test('a truck that never runs is not told about', () => {
  const closed = { ...hours, week: hours.week.map(() => null) };
  expect(nearestDepartures([daily], closed, moscow('2026-11-19T12:00'))).toEqual([]);
  expect(nearestDepartures([{ ...daily, days: [6] }], hours, moscow('2026-11-19T12:00'))).toEqual([]);
});

test('one warehouse is asked for by what its rates begin with', () => {
  const content = (local: string) => ({
    departures: [daily],
    company: { workingHours: hours } as Parameters<typeof nearestDeparture>[0]['company'],
    at: moscow(local).toISOString(),
  });
  expect(nearestDeparture(content('2026-11-19T12:00'), 'koledino')?.departure).toEqual({
    date: '2026-11-20',
    time: '06:00',
    at: '2026-11-20T03:00:00.000Z',
  });
  expect(nearestDeparture(content('2026-11-19T17:00'), 'koledino')?.departure.date).toBe('2026-11-21');
  expect(nearestDeparture(content('2026-11-19T12:00'), 'tula')).toBeUndefined();
});

describe('where the clocks change', () => {
  const berlin = { ...hours, timeZone: 'Europe/Berlin', holidays: [] };
  const until = (at: string) => nearestDepartures([daily], berlin, new Date(at))[0]?.handOver.at;

  test('a cut-off keeps its hour by the clock', () => {
    // Daylight saving time ends on Sunday, 25 October 2026.
    expect(until('2026-10-24T08:00:00Z')).toBe('2026-10-24T15:00:00.000Z');
    expect(until('2026-10-24T15:00:00Z')).toBe('2026-10-26T16:00:00.000Z');
  });

  test.each([
    ['after the day of 25 hours', 'Europe/Berlin', '2026-10-25T08:00:00Z', '2026-10-25T23:00:00.000Z'],
    ['after the day of 23 hours', 'Europe/Berlin', '2026-03-29T08:00:00Z', '2026-03-29T22:00:00.000Z'],
    ['at one where there is none', 'Africa/Cairo', '2026-04-23T20:00:00Z', '2026-04-23T22:00:00.000Z'],
    ['at one where there is none, in the west', 'America/Havana', '2026-03-08T02:00:00Z', '2026-03-08T05:00:00.000Z'],
    ['at the first of two midnights', 'America/Havana', '2026-11-01T02:00:00Z', '2026-11-01T04:00:00.000Z'],
  ])('the next day begins %s', (_, timeZone, at, midnight) => {
    const weekly = { ...daily, days: [2] };
    expect(nextDepartureChange([weekly], { ...berlin, timeZone }, new Date(at))?.toISOString()).toBe(midnight);
  });
});

describe('what is told changes next', () => {
  const change = (local: string, departures = [daily]) =>
    nextDepartureChange(departures, hours, moscow(local))?.getTime();

  test('at the first cut-off to come, and then at midnight', () => {
    const sooner = { ...daily, handOver: { workingDaysBefore: 1, until: '10:00' } };
    expect(change('2026-11-19T09:00', [daily, sooner])).toBe(moscow('2026-11-19T10:00').getTime());
    expect(change('2026-11-19T10:00', [daily, sooner])).toBe(moscow('2026-11-19T17:00').getTime());
    expect(change('2026-11-19T17:00', [daily, sooner])).toBe(moscow('2026-11-20T00:00').getTime());
  });

  test('at midnight, even where nothing runs now, for a truck may come into sight', () => {
    expect(change('2026-11-19T09:00', [{ ...daily, days: [6] }])).toBe(moscow('2026-11-20T00:00').getTime());
  });

  test('never, where there is nothing to tell about', () => {
    expect(change('2026-11-19T09:00', [])).toBeUndefined();
  });
});

const time = fc
  .tuple(fc.integer({ min: 6, max: 22 }), fc.constantFrom('00', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const departure: fc.Arbitrary<Departure> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    departure: time,
    handOver: fc.record({ workingDaysBefore: fc.integer({ min: 0, max: 3 }), until: time }),
    unloading: fc.record({ daysAfter: fc.integer({ min: 0, max: 7 }), text: fc.constant('') }),
  })
  .filter(({ departure, handOver: { workingDaysBefore, until } }) => workingDaysBefore > 0 || until < departure)
  .map((written) => ({ ...daily, ...written }));
const departures = fc.array(departure, { minLength: 1, maxLength: 4 });
const zones = fc
  .constantFrom('Europe/Moscow', 'Europe/Berlin', 'Africa/Cairo', 'America/Havana', 'Atlantic/Azores')
  .map((timeZone) => ({ ...hours, timeZone }));
const instants = fc.date({
  min: new Date('2026-09-01'),
  max: new Date('2027-05-01'),
  noInvalidDate: true,
});

const shown = (lines: readonly Departure[], where: WorkingHours, at: Date) => ({
  today: localTime(at, where.timeZone).date,
  rows: nearestDepartures(lines, where, at),
});

test('what is told is the same from one change to the next, and differs there', () => {
  fc.assert(
    fc.property(departures, zones, instants, fc.double({ min: 0, max: 1, noNaN: true }), (lines, where, at, part) => {
      const change = nextDepartureChange(lines, where, at);
      if (change === undefined) throw new Error('Nothing changes ever.');
      const [from, to] = [at.getTime(), change.getTime()];
      expect(to).toBeGreaterThan(from);
      expect(to - from).toBeLessThanOrEqual(25 * 3_600_000);
      const now = shown(lines, where, at);
      for (const between of [from + Math.floor(part * (to - from - 1)), to - 1])
        expect(shown(lines, where, new Date(between))).toEqual(now);
      expect(shown(lines, where, change)).not.toEqual(now);
    }),
  );
});

test('whatever is written, trucks run, and goods are taken, on working days, one after the other', () => {
  fc.assert(
    fc.property(departure, zones, instants, (line, where, at) => {
      const [row] = nearestDepartures([line], where, at);
      if (row === undefined) return expect(line.days).toEqual([6]);
      const { handOver, departure, unloading } = row;
      const open = shiftOn(where, handOver.date);
      expect(open && open[0] < handOver.time && handOver.time <= open[1]).toBe(true);
      expect(line.days).toContain(weekdayOf(departure.date));
      for (const { date } of [departure, unloading]) expect(shiftOn(where, date)).not.toBeNull();
      const order = [at.getTime(), Date.parse(handOver.at), Date.parse(departure.at)];
      expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
      expect(unloading.date >= departure.date).toBe(true);
    }),
  );
});
