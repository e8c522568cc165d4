import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CountryCode, getExampleNumber } from 'libphonenumber-js/min';
import examples from 'libphonenumber-js/mobile/examples';
import { readPhone } from '../lib/phone.ts';
import { plainPhone } from '../lib/typed-phone.ts';
import { fill } from './mask.ts';

const phone = '+7 (###) ###-##-##';

describe('a pattern', () => {
  test.each([
    ['accepts only a digit for #', '##-##', ['1234', '12-34'], 'a'],
    ['accepts only a letter of any alphabet for @', '@@.@@', ['абxy', 'аб.xy'], '1'],
    ['accepts a letter or a digit for *', '**/**', ['a1Б2', 'a1/Б2'], '+'],
  ])('%s', (_, pattern, [typed, shown] = [], other) => {
    expect(fill(pattern, typed ?? '')).toBe(shown);
    expect(fill(pattern, other)).toBe(other);
  });
});

describe('the pattern of a phone number', () => {
  test('formats up to the last typed digit', () => {
    expect(['', '+', '8', '89', '8916', '89161', '891612'].map((typed) => fill(phone, typed))).toEqual([
      '',
      '+',
      '8',
      '+7 (9',
      '+7 (916',
      '+7 (916) 1',
      '+7 (916) 12',
    ]);
  });

  test('shows what is stored, and every digit, for a number of any country nearby in any spelling', () => {
    const country = fc.constantFrom<CountryCode[]>(
      ...(['RU', 'KZ', 'BY', 'UZ', 'AM', 'GE', 'KG', 'TJ', 'AZ', 'MD', 'UA', 'TM'] as const),
    );
    const codes = ['800', '812', '843', '495', '383', '916', '999'];
    const russian = fc
      .tuple(fc.constantFrom(...codes), fc.integer({ min: 1_000_000, max: 9_999_999 }))
      .map(([code, rest]) => `+7${code}${rest}`);
    const example = fc.tuple(country, fc.integer({ min: 1000, max: 9999 })).map(([of, end]) => {
      return String(getExampleNumber(of, examples)?.number).replace(/\d{4}$/, String(end));
    });
    const scripts = fc.constantFrom('0123456789', '０１２３４５６７８９', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९');
    const gap = fc.constantFrom('', '', ' ', '-', '\u2011', '\u200b', '\u00a0');
    fc.assert(
      fc.property(fc.oneof(russian, example), fc.nat(5), scripts, gap, (number, style, script, between) => {
        const international = number.slice(1);
        const isRussian = number.startsWith('+7');
        const starts = ['+', '\uff0b', '', '00', isRussian ? '8' : '8~10', ''];
        const isNational = isRussian && style > 3;
        const digits = [...(isNational ? international.slice(1) : international)].join(between);
        const typed = `${starts[style]}${digits}`.replace(/\d/g, (digit) => [...script][Number(digit)] ?? '');
        const shown = fill(phone, typed);
        expect([typed, shown, readPhone(shown), readPhone(typed)]).toEqual([typed, shown, number, number]);
        for (let end = 1; end < typed.length; end += 1) {
          const start = plainPhone(typed.slice(0, end)).replace(/\D/g, '');
          const shown = plainPhone(fill(phone, typed.slice(0, end))).replace(/\D/g, '');
          expect([shown, shown.slice(1), `8${shown.slice(1)}`]).toContain(start);
        }
      }),
    );
  });

  test.each(['+375 29 123-45-67', '998901234567', 'доб. 12, 89161234567', '4951234567', '8916123456712'])(
    'leaves another format unchanged: %s',
    (typed) => {
      expect(fill(phone, typed)).toBe(typed);
    },
  );
});
