import { basename } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { paths } from '../../lib/paths.ts';
import { film } from '../../tests/support/films.ts';
import { problemsOf } from '../../tests/support/problems.ts';
import { type Change, contentWith, fielded, fileIn, lineOf } from '../../tests/support/sample-content.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { readFolder } from '../content-files.ts';
import { ContentError, linesFor, type Problem } from '../problem.ts';

const shippedTest = testIf({ shipped: true });

/** Later than the last edit of the content that ships. */
const at = new Date('2026-11-24T09:00:00Z');
const shipped = readFolder(paths.content);
const textOf = (file: string) => String(shipped.get(file)?.bytes());

const article = fileIn('blog/articles');
const service = fileIn('services');
const copyOf = (file: string, id: number) => (): string =>
  textOf(file)
    .replace(/^id: .*$/m, `id: ${id}`)
    .replace(/^title: .*$/m, `title: Другое название ${id}`);
const line = (name: string, written: string) => (text: string) =>
  text.replace(new RegExp(`^${name}:.*(?:\\n .*)*$`, 'm'), () => written);
const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
const monday = (hours: string) => swap('["09:00", "20:00"]', hours);
const append = (addition: string) => (text: string) => `${text.trimEnd()}\n${addition}\n`;
/** Russian words that say what to do, not only what is wrong. */
const remedy =
  /[А-Яа-яё]{2,}те(?!\p{L})|нуж(?:ен|на|но|ны)(?!\p{L})|должно быть|надо|здесь бывает|отделяют|делают|пишут|начинается с|наверное, это/iu;

/**
 * A change to a file, the text of the line that must be reported (empty: the first line), the field, a part of the
 * message, and the corrected line.
 */
type Slip = readonly [name: string, change: Change, at: string, field: string, said?: string, instead?: string];
/** A wrong title, a part of its message and the corrected title. */
const title = (name: string, written: string, said: string, instead: string): Slip => [
  name,
  line('title', `title: ${written}`),
  'title:',
  'title',
  said,
  `title: ${instead}`,
];

