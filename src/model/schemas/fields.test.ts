import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';
import { articleSchema } from './article-schema.ts';
import { calculatorSchema } from './calculator-schema.ts';
import { companySchema } from './company-schema.ts';
import { departuresSchema } from './departures-schema.ts';
import { homeSchema } from './home-schema.ts';
import { navigationSchema } from './navigation-schema.ts';
import { newsSchema } from './news-schema.ts';
import { presetsSchema } from './presets-schema.ts';
import { pricesSchema } from './prices-schema.ts';
import { searchSchema } from './search-schema.ts';
import { date, description, id, image, serviceField, slug, target, top } from './shared-fields.ts';

const words = (length: number) =>
  'слово '
    .repeat(length)
    .slice(0, length - 1)
    .padEnd(length, 'я');

const company = companySchema.shape;
const hours = company.workingHours.in.shape;
const calculator = calculatorSchema.shape;
const price = pricesSchema.element.shape;
const departure = departuresSchema.element.shape;
const video = articleSchema.shape.video.unwrap().shape;
const home = homeSchema.shape;

test.each<[what: string, field: z.ZodType, accepted: unknown[], rejected: unknown[]]>([
  ['a title', top.title, [words(10), words(90)], [words(9), words(91)]],
  ['a description', description, [words(50), words(220)], [words(49), words(221)]],
  ['a number of a post', id, [1, 900], [0, -1, 1.5, '1']],
  ['a slug', slug, ['a', 'fbo-2', '1c'], ['', 'A', 'a_b', 'a--b', '-a', 'a-', 'a/b', 'а']],
  [
    'a page of the site',
    target,
    ['/', '/rates', '/blog/news/a-1'],
    ['', 'rates', '/Rates', '/a/', '//a', '/a?b', '/a.b'],
  ],
  ['a service', serviceField, ['/services/photo'], ['photo', 'https://a.ru/services/photo']],
  ['a date', date, ['2026-11-20', '2028-02-29'], ['2026-02-29', '2026-11-20T10:00:00Z', '20.11.2026', '2026-1-2']],
  ['a drawing', image, ['/images/a.svg', 'a.svg'], ['a.png', 'b/a.svg', '/a.svg', 'https://a.ru/a.svg']],

  [
    'a number to call',
    company.phone.shape.number,
    ['+74950000000', '+1234567', `+${'1'.repeat(15)}`],
    ['74950000000', '+123456', `+${'1'.repeat(16)}`, '+7 495 000-00-00'],
  ],
  ['an INN', company.inn, ['1234567890', '123456789012'], ['123456789', '12345678901', '1234567890123', '123456789a']],
  ['a KPP', company.kpp, ['123456789', undefined], ['12345678', '1234567890']],
  [
    'an OGRN',
    company.ogrn,
    ['1234567890123', '123456789012345'],
    ['123456789012', '12345678901234', '1234567890123456'],
  ],
  ['an address of mail', company.email, ['info@example.ru'], ['info', 'info@', '@example.ru', 'a b@example.ru']],
  ['a time zone', hours.timeZone, ['Europe/Moscow'], ['Moscow', 'MSK', 'Europe/Mars', '+03:00']],
  [
    'a shift',
    hours.week.element,
    [
      ['09:00', '20:00'],
      ['00:00', '00:01'],
      null,
      [
        ['09:00', '13:00'],
        ['14:00', '18:00'],
      ],
      [['09:00', '13:00']],
    ],
    [
      ...[
        ['20:00', '09:00'],
        ['9:00', '20:00'],
        ['09:00', '24:00'],
        [],
        [
          ['09:00', '13:00'],
          ['13:00', '18:00'],
        ],
        [
          ['09:00', '13:00'],
          ['20:00', '06:00'],
        ],
      ],
    ],
  ],
  [
    'a link to a network',
    company.social.unwrap().element.shape.href,
    ['https://t.me/a', 'tg://resolve?domain=a', 'viber://chat'],
    [...['t.me/a', 'javascript:alert(1)', 'mailto:a@b.ru', 'ftp://a.ru']],
  ],

  [
    'a price',
    price.price,
    ['0', '4,5', '4.44', '1 250', '1250,00 ₽', '12,50 руб.', '12,50 ?', undefined],
    ['-1', '4,444', '1,000.50', 'дорого', 5],
  ],
  ['the beginning of a tier', price.from, ['1', '1 000', '30,00'], ['0', '1,5', '10+', '']],
  ['a density', price.density, ['0', '400', undefined], ['-1', '0,5']],
  ['the day of a price', price.since, ['2027-01-01', '1.01.2027', '01.1.2027'], ['31.02.2027', '1/1/2027', '2027']],
  ['the share of a box that is full', calculator.places.shape.box.shape.fill, [1, 100], [0, 101, 50.5]],
  [
    'the size of a box',
    calculator.places.shape.box.shape.size,
    [[60, 40, 40]],
    [
      [60, 40],
      [60, 40, 0],
      [60, 40, 40, 1],
    ],
  ],
  ['how often a price is charged', calculator.receiving.element.shape.times, [1, 2, undefined], [0, 1.5]],

  ['days of departure', departure.days, [['пн'], ['вс', 'пн']], [[], ['пн', 'пн'], ['Пн'], [1]]],
  ['a time of departure', departure.departure, ['06:00', '23:59'], ['6:00', '24:00', '06:00:00']],

  ['a video', video.href, ['a.mp4', 'a.MP4', 'https://rutube.ru/video/1/'], ['b/a.mp4', 'a.avi', 'rutube.ru/video/1/']],
  ['a duration', video.duration, ['PT3M20S', 'PT45S', 'PT1H', 'PT1H2M3S'], ['PT', '3M', 'PT3S2M']],
  ['the rows of a sheet', home.sheets.element.shape.rows, [2, 5].map(rows), [1, 6].map(rows)],
  ['synonyms', searchSchema.shape.synonyms, [[], [['вб', 'wb']]], [[['вб']], [['вб', '—']], [[]]]],
])('%s is accepted and rejected at its limits', (_, field, accepted, rejected) => {
  expect(accepted.filter((value) => !field.safeParse(value).success)).toEqual([]);
  expect(rejected.filter((value) => field.safeParse(value).success)).toEqual([]);
});

