import { describe, expect, test } from '@jest/globals';
import { typeset, typesetPage } from './typography.ts';

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
  [
    '1140 шт., 2000 шт., 2000 год, № 2000 шт.',
    `1${nbsp}140${nbsp}шт., 2${nbsp}000${nbsp}шт., 2000${nbsp}год, №\u202F2000${nbsp}шт.`,
  ],
  ['490 ₽ / короб', `490 ₽ /${nbsp}короб`],
  ['0,6 × 0,4 = 0,24 м³', `0,6${nbsp}×${nbsp}0,4 = 0,24${nbsp}м³`],
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

describe('a page', () => {
  const unbroken = (text: string) => `<span class="unbroken">${text}</span>`;

  test.each([
    ['100–149 кг/м³.', `${unbroken('100–149')}${nbsp}${unbroken('кг/м³')}.`],
    ['из-за 1–2 дней', `${unbroken('из-за')} ${unbroken('1–2')}${nbsp}дней`],
    ['8 916 123-45-67', `8${nbsp}916${nbsp}${unbroken('123-45-67')}`],
    ['Пн–пт 9:00–20:00,', `${unbroken('Пн–пт')} ${unbroken('9:00–20:00')},`],
    ['интернет-магазин, a-1@example.ru, 2/3-4', 'интернет-магазин, a-1@example.ru, 2/3-4'],
  ])('keeps %s together', (plain, expected) => {
    expect(typesetPage(`<p>${plain}</p>`)).toBe(`<p>${expected}</p>`);
  });

  test('marks nothing where no element may stand, and leaves alone what a visitor may still change', () => {
    const option = '<option value="a">1–2</option>';
    const field = '<textarea name="a">от 1–2 до "3" - 4</textarea>';
    const call = '<a href="tel:+78000000000">000-00-00</a>';
    const buttons = '<a class="action" href="/a">1–2</a><button class="action action-quiet">1–2</button>';
    const callButton = '<a class="phone" href="tel:+78000000000">000-00-00</a>';
    for (const html of [option, field, call, buttons, callButton]) expect(typesetPage(html)).toBe(html);
  });

  test('keeps its lines, and one that is typeset already', () => {
    const once = typesetPage('<p>Товар в\nкоробах по 5 кг, "1–2 дня"</p>');
    expect(once).toContain('в\nкоробах');
    expect(typesetPage(once)).toBe(once);
  });

  test('leaves what a visitor wrote as it is, and typesets what follows', () => {
    const said = '<bdi>ООО "Ромашка" - 5 кг, 300-400 шт...</bdi>';
    expect(typesetPage(`<p>${said}: 5 кг</p>`)).toBe(`<p>${said}: 5${nbsp}кг</p>`);
  });
});