/** Each slip has a separate article, so that none hides another. */
const inArticles: readonly Slip[] = [
  [
    'an unknown field',
    line('author', 'athor: Анна\nauthor: Анна'),
    'athor:',
    'athor',
    'Такого поля нет. Наверное, это author.',
  ],
  ['a wrong type', line('heading', 'heading: 12'), 'heading:', 'heading', '«12» не подходит. Нужен текст.'],
  ['a missing field', line('author', ''), '', 'author', 'Этого поля не хватает. Добавьте его: '],
  ['a field without a value', line('author', 'author:'), 'author:', 'author', 'Здесь ничего нет. Впишите значение: '],
  ['an empty optional date', line('updated', "updated: ''"), 'updated:', 'updated', 'сотрите это поле'],
  ['an optional field without a value', line('updated', 'updated:'), 'updated:', 'updated', 'сотрите это поле'],
  [
    'an optional group of empty fields',
    line('image', "picture:\n  src: ''\n  alt: ''"),
    "src: ''",
    'picture.src',
    'Поле «picture» пусто',
  ],
  ['a mistake within a list', line('related', 'related:\n  - 5'), '- 5', 'related'],
  [
    'a text that is too short',
    line('description', 'description: Коротко.'),
    'description:',
    'description',
    'Знаков должно быть не меньше 50, а здесь 8.',
  ],
  [
    'a date that does not exist',
    line('published', 'published: 2026-02-30'),
    'published:',
    'published',
    'Нужна дата, которая есть в календаре',
  ],
  ['a duplicate field', line('author', 'author: А\nauthor: Б'), 'author: Б', 'author', 'Это поле стоит дважды.'],
  [
    'an article that does not exist',
    line('related', 'related: [none]'),
    'related:',
    'related',
    '«none»: такой статьи нет',
  ],
  [
    'a video on another site',
    line('author', 'author: А\nvideo: { href: "https://rutube.ru/video/1/", duration: PT1M }'),
    'video:',
    'video',
  ],
  ['a duplicate id', line('id', textOf(article).match(/^id: .*/m)?.[0] ?? ''), 'id:', 'id', 'уже есть в'],
  ['no front matter', () => '# Только текст\n', '', '', 'Файл начинается с полей между двумя строками из трёх дефисов'],
  ['unclosed front matter', swap(/\n---\n/, '\n'), '', '', 'После полей нужна вторая строка из трёх дефисов'],
  ['an indented line', swap(/^published:/m, '  published:'), 'author:', 'author', 'Следующая строка сдвинута вправо.'],
  ['a tab', line('related', 'related:\n\t- a'), '\t-', '', 'Строка начинается с табуляции.'],
  ['no space after a colon', line('author', 'author:Анна'), 'author:', '', 'После двоеточия и дефиса нужен пробел.'],
  [
    'a merge conflict in the front matter',
    line('author', '<<<<<<< HEAD\nauthor: А\n=======\nauthor: Б\n>>>>>>> other'),
    '<<<<<<<',
    '',
    'Здесь две версии одного места',
  ],
  [
    'a merge conflict in the text',
    append('<<<<<<< HEAD\nРаз\n=======\nДва\n>>>>>>> other'),
    '<<<<<<<',
    '',
    'две версии',
  ],
  ['a number that is not positive', line('id', 'id: 0'), 'id: 0', 'id', 'Число должно быть больше 0, а здесь 0.'],
  [
    'bytes that are not UTF-8',
    (text) => Buffer.from(`${text}Конец`).subarray(0, -1),
    'Коне',
    '',
    'сохраните в кодировке UTF-8.',
  ],
  ['a file of five megabytes', () => 'x'.repeat(5e6), '', ''],
  ['a line of 10,001 characters', append(`Раз\n${'['.repeat(10_001)}`), '[[[', '', 'В строке больше 10 000 знаков'],
  ['thousands of spaces in a fact', append(`Раз\n{{${' '.repeat(9_000)}x`), '{{ ', '', 'не хватает }}'],
  ['a hundred thousand unclosed facts', append(`${'{{'.repeat(4_000)}\n`.repeat(30)), '{{{{', '', 'не хватает }}'],
  ['lists within lists', line('related', `${'- '.repeat(4_000)}\n`.repeat(20)), '', '', 'слишком глубоко'],
  title('a colon', 'Приёмка: как сдать', 'В значении есть двоеточие', '"Приёмка: как сдать"'),
  title('an unclosed quotation mark', '"FBO или FBS', 'Кавычка открыта и не закрыта.', '"FBO или FBS"'),
  title('quotation marks within quotation marks', '"FBO "или" FBS"', 'кончается на второй кавычке.', `'FBO "или" FBS'`),
  title('a special character at the start', '*FBO* или FBS', 'здесь особый смысл.', '"*FBO* или FBS"'),
];

describe('a slip in an article is reported at its line, with its field and a remedy', () => {
  const numbered = inArticles.map((slip, index) => ({ slip, file: `blog/articles/slip-${index}.md` }));
  const files = contentWith(
    Object.fromEntries(
      numbered.map(({ slip: [, change], file }, index) => [file, () => change(copyOf(article, 9000 + index)())]),
    ),
  );
  let problems: readonly Problem[];
  beforeAll(async () => {
    problems = await problemsOf(files, at);
  });

  test.each(numbered)('$slip.0', ({ slip: [, , needle, field, said = '', instead], file }) => {
    const found = problems.filter((problem) => problem.file === file);
    const where = { line: needle === '' ? 1 : lineOf(files, file, needle), field };
    // A missing field may be reported as well.
    expect(found[0]).toMatchObject({ ...where, message: expect.stringContaining(said), ...(instead && { instead }) });
    expect(found.filter(({ message }) => !remedy.test(message))).toEqual([]);
  });

  test('all slips are reported together, without a problem in another file', () => {
    expect(new Set(problems.map(({ file }) => file))).toEqual(new Set(numbered.map(({ file }) => file)));
  });
});

