import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPhone } from './phone.ts';

const moscow = '+79161234567';

describe('a phone is understood', () => {
  test.each([
    // Russian spellings
    ['8 (916) 123-45-67', moscow],
    ['8(916)1234567', moscow],
    ['8-916-123-45-67', moscow],
    ['8.916.123.45.67', moscow],
    ['8 9 1 6 1 2 3 4 5 6 7', moscow],
    ['89161234567', moscow],
    ['9161234567', moscow],
    ['(916) 123 45 67', moscow],
    ['+7 916 123 45 67', moscow],
    ['+79161234567', moscow],
    ['7 916 123-45-67', moscow],
    ['+ 7 (916) 123-45-67', moscow],
    ['8 (495) 000-00-00', '+74950000000'],
    ['8 800 555-35-35', '+78005553535'],
    ['812 123-45-67', '+78121234567'],
    // typing errors
    ['+8 916 123-45-67', moscow],
    ['+8 (495) 000-00-00', '+74950000000'],
    ['+89161234567', moscow],
    ['+7 8 916 123-45-67', moscow],
    ['\u00a0+7\u00a0916\u2009123\u201145\u201367\u00a0', moscow],
    ['+7 916 123\u201445\u221267', moscow],
    ['\u200e+79161234567\u200b', moscow],
    ['\uff0b\uff17\uff19\uff11\uff16\uff11\uff12\uff13\uff14\uff15\uff16\uff17', moscow],
    // with text
    ['тел. 8 916 123-45-67', moscow],
    ['тел.: +7(916)123-45-67', moscow],
    ['моб.8-916-123-45-67', moscow],
    ['tel:+79161234567', moscow],
    ['89161234567 Иван', moscow],
    ['Иван, 8 916 123-45-67', moscow],
    ['8 916 123-45-67 (WhatsApp)', moscow],
    ['8 916 123-45-67 после 18:00', moscow],
    ['8 916 123-45-67 с 9 до 18', moscow],
    // extensions, several numbers
    ['8 (495) 123-45-67 доб. 123', '+74951234567'],
    ['8 (495) 123-45-67, доб.123', '+74951234567'],
    ['8 (495) 123-45-67 #12', '+74951234567'],
    ['8 (495) 123-45-67 ext 5', '+74951234567'],
    ['89161234567, 89031234567', moscow],
    ['8 916 123-45-67 или 8 903 123-45-67', moscow],
    ['89161234567/89031234567', moscow],
    // abroad
    ['+375 29 123-45-67', '+375291234567'],
    ['375291234567', '+375291234567'],
    ['8 10 375 29 123-45-67', '+375291234567'],
    ['00375 29 123-45-67', '+375291234567'],
    ['+7 701 123 45 67', '+77011234567'],
    ['8 701 123 45 67', '+77011234567'],
    ['998 90 123 45 67', '+998901234567'],
    ['+998 90 123 45 67', '+998901234567'],
    ['+374 77 123456', '+37477123456'],
    ['+996 555 123456', '+996555123456'],
    ['+86 138 0013 8000', '+8613800138000'],
    ['+84 91 234 56 78', '+84912345678'],
    ['+81 90 1234 5678', '+819012345678'],
    ['+90 532 123 45 67', '+905321234567'],
    ['+971 50 123 4567', '+971501234567'],
    ['+49 1512 3456789', '+4915123456789'],
    ['+1 212 555 0100', '+12125550100'],
  ])('%s', (typed, number) => {
    expect(readPhone(typed)).toBe(number);
  });
});

describe('a phone that would ring nowhere is refused', () => {
  test.each([
    '',
    'позвоните мне',
    'eight nine one six',
    '8 916 I23-45-67',
    '+7',
    '112',
    '123-45-67',
    '8 916 123-45-6',
    '8 916 123-45-678',
    '+7 916 123-45-6',
    '+7 916 123-45-678',
    '8 916 123 45 67 1234',
    '8 812 123 45 67 1234',
    '+7 000 000-00-00',
    '+7 123 456-78-90',
    '+1234567',
    '+375 29 123-45',
    '375 29 123-45-6',
    '+999 123 456 789',
    '0000000000',
    'anna@example.ru',
    '4276 1234 5678 9012',
    '81234567890',
    '86471234567',
    '491000',
  ])('%s', (typed) => {
    expect(readPhone(typed)).toBeUndefined();
  });
});

describe('whatever is typed', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 7 });

  test('it is a number in E.164 or none', () => {
    const scribble = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom(...'0123456789+-() ,;#./доб\u00a0') }),
    );
    fc.assert(
      fc.property(scribble, (typed) => {
        expect(readPhone(typed) ?? '+70000000').toMatch(/^\+[1-9]\d{6,14}$/);
      }),
      { numRuns: 2_000 },
    );
  });

  test('separators and the way of writing +7 change nothing', () => {
    const start = fc.constantFrom('8', '+7', '7', '', '+ 7 ', '8 ', 'тел. 8');
    const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2011', ' - ', '.');
    fc.assert(
      fc.property(start, separator, digits, (begin, between, rest) => {
        const typed = `${begin}(916)${between}${rest.slice(0, 3)}${between}${rest.slice(3, 5)}${between}${rest.slice(5)}`;
        expect(readPhone(typed)).toBe(`+7916${rest}`);
      }),
      { numRuns: 1_000 },
    );
  });
});
