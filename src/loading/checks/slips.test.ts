import { describe, expect } from '@jest/globals';
import { film } from '../../tests/support/films.ts';
import { problemsOf } from '../../tests/support/problems.ts';
import { type Change, contentWith, fielded, fileIn, lineOf, valued } from '../../tests/support/sample-content.ts';
import { testIf } from '../../tests/support/test-if.ts';

const shippedTest = testIf({ shipped: true });

/** Later than the last edit of the content that ships. */
const at = new Date('2026-11-24T09:00:00Z');
const news = fileIn('news');
const article = fileIn('blog/articles');

const append = (addition: string) => (text: string) => `${text.trimEnd()}\n\n${addition}\n`;
const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const picture = contentWith({}).get('cases/packed-wrong-and-right.png')?.bytes();
const titleOf = (file: string): string => {
  const [, title = ''] = /^title: (.*)$/m.exec(String(contentWith({}).get(file)?.bytes())) ?? [];
  return title;
};

const found = (file: string, change: Change) => problemsOf(contentWith({ [file]: change }), at);

type Slip = readonly [name: string, file: string, change: Change, at: string, field: string, said: string];

const slips: readonly Slip[] = [
  [
    'a tier that moves to a later day alone',
    'prices.csv',
    swap(/(?<=pickup-distance;.*;31;50,00;.*;)2026-11-01/, '2026-12-01'),
    'pickup-distance;pickup-cargo;Пробег за МКАД, до 60 км;км;31',
    'Действует с',
    'не станет ступеней от 1 (строка',
  ],
  ['a price of zero', 'prices.csv', swap('час;1;1100,00', 'час;1;0'), 'час;1;0;', 'Цена, ₽', 'Цена 0'],
  [
    'an edit dated tomorrow',
    'pages/about.md',
    fielded('updated', '2026-11-25'),
    'updated:',
    'updated',
    '2026-11-25 ещё не наступило',
  ],
  [
    'a future date on which departures were checked',
    'departures.yaml',
    swap(/checked: .*/, 'checked: 2026-12-01'),
    'checked: 2026-12-01',
    'checked',
    'ещё не наступило',
  ],
  [
    'a departure on a day off',
    'departures.yaml',
    swap(/ days: \[.*/, ' days: [пн, вс]'),
    'days: [пн, вс]',
    'days',
    'Рейса не будет: вс у вас выходной.',
  ],
  [
    'holidays that end with the year',
    'company.yaml',
    swap(/(?<= {4}- 2026-12-31\n)(?: {4}- .*\n)+/, ''),
    '- 2026-12-31',
    'holidays',
    'Праздников 2027 года здесь нет',
  ],
  [
    'two pages with one title',
    fileIn('news', 1),
    fielded('title', titleOf(news)),
    'title:',
    'title',
    `Такое же название у страницы из ${news}`,
  ],
  [
    'a location with swapped coordinates',
    'company.yaml',
    valued({ 'address.latitude': 37.6262, 'address.longitude': 55.6492 }),
    'latitude:',
    'latitude',
    'переставлены',
  ],
  ['a typo in the INN of a company', 'company.yaml', valued({ inn: '7707083894' }), 'inn:', 'inn', 'не сходится'],
  ['a typo in the INN of a sole trader', 'company.yaml', valued({ inn: '500100732258' }), 'inn:', 'inn', 'не сходится'],
  ['a typo in an OGRN', 'company.yaml', valued({ ogrn: '1027700132196' }), 'ogrn:', 'ogrn', 'не сходится'],
  [
    'a page twice in the footer',
    'navigation.yaml',
    swap('footer:\n', 'footer:\n  - { to: /map, text: Карта }\n'),
    '/map, text: Карта сайта',
    'to',
    '«/map» здесь уже есть',
  ],
  [
    'a page both in a menu and at its top level',
    'navigation.yaml',
    swap('header:\n', 'header:\n  - { to: /services/photo, text: Фото }\n'),
    '/services/photo, text: Фотосъёмка',
    'to',
    '«/services/photo» здесь уже есть',
  ],
  ['a picture that no text names', 'news/unused.png', () => picture, '', '', 'не называет ни один текст'],
  ['a video that no text names', 'news/unused.mp4', () => film(), '', '', 'не называет ни один текст'],
  ['two spaces', article, append('Раз  два'), 'Раз  два', '', 'после «Раз»'],
  ['two spaces in a field', news, fielded('action', 'Привезите  груз.'), 'action:', 'action', 'после «Привезите»'],
  ['a section without words', article, append('## Пусто\n\n## Итог\n\nДа'), '## Пусто', '', '«Пусто» ничего нет'],
  ['a last section without words', article, append('## Конец'), '## Конец', '', '«Конец» ничего нет'],
  ['a zero-width character', article, append('Сло\u200bво'), 'Сло\u200bво', '', 'После «Сло» невидимый знак U+200B'],
  ['a zero-width character in a field', news, fielded('action', 'Груз\u2060.'), 'action:', '', 'U+2060'],
];

describe('a warning has the line and field of', () => {
  shippedTest.each(slips)('%s', async (_, file, change, needle, field, said) => {
    const files = contentWith({ [file]: change });
    const line = lineOf(files, file, needle);
    const problems = await problemsOf(files, at);
    expect(
      problems.map((problem) => [problem.file, problem.line, problem.field.split('.').at(-1), problem.warning]),
    ).toEqual([[file, line, field, true]]);
    expect(problems[0]?.message).toContain(said);
    expect(problems[0]?.message).toMatch(/[а-яё]{2,}те(?!\p{L})/u);
  });
});

const priced = (price: string) => swap('31;50,00;', `31;${price};`);
const checkedOn = (day: string) => swap(/^ {2}checked: .*$/m, `  checked: ${day}`);

shippedTest.each([
  ['a price above the one before', 'prices.csv', priced('55'), priced('55,01')],
  ['a price of a tenth of the one before', 'prices.csv', priced('5,51'), priced('5,50')],
  [
    'a departure that was last checked 181 days ago',
    'departures.yaml',
    checkedOn('2026-05-28'),
    checkedOn('2026-05-27'),
  ],
  [
    'a latitude south of Russia',
    'company.yaml',
    valued({ 'address.latitude': 41, 'address.longitude': 47.8 }),
    valued({ 'address.latitude': 40.9, 'address.longitude': 47.8 }),
  ],
] as const)('%s causes a warning, and the last value before it does not', async (_, file, fine, wrong) => {
  expect(await found(file, fine)).toEqual([]);
  expect(await found(file, wrong)).toMatchObject([{ file, warning: true }]);
});

const honest: readonly (readonly [name: string, file: string, change: Change])[] = [
  ['a price with kopecks', 'prices.csv', swap('45,00', '45,01')],
  ['an edit dated today in the time zone of the company', 'pages/about.md', fielded('updated', '2026-11-24')],
  [
    'a post that is edited by the day on which it appears',
    article,
    (text) => fielded('updated', '2026-12-03')(fielded('published', '2026-12-03')(text)),
  ],
  ['a date in the future from which something applies', news, fielded('since', '2027-02-01')],
  [
    'the location of a company in Kazan',
    'company.yaml',
    valued({ 'address.latitude': 55.79, 'address.longitude': 49.12 }),
  ],
  [
    'the location of a company in Yerevan',
    'company.yaml',
    valued({ 'address.latitude': 40.18, 'address.longitude': 44.51, 'workingHours.timeZone': 'Asia/Yerevan' }),
  ],
  ['the INN and OGRN of a company', 'company.yaml', valued({ inn: '7707083893', ogrn: '1027700132195' })],
  ['the INN and OGRN of a sole trader', 'company.yaml', valued({ inn: '500100732259', ogrn: '304500116000157' })],
  ['marks that are meant literally', article, append('Знаки `**` и `<b>`, файл `korob-campaign`')],
  ['an aligned list and table', article, append('-   раз\n-   два\n\n| а   | б |\n|-----|---|\n| раз |   два |')],
  ['a line that ends with two spaces', article, append('Раз  \nдва')],
  ['a section that begins with a subsection', article, append('## Раз\n\n### Два\n\nДа')],
  ['an emoji of several characters', article, append('Семья 👩‍👧 и ❤️‍🔥, 👩🏽‍🦰')],
  ['a non-breaking space and a soft hyphen', article, append('12\u00a0коробов, пере\u00adупаковка, 1\u202f000')],
];

describe('there is no warning for', () => {
  shippedTest.each(honest)('%s', async (_, file, change) => {
    expect(await found(file, change)).toEqual([]);
  });
});