test('the newer of two files with the same name or number is reported, in any order of files', async () => {
  const copies = {
    'blog/articles/a-copy.md': () => textOf(article),
    [article.replace('articles', 'a')]: copyOf(article, 9),
  };
  const problems = await problemsOf(contentWith(copies), at);
  const told = problems.filter(
    ({ message }) => message.includes('уже есть в') || message.includes('Так же называется'),
  );
  expect(told.map(({ file }) => file).sort()).toEqual(Object.keys(copies).sort());
});

describe('the prices of a day', () => {
  const rowOf = (id: string, day: string) =>
    String(new RegExp(`^${id};.*`, 'm').exec(textOf('prices.csv'))).replace(/[^;]*$/, day);
  /** The service ends on a later day. */
  const ended = (id: string) => append(rowOf(id, '2026-12-01').replace(/^((?:[^;]*;){5})[^;]*/, '$1'));
  const begun = (day: string) => (text: string) => text.replaceAll('2026-11-01', day);
  const withoutRows = (id: string) => (text: string) => text.replaceAll(new RegExp(`^${id};.*\\n`, 'gm'), '');

  shippedTest.each<[change: Change, file: string, needle: string, field: string, said: string]>([
    [
      ended('package-zip'),
      'calculator.yaml',
      '{ rate: package-zip }',
      'packaging.operations.rate',
      'с 1 декабря 2026 г.',
    ],
    [
      ended('podolsk-box'),
      'departures.yaml',
      'podolsk-box',
      'rates.box',
      'с 1 декабря 2026 г. в prices.csv такой цены',
    ],
    [withoutRows('cargo-.*'), 'rates.yaml', 'id: cargo', 'groups', 'нет ни одной цены этой группы'],
    [
      withoutRows('cargo-density-400'),
      'rates.yaml',
      'cargo-density-400',
      'groups.lead.rate',
      'такой строки тарифов нет',
    ],
    [begun('2026-11-25'), 'prices.csv', '2026-11-01', 'Действует с', 'Впишите и те, что действуют сегодня'],
    [append(rowOf('package-zip', '2126-12-01')), 'prices.csv', '', 'Действует с', 'Проверьте год'],
    [
      append(rowOf('fulfillment-fbo', '2026-12-01').replace(/;1;(?=\d)/, ';2000;')),
      ...(['calculator.yaml', 'example:', 'example', 'с 1 декабря 2026 г., этот пример не посчитать'] as const),
    ],
  ])(
    'are reported where they are named, today and on each later day: %#',
    async (change, file, needle, field, said) => {
      const problems = await problemsOf(contentWith({ 'prices.csv': change }), at);
      const line = needle === '' ? textOf(file).split('\n').length : lineOf(shipped, file, needle);
      expect(problems).toContainEqual({ file, line, field, message: expect.stringContaining(said) });
      expect(problems.filter(({ message }) => !remedy.test(message))).toEqual([]);
    },
  );

  shippedTest('of an earlier day are not missed', async () => {
    const old = append(rowOf('package-zip', '2026-10-01').replaceAll('package-zip', 'package-lock'));
    expect(await problemsOf(contentWith({ 'prices.csv': old }), at)).toEqual([]);
  });
});

const departures = (changes: Readonly<Record<string, string>>) => (text: string) =>
  Object.entries(changes).reduce(
    (all, [name, value]) => all.replace(new RegExp(`^  ${name}: .*$`, 'm'), `  ${name}: ${value}`),
    text,
  );
