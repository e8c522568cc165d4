import { beforeAll, describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import type { Content } from '../model/content.ts';
import { wholeJson } from '../model/prose.ts';
import { forgetfulMemo } from '../store/memo.ts';
import { type Change, contentWith, lineOf } from '../testing/content.ts';
import { editionOf } from '../testing/test-site.ts';
import { readAssets } from './assets.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { loadContent } from './load.ts';
import { packContent, unpackContent } from './packed.ts';
import { readPictures } from './pictures.ts';
import { ContentError, type Problem } from './problem.ts';

const shipped = readFolder(paths.content);
const textOf = (file: string) => shipped.get(file)?.bytes().toString() ?? '';

/** What keeps an edition of this content from being made. */
async function problemsOf(files: ContentFiles): Promise<readonly Problem[]> {
  try {
    await editionOf({ files });
    return [];
  } catch (error) {
    if (error instanceof ContentError) return error.problems;
    throw error;
  }
}

/** Front matter of a case that is right; a change of `undefined` leaves a field out. */
function caseFile(changes: Record<string, string | undefined>): string {
  const fields: Record<string, string | undefined> = {
    id: '900',
    sample: 'true',
    heading: 'Пробный кейс',
    title: 'Пробный кейс для проверки загрузки',
    description:
      '>-\n  Описание, которое достаточно длинно, чтобы его можно было показать в поиске\n  под названием страницы.',
    published: '2026-01-15',
    niche: 'Проверка',
    marketplaces: '[Ozon]',
    services: '\n  - /services/photo',
    task: 'Задача',
    start: 'Начало',
    volume: 'Объём',
    period: 'Период',
    method: 'Способ',
    results: '\n  - metric: Показатель\n    before: "1"\n    after: "2"',
    limits: 'Пределы',
    ...changes,
  };
  const lines = Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  return `---\n${lines.join('\n')}\n---\n\nТекст.\n`;
}

type Mistake = {
  name: string;
  file: string;
  write: Change;
  /** A text on the line that must be named; without it, it is the first line. */
  at?: string;
  field: string;
  expected: string;
  found: string;
};

const append = (addition: string) => (text: string) => `${text.trimEnd()}\n${addition}\n`;
const replace = (from: RegExp, to: string) => (text: string) => {
  expect(text).toMatch(from);
  return text.replace(from, to);
};

/** One of each kind; each in a place of its own, so that none hides another. */
const mistakes: Mistake[] = [
  {
    name: 'an unknown field',
    file: 'cases/x-unknown-field.md',
    write: () => caseFile({ id: '901', nich: 'опечатка' }),
    at: 'nich:',
    field: 'nich',
    expected: 'a field of this kind of file',
    found: 'unknown field "nich"',
  },
  {
    name: 'a wrong type',
    file: 'cases/x-wrong-type.md',
    write: () => caseFile({ id: 'девять' }),
    at: 'id: девять',
    field: 'id',
    expected: 'number',
    found: '"девять"',
  },
  {
    name: 'a missing field',
    file: 'cases/x-missing-field.md',
    write: () => caseFile({ id: '902', method: undefined }),
    at: 'id: 902',
    field: 'method',
    expected: 'string',
    found: 'nothing',
  },
  {
    name: 'a field without a value',
    file: 'cases/x-empty-field.md',
    write: () => caseFile({ id: '903', task: '' }),
    at: 'task:',
    field: 'task',
    expected: 'string',
    found: 'null',
  },
  {
    name: 'a mistake deep inside a list',
    file: 'cases/x-nested.md',
    write: () =>
      caseFile({
        id: '904',
        results: '\n  - metric: Один\n    before: "1"\n    after: "2"\n  - metric: Два\n    before: 3\n    after: "4"',
      }),
    at: 'before: 3',
    field: 'results.1.before',
    expected: 'string',
    found: '3',
  },
  {
    name: 'a word that is none of the known ones',
    file: 'cases/x-enum.md',
    write: () => caseFile({ id: '905', marketplaces: '[Ozon, Озон]' }),
    at: 'marketplaces:',
    field: 'marketplaces.1',
    expected: 'one of "Wildberries", "Ozon", "Яндекс Маркет"',
    found: '"Озон"',
  },
  {
    name: 'an empty list',
    file: 'cases/x-empty-list.md',
    write: () => caseFile({ id: '906', services: '[]' }),
    at: 'services:',
    field: 'services',
    expected: 'at least 1 items',
    found: '[]',
  },
  {
    name: 'a description too short to be shown in search',
    file: 'cases/x-short.md',
    write: () => caseFile({ id: '907', description: 'Коротко.' }),
    at: 'description:',
    field: 'description',
    expected: 'at least 50 characters',
    found: '"Коротко."',
  },
  {
    name: 'a title that search would cut',
    file: 'cases/x-long.md',
    write: () => caseFile({ id: '908', title: 'Слово '.repeat(20) }),
    at: 'title:',
    field: 'title',
    expected: 'at most 90 characters',
    found: `"${'Слово '.repeat(20).trim()}"`,
  },
  {
    name: 'a date that is none',
    file: 'cases/x-date.md',
    write: () => caseFile({ id: '909', published: '2026-02-30' }),
    at: 'published:',
    field: 'published',
    expected: 'a date such as 2026-11-20',
    found: '"2026-02-30"',
  },
  {
    name: 'YAML that cannot be read',
    file: 'cases/x-yaml.md',
    write: () => caseFile({ id: '910', task: '"кавычка не закрыта' }),
    at: 'task: "кавычка',
    field: '',
    expected: 'valid YAML',
    found: 'Missing closing "quote',
  },
  {
    name: 'a field written twice',
    file: 'cases/x-twice.md',
    write: () => caseFile({ id: '911', limits: 'а\nlimits: б' }),
    at: 'limits: б',
    field: '',
    expected: 'valid YAML',
    found: 'Map keys must be unique',
  },
  {
    name: 'no front matter',
    file: 'cases/x-no-front-matter.md',
    write: () => '# Только текст\n',
    field: '',
    expected: 'front matter between two lines of ---',
    found: '"# Только текст\\n"',
  },
  {
    name: 'an empty file',
    file: 'cases/x-empty.md',
    write: () => '',
    field: '',
    expected: 'front matter between two lines of ---',
    found: '""',
  },
  {
    name: 'a missing file',
    file: 'pages/map.md',
    write: () => undefined,
    field: '',
    expected: 'a readable file',
    found: 'no such file',
  },
  {
    name: 'an id that another file has',
    file: 'cases/y-second.md',
    write: () => caseFile({ id: '900' }),
    at: 'id: 900',
    field: 'id',
    expected: 'a number of its own',
    found: '900, as in cases/y-first.md',
  },
  {
    name: 'a file name that is a number',
    file: 'cases/12345.md',
    write: () => caseFile({ id: '912' }),
    at: 'id: 912',
    field: '',
    expected: 'a file name that is not a number, because ids are',
    found: '12345',
  },
  {
    name: 'a service that does not exist',
    file: 'cases/x-reference.md',
    write: () => caseFile({ id: '913', services: '\n  - /services/photo\n  - /services/foto' }),
    at: '/services/foto',
    field: 'services.1',
    expected: 'the path of a service',
    found: '"/services/foto"',
  },
  {
    name: 'a service at an address that its file name does not give',
    file: 'services/x-service.md',
    write: () =>
      textOf('services/photo.md')
        .replace(/^order: .*/m, 'order: 900')
        .replace(/^to: .*/m, 'to: /services/elsewhere'),
    at: 'to: /services/elsewhere',
    field: 'to',
    expected: '/services/x-service, which the file name gives',
    found: '"/services/elsewhere"',
  },
  {
    name: 'a fact that is no fact',
    file: 'company.yaml',
    write: replace(/^demo: .*$/m, 'demo: может быть'),
    at: 'demo: может',
    field: 'demo',
    expected: 'boolean',
    found: '"может быть"',
  },
  {
    name: 'a picture that does not exist',
    file: 'presets.yaml',
    write: append(
      '- { slug: extra, title: Ещё, description: Ещё одна форма, button: Да, name: true, message: none,\n    image: /images/presets/nothing.svg }',
    ),
    at: '/images/presets/nothing.svg',
    field: 'image',
    expected: 'a file under public/',
    found: '/images/presets/nothing.svg',
  },
  {
    name: 'a service whose drawing does not exist',
    file: 'services/x-drawing.md',
    write: () =>
      textOf('services/photo.md')
        .replace(/^order: .*/m, 'order: 901')
        .replace(/^to: .*/m, 'to: /services/x-drawing')
        .replace(/^image: .*/m, 'image: /images/services/x-drawing.svg'),
    at: 'image: /images/services/x-drawing.svg',
    field: 'image',
    expected: 'a file under public/',
    found: '/images/services/x-drawing.svg',
  },
  {
    name: 'a step whose drawing does not exist',
    file: 'home.yaml',
    write: replace(/\/images\/steps\/packing\.svg/, '/images/steps/wrapping.svg'),
    at: '/images/steps/wrapping.svg',
    field: 'steps.3.image',
    expected: 'a file under public/',
    found: '/images/steps/wrapping.svg',
  },
  {
    name: 'a page whose drawing does not exist',
    file: 'pages/cargo.md',
    write: replace(/\/images\/services\/cargo\.svg/, '/images/services/ship.svg'),
    at: '/images/services/ship.svg',
    field: 'image',
    expected: 'a file under public/',
    found: '/images/services/ship.svg',
  },
  {
    name: 'a question with the anchor of another',
    file: 'questions.yaml',
    write: append(
      '- { slug: twin, topic: Т, question: Первый, answer: Ответ }\n- { topic: Т, question: Второй, answer: Ответ,\n    slug: twin }',
    ),
    at: '    slug: twin',
    field: 'slug',
    expected: 'a name of its own',
    found: '"twin"',
  },
  {
    name: 'a price row with the id of another',
    file: 'rates.yaml',
    write: append(
      '  - id: extra\n    title: Ещё\n    rows:\n      - { id: same-row, text: Один, unit: шт., tiers: [{ from: 1, price: 1 }] }\n      - { text: Два, unit: шт., tiers: [{ from: 1, price: 1 }],\n          id: same-row }',
    ),
    at: '          id: same-row',
    field: 'id',
    expected: 'a name of its own',
    found: '"same-row"',
  },
  {
    name: 'an address that is moved twice',
    file: 'redirects.yaml',
    write: append('- { from: /moved-twice, to: /rates }\n- { to: /cargo,\n    from: /moved-twice }'),
    at: '    from: /moved-twice',
    field: 'from',
    expected: 'a name of its own',
    found: '"/moved-twice"',
  },
  {
    name: 'a spelling that another group of synonyms has',
    file: 'search.yaml',
    write: (text) => text.replace(/synonyms:\n/, 'synonyms:\n  - [площадка,\n      wildBERRIES]\n'),
    at: '[Wildberries, ',
    field: '0',
    expected: 'a spelling that stands once',
    found: '"Wildberries", which group 1 has',
  },
  {
    name: 'an address that is no path of this site',
    file: 'navigation.yaml',
    write: append('- { text: Вон, to: "https://example.com" }'),
    at: 'https://example.com',
    field: 'to',
    expected: 'a path of this site, such as /services/photo',
    found: '"https://example.com"',
  },
];

describe('every kind of mistake is reported with file, line, field, what was expected and what was found', () => {
  const changes = mistakes.map(({ file, write }) => [file, write] as const);
  const files = contentWith({ 'cases/y-first.md': () => caseFile({ id: '900' }), ...Object.fromEntries(changes) });
  let problems: readonly Problem[];
  beforeAll(async () => {
    problems = await problemsOf(files);
  });

  test.each(mistakes)('$name', ({ file, at, field, expected, found }) => {
    const matching = problems.filter((problem) => problem.file === file);
    const line = at === undefined ? 1 : lineOf(files, file, at);
    expect(line).toBeGreaterThan(0);
    expect(matching).toContainEqual({
      file,
      line,
      field: expect.stringMatching(new RegExp(`(^|\\.)${field}$`)),
      expected,
      found: expect.stringContaining(found),
    });
  });

  test('all at once, and nothing besides', () => {
    expect(problems.map(({ file }) => file).sort()).toEqual(mistakes.map(({ file }) => file).sort());
  });

  test('on a line each, for an editor to read', () => {
    const { message } = new ContentError([
      { file: 'cases/a.md', line: 3, field: 'id', expected: 'number', found: '"x"' },
      { file: 'cases/b.md', line: 1, field: '', expected: 'a readable file', found: 'nothing' },
    ]);
    expect(message).toBe(
      'The content has 2 problem(s):\n' +
        'cases/a.md:3: id: expected number, found "x"\n' +
        'cases/b.md:1: expected a readable file, found nothing',
    );
  });
});

test('references between files that lead nowhere are reported where they stand', async () => {
  const article = (text: string) => text.replace(/^related:\n {2}- .*$/m, 'related:\n  - no-such-article');
  const files = contentWith({
    'services/photo.md': (text) => text.replace(/^preset: .*$/m, 'preset: no-such-preset'),
    'services/marking.md': (text) => text.replace(/^rates: .*$/m, 'rates: [no-such-rates]'),
    'services/storage.md': (text) => text.replace(/^related:\n {2}- .*$/m, 'related:\n  - /services/none'),
    'reviews/x.md': () => review('no-such-category', '/services/photo'),
    'reviews/y.md': () => review('fulfillment', '/services/none'),
    'blog/articles/fbo-ili-fbs.md': article,
    'blog/video-news/x-video.md': () => textOf('blog/articles/plotnost-gruza.md').replace(/^id: .*$/m, 'id: 999'),
    'blog/news/fbo-ili-fbs.md': () => textOf('blog/news/sloty-v-noyabre.md').replace(/^id: .*$/m, 'id: 998'),
  });
  const found = (await problemsOf(files)).map(({ file, line, field, expected, found }) => [
    file,
    line,
    field,
    expected,
    found,
  ]);
  const at = (file: string, needle: string) => [file, lineOf(files, file, needle)];
  expect(found).toHaveLength(8);
  expect(found).toEqual(
    expect.arrayContaining([
      [...at('services/photo.md', 'preset:'), 'preset', 'the slug of a preset', '"no-such-preset"'],
      [...at('services/marking.md', 'rates:'), 'rates.0', 'the id of a rate group', '"no-such-rates"'],
      [...at('services/storage.md', '/services/none'), 'related.0', 'the path of a service', '"/services/none"'],
      [...at('reviews/x.md', 'category:'), 'category', 'a category of reviews', '"no-such-category"'],
      [...at('reviews/y.md', 'service:'), 'service', 'the path of a service', '"/services/none"'],
      [
        ...at('blog/articles/fbo-ili-fbs.md', 'no-such-article'),
        'related.0',
        'the slug of an article',
        '"no-such-article"',
      ],
      ['blog/video-news/x-video.md', 2, 'video', 'a video in video news and nowhere else', 'nothing'],
      [
        'blog/news/fbo-ili-fbs.md',
        2,
        '',
        'a file name that no other article has',
        'the name of blog/articles/fbo-ili-fbs.md',
      ],
    ]),
  );
});

test('what the calculator names and nothing else has is reported where it stands', async () => {
  const wrong: [from: string, to: string, field: string, expected: string][] = [
    [
      '{ rate: package-bag }',
      '{ rate: package-bags }',
      'packaging.1.operations.0.rate',
      'the id of a row in rates.yaml',
    ],
    ['{ rate: fulfillment-fbs }', '{ rate: fbs }', 'schemes.1.operations.0.rate', 'the id of a row in rates.yaml'],
    ['rate: storage-litre', 'rate: litre', 'storage.operations.0.rate', 'the id of a row in rates.yaml'],
    ['box: tula-box', 'box: tula', 'warehouses.6.rates.box', 'the id of a row in rates.yaml'],
    [
      'Подольск, marketplaces: [wb]',
      'Подольск, marketplaces: [vb]',
      'warehouses.1.marketplaces.0',
      'the id of a marketplace',
    ],
    ['{ id: zip, text: Пакет с замком', '{ id: bag, text: Пакет с замком', 'packaging.2.id', 'a name of its own'],
  ];
  const files = contentWith({
    'calculator.yaml': (text) => wrong.reduce((all, [from, to]) => all.replace(from, to), text),
  });
  const found = (await problemsOf(files)).map(({ file, line, field, expected }) => [file, line, field, expected]);
  expect(found).toHaveLength(wrong.length);
  expect(found).toEqual(
    expect.arrayContaining(
      wrong.map(([, to, field, expected]) => [
        'calculator.yaml',
        lineOf(files, 'calculator.yaml', to),
        field,
        expected,
      ]),
    ),
  );
});

test('an example that the calculator cannot count is reported at its field', async () => {
  const example = async (from: RegExp, to: string) => {
    const files = contentWith({ 'calculator.yaml': replace(from, to) });
    return (await problemsOf(files)).map(({ line, field }) => [line, field]);
  };
  const last = textOf('calculator.yaml').split('\n').indexOf('example:') + 1;
  expect(await example(/^ {2}to: koledino$/m, '  to: tver')).toEqual([[expect.any(Number), 'example.to']]);
  expect(await example(/^ {2}units: 1000$/m, '  units: 900000')).toEqual([[last, 'example']]);
});

test('a mistake is reported where it stands, and not again wherever something refers to it', async () => {
  const files = contentWith({
    'services/photo.md': replace(/^order: .*$/m, 'order: шестой'),
    'blog/articles/fbo-ili-fbs.md': replace(/^published: .*$/m, 'published: вчера'),
    'presets.yaml': append('- { slug: half }'),
    'rates.yaml': replace(/^effective: .*$/m, 'effective: завтра'),
  });
  const named = new Set((await problemsOf(files)).map(({ file }) => file));
  expect([...named].sort()).toEqual([
    'blog/articles/fbo-ili-fbs.md',
    'presets.yaml',
    'rates.yaml',
    'services/photo.md',
  ]);
  const categories = contentWith({ 'categories.yaml': append('extra: []') });
  expect((await problemsOf(categories)).map(({ file }) => file)).toEqual(['categories.yaml']);
});

describe('a departure that could not be kept is reported where it is written', () => {
  const line = (id: string, changes: Record<string, string> = {}) => {
    const fields: Record<string, string> = {
      id,
      warehouse: 'Склад',
      marketplaces: '[Ozon]',
      service: '/services/photo',
      days: '[пн]',
      departure: '"14:00"',
      handOver: '{ workingDaysBefore: 0, until: "11:00" }',
      unloading: '{ daysAfter: 0, text: днём }',
      limit: 'Короба',
      checked: '2026-11-18',
      ...changes,
    };
    return `- ${Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n  ')}`;
  };
  const problemsIn = async (...lines: string[]) =>
    (await problemsOf(contentWith({ 'departures.yaml': () => lines.join('\n') }))).map(
      ({ file, line, field, expected, found }) => [`${file}:${line}`, field, expected, found],
    );
  /** Each of these lines has ten fields. */
  const lineIn = (entry: number, field: number) => `departures.yaml:${entry * 10 + field}`;

  test('by itself', async () => {
    expect(
      await problemsIn(
        line('tula', { days: '[пн, понедельник]' }),
        line('kazan', { days: '[пн, вт, пн]' }),
        line('koledino', { departure: '"25:00"' }),
        line('podolsk', { departure: '"11:00"' }),
        line('pushkino', { checked: 'вчера' }),
      ),
    ).toEqual([
      [lineIn(0, 5), '0.days.1', 'one of "пн", "вт", "ср", "чт", "пт", "сб", "вс"', '"понедельник"'],
      [lineIn(1, 5), '1.days', 'each weekday once', '["пн","вт","пн"]'],
      [lineIn(2, 6), '2.departure', 'a time such as 09:30', '"25:00"'],
      [lineIn(3, 7), '3.handOver.until', 'a time before the departure of the same day', '"11:00"'],
      [lineIn(4, 10), '4.checked', 'a date such as 2026-11-20', '"вчера"'],
    ]);
  });

  test('beside the other files', async () => {
    const evening = '{ workingDaysBefore: 1, until: "21:00" }';
    expect(
      await problemsIn(
        line('tula'),
        line('tula'),
        line('kazan', { service: '/services/foto' }),
        line('moscow'),
        line('koledino', { days: '[сб, вс]' }),
        line('podolsk', { handOver: evening }),
      ),
    ).toEqual([
      [lineIn(1, 1), '1.id', 'a name of its own', '"tula"'],
      [lineIn(2, 4), '2.service', 'the path of a service', '"/services/foto"'],
      [lineIn(3, 1), '3.id', `the beginning of a rate's id, as koledino is of koledino-box`, '"moscow"'],
      [lineIn(4, 5), '4.days.1', 'a working day of company.yaml', '"вс"'],
      [lineIn(5, 7), '5.handOver.until', 'a time within the working hours of company.yaml', '"21:00"'],
    ]);
  });
});

test('a missing folder is reported', async () => {
  expect(await problemsOf(contentWith({ reviews: () => undefined }))).toEqual([
    { file: 'reviews', line: 1, field: '', expected: 'a folder with Markdown files', found: 'nothing' },
  ]);
});

function review(category: string, service: string): string {
  return `---
id: ${category === 'fulfillment' ? 901 : 900}
sample: true
category: ${category}
author: Проверка
role: Проверяющий
marketplaces: [Ozon]
service: ${service}
published: 2026-01-15
source: Опрос
---

Текст.
`;
}

test('links to nowhere are reported where they stand', async () => {
  const text = [
    '',
    'Первая строка абзаца без ссылок,',
    'а во второй строке [опечатка](/ratse) и [верная](/rates#marking).',
    '',
    '| Что | Где |',
    '|---|---|',
    '| Верно | [тарифы](/rates) |',
    '| Неверно | [кейсы](/case) |',
    '',
    '- Пункт со ссылкой на [форму](/contact?preset=bonus)',
    '- Пункт с [формой](/contact?preset=nothing)',
    '- [Без косой черты](rates)',
    '- [Другой сайт](https://example.com/nowhere), [почта](mailto:a@example.com), [звонок](tel:+74950000000)',
    '- [Нет такого раздела](/rates#nowhere)',
    '- ![Картинка](/images/nowhere.png)',
    '- [Чужой адрес](//example.com/)',
    '',
  ].join('\n');
  const files = contentWith({
    'cases/x-links.md': () => caseFile({}).replace('Текст.\n', text),
    'questions.yaml': append('- { slug: x, topic: Т, question: В,\n    answer: "[так](/nowhere)" }'),
    'navigation.yaml': append('- { text: Никуда, to: /nowhere-to-go }'),
    'redirects.yaml': append(
      '- { from: /old, to: /nowhere-to-move }\n- { from: /rates, to: /cargo }\n- { from: /chain, to: /old }',
    ),
  });
  const found = (await problemsOf(files)).map(({ file, line, found }) => `${file}:${line} ${found}`);
  const at = (file: string, needle: string) => `${file}:${lineOf(files, file, needle)}`;
  expect(found.sort()).toEqual(
    [
      `${at('cases/x-links.md', '/ratse')} /ratse`,
      `${at('cases/x-links.md', '/case)')} /case`,
      `${at('cases/x-links.md', 'preset=nothing')} /contact?preset=nothing`,
      `${at('cases/x-links.md', '(rates)')} rates`,
      `${at('cases/x-links.md', '#nowhere')} /rates#nowhere`,
      `${at('cases/x-links.md', '/images/nowhere.png')} /images/nowhere.png`,
      `${at('cases/x-links.md', '//example.com/)')} //example.com/`,
      `${at('questions.yaml', '(/nowhere)')} /nowhere`,
      `${at('navigation.yaml', '/nowhere-to-go')} /nowhere-to-go`,
      `${at('redirects.yaml', '/nowhere-to-move')} /nowhere-to-move`,
      `${at('redirects.yaml', 'from: /rates')} /rates`,
      `${at('redirects.yaml', '/chain')} /old`,
    ].sort(),
  );
});

/** Without the no-break spaces that typography puts in. */
function plain(text: string): string {
  return text.replaceAll('\u00A0', ' ');
}

describe('the content that ships', () => {
  let content: Content;
  beforeAll(async () => {
    content = (await editionOf()).content();
  });

  test('has eleven services, and enough of everything else', () => {
    expect(content.services).toHaveLength(11);
    expect(content.cases.length).toBeGreaterThanOrEqual(12);
    expect(content.reviews.length).toBeGreaterThanOrEqual(12);
    expect(new Set(content.reviews.map(({ category }) => category)).size).toBeGreaterThanOrEqual(3);
    expect(content.articles.length).toBeGreaterThanOrEqual(14);
    expect(content.news.length).toBeGreaterThanOrEqual(12);
    expect(content.questions.length).toBeGreaterThanOrEqual(15);
    expect(content.rates.groups.length).toBeGreaterThanOrEqual(content.services.length);
  });

  test('fills every category of the blog and of the reviews', () => {
    expect(content.categories.blog.map(({ slug }) => slug).sort()).toEqual(['articles', 'news', 'video-news']);
    for (const { slug } of content.categories.blog)
      expect([slug, content.articles.some(({ category }) => category === slug)]).toEqual([slug, true]);
    for (const { slug } of content.categories.reviews)
      expect([slug, content.reviews.some(({ category }) => category === slug)]).toEqual([slug, true]);
  });

  test('has the eight presets in their order, under their titles', () => {
    expect(content.presets.map(({ slug, title }) => [slug, plain(title)])).toEqual([
      ['consultation', 'Бесплатная консультация'],
      ['calculation', 'Заказать расчет'],
      ['question', 'Задайте интересующий вас вопрос'],
      ['bonus', 'Получить бонус'],
      ['service', 'Заказать услугу'],
      ['cooperation', 'Начать сотрудничество'],
      ['price', 'Узнать стоимость'],
      ['request', 'Оформить заявку'],
    ]);
    const asked = Object.fromEntries(content.presets.map(({ slug, name, message }) => [slug, { name, message }]));
    expect(asked.bonus).toEqual({ name: false, message: 'none' });
    expect(asked.question).toEqual({ name: true, message: 'required' });
  });

  test('marks its cases and reviews as samples, and its facts as invented', () => {
    expect(content.cases.filter(({ sample }) => !sample)).toEqual([]);
    expect(content.reviews.filter(({ sample }) => !sample)).toEqual([]);
    expect(content.company).toMatchObject({
      demo: true,
      phone: { text: '+7 (495) 000-00-00' },
      tollFree: { text: '8 (800) 000-00-00' },
      email: 'info@example.ru',
    });
    const { broadcast, address } = content.company;
    expect([broadcast, address.locality, address.street].map(plain)).toEqual([
      'Трансляция с 8:00',
      'Москва',
      '1-й Варшавский пр., 2, стр. 9А',
    ]);
    expect(content.company.social.map(({ kind }) => kind)).toEqual(['phone', 'messenger', 'chat', 'network']);
  });

  test('has prices for every service, in kopecks', () => {
    for (const { to, rates } of content.services) expect([to, rates.length > 0]).toEqual([to, true]);
    const prices = content.rates.groups.flatMap(({ rows }) =>
      rows.flatMap(({ tiers }) => tiers.map(({ price }) => price)),
    );
    expect(prices.every((price) => Number.isInteger(price) && price > 0)).toBe(true);
  });

  test('says the same after it was kept as text', async () => {
    const memo = forgetfulMemo();
    const pictures = await readPictures(shipped, memo);
    const { content } = loadContent(shipped, readAssets(paths.public), { pictures, memo });
    const { core, posts } = packContent(content);
    const unpacked = unpackContent(core, () => posts, memo.text);
    expect(JSON.parse(wholeJson(unpacked))).toEqual(JSON.parse(wholeJson(content)));
  });

  test('never says what a template would', () => {
    const all = wholeJson(content);
    expect(all).not.toMatch(/lorem|TODO|FIXME|undefined|\[object|NaN/i);
  });
});
