import { expect, test } from '@jest/globals';
import { typeset } from './typography.ts';

const nbsp = '\u00A0';

test.each([
  ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
  ['за 5 кг', `за${nbsp}5${nbsp}кг`],
  ['НДС 22 %', `НДС 22${nbsp}%`],
  ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
])('%s', (plain, expected) => {
  expect(typeset(plain)).toBe(expected);
});

test('code, sizes with fractions and phone numbers stay as written', () => {
  expect(typeset('<code>"a" - b</code>')).toBe('<code>"a" - b</code>');
  expect(typeset('1/2')).toBe('1/2');
  expect(typeset('+7 (495) 000-00-00')).toContain('(495)');
});

test('applying it twice changes nothing more', () => {
  const once = typeset('Доставка "Короб" в Москве - от 100 руб. за 5 кг, 10x20 см');
  expect(typeset(once)).toBe(once);
});