type Wrong = readonly [file: string, change: Change, at: string, field: string, said?: string];
const twice = `/${service.replace('.md', '')}`;
const elsewhere: readonly Wrong[] = [
  ['pages/contacts.md', () => undefined, '', ''],
  ['cases/12345.md', copyOf(fileIn('cases'), 900), '', '', 'novaya-statya.md'],
  ['blog/articles/FBO News.md', copyOf(article, 901), '', '', 'fbo-news.md'],
  [article.replace('articles', 'news'), copyOf(article, 902), '', '', 'Так же называется'],
  [
    fileIn('blog/video-news'),
    swap(/href: .*/, 'href: korop.mp4'),
    'href:',
    'video.href',
    'Рядом с этим файлом такого нет',
  ],
  [
    fileIn('blog/video-news'),
    swap(/duration: .*/, 'duration: P0DT3M20S'),
    'duration:',
    'video.duration',
    'Нужна длительность, например PT3M20S',
  ],
  [
    'company.yaml',
    swap(/href: "https:\/\/t\.me.*"/, 'href: "javascript:alert(1)"'),
    'javascript:',
    'social.href',
    'Нужен адрес целиком',
  ],
  [
    'company.yaml',
    swap(/href: "https:\/\/t\.me.*"/, 'href: "viber://chat?number=79161234567"'),
    'viber:',
    'social.href',
    'Viber в России заблокирован',
  ],
  [
    fileIn('blog/articles', 1),
    fielded('sources', '[{ text: Источник, href: "javascript:alert(1)" }]'),
    'javascript:',
    'sources.href',
    'Нужен адрес целиком',
  ],
  ['blog/video-news/clip.mp4', () => 'Текст', '', '', 'Файл испорчен'],
  ['blog/video-news/cut.mp4', () => film().subarray(0, -1), '', '', 'обрывается'],
  ['blog/video-news/long.mp4', () => Buffer.alloc(17 * 1024 * 1024), '', '', 'больше 16 МБ'],
  ['blog/video-news/IMG_0001.MOV', () => 'Текст', '', '', 'Видео сайт берёт только в MP4'],
  ['news/photo.HEIC', () => 'Текст', '', '', 'iPhone: «Поделиться»'],
  ['news/photo.jfif', () => 'Текст', '', '', 'Это JPEG под другим именем'],
  ['news/photo.tiff', () => 'Текст', '', '', 'сохраните как JPEG или PNG'],
  ['services/box.cdr', () => 'Текст', '', '', 'Экспортируйте рисунок как SVG'],
  ['pages/прайс.pdf', () => 'Текст', '', '', 'сайт пока не отдаёт'],
  ['logo.png', () => 'Текст', '', '', 'Логотип сайт берёт из файла logo.svg'],
  ['article/x.md', () => 'Текст', '', ''],
  ['rate.yaml', () => 'groups: []', '', '', 'Наверное, это rates.yaml'],
  ['price.csv', () => 'id', '', '', 'Наверное, это prices.csv'],
  ['yandex_0123456789abcdef.html', () => '<html></html>', '', ''],
  [service, fielded('preset', 'none'), 'preset:', 'preset', 'такой формы нет'],
  [service, fielded('related', `[${twice}]`), 'related:', 'related', 'сама эта страница'],
  [article, fielded('related', `[${basename(article, '.md')}]`), 'related:', 'related', 'сама эта страница'],
  [fileIn('cases'), fielded('services', `[${twice}, ${twice}]`), 'services:', 'services', 'уже есть'],
  [fileIn('news'), fielded('until', '2020-01-01'), 'until:', 'until', 'раньше, чем начинается'],
  ['presets.yaml', swap(/image: .*/, 'image: /images/none.svg'), '/none.svg', 'image', 'В папке public нет файла'],
  ['navigation.yaml', append('  - { text: Вон, to: "https://example.com" }'), 'https://example.com', 'footer.to'],
  ['redirects.yaml', append('- { from: "https://old.ru/price", to: /rates }'), 'old.ru', 'from', 'без домена: /price.'],
  [
    'redirects.yaml',
    append('- { from: /a-b, to: /rates }\n- { to: /cargo,\n    from: /a-b }'),
    '    from: /a-b',
    'from',
    'уже есть в',
  ],
  [
    'company.yaml',
    line('phone', 'phone: { number: "+74951234567", text: "+7 (495) 123-45-68" }'),
    'phone:',
    'phone.text',
    'разные номера',
  ],
  ['company.yaml', monday('["20:00", "09:00"]'), '["20:00"', 'workingHours.week', 'раньше, чем'],
  ['company.yaml', monday('["20:00", "06:00"]'), '["20:00"', 'workingHours.week', 'смену через полночь разделите'],
  ['company.yaml', monday('[["10:00", "13:00"], ["20:00", "06:00"]]'), '[["10', 'workingHours.week', 'через полночь'],
  ['company.yaml', monday('[["14:00", "18:00"], ["09:00", "13:00"]]'), '[["14', 'workingHours.week', 'идут по порядку'],
  ['company.yaml', monday('[["09:00", "14:00"], ["13:00", "18:00"]]'), '[["09', 'workingHours.week', 'идут по порядку'],
  ['company.yaml', monday('["9:00", "20:00"]'), '["9:00"', 'workingHours.week', 'Нужно время из часов и минут'],
  ['company.yaml', monday('с 9 до 20'), 'с 9 до 20', 'workingHours.week', 'в выходной null'],
  [fileIn('cases'), fielded('draft', 'может быть'), 'draft: может', 'draft', 'Нужно true (да) или false (нет).'],
  ['prices.csv', swap('waiting;pickup-cargo', 'waiting;cargos'), 'waiting;cargos', 'id группы', 'такой группы тарифов'],
  [
    'prices.csv',
    swap('Примечание', 'НДС'),
    'Упаковка готового',
    'НДС',
    'посетители не увидят: эти слова стоят в rates.yaml',
  ],
  ['prices.csv', swap('4,20', '4.200'), '4.200', 'Цена, ₽', 'Нужно число рублей'],
  ['prices.xlsx', () => 'PK', '', '', 'Сохраните цены как CSV под именем prices.csv'],
  [fileIn('cases'), swap(/before: [\d.]+/, 'before: 1,4'), 'before: 1,4', 'results.numbers', 'отделяют точкой'],
  [
    'calculator.yaml',
    swap('{ rate: package-bag }', '{ rate: bags }'),
    '{ rate: bags }',
    'packaging.operations.rate',
    'такой строки тарифов нет',
  ],
  ['departures.yaml', departures({ rates: '{ box: tula-box, pallet: tula }' }), 'pallet: tula }', 'rates.pallet'],
  ['departures.yaml', departures({ days: '[пн, вт, пн]' }), 'days: [пн, вт, пн]', 'days'],
  ['departures.yaml', departures({ handOver: '{ workingDaysBefore: 0, until: "23:59" }' }), '23:59', 'handOver.until'],
  ['departures.yaml', departures({ checked: '2026-01-01' }), 'checked: 2026-01-01', 'checked'],
];

