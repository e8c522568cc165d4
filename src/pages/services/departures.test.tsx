import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { renderToStaticMarkup } from 'react-dom/server';
import { daysAfter, localTime, weekdayOf } from '../../lib/calendar.ts';
import { formatCount } from '../../lib/format.ts';
import type { Company, Content, Departure } from '../../model/content.ts';
import { closingTime, isWorkday, type Span, spansOn } from '../../model/working-hours.ts';
import { nearestDepartures, nextDepartureChange, receivingDay } from '../../pricing/departures.ts';
import { readOrder } from '../../pricing/read-order.ts';
import { type Term, termOf } from '../../pricing/term.ts';
import { addresses } from '../../routes.ts';
import { all, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { shownSite } from '../../tests/support/test-site.ts';
import { DepartureTable, type Timetable, timetable } from './departure-table.tsx';
import { MomentText } from './moment-text.tsx';
import { TermStrip } from './term-strip.tsx';

const shippedTest = testIf({ shipped: true });

const nine: Span[] = [['09:00', '20:00']];
const hours: Company['workingHours'] = {
  timeZone: 'Europe/Moscow',
  text: '',
  callWithin: 10,
  week: [nine, nine, nine, nine, nine, [['10:00', '18:00']], []],
  holidays: ['2026-11-04', '2026-12-31', ...[1, 2, 3, 4, 5, 6, 7, 8].map((day) => `2027-01-0${day}`)],
};

/** Departs at 06:00 on working days, with the cut-off at 17:00 on the working day before. */
const daily: Departure = {
  id: 'koledino',
  warehouse: 'Коледино',
  city: 'Подольск',
  marketplaces: ['Wildberries'],
  service: '/services/marketplace-delivery',
  days: [0, 1, 2, 3, 4, 5],
  departure: '06:00',
  handOver: { workingDaysBefore: 1, until: '17:00' },
  unloading: { daysAfter: 0, text: 'днём' },
  limit: 'Короба',
  checked: '2026-11-18',
};
const onMonday = (workingDaysBefore: number, until: string) => {
  return { days: [0], departure: '14:00', handOver: { workingDaysBefore, until } };
};
const onSundays = { ...daily, days: [6] };

const moscow = (local: string) => new Date(`${local}+03:00`);
const closed = { ...hours, callWithin: 10, week: hours.week.map(() => []) };
const lunch: Span[] = [
  ['09:00', '13:00'],
  ['14:00', '20:00'],
];
const broken = { ...hours, week: hours.week.with(2, lunch).with(3, lunch) };

// 2026-11-20 is a Friday.
test.each<[string, Partial<Departure>, string, string, string]>([
  ['until the last second before the cut-off', {}, '2026-11-19T16:59:59', '2026-11-19 17:00', '2026-11-20'],
  ['from the cut-off onwards for the next truck', {}, '2026-11-19T17:00', '2026-11-20 17:00', '2026-11-21'],
  ['before a holiday for the day after it', {}, '2026-11-02T17:00', '2026-11-03 17:00', '2026-11-05'],
  ['during holidays on the first day after them', {}, '2027-01-02T12:00', '2027-01-09 17:00', '2027-01-11'],
  ['on the day of the truck', onMonday(0, '11:00'), '2026-11-16T18:00', '2026-11-23 11:00', '2026-11-23'],
  [
    'several working days before, without Sunday',
    onMonday(2, '17:00'),
    '2026-11-16T18:00',
    '2026-11-20 17:00',
    '2026-11-23',
  ],
  ['until closing time if that is earlier', onMonday(1, '19:00'), '2026-11-16T18:00', '2026-11-21 18:00', '2026-11-23'],
  ['the day before if work begins later', onMonday(1, '09:30'), '2026-11-16T18:00', '2026-11-20 20:00', '2026-11-23'],
])('the company accepts goods %s', (_, about, local, until, leaves) => {
  const [row] = nearestDepartures([{ ...daily, ...about }], hours, moscow(local));
  expect([`${row?.handOver.date} ${row?.handOver.time}`, row?.departure.date]).toEqual([until, leaves]);
});

test.each([
  ['10:00', '2026-11-19 10:00'],
  ['13:00', '2026-11-19 13:00'],
  ['13:30', '2026-11-19 13:00'],
  ['14:00', '2026-11-19 13:00'],
  ['14:30', '2026-11-19 14:30'],
  ['09:00', '2026-11-18 20:00'],
])('a cut-off at %s on a day with a break from 13:00 to 14:00 is at %s', (until, expected) => {
  const [row] = nearestDepartures(
    [{ ...daily, days: [4], handOver: { workingDaysBefore: 1, until } }],
    broken,
    moscow('2026-11-16T12:00'),
  );
  expect(`${row?.handOver.date} ${row?.handOver.time}`).toBe(expected);
});

test('goods can be brought today until the last closing time, also in a break', () => {
  const day = (local: string) => receivingDay(broken, moscow(local));
  expect(['12:59', '13:30', '19:59', '20:00'].map((time) => day(`2026-11-19T${time}`))).toEqual([
    ...['2026-11-19', '2026-11-19', '2026-11-19', '2026-11-20'],
  ]);
});

test.each([
  [1, '2026-11-21'],
  [2, '2026-11-23'],
])('a truck that departs on Friday is unloaded %i calendar days later, on a working day: %s', (daysAfter, date) => {
  const line = { ...daily, days: [4], unloading: { daysAfter, text: '' } };
  expect(nearestDepartures([line], hours, moscow('2026-11-19T12:00'))[0]?.unloading.date).toBe(date);
});

test('departures are sorted by cut-off, and a line that never runs is omitted', () => {
  const due = (id: string, until: string) => ({ ...daily, id, handOver: { workingDaysBefore: 1, until } });
  const lines = [due('later', '18:00'), daily, onSundays, due('sooner', '10:00')];
  const ids = (local: string, where = hours) => nearestDepartures(lines, where, moscow(local)).map(({ id }) => id);
  expect(ids('2026-11-19T09:00')).toEqual(['sooner', 'koledino', 'later']);
  expect(ids('2026-11-19T10:00')).toEqual(['koledino', 'later', 'sooner']);
  expect(ids('2026-11-19T09:00', closed)).toEqual([]);
});

test('the departures change at the next cut-off, at closing time or at midnight', () => {
  const change = (local: string, lines: Departure[]) => nextDepartureChange(lines, hours, moscow(local));
  const sooner = { ...daily, handOver: { workingDaysBefore: 1, until: '10:00' } };
  expect(change('2026-11-19T09:00', [daily, sooner])).toEqual(moscow('2026-11-19T10:00'));
  expect(change('2026-11-19T10:00', [daily, sooner])).toEqual(moscow('2026-11-19T17:00'));
  expect(change('2026-11-19T17:00', [daily, sooner])).toEqual(moscow('2026-11-19T20:00'));
  expect(change('2026-11-19T20:00', [onSundays])).toEqual(moscow('2026-11-20T00:00'));
  expect(change('2026-11-19T09:00', [])).toBeUndefined();
});

const time = fc
  .tuple(fc.integer({ min: 6, max: 22 }), fc.constantFrom('00', '30'))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
const anyLine: fc.Arbitrary<Departure> = fc
  .record({
    days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
    departure: time,
    handOver: fc.record({ workingDaysBefore: fc.integer({ min: 0, max: 3 }), until: time }),
    unloading: fc.record({ daysAfter: fc.integer({ min: 0, max: 7 }), text: fc.constant('') }),
  })
  .filter(({ departure, handOver: { workingDaysBefore, until } }) => workingDaysBefore > 0 || until < departure)
  .map((written) => ({ ...daily, ...written }));
const anywhere = fc
  .tuple(
    fc.constantFrom(hours, broken),
    fc.constantFrom('Europe/Moscow', 'Europe/Berlin', 'Africa/Cairo', 'America/Havana', 'Atlantic/Azores'),
  )
  .map(([hours, timeZone]) => ({ ...hours, timeZone }));
const anyInstant = fc.date({ min: new Date('2026-09-01'), max: new Date('2027-05-01'), noInvalidDate: true });

test('the departures stay the same between two changes, and differ after each', () => {
  const lines = fc.array(anyLine, { minLength: 1, maxLength: 4 });
  const part = fc.double({ min: 0, max: 1, noNaN: true });
  fc.assert(
    fc.property(lines, anywhere, anyInstant, part, (lines, where, at, part) => {
      const shown = (at: Date) => [
        localTime(at, where.timeZone).date,
        receivingDay(where, at),
        nearestDepartures(lines, where, at),
      ];
      const [from, to] = [at.getTime(), nextDepartureChange(lines, where, at)?.getTime() ?? 0];
      expect(to).toBeGreaterThan(from);
      expect(to - from).toBeLessThanOrEqual(25 * 3_600_000);
      for (const between of [from + Math.floor(part * (to - from - 1)), to - 1])
        expect(shown(new Date(between))).toEqual(shown(at));
      expect(shown(new Date(to))).not.toEqual(shown(at));
    }),
  );
});

test('goods are accepted and trucks run on working days, in order, for any line and instant', () => {
  fc.assert(
    fc.property(anyLine, anywhere, anyInstant, (line, where, at) => {
      const [row] = nearestDepartures([line], where, at);
      if (row === undefined) return expect(line.days).toEqual([6]);
      const { handOver, departure, unloading } = row;
      const open = spansOn(where, handOver.date).filter(
        ([from, until]) => from < handOver.time && handOver.time <= until,
      );
      expect(open).toHaveLength(1);
      expect(line.days).toContain(weekdayOf(departure.date));
      for (const { date } of [departure, unloading]) expect(isWorkday(where, date)).toBe(true);
      const order = [at.getTime(), Date.parse(handOver.at), Date.parse(departure.at)];
      expect(order).toEqual([...new Set(order)].sort((a, b) => a - b));
      expect(unloading.date >= departure.date).toBe(true);
    }),
  );
});

const shipped = (await shownSite()).content;

function contentAt(local: string, departures: Departure[], workingHours = hours): Content {
  return { ...shipped, at: moscow(local).toISOString(), company: { ...shipped.company, workingHours }, departures };
}

// 2026-11-23 is a Monday.
test.each([
  ['2026-11-17', 'пн 23, 7:00'],
  ['2026-11-16', 'пн 23 ноября, 7:00'],
])('a moment read on %s is «%s»', (after, text) => {
  const moment = { date: '2026-11-23', time: '07:00', at: '2026-11-23T04:00:00.000Z' };
  expect(textOf(parseHtml(renderToStaticMarkup(<MomentText moment={moment} after={after} />)))).toBe(text);
});

describe('the delivery day of an order', () => {
  const { order } = readOrder(shipped.calculator, shipped.calculator.example);
  if (order === undefined) throw new Error('The example is no order.');
  const preparation = { units: 5_000, days: 4 };
  const calculator = { ...shipped.calculator, preparation };
  const term = (local: string, about: Partial<typeof order> = {}, line: Departure = daily) =>
    termOf(
      { ...contentAt(local, [line]), calculator },
      { order: { ...order, warehouse: line.id, days: 0, ...about }, perUnit: 1 },
    );

  // 2026-11-23 is a Monday.
  test.each([
    ['23T12:00', '23', '27', '30'],
    ['23T19:59', '23', '27', '30'],
    ['23T20:00', '24', '28', '01'],
    ['22T12:00', '23', '27', '30'],
  ])('counts from the day on which the company can receive the goods: %s', (local, brought, ready, delivered) => {
    const found = term(`2026-11-${local}`);
    expect([found?.brought, found?.ready].map((date) => date?.slice(-2))).toEqual([brought, ready]);
    expect(found?.delivered.slice(-2)).toBe(delivered);
  });

  test('counts holidays and days of storage, and is undefined for an order that is too large or has no warehouse', () => {
    expect(term('2026-12-28T12:00')).toMatchObject({ ready: '2027-01-11', delivered: '2027-01-13' });
    expect(term('2026-11-23T12:00', { days: 12 })).toMatchObject({ ready: '2026-12-05', delivered: '2026-12-08' });
    // The goods are stored until the day on which they are ready anyway.
    expect(term('2026-11-23T12:00', { days: 4 })).toEqual(term('2026-11-23T12:00'));
    expect(term('2026-11-23T12:00', { units: 5_000 })).toEqual(term('2026-11-23T12:00'));
    expect(term('2026-11-23T12:00', { units: 5_001 })).toBeUndefined();
    expect(term('2026-11-23T12:00', { warehouse: undefined })).toBeUndefined();
  });

  test('allows for the full preparation and a truck after it, for any instant, hours and line', () => {
    const units = fc.integer({ min: 1, max: preparation.units });
    const stored = fc.constantFrom(0, 0, 3, 30);
    fc.assert(
      fc.property(anyLine, anywhere, anyInstant, units, stored, (line, where, at, units, days) => {
        const content = {
          ...shipped,
          calculator,
          departures: [line],
          company: { ...shipped.company, workingHours: where },
        };
        const asked = { order: { ...order, warehouse: line.id, units, days }, perUnit: 1 };
        const found = termOf({ ...content, at: at.toISOString() }, asked);
        if (found === undefined) return expect(line.days).toEqual([6]);
        const { brought, ready, departure, delivered }: Term = found;
        const today = localTime(at, where.timeZone).date;
        expect(brought >= today && isWorkday(where, brought)).toBe(true);
        const between = datesBetween(brought, ready).filter((date) => isWorkday(where, date));
        expect(between.length).toBeGreaterThanOrEqual(preparation.days);
        expect(datesBetween(brought, ready).length).toBeGreaterThanOrEqual(days);
        const closes = closingTime(where, ready);
        expect([departure.handOver.date, departure.handOver.time] > [ready, closes ?? '']).toBe(true);
        expect(delivered >= departure.departure.date).toBe(true);
      }),
    );
  });

  test('is the last day of a strip that marks days off, unless the strip exceeds two weeks', () => {
    const daysOf = (local: string) => {
      const strip = renderToStaticMarkup(<TermStrip term={term(local) as Term} />);
      return all(parseHtml(strip), '[role="img"] > span').map((day) =>
        `${textOf(day)} ${day.attrs.class ?? ''}`.trim(),
      );
    };
    expect(daysOf('2026-11-24T12:00')).toEqual([
      ...['вт 24привоз brought', 'ср 25', 'чт 26', 'пт 27', 'сб 28готово ready', 'вс 29 off', 'пн 30'],
      expect.stringMatching(/^вт 1.*delivered$/),
    ]);
    expect(daysOf('2026-12-28T12:00')).toEqual([]);
  });

  /** The first day is excluded. */
  function datesBetween(first: string, last: string): string[] {
    const days = (Date.parse(last) - Date.parse(first)) / 86_400_000;
    return Array.from({ length: days }, (_, index) => daysAfter(first, index + 1));
  }
});

describe('the list of departures', () => {
  const listed = (content: Content) =>
    parseHtml(renderToStaticMarkup(<DepartureTable timetable={timetable(content) as Timetable} />));

  test('has the warehouse, the cut-off, the departure and the arrival, and unfolds to the details', () => {
    const document = listed(contentAt('2026-11-23T12:00', [{ ...daily, days: [0, 1, 2, 4] }]));
    const line = one(document, 'summary');
    expect(textOf(line)).toBe('Коледино WB сдать до пн 23, 17:00 в пути вт 24, 6:00, на складе вт 24');
    // A script counts down to the first time.
    expect(all(line, 'time')[0]?.attrs.datetime).toBe('2026-11-23T14:00:00.000Z');
    expect(one(document, 'details a').attrs.href).toBe('/rates/calc?to=koledino');
    const uncounted = listed(contentAt('2026-11-23T12:00', [{ ...daily, id: 'mars' }]));
    expect(all(uncounted, 'details a')).toEqual([]);
  });

  test('has only the phone number when nothing runs for a year', () => {
    const document = listed(contentAt('2026-11-23T12:00', [daily], closed));
    expect(all(document, 'li')).toEqual([]);
    expect(one(document, 'a').attrs.href).toBe(`tel:${shipped.company.tollFree?.number}`);
  });
});

describe('the departures on a page', () => {
  const content = { ...shipped, at: '2026-11-23T06:00:00.000Z' };
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).sort();

  function open(path: string) {
    const address = addresses(content).find((one) => one.path === path);
    const view = address?.page.open(content, address.params, {});
    const data = view?.data as { departures?: Timetable } | undefined;
    return { rows: data?.departures?.rows ?? [], document: parseHtml(renderToStaticMarkup(view?.body)) };
  }

  test('are the four most urgent on home, which links to all others', () => {
    const { rows, document } = open('/');
    const due = rows.map(({ handOver }) => handOver.at);
    expect([due.length, due]).toEqual([4, due.toSorted()]);
    const section = one(document, 'section#departures');
    expect(all(section, 'li')).toHaveLength(4);
    const links = all(section, 'a').flatMap(({ attrs }) => attrs.href?.match(/^(\/.*)#departures$/)?.[1] ?? []);
    expect(idsOf([...new Set(links)].flatMap((path) => open(path).rows))).toEqual(idsOf(content.departures));
  });
});

shippedTest('the term of fulfilment is that of the calculator', async () => {
  const { services, calculator } = (await shownSite()).content;
  const { units, days } = calculator.preparation;
  const { term = '' } = services.find(({ to }) => to === '/services/fulfillment') ?? {};
  expect(textOf(term)).toContain(textOf(`за ${days} рабочих дня до ${formatCount(units)} единиц`));
});
