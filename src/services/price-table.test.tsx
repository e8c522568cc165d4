import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Rate } from '../model/content.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { PriceTable } from './price-table.tsx';

const row = (id: string, volumes: readonly number[], more: Partial<Rate> = {}): Rate => ({
  id,
  text: id,
  unit: 'шт.',
  tiers: volumes.map((from) => ({ from, price: 100 * from })),
  ...more,
});

function groups(...rows: Rate[]): { volumes: string[]; rows: (string | undefined)[] }[] {
  const group = { id: 'group', title: 'Услуги', lead: [], rows };
  const html = renderToStaticMarkup(<PriceTable group={group} />);
  return all(one(parseHtml(html), 'table'), 'tbody').map((body) => {
    const [head, ...others] = all(body, 'tr');
    const volumes = head ? all(head, 'th').map(textOf) : [];
    return {
      volumes: volumes.filter((text) => text.startsWith('от')).map((text) => text.replaceAll('\u00A0', ' ')),
      rows: others.map(({ attributes }) => attributes.id),
    };
  });
}

describe('rows of a price table', () => {
  test('whose prices change at the same volumes stand under one line of volumes', () => {
    expect(groups(row('box', [1, 10]), row('pallet', [1, 4]), row('far-box', [1, 10]))).toEqual([
      { volumes: ['от 1', 'от 10'], rows: ['box', 'far-box'] },
      { volumes: ['от 1', 'от 4'], rows: ['pallet'] },
    ]);
  });

  test('that stop a volume earlier stand with those that go on, whichever comes first', () => {
    expect(groups(row('short', [1, 500, 2000]), row('long', [1, 500, 2000, 10_000]))).toEqual([
      { volumes: ['от 1', 'от 500', 'от 2 000', 'от 10 000'], rows: ['short', 'long'] },
    ]);
  });

  test('that have little more than the first price in common stand apart', () => {
    expect(groups(row('hour', [1]), row('trip', [1, 4, 8])).map(({ rows }) => rows)).toEqual([['hour'], ['trip']]);
  });

  test('fill every column: what a row lacks is one empty cell', () => {
    const rows = [row('one', [1], { minimum: 5000 }), row('four', [1, 2, 3, 4])];
    const html = renderToStaticMarkup(<PriceTable group={{ id: 'g', title: 'Г', lead: [], rows }} />);
    const widths = all(parseHtml(html), 'tr').map((line) =>
      [...all(line, 'th'), ...all(line, 'td')].reduce(
        (sum, { attributes }) => sum + Number(attributes.colspan ?? 1),
        0,
      ),
    );
    expect(widths).toEqual([7, 7, 7, 7]);
  });
});

describe('rates that differ in nothing but the unit', () => {
  const pair = (name: string, volumes = [1, 10], minimum?: number) => [
    row(`${name}-box`, volumes, { text: `${name}, короб`, unit: 'короб', ...(minimum && { minimum }) }),
    row(`${name}-pallet`, [1, 4], { text: `${name}, паллета`, unit: 'паллета' }),
  ];
  const table = (...rows: Rate[]) =>
    one(parseHtml(renderToStaticMarkup(<PriceTable group={{ id: 'g', title: 'Г', lead: [], rows }} />)), 'table');

  test('stand in one line, which says the unit nowhere but over its column', () => {
    const matrix = table(...pair('Тула', [1, 10], 5000), ...pair('Казань'));
    expect(all(matrix, 'th', { scope: 'colgroup' }).map(textOf)).toEqual(['короб', 'паллета']);
    expect(all(matrix, 'th', { scope: 'row' }).map(textOf)).toEqual(['Тула', 'Казань']);
    const cells = all(one(matrix, 'tbody'), 'tr').map((line) => all(line, 'td').length);
    expect(cells).toEqual([5, 5]);
    const spans = all(matrix, 'th', { scope: 'colgroup' }).map(({ attributes }) => Number(attributes.colspan));
    expect(spans).toEqual([3, 2]);
  });

  test('can each be linked to', () => {
    const ids = all(table(...pair('Тула'), ...pair('Казань')), 'td').flatMap(({ attributes }) => attributes.id ?? []);
    expect(ids).toEqual(['Тула-box', 'Тула-pallet', 'Казань-box', 'Казань-pallet']);
  });

  test.each([
    ['one of them lacks a unit', [...pair('Тула'), ...pair('Казань').slice(1)]],
    ['their volumes differ', [...pair('Тула'), ...pair('Казань', [1, 20])]],
    ['another row is among them', [...pair('Тула'), row('hour', [1])]],
    ['each has one unit alone', [...pair('Тула').slice(1), ...pair('Казань').slice(1)]],
  ])('stand in lines of their own where %s', (_, rows) => {
    expect(table(...rows).attributes.class).toBe('prices');
  });
});