/** Each round holds as many slips as possible, with each in a different file. */
const rounds: Wrong[][] = [];
for (const slip of elsewhere) {
  const free = rounds.find((round) => round.every(([file]) => file !== slip[0]));
  if (free) free.push(slip);
  else rounds.push([slip]);
}

shippedTest('a slip outside articles is reported at its line, with its field and a remedy', async () => {
  for (const round of rounds) {
    const files = contentWith(Object.fromEntries(round.map(([file, change]) => [file, change])));
    const problems = await problemsOf(files, at);
    const told = problems.map(({ file, line, field, message }) => [file, line, field, message]);
    const expected = round.map(([file, , needle, field, said = '']) => [
      ...[file, needle === '' ? 1 : lineOf(files, file, needle), field],
      expect.stringContaining(said),
    ]);
    expect(told.sort()).toEqual(expected.sort());
    expect(problems.filter(({ message }) => !remedy.test(message))).toEqual([]);
  }
});

shippedTest('an example that cannot be calculated is reported when nothing else is wrong', async () => {
  const example = swap(/(?<=\nexample:\n[\s\S]*) {2}units: .*/, '  units: 900000');
  const file = 'calculator.yaml';
  expect(await problemsOf(contentWith({ [file]: example }), at)).toMatchObject([{ file, field: 'example' }]);
});

