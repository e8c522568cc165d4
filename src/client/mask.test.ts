import { describe, expect, test } from '@jest/globals';
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

  test('matches any other character literally', () => {
    expect(fill('A##', 'A12')).toBe('A12');
    expect(fill('A##', 'B12')).toBe('B12');
  });
});

describe('the pattern of a phone number', () => {
  test.each(['89161234567', '+79161234567', '9161234567', '  8-916-123-45-67', '+7 (916) 123-45-67'])(
    'formats %s',
    (typed) => {
      expect(fill(phone, typed)).toBe('+7 (916) 123-45-67');
    },
  );

  test('formats up to the last typed digit', () => {
    expect(['', '+', '8', '89', '8916', '89161', '891612'].map((typed) => fill(phone, typed))).toEqual([
      '',
      '+',
      '+7',
      '+7 (9',
      '+7 (916',
      '+7 (916) 1',
      '+7 (916) 12',
    ]);
  });

  test.each([
    ['89161234567, после 18:00', '+7 (916) 123-45-67, после 18:00'],
    ['89161234567 ', '+7 (916) 123-45-67 '],
  ])('keeps the words that follow unchanged: %s', (typed, shown) => {
    expect(fill(phone, typed)).toBe(shown);
  });

  test.each(['+375 29 123-45-67', '998901234567', 'доб. 12, 89161234567', '4951234567', '8916123456712'])(
    'leaves another format unchanged: %s',
    (typed) => {
      expect(fill(phone, typed)).toBe(typed);
    },
  );
});
