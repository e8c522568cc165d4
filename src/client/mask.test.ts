import { describe, expect, test } from '@jest/globals';
import { fill } from './mask.ts';

const phone = '+7 (###) ###-##-##';

describe('the tokens of a pattern', () => {
  test.each([
    ['# is a digit and nothing else', '##-##', ['1234', '12-34'], 'a'],
    ['@ is a letter of any alphabet and nothing else', '@@.@@', ['абxy', 'аб.xy'], '1'],
    ['* is a letter or a digit', '**/**', ['a1Б2', 'a1/Б2'], '+'],
  ])('%s', (_, pattern, [typed, shown] = [], other) => {
    expect(fill(pattern, typed ?? '')).toBe(shown);
    expect(fill(pattern, other)).toBe(other);
  });

  test('any other sign stands for itself', () => {
    expect(fill('A##', 'A12')).toBe('A12');
    expect(fill('A##', 'B12')).toBe('B12');
  });
});

describe('a phone number in the form of the pattern', () => {
  test.each(['89161234567', '+79161234567', '9161234567', '  8-916-123-45-67', '+7 (916) 123-45-67'])('%s', (typed) => {
    expect(fill(phone, typed)).toBe('+7 (916) 123-45-67');
  });

  test('goes as far as what was typed', () => {
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
  ])('leaves the words that follow as they are: %s', (typed, shown) => {
    expect(fill(phone, typed)).toBe(shown);
  });

  test.each(['+375 29 123-45-67', '998901234567', 'доб. 12, 89161234567', '4951234567', '8916123456712'])(
    'leaves another form as it is: %s',
    (typed) => {
      expect(fill(phone, typed)).toBe(typed);
    },
  );
});