test('valid content with a byte order mark and CRLF line ends causes no problem', async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  expect(await problemsOf(contentWith({ [article]: windows, 'rates.yaml': windows }), at)).toEqual([]);
});

test('an unreadable file neither hides problems of other files nor causes new ones', async () => {
  const wrong: Record<string, Change> = {
    [article]: line('title', 'title: Приёмка: как'),
    'rates.yaml': () => Buffer.of(0xff),
    'categories.yaml': (text) => `\t${text}`,
    [service]: line('order', 'order: шестой'),
    'presets.yaml': append('- { slug: half }'),
    [fileIn('cases')]: append('![Нет](no.png)'),
  };
  const files = new Set((await problemsOf(contentWith(wrong), at)).map(({ file }) => file));
  expect(files).toEqual(new Set(Object.keys(wrong)));
});

test.each<[string, string, Change]>([
  ['company.yaml', 'is missing', () => undefined],
  ['company.yaml', 'is empty', () => ''],
  ['company.yaml', 'is not UTF-8', () => Buffer.of(0xff)],
  ['company.yaml', 'has an unclosed quotation mark', line('legalName', 'legalName: "ООО')],
  ['pages/novosti.md', 'has a typo', line('title', 'title: Новости: все')],
])('while %s %s, that is the only error', async (name, _, change) => {
  const links = append('[Пишите](mailto:{{ company.email }}), [звоните](tel:{{ company.phone.number }}).');
  const problems = await problemsOf(contentWith({ [name]: change, 'pages/contacts.md': links }), at);
  expect(problems).toEqual([expect.objectContaining({ file: name, message: expect.stringMatching(remedy) })]);
});

test('every problem has a line of its file and Russian words with a remedy, after any damage to a file', async () => {
  const names = [...shipped.keys()].filter((name) => /\.(?:md|yaml)$/.test(name));
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const value = fc.constantFrom('', '7', 'да', '"', '[', '{', '*', '- x', 'a: b: c', '{{ company.nope }}', '<b>', '\t');
  const damage = fc.oneof(
    fc.tuple(place, value).map(([share, written]) => (text: string) => {
      const lines = text.split('\n');
      const fields = lines.flatMap((one, index) => (/^\s*(?:- )?\w+:/.test(one) ? [index] : []));
      const index = fields[Math.floor(share * fields.length)] ?? 0;
      return lines
        .with(
          index,
          (lines[index] ?? '').replace(/(?<=:).*/, () => ` ${written}`),
        )
        .join('\n');
    }),
    fc.tuple(place, fc.string({ unit: 'grapheme', maxLength: 5 })).map(([share, extra]) => (text: string) => {
      const index = Math.floor(share * text.length);
      return text.slice(0, index) + extra + text.slice(index);
    }),
    place.map((share) => (text: string) => text.slice(0, Math.floor(share * text.length))),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), damage, { minKeys: 1 }), async (damages) => {
      const changed = Object.entries(damages).filter(([name, change]) => change(textOf(name)) !== textOf(name));
      const files = contentWith(Object.fromEntries(changed));
      for (const { file, line, message } of await problemsOf(files, at)) {
        const lines = String(files.get(file)?.bytes() ?? '').split('\n').length;
        const told = { file, message, fits: line >= 1 && line <= lines, told: remedy.test(message) };
        expect(told).toEqual({ file, message, fits: true, told: true });
      }
    }),
    { numRuns: 30 },
  );
});

