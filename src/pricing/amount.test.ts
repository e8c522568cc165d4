import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { doubtOf, type Measure, measures, readAmount, writtenIn } from './amount.ts';

const read = (written: string, measure: Measure) => readAmount(written, measure);

describe('an amount', () => {
  test.each<[string, Measure, number]>([
    ['0,5 кг', measures.weight, 500],
    ['500 г', measures.weight, 500],
    ['.5', measures.weight, 500],
    ['1 500 шт', measures.units, 1500],
    ['1\u00a0500\u202f000', measures.units, 1_500_000],
    ['20 см', measures.side, 200],
    ['30 суток', measures.days, 30],
    ['12 КМ', measures.km, 12],
    ['20 коробов', measures.box, 20],
    ['2 паллеты', measures.pallet, 2],
    ['1,500 кг', measures.weight, 1500],
    // As packing lists and 1C print them.
    ['1,234.50', measures.gross, 1_234_500],
    ['1.234,50', measures.gross, 1_234_500],
    ["1'234.5", measures.gross, 1_234_500],
    ['1.500.000', measures.units, 1_500_000],
    ['1234.567', measures.gross, 1_234_567],
    ['520 KGS', measures.gross, 520_000],
    ['５２０ＫＧ', measures.gross, 520_000],
    ['0.52 t', measures.gross, 520_000],
    ['1,500 т', measures.gross, 1_500_000],
    ['2.35 CBM', measures.volume, 2_350_000],
    ['2.5\u3000㎥', measures.volume, 2_500_000],
    ['20 CTNS', measures.box, 20],
  ])('%j is accepted', (written, measure, amount) => {
    expect(read(written, measure)).toBe(amount);
  });

  test.each<[string, Measure]>([
    ['', measures.units],
    ['кг', measures.weight],
    ['1,5', measures.units],
    ['1e3', measures.units],
    ['١٢', measures.units],
    ['20,55', measures.side],
    // These could mean thousands or thousandths.
    ['1,500', measures.units],
    ['1,500 kg', measures.gross],
    ['1500 000', measures.units],
    ['1,234.567,8', measures.gross],
    ['1,5,5', measures.gross],
    // These units belong to other fields.
    ['20 см', measures.weight],
    ['2 паллеты', measures.box],
    ['20 × 10', measures.side],
    ['1'.repeat(17), measures.units],
  ])('%j is rejected', (written, measure) => {
    expect(read(written, measure)).toBeUndefined();
  });

  test.each<[string, Measure, string | undefined]>([
    ['1,000', measures.gross, 'Число 1,000: это 1000 или 1? Напишите одно из двух'],
    ['12.500 kg', measures.gross, 'Число 12.500: это 12500 или 12,5? Напишите одно из двух'],
    ['1,500 шт.', measures.units, 'Число 1,500: это 1500 или 1,5? Напишите одно из двух'],
    ['1,500', measures.weight, undefined],
    ['1,500 коробов', measures.gross, undefined],
  ])('%j is ambiguous, if there may be thousands of its unit', (written, measure, doubt) => {
    expect(doubtOf(written, measure)).toBe(doubt);
  });

  const spaces = [' ', '\u00a0', '\u2009', '\u202f'];
  /** Every spelling of this number of millimetres or grams. */
  const spelled = (amount: number, [point, space, trimmed, gap]: readonly [string, string, boolean, string]) => {
    const grouped = (digits: string) => digits.replaceAll(/(?<=\d)(?=(?:\d{3})+$)/g, space);
    return (decimals: number, unit: string): string => {
      const digits = String(amount).padStart(decimals + 1, '0');
      const whole = digits.slice(0, digits.length - decimals);
      const part = digits.slice(digits.length - decimals).replace(trimmed ? /0+$/ : /$^/, '');
      const start = trimmed && whole === '0' && part !== '' ? '' : grouped(whole);
      return start + (part && point + part) + (unit && gap + unit);
    };
  };
  const style = fc.tuple(
    fc.constantFrom(',', '.'),
    fc.constantFrom('', "'", '’', ...spaces),
    fc.boolean(),
    fc.constantFrom('', ...spaces),
  );

  test('is the same in every spelling', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99_999_999 }), style, (amount, how) => {
        const write = spelled(amount, how);
        for (const [decimals, unit] of [
          [3, ''],
          [3, 'кг'],
          [0, 'г'],
        ] as const)
          expect([unit, read(write(decimals, unit), measures.weight)]).toEqual([unit, amount]);
        for (const [decimals, unit] of [
          [1, ''],
          [1, 'см'],
          [0, 'мм'],
          [3, 'м'],
        ] as const)
          expect([unit, read(write(decimals, unit), measures.side)]).toEqual([unit, amount]);
        for (const unit of ['', 'шт', 'шт.']) expect(read(write(0, unit), measures.units)).toBe(amount);
      }),
    );
  });

  test('is unchanged after it is formatted and parsed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(measures)), fc.nat(), (measure, amount) => {
        expect(read(writtenIn(measure, amount), measure)).toBe(amount);
      }),
    );
  });
});
