import { describe, expect, test } from '@jest/globals';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { all, type Element, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite } from '../testing/test-site.ts';
import { DepartureTable, type Timetable, timetable } from './departure-table.tsx';

const shipped = (await shownSite()).content;

function content(local: string, holidays: string[] = []) {
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
      workingHours: { ...shipped.company.workingHours, week: [nine, nine, nine, nine, nine, null, null], holidays },
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

const linesOf = (document: Element) =>
  all(document, 'summary').map((line) => textOf(line).replaceAll('\u00A0', ' ').replace(/\s+/g, ' '));

// 2026-11-23 is a Monday.
test('a line says where to, until when, when it leaves and when it is there', () => {
  expect(linesOf(render(timetable(content('2026-11-23T12:00'))))).toEqual([
    'Коледино WB сдать до пн 23, 17:00 в пути вт 24, 6:00, на складе вт 24',
    'Тула WB сдать до вт 24, 17:00 в пути ср 25, 6:00, на складе ср 25',
  ]);
});

test('a month is said once in a line, by the first day that needs it', () => {
  const holidays = ['2026-12-31', ...Array.from({ length: 8 }, (_, day) => `2027-01-0${day + 1}`)];
  const [line] = linesOf(render(timetable(content('2026-12-31T12:00', holidays))));
  expect(line).toBe('Коледино WB сдать до пн 11 января, 17:00 в пути вт 12, 6:00, на складе вт 12');
});

test('it unfolds to the days on which it runs, when it is unloaded, what is taken and where', () => {
  const [row] = all(render(timetable(content('2026-11-23T12:00'))), 'p').filter(
    ({ attrs }) => attrs.class === undefined,
  );
  expect(row && textOf(row).replaceAll('\u00A0', ' ')).toBe(
    'Рейсы: пн, вт, ср, пт. Разгрузка: днём, по окну. Короба и паллеты. Маркетплейс: Wildberries. Где: Подольск.',
  );
});

test('warehouses of all marketplaces are nobody’s in particular, and a day far ahead has its month', () => {
  const [first] = content('2026-11-23T12:00').departures;
  const everybody = first && {
    ...first,
    marketplaces: ['Wildberries' as const, 'Ozon' as const, 'Яндекс Маркет' as const],
  };
  const site = {
    ...content('2026-11-23T12:00'),
    departures: everybody ? [{ ...everybody, unloading: { daysAfter: 9, text: '' } }] : [],
  };
  expect(linesOf(render(timetable(site)))[0]).toMatch(/^Коледино сдать до .* на складе чт 3 декабря$/);
});

test('every date can be read by a machine, and the first one is the cut-off, which a script counts down to', () => {
  const [line] = all(render(timetable(content('2026-11-23T12:00'))), 'summary');
  expect(line && all(line, 'time').map(({ attrs }) => attrs.datetime)).toEqual([
    '2026-11-23T14:00:00.000Z',
    '2026-11-24T03:00:00.000Z',
    '2026-11-24',
  ]);
});

test('it says once which day it was computed for, by whose clock, and since when all of it is known to be true', () => {
  // 00:15 in Moscow is the previous day in UTC.
  const site = content('2026-11-23T00:15');
  const [first, ...others] = site.departures;
  const departures = first ? [{ ...first, checked: '2026-11-10' }, ...others] : [];
  const document = render(timetable({ ...site, departures }));
  const [caption, note] = all(document, 'p.departures-note');
  expect(caption && all(caption, 'time').map(({ attrs }) => attrs.datetime)).toEqual(['2026-11-23', '2026-11-10']);
  expect(caption && textOf(caption)).toContain(shipped.company.address.locality);
  expect(note && one(note, 'a').attrs.href).toBe(`tel:${shipped.company.tollFree.number}`);
});

test('a service is told about its own departures alone, and the most urgent ones can be picked', () => {
  const ids = (choice: Parameters<typeof timetable>[1]) =>
    timetable(content('2026-11-23T18:00'), choice)?.rows.map(({ id }) => id);
  expect(ids({})).toEqual(['koledino', 'tula']);
  expect(ids({ service: '/services/region-delivery' })).toEqual(['tula']);
  expect(ids({ most: 1 })).toEqual(['koledino']);
  expect(ids({ service: '/services/photo' })).toBeUndefined();
});

test('where nothing runs for a year, there is no empty list, only whom to call', () => {
  const site = content('2026-11-23T12:00');
  const closed = { ...site.company.workingHours, week: [null, null, null, null, null, null, null] };
  const document = render(timetable({ ...site, company: { ...site.company, workingHours: closed } }));
  expect(all(document, 'li')).toEqual([]);
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
