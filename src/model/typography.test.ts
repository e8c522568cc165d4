import { expect, test } from '@jest/globals';
import { typeset } from './typography.ts';

const nbsp = '\u00A0';

test.each([
  ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
  ['за 5 кг', `за${nbsp}5${nbsp}кг`],
  ['НДС 22 %', `НДС 22${nbsp}%`],
  ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
  ['короб 60x40х40 см весит', `короб 60×40×40${nbsp}см весит`],
  ['3 и 4 из 5 по 20', `3${nbsp}и${nbsp}4${nbsp}из${nbsp}5${nbsp}по${nbsp}20`],
  ['Можно ли\nнам же', `Можно${nbsp}ли\nнам${nbsp}же`],
  ['см. раздел, стр. 4, 12 см. Потом', `см.${nbsp}раздел, стр.${nbsp}4, 12${nbsp}см. Потом`],
  ['закон № 152', `закон №\u202F152`],
  ['Ольга Н. Так и есть нет.', `Ольга${nbsp}Н. Так и${nbsp}есть${nbsp}нет.`],
  ['И так далее...', `И${nbsp}так далее…`],
  ['ООО "Ромашка" и "Роза "Мира""', `ООО${nbsp}«Ромашка» и${nbsp}«Роза „Мира“»`],
  ['«Роза "Мира"», 15" и "Ёж"', `«Роза „Мира“», 15" и${nbsp}«Ёж»`],
  ['<p>&quot;<b>Да</b>&quot; и <i>&quot;нет&quot;</i></p>', `<p>«<b>Да</b>» и${nbsp}<i>«нет»</i></p>`],
  ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
  ['<td title="a - b">в доме</td>', `<td title="a - b">в${nbsp}доме</td>`],
  ['5 < 6 - 1', `5 < 6${nbsp}— 1`],
])('%s', (plain, expected) => {
  expect(typeset(plain)).toBe(expected);
});

test('code, sizes with fractions and phone numbers stay as written', () => {
  expect(typeset('<code>"a" - b</code>')).toBe('<code>"a" - b</code>');
  expect(typeset('<pre><code class="x">a - "b"</code></pre>')).toBe('<pre><code class="x">a - "b"</code></pre>');
  expect(typeset('1/2')).toBe('1/2');
  expect(typeset('+7 (495) 000-00-00')).toContain('(495)');
});

test('applying it twice changes nothing more', () => {
  const once = typeset('Доставка "Короб" в Москве - от 100 руб. за 5 кг, 10x20 см');
  expect(typeset(once)).toBe(once);
});
