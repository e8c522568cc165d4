import { expect, test } from '@jest/globals';
import { typeset, typesetPage } from './typography.ts';

const nbsp = '\u00A0';

test.each([
  ['"Короб" - в Москве', `«Короб»${nbsp}— в${nbsp}Москве`],
  ['за 5 кг', `за${nbsp}5${nbsp}кг`],
  ['НДС 22 %', `НДС 22${nbsp}%`],
  ['до 1 500 000 единиц', `до${nbsp}1${nbsp}500${nbsp}000${nbsp}единиц`],
  ['от 4 800 ₽', `от${nbsp}4${nbsp}800${nbsp}₽`],
  ['короб 60x40х40 см весит', `короб 60×40×40${nbsp}см весит`],
  ['3 и 4 из 5 по 20', `3${nbsp}и 4${nbsp}из 5${nbsp}по 20`],
  ['в\nкоробе', `в${nbsp}коробе`],
  ['раздел, стр. 4, 12 см. Потом', `раздел, стр.${nbsp}4, 12${nbsp}см. Потом`],
  ['закон № 152', `закон №\u202F152`],
  ['И так далее...', `И${nbsp}так далее…`],
  ['ООО "Ромашка" и "Роза"', `ООО${nbsp}«Ромашка» и${nbsp}«Роза»`],
  ['<p>"Нет</p><p>"Да"</p>', '<p>«Нет</p><p>«Да»</p>'],
  ['диагональ 15" и "Ёж"', `диагональ 15" и${nbsp}«Ёж»`],
  ['<p>&quot;<b>Да</b>&quot; и <i>&quot;нет&quot;</i></p>', `<p>«<b>Да</b>» и${nbsp}<i>«нет»</i></p>`],
  ['<td title="a - b">в доме</td>', `<td title="a - b">в${nbsp}доме</td>`],
  ['5 < 6 - 1', `5 < 6${nbsp}— 1`],
])('%s', (plain, expected) => {
  expect(typeset(plain)).toBe(expected);
  expect(typeset(expected)).toBe(expected);
});

test.each([
  '<code>"a" - b</code>',
  '<pre><code class="x">a - "b"</code></pre>',
  '<textarea name="a">от 1–2 до "3" - 4</textarea>',
  '<bdi>ООО "Ромашка" - 5 кг, 300–400 шт...</bdi>',
  '1/2',
  '<a href="tel:+78000000000">000-00-00</a>',
])('%s stays as written', (html) => {
  expect(typesetPage(html)).toBe(html);
});

test('a range does not wrap on a page', () => {
  expect(typesetPage('<p title="1–2">1–2 дня</p>')).toBe(`<p title="1–2">1–\u20602${nbsp}дня</p>`);
});
