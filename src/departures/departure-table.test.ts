import { describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { builtEdition } from '../testing/test-site.ts';
import { DepartureTable, type Timetable, timetable } from './departure-table.tsx';

const shipped = (await builtEdition()).content();

/** The shipped content with working hours and trucks of its own, by the clock of Moscow. */
function content(local: string) {
  const nine: [string, string] = ['09:00', '20:00'];
  const departure = {
    id: 'koledino',
    warehouse: 'Коледино',
    city: 'Подольск',
    marketplaces: ['Wildberries' as const],
    service: '/services/marketplace-delivery',
    days: [0, 1, 2, 4],
    departure: '06:00',
    handOver: { workingDaysBefore: 1, until: '17:00' },
    unloading: { daysAfter: 0, text: 'днём, по окну' },
    limit: 'Короба и паллеты',
    checked: '2026-11-18',
  };
  return {
    ...shipped,
    at: new Date(`${local}+03:00`).toISOString(),
    company: {
      ...shipped.company,
      workingHours: { ...shipped.company.workingHours, week: [nine, nine, nine, nine, nine, null, null], holidays: [] },
    },
    departures: [
      departure,
      { ...departure, id: 'tula', warehouse: 'Тула', days: [2], service: '/services/region-delivery' },
    ],
  };
}

function render(table: Timetable | undefined): Element {
  if (table === undefined) throw new Error('There is nothing to render.');
  return parseHtml(renderToStaticMarkup(createElement(DepartureTable, { timetable: table })));
}

/** What stands in each cell, its row's heading first. */
const rows = (table: Element) => all(one(table, 'tbody'), 'tr').map((row) => row.children.map((cell) => textOf(cell)));

// 2026-11-23 is a Monday.
test('each row says where to, until when, when it leaves and is unloaded, what is taken, and when that was checked', () => {
  expect(rows(render(timetable(content('2026-11-23T12:00'))))[0]).toEqual([
    'КолединоWildberries, Подольск',
    'сегодня, пн 23 ноября, 17:00',
    'завтра, вт 24 ноября, 6:00ходит пн–ср, пт',
    'завтра, вт 24 ноябряднём, по окну',
    'Короба и паллеты',
    '18 ноября 2026 г.',
  ]);
});

test.each([
  ['today', '2026-11-23T00:00', 'сегодня, пн 23 ноября, 17:00'],
  ['tomorrow', '2026-11-22T23:59', 'завтра, пн 23 ноября, 17:00'],
  ['in some days', '2026-11-21T23:59', 'пн 23 ноября, 17:00'],
])('a cut-off is called by its day: %s', (_, local, until) => {
  const told = timetable({
    ...content(local),
    departures: content(local).departures.map((one) => ({ ...one, days: [1] })),
  });
  expect(rows(render(told))[0]?.[1]).toBe(until);
});

describe('who does not see the table', () => {
  const document = render(timetable(content('2026-11-23T12:00')));

  test('hears what it is about, and the heading of each cell', () => {
    expect(textOf(one(document, 'caption'))).toBe('Ближайшие рейсы, на которые мы ещё принимаем груз');
    expect(all(document, 'th', { scope: 'col' }).map(textOf)).toEqual([
      'Склад',
      'Сдать до',
      'Отправление',
      'Разгрузка',
      'Что везём',
      'Проверено',
    ]);
    expect(all(document, 'th', { scope: 'row' })).toHaveLength(2);
  });

  test('can read every date by a machine', () => {
    const [row] = all(one(document, 'tbody'), 'tr');
    expect(row && all(row, 'time').map(({ attributes }) => attributes.datetime)).toEqual([
      '2026-11-23T14:00:00.000Z',
      '2026-11-24T03:00:00.000Z',
      '2026-11-24',
      '2026-11-18',
    ]);
  });
});

test('it says which day it was computed for, by whose clock, and where to call', () => {
  // A quarter of an hour after midnight in Moscow is still the day before by UTC.
  const document = render(timetable(content('2026-11-23T00:15')));
  const note = one(document, 'p', { class: 'departures-note' });
  expect(one(note, 'time').attributes.datetime).toBe('2026-11-23');
  expect(textOf(note)).toContain(shipped.company.address.locality);
  expect(one(note, 'a').attributes.href).toBe(`tel:${shipped.company.tollFree.number}`);
});

test('a service is told about its own departures alone, and the most urgent ones can be picked', () => {
  const ids = (choice: Parameters<typeof timetable>[1]) =>
    timetable(content('2026-11-23T18:00'), choice)?.rows.map(({ id }) => id);
  expect(ids({})).toEqual(['koledino', 'tula']);
  expect(ids({ service: '/services/region-delivery' })).toEqual(['tula']);
  expect(ids({ most: 1 })).toEqual(['koledino']);
  expect(ids({ service: '/services/photo' })).toBeUndefined();
});

test('where nothing runs for a year, there is no empty table, only whom to call', () => {
  const site = content('2026-11-23T12:00');
  const closed = { ...site.company.workingHours, week: [null, null, null, null, null, null, null] };
  const document = render(timetable({ ...site, company: { ...site.company, workingHours: closed } }));
  expect(all(document, 'table')).toEqual([]);
  expect(all(document, 'a')).toHaveLength(1);
});

describe('the trucks that ship', () => {
  const at = (local: string) => ({ ...shipped, at: new Date(`${local}+03:00`).toISOString() });
  const dates = (local: string) =>
    timetable(at(local))?.rows.flatMap(({ handOver, departure, unloading }) => [
      handOver.date,
      departure.date,
      unloading.date,
    ]) ?? [];

  test('reach every warehouse that has a price', () => {
    const priced = shipped.rates.groups
      .filter(({ id }) => id === 'region-delivery' || id === 'marketplace-delivery')
      .flatMap(({ rows }) => rows.map(({ id }) => id.replace(/-(box|pallet)$/, '')));
    expect(new Set(shipped.departures.map(({ id }) => id))).toEqual(new Set(priced));
  });

  test('stand still on the 4 November and over the New Year', () => {
    expect(dates('2026-11-02T09:00')).toContain('2026-11-05');
    expect(dates('2026-11-02T09:00')).not.toContain('2026-11-04');
    const holidays = dates('2026-12-29T09:00').filter((date) => date >= '2026-12-31' && date <= '2027-01-08');
    expect(holidays).toEqual([]);
  });
});