const svg = (inside: string, box = 'viewBox="0 0 9 9"') =>
  `<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${box}>\n${inside}<path d="M0 0h9v9z"/></svg>`;

test.each([
  ['logo.svg', 'is no SVG', 'Текст', 1, 'сохраните заново как SVG'],
  ['logo.svg', 'is broken', svg('<g>'), 3, 'сохраните заново как SVG'],
  ['logo.svg', 'has a script', svg('<script>alert(1)</script>'), 3, 'что-то запускает'],
  ['logo.svg', 'loads a picture', svg('<image href="https://example.com/a.png"/>'), 3, 'загружает другой файл'],
  ['logo.svg', 'has no viewBox', svg('', 'width="9" height="9"'), 2, 'нет viewBox'],
  ['logo.svg', 'has no size at all', svg('', ''), 2, 'нет ни viewBox'],
  ['logo.svg', 'has 21 KB', svg(`<path d="${'M0 0'.repeat(6 * 1024)}"/>`), 1, 'больше 20 КБ'],
  ['images/map.svg', 'has a handler', svg('<g onclick="alert(1)"/>'), 3, 'что-то запускает'],
  ['images/errors/403.svg', 'replaces nothing', svg(''), 1, 'Наверное, это images/errors/404.svg'],
  ['images/own.svg', 'has a name that nothing has', svg(''), 1, 'рядом с текстом, который его называет'],
] as const)(
  'a drawing %s that %s is reported once, at its line, and stops publishing',
  async (file, _, text, line, said) => {
    const problems = await problemsOf(contentWith({ [file]: () => text }), at);
    expect(problems).toEqual([{ file, line, field: '', message: expect.stringContaining(said) }]);
    expect(problems[0]?.message).toMatch(remedy);
  },
);

test.each([
  ['a square logo', 'logo.svg', svg('')],
  ['a logo that is a little wider than high', 'logo.svg', svg('', 'viewBox="0 0 50 40"')],
  ['an own plan', 'images/map.svg', svg('')],
])('%s causes no problem', async (_, file, text) => {
  expect(await problemsOf(contentWith({ [file]: () => text }), at)).toEqual([]);
});

test('a logo with words is a warning, because it is shown in a square', async () => {
  const files = contentWith({ 'logo.svg': () => svg('', 'viewBox="0 0 51 40"') });
  expect(await problemsOf(files, at)).toMatchObject([
    { file: 'logo.svg', line: 1, warning: true, message: expect.stringContaining('один знак, без слов') },
  ]);
});

describe('the list of problems', () => {
  const problem = (file: string, line: number, more: Partial<Problem> = {}): Problem => ({
    ...{ file, line, field: '', message: `Ошибка ${line}.` },
    ...more,
  });

  test('has errors first, then warnings, sorted by file and line, without duplicates', () => {
    const problems = [
      problem('a.md', 1, { warning: true, field: 'title' }),
      problem('b.md', 2, { instead: 'раз' }),
      ...[problem('a.md', 12), problem('a.md', 3), problem('a.md', 3)],
    ];
    expect(linesFor(problems)).toEqual([
      'a.md:3: Ошибка 3.',
      'a.md:12: Ошибка 12.',
      'b.md:2: Ошибка 2.\n    раз',
      'a.md:1: замечание: title: Ошибка 1.',
    ]);
    expect(new ContentError([problem('a.md', 3)]).message).toBe('Опубликовать нельзя, ошибок: 1.\na.md:3: Ошибка 3.');
  });

  test('shows at most 100 problems and the number of the others', () => {
    const lines = linesFor(Array.from({ length: 102 }, (_, index) => problem('a.md', index + 1)));
    expect([lines.length, lines.at(-1)]).toEqual([101, expect.stringMatching(/^И ещё 2\./)]);
  });
});
