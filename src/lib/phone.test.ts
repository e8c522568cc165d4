import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isReservedPhone, maskPhone, readPhone } from './phone.ts';

describe('a phone', () => {
  test.each([
    '8 (916) 123-45-67',
    '9161234567',
    '\u00a0+7\u00a0916\u2009123\u201145\u201367\u00a0',
    '+7 916 123\u201445\u221267',
    '\u200e+79161234567\u200b',
    '\uff0b\uff17\uff19\uff11\uff16\uff11\uff12\uff13\uff14\uff15\uff16\uff17',
    'Иван, 8 916 123-45-67',
    '8 916 123-45-67 доб. 123',
    '8 916 123-45-6, 8 916 123-45-67',
  ])('is read as the same Russian number in every spelling: %s', (typed) => {
    expect(readPhone(typed)).toBe('+79161234567');
  });

  test.each([
    ['+8 (495) 000-00-00', '+74950000000'],
    ['+375 29 123-45-67', '+375291234567'],
    ['375291234567', '+375291234567'],
    ['8 701 123 45 67', '+77011234567'],
    ['\uff0b49 30 901820', '+4930901820'],
  ])('may be a landline or foreign number: %s', (typed, number) => {
    expect(readPhone(typed)).toBe(number);
  });

  test.each([
    '',
    'позвоните мне',
    '8 916 I23-45-67',
    '8 916 123-45-6',
    '+7 000 000-00-00',
    '+999 123 456 789',
    '4276 1234 5678 9012',
    '81234567890',
  ])('is rejected when it is not a dialable number: %j', (typed) => {
    expect(readPhone(typed)).toBeUndefined();
  });

  test('may have any separators and any spelling of +7', () => {
    const start = fc.constantFrom('8', '+7', '7', '', '+ 7 ', '8 ', 'тел. 8');
    const separator = fc.constantFrom('', ' ', '-', '\u00a0', '\u2011', ' - ', '.');
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 7, maxLength: 7 });
    fc.assert(
      fc.property(start, separator, digits, (begin, between, rest) => {
        const parts = [rest.slice(0, 3), rest.slice(3, 5), rest.slice(5)];
        expect(readPhone(`${begin}(916)${between}${parts.join(between)}`)).toBe(`+7916${rest}`);
      }),
    );
  });
});

test.each([
  ['+79161234567', '+7\u00A0916\u00A0…-45-67'],
  ['+375291234567', '+37…4567'],
  ['+4915123456789', '+49…6789'],
])('a masked %s is %s', (phone, masked) => {
  expect(maskPhone(phone)).toBe(masked);
});

test.each([
  ['+1 202 555 0100', true],
  ['+1 202 555 0199', true],
  ['+1 202 555 0099', false],
  ['+1 202 555 0200', false],
  ['8 916 555 01 42', false],
])('whether %s reaches no person is %s', (typed, reserved) => {
  expect(isReservedPhone(readPhone(typed) ?? '')).toBe(reserved);
});