function rows(count: number) {
  return Array.from({ length: count }, () => ({ name: 'Короб', value: '5' }));
}

test('prices are stored in kopecks without a rounding error', () => {
  const written = ['0,07', '1.15', '4,35 ₽', '8,2', '1 250', '19,99 руб.'];
  expect(written.map((cell) => price.price.parse(cell))).toEqual([7, 115, 435, 820, 125_000, 1_999]);
});

describe('fields that depend on each other', () => {
  test('a menu item leads to one page or has several, and a station has a price or a time', () => {
    const item = navigationSchema.shape.header.element;
    const pages = [{ to: '/rates', text: 'Тарифы' }];
    const accepts = (more: object) => item.safeParse({ text: 'Ещё', ...more }).success;
    expect([{ to: '/rates' }, { pages }, {}, { to: '/rates', pages }].map(accepts)).toEqual([true, true, false, false]);

    const station = home.way.element.shape.stations.element;
    const shows = (more: object) => station.safeParse({ title: 'Приёмка', to: '/services/a', ...more }).success;
    const both = { rate: 'box', time: '1 день' };
    expect([{ rate: 'box' }, { time: '1 день' }, {}, both].map(shows)).toEqual([true, true, false, false]);
  });

  test('a change ends on the day of its beginning or later', () => {
    const top = { id: 1, heading: 'А', title: words(20), description: words(60), published: '2026-11-20', action: 'А' };
    const accepts = (until?: string) => newsSchema.safeParse({ ...top, since: '2026-11-20', until }).success;
    expect([undefined, '2026-11-20', '2026-11-21', '2026-11-19'].map(accepts)).toEqual([true, true, true, false]);
  });

  test('cargo of the same day is accepted before the departure', () => {
    const at = (workingDaysBefore: number, until: string) =>
      departuresSchema.safeParse([
        {
          ...{
            id: 'a',
            warehouse: 'А',
            marketplaces: ['Ozon'],
            service: '/services/a',
            days: ['пн'],
            departure: '12:00',
          },
          ...{ handOver: { workingDaysBefore, until }, unloading: { daysAfter: 0, text: 'утром' }, limit: 'А' },
          checked: '2026-11-20',
        },
      ]).success;
    expect([at(0, '11:59'), at(0, '12:00'), at(0, '12:01'), at(1, '23:59')]).toEqual([true, false, false, true]);
  });

  test('the forms include the one that links without a name open', () => {
    const preset = (slug: string) => ({
      ...{ slug, title: 'А', description: 'А', image: '/images/a.svg', button: 'А', name: true, message: 'none' },
    });
    const accepts = (...slugs: string[]) => presetsSchema.safeParse(slugs.map(preset)).success;
    expect([accepts('request'), accepts('bonus', 'request'), accepts('bonus'), accepts()]).toEqual([
      ...[true, true, false, false],
    ]);
  });
});
