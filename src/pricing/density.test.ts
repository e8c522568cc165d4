import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Rate } from '../model/content.ts';
import { readDensity } from './density.ts';

const rate = (from: number, prices: readonly number[], by: 'weight' | 'volume' = 'weight'): Rate => ({
  ...{ id: `from-${from}`, text: `От ${from}`, unit: by === 'weight' ? 'кг' : 'м³', minimum: 1_500_000 },
  tiers: prices.map((roubles, index) => ({ from: [1, 500][index] ?? 0, price: roubles * 100 })),
  density: { from, by },
});
const rows = [rate(0, [37_500, 35_000], 'volume'), rate(150, [325, 302]), rate(100, [375, 350])];
const read = (weight?: string, volume?: string, among: readonly Rate[] = rows) =>
  readDensity(among, { weight, volume }) ?? { errors: [], answer: undefined };

describe('the density of a consignment', () => {
  test.each([
    ['finds the row and the tier', '520', '3,84', [135, 'from-100', 35_000, 18_200_000]],
    ['reads a packing list', '520.00 KGS', '3.840 CBM', [135, 'from-100', 35_000, 18_200_000]],
    ['is rounded down to its row', '149,99', '1', [149, 'from-100', 37_500, 5_624_625]],
    ['is exact at the start of a row', '576', '3,84', [150, 'from-150', 30_200, 17_395_200]],
    ['below the lowest of weights charges the volume', '99', '1', [99, 'from-0', 3_750_000, 3_750_000]],
    ['is rounded from the exact product', '500', '16,000002', [31, 'from-0', 3_750_000, 60_000_008]],
    ['charges at least the minimum', '10', '0,05', [200, 'from-150', 32_500, 1_500_000]],
  ])('%s', (_, weight, volume, expected) => {
    const { errors, answer } = read(weight, volume);
    expect(errors).toEqual([]);
    expect([answer?.density, answer?.rate.id, answer?.tier.price, answer?.sum]).toEqual(expected);
  });

  test.each([
    ['', '', /^Укажите вес/, /^Укажите объём/],
    ['0', '0,0', /^Укажите вес/, /^Укажите объём/],
    // One and a half kilograms, or one and a half thousand?
    ['1,500', '3', /^Число 1,500: это 1500 или 1,5\?/],
    ['520', undefined, /^Укажите объём/],
    ['100001', '1000,000001', /^Партию больше 100 т/, /^Партию больше 1 000 м³/],
    ['9000', '1', /выходит 9 000 кг\/м³/],
  ])('%j and %j are refused', (weight, volume, ...messages) => {
    const { errors, answer } = read(weight, volume);
    expect([errors.length, answer]).toEqual([messages.length, undefined]);
    for (const [index, { message }] of errors.entries())
      expect(message.replaceAll('\u00A0', ' ')).toMatch(messages[index] as RegExp);
  });

  test('has no price below all rows', () => {
    const { errors, answer } = read('50', '1', rows.slice(1));
    expect([errors.map(({ field }) => field), answer]).toEqual([['volume'], undefined]);
  });

  test('is not asked for until something is given, nor without prices that depend on it', () => {
    expect(read()).toEqual({ values: { weight: '', volume: '' }, errors: [], answer: undefined });
    expect(readDensity([{ ...rate(0, [1]), density: undefined }], { weight: '1', volume: '1' })).toBeUndefined();
  });

  test('of any consignment is within its row, and the sum is whole', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 1000 }), (weight, volume) => {
        const { errors, answer } = read(String(weight), String(volume));
        if (answer === undefined) return expect(errors).toHaveLength(1);
        expect(answer.density).toBe(Math.floor(weight / volume));
        const next = rows.map(({ density }) => density?.from ?? 0).filter((from) => from > answer.density);
        expect(answer.rate.density?.from).toBeLessThanOrEqual(answer.density);
        expect(answer.rate.density?.from).toBe(Math.max(...[0, 100, 150].filter((from) => !next.includes(from))));
        expect(Number.isSafeInteger(answer.sum)).toBe(true);
      }),
    );
  });
});
