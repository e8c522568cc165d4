import { beforeAll, describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import type { Content } from '../model/content.ts';
import { type Change, contentWith, fielded, fileIn, lineOf, shippedTest } from '../testing/content.ts';
import { problemsOf } from '../testing/problems.ts';
import { siteOf } from '../testing/test-site.ts';
import { readAssets } from './assets.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { loadContent } from './load.ts';
import { ContentError, type Problem } from './problem.ts';
import { readSources } from './sources.ts';

const shipped = readFolder(paths.content);
const textOf = (file: string) => shipped.get(file)?.bytes().toString() ?? '';
const serviceFile = fileIn('services');
/** Its address. */
const service = `/${serviceFile.replace('.md', '')}`;

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
    services: `\n  - ${service}`,
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
  message: string;
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
    message: 'Такого поля нет. Наверное, это niche.',
  },
  {
    name: 'a wrong type',
    file: 'cases/x-wrong-type.md',
    write: () => caseFile({ id: 'девять' }),
    at: 'id: девять',
    field: 'id',
    message: '«девять» не подходит. Нужно число: одни цифры, дробная часть после точки.',
  },
  {
    name: 'a missing field',
    file: 'cases/x-missing-field.md',
    write: () => caseFile({ id: '902', method: undefined }),
    field: 'method',
    message: 'Этого поля не хватает. Добавьте его: Как измеряли. Откуда взяты цифры, в одной-двух фразах.',
  },
  {
    name: 'a field without a value',
    file: 'cases/x-empty-field.md',
    write: () => caseFile({ id: '903', task: '' }),
    at: 'task:',
    field: 'task',
    message: 'Здесь ничего нет. Впишите значение: Задача. С чем клиент пришёл, одной фразой.',
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
    field: 'results.before',
    message: '«3» не подходит. Нужен текст. Если в нём двоеточие, скобка или одни цифры, возьмите его в кавычки.',
  },
  {
    name: 'a better figure without numbers',
    file: 'cases/x-incomparable.md',
    write: () =>
      caseFile({
        id: '920',
        results: '\n  - metric: Бой\n    before: не считали\n    after: 2 %\n    better: less',
      }),
    at: 'better: less',
    field: 'results.better',
    message: 'Чтобы сказать, что лучше, нужны оба числа. Добавьте numbers или сотрите better.',
  },
  {
    name: 'a word that is none of the known ones',
    file: 'cases/x-enum.md',
    write: () => caseFile({ id: '905', marketplaces: '[Ozon, Озон]' }),
    at: 'marketplaces:',
    field: 'marketplaces',
    message: '«Озон» не подходит. Здесь бывает: «Wildberries», «Ozon», «Яндекс Маркет».',
  },
  {
    name: 'an empty list',
    file: 'cases/x-empty-list.md',
    write: () => caseFile({ id: '906', services: '[]' }),
    at: 'services:',
    field: 'services',
    message: 'Значений в списке должно быть не меньше 1.',
  },
  {
    name: 'a description too short to be shown in search',
    file: 'cases/x-short.md',
    write: () => caseFile({ id: '907', description: 'Коротко.' }),
    at: 'description:',
    field: 'description',
    message: 'Знаков должно быть не меньше 50, а здесь 8.',
  },
  {
    name: 'a title that search would cut',
    file: 'cases/x-long.md',
    write: () => caseFile({ id: '908', title: 'Слово '.repeat(20) }),
    at: 'title:',
    field: 'title',
    message: 'Знаков должно быть не больше 90, а здесь 119.',
  },
  {
    name: 'a date that is none',
    file: 'cases/x-date.md',
    write: () => caseFile({ id: '909', published: '2026-02-30' }),
    at: 'published:',
    field: 'published',
    message:
      '«2026-02-30» не подходит. Нужна дата, которая есть в календаре: год, месяц, день через дефис, например 2026-11-20.',
  },
  {
    name: 'a field written twice',
    file: 'cases/x-twice.md',
    write: () => caseFile({ id: '911', limits: 'а\nlimits: б' }),
    at: 'limits: б',
    field: 'limits',
    message: 'Это поле стоит дважды. Оставьте одно.',
  },
  {
    name: 'no front matter',
    file: 'cases/x-no-front-matter.md',
    write: () => '# Только текст\n',
    field: '',
    message:
      'Файл начинается с полей между двумя строками из трёх дефисов: ---. Первой такой строки нет. Посмотрите на соседний файл этой папки.',
  },
  {
    name: 'a missing file',
    file: 'pages/map.md',
    write: () => undefined,
    field: '',
    message: 'Такого файла нет, а сайту он нужен.',
  },
  {
    name: 'an id that another file has',
    file: 'cases/y-second.md',
    write: () => caseFile({ id: '900' }),
    at: 'id: 900',
    field: 'id',
    message: '«900» уже есть в cases/y-first.md:N. Здесь нужно другое, своё.',
  },
  {
    name: 'a file name that is a number',
    file: 'cases/12345.md',
    write: () => caseFile({ id: '912' }),
    field: '',
    message:
      'Имя файла становится адресом: в нём строчные латинские буквы, цифры и дефисы, и не одни цифры. Назовите его, например, novaya-statya.md.',
  },
  {
    name: 'a service that does not exist',
    file: 'cases/x-reference.md',
    write: () => caseFile({ id: '913', services: `\n  - ${service}\n  - ${service}x` }),
    at: `${service}x`,
    field: 'services',
    message: `«${service}x»: такой услуги нет. Здесь нужен её адрес: /services/ и имя файла из папки services без .md. Наверное, это ${service}.`,
  },
  {
    name: 'a fact that is no fact',
    file: 'company.yaml',
    write: replace(/^demo: .*$/m, 'demo: может быть'),
    at: 'demo: может',
    field: 'demo',
    message: '«может быть» не подходит. Нужно true (да) или false (нет).',
  },
  {
    name: 'a picture that does not exist',
    file: 'presets.yaml',
    write: append(
      '- { slug: extra, title: Ещё, description: Ещё одна форма, button: Да, name: true, message: none,\n    image: /images/presets/nothing.svg }',
    ),
    at: '/images/presets/nothing.svg',
    field: 'image',
    message: 'В папке public нет файла «/images/presets/nothing.svg».',
  },
  {
    name: 'a question with the anchor of another',
    file: 'questions.yaml',
    write: append(
      '- { slug: twin, topic: Т, question: Первый, answer: Ответ }\n- { topic: Т, question: Второй, answer: Ответ,\n    slug: twin }',
    ),
    at: '    slug: twin',
    field: 'slug',
    message: '«twin» уже есть в questions.yaml:N. Здесь нужно другое, своё.',
  },
  {
    name: 'a price row with the id of another',
    file: 'rates.yaml',
    write: append(
      '  - id: extra\n    title: Ещё\n    lead: [{ rate: same-row, text: Один }]\n    rows:\n      - { id: same-row, text: Один, unit: шт., tiers: [{ from: 1, price: 1 }] }\n      - { text: Два, unit: шт., tiers: [{ from: 1, price: 1 }],\n          id: same-row }',
    ),
    at: '          id: same-row',
    field: 'groups.rows.id',
    message: '«same-row» уже есть в rates.yaml:N. Здесь нужно другое, своё.',
  },
  {
    name: 'an address that is moved twice',
    file: 'redirects.yaml',
    write: append('- { from: /moved-twice, to: /rates }\n- { to: /cargo,\n    from: /moved-twice }'),
    at: '    from: /moved-twice',
    field: 'from',
    message: '«/moved-twice» уже есть в redirects.yaml:N. Здесь нужно другое, своё.',
  },
  {
    name: 'a spelling that another group of synonyms has',
    file: 'search.yaml',
    write: (text) => text.replace(/synonyms:\n/, 'synonyms:\n  - [площадка,\n      Wildberries]\n'),
    at: '[Wildberries, ',
    field: 'synonyms',
    message: '«Wildberries» уже есть в search.yaml:N. Здесь нужно другое, своё.',
  },
  {
    name: 'an address that is no path of this site',
    file: 'navigation.yaml',
    write: append('  - { text: Вон, to: "https://example.com" }'),
    at: 'https://example.com',
    field: 'footer.to',
    message: '«https://example.com» не подходит. Нужен адрес на этом сайте, например /services/photo.',
  },
];

describe('every kind of mistake is reported with file, line, field, and what to do about it', () => {
  const changes = mistakes.map(({ file, write }) => [file, write] as const);
  const files = contentWith({ 'cases/y-first.md': () => caseFile({ id: '900' }), ...Object.fromEntries(changes) });
  let problems: readonly Problem[];
  beforeAll(async () => {
    problems = await problemsOf(files);
  });

  test.each(mistakes)('$name', ({ file, at, field, message }) => {
    const matching = problems
      .filter((problem) => problem.file === file)
      .map((problem) => ({ ...problem, message: problem.message.replace(/(?<=уже есть в \S+:)\d+/, 'N') }));
    const line = at === undefined ? 1 : lineOf(files, file, at);
    expect(line).toBeGreaterThan(0);
    expect(matching).toContainEqual({ file, line, field, message });
  });

  test('all at once, and nothing besides', () => {
    expect(problems.map(({ file }) => file).sort()).toEqual(mistakes.map(({ file }) => file).sort());
  });
});

test('references between files that lead nowhere are reported where they stand', async () => {
  const [first, second, third] = [serviceFile, fileIn('services', 1), fileIn('services', 2)];
  const [article, news] = [fileIn('blog/articles'), fileIn('blog/news')];
  const namesake = article.replace('articles', 'news');
  const [, category = ''] = /^category: (.*)$/m.exec(textOf(fileIn('reviews'))) ?? [];
  const files = contentWith({
    [first]: fielded('preset', 'no-such-preset'),
    [second]: fielded('rates', '[no-such-rates]'),
    [third]: fielded('related', '[/services/none]'),
    'reviews/x.md': () => review(900, 'no-such-category', service),
    'reviews/y.md': () => review(901, category, '/services/none'),
    [article]: fielded('related', '[no-such-article]'),
    'blog/video-news/x-video.md': () => fielded('id', '999')(textOf(article)),
    [namesake]: () => fielded('id', '998')(textOf(news)),
  });
  const found = (await problemsOf(files)).map(({ file, line, field, message }) => [
    file,
    line,
    field,
    message.replace(/\..*/, ''),
  ]);
  const at = (file: string, needle: string) => [file, lineOf(files, file, needle)];
  expect(found).toHaveLength(8);
  expect(found).toEqual(
    expect.arrayContaining([
      [...at(first, 'preset:'), 'preset', '«no-such-preset»: такой формы нет'],
      [...at(second, 'rates:'), 'rates', '«no-such-rates»: такой группы тарифов нет'],
      [...at(third, '/services/none'), 'related', '«/services/none»: такой услуги нет'],
      [...at('reviews/x.md', 'category:'), 'category', '«no-such-category»: такой категории отзывов нет'],
      [...at('reviews/y.md', 'service:'), 'service', '«/services/none»: такой услуги нет'],
      [...at(article, 'no-such-article'), 'related', '«no-such-article»: такой статьи нет'],
      [
        'blog/video-news/x-video.md',
        1,
        'video',
        'Видео бывает только в папке blog/video-news/, и там оно у каждой записи',
      ],
      [namesake, 1, '', `Так же называется ${article.replace('.md', '')}`],
    ]),
  );
});

test('a price that a group leads with and does not have is reported, whether or not another group has it', async () => {
  const [, last = ''] = /[\s\S]*\n {6}- id: (.*)\n/.exec(textOf('rates.yaml')) ?? [];
  for (const row of [last, 'nothing']) {
    const files = contentWith({ 'rates.yaml': replace(/(?<= lead:[\s\S]*?\{ rate: )[\w-]+/, row) });
    expect(await problemsOf(files)).toMatchObject([
      { file: 'rates.yaml', line: lineOf(files, 'rates.yaml', '    lead:'), field: 'groups.lead' },
    ]);
  }
});

shippedTest('what the calculator names and nothing else has is reported where it stands', async () => {
  const wrong: [from: string, to: string, field: string, said: string][] = [
    [
      '{ rate: package-bag }',
      '{ rate: package-bags }',
      'packaging.operations.rate',
      '«package-bags»: такой строки тарифов нет',
    ],
    ['{ rate: fulfillment-fbs }', '{ rate: fbs }', 'schemes.operations.rate', '«fbs»: такой строки тарифов нет'],
    ['rate: storage-litre', 'rate: litre', 'storage.operations.rate', '«litre»: такой строки тарифов нет'],
    ['{ id: zip, text: Пакет с замком', '{ id: bag, text: Пакет с замком', 'packaging.id', '«bag» уже есть'],
  ];
  const files = contentWith({
    'calculator.yaml': (text) => wrong.reduce((all, [from, to]) => all.replace(from, to), text),
  });
  const found = (await problemsOf(files)).map(({ file, line, field, message }) => [file, line, field, message]);
  expect(found).toHaveLength(wrong.length);
  expect(found).toEqual(
    expect.arrayContaining(
      wrong.map(([, to, field, said]) => [
        'calculator.yaml',
        lineOf(files, 'calculator.yaml', to),
        field,
        expect.stringContaining(said),
      ]),
    ),
  );
});

shippedTest('an example that the calculator cannot count is reported', async () => {
  const example = async (from: RegExp, to: string) => {
    const files = contentWith({ 'calculator.yaml': replace(from, to) });
    return (await problemsOf(files)).map(({ line, field }) => [line, field]);
  };
  const last = textOf('calculator.yaml').split('\n').indexOf('example:') + 1;
  expect(await example(/^ {2}to: koledino$/m, '  to: tver')).toEqual([[last, 'example']]);
  expect(await example(/^ {2}units: 1000$/m, '  units: 900000')).toEqual([[last, 'example']]);
});

test('a mistake is reported where it stands, and not again wherever something refers to it', async () => {
  const article = fileIn('blog/articles');
  const files = contentWith({
    [serviceFile]: replace(/^order: .*$/m, 'order: шестой'),
    [article]: replace(/^published: .*$/m, 'published: вчера'),
    'presets.yaml': append('- { slug: half }'),
    'rates.yaml': replace(/^effective: .*$/m, 'effective: завтра'),
  });
  const named = new Set((await problemsOf(files)).map(({ file }) => file));
  expect([...named].sort()).toEqual([article, 'presets.yaml', 'rates.yaml', serviceFile]);
  const categories = contentWith({ 'categories.yaml': append('extra: []') });
  expect((await problemsOf(categories)).map(({ file }) => file)).toEqual(['categories.yaml']);
});

describe('a departure that could not be kept is reported where it is written', () => {
  const line = (id: string, changes: Record<string, string> = {}) => {
    const fields: Record<string, string> = {
      id,
      warehouse: 'Склад',
      marketplaces: '[Ozon]',
      service,
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
      ({ file, line, field, message }) => [`${file}:${line}`, field, message.replace(/\. .*/, '.')],
    );
  /** Each of these lines has ten fields. */
  const lineIn = (entry: number, field: number) => `departures.yaml:${entry * 10 + field}`;

  shippedTest('by itself', async () => {
    expect(
      await problemsIn(
        line('tula', { days: '[пн, понедельник]' }),
        line('kazan', { days: '[пн, вт, пн]' }),
        line('koledino', { departure: '"25:00"' }),
        line('podolsk', { departure: '"11:00"' }),
        line('pushkino', { checked: 'вчера' }),
      ),
    ).toEqual([
      [lineIn(0, 5), 'days', '«понедельник» не подходит.'],
      [lineIn(1, 5), 'days', 'Один день недели стоит дважды.'],
      [lineIn(2, 6), 'departure', '«25:00» не подходит.'],
      [lineIn(3, 7), 'handOver.until', expect.stringContaining('until должно быть раньше departure')],
      [lineIn(4, 10), 'checked', '«вчера» не подходит.'],
    ]);
  });

  shippedTest('beside the other files', async () => {
    expect(
      await problemsIn(
        line('tula'),
        line('tula'),
        line('kazan', { service: '/services/none' }),
        line('moscow'),
        line('koledino', { checked: '2026-01-01' }),
      ),
    ).toEqual([
      [lineIn(1, 1), 'id', '«tula» уже есть в departures.yaml:1.'],
      [lineIn(2, 4), 'service', '«/services/none»: такой услуги нет.'],
      [lineIn(3, 1), 'id', 'Без цены калькулятор этого склада не предложит.'],
      [lineIn(4, 10), 'checked', 'Рейс не сверяли больше 180 дней.'],
    ]);
  });
});

describe('a new warehouse is a departure and two prices', () => {
  const departure = (text: string) =>
    text.replace(
      /- id: tula\n.*?(?=\n- id)/s,
      (tula) => `${tula}\n${tula.replace('id: tula', 'id: omsk').replace('Тула', 'Омск')}`,
    );
  const row = (id: string) => `      - { id: ${id}, text: Омск, unit: место, tiers: [{ from: 1, price: 900 }] }\n`;
  const priced = (...ids: string[]) =>
    contentWith({
      'departures.yaml': departure,
      'rates.yaml': (text) => text.replace(/(?= {6}- id: tula-box\n)/, ids.map(row).join('')),
    });

  const contentOf = async (files: ContentFiles) =>
    loadContent(readSources(files), { assets: readAssets(paths.public) }).content;

  test('and the calculator sends goods there', async () => {
    const { calculator } = await contentOf(priced('omsk-box', 'omsk-pallet'));
    const { marketplaces, rates } = calculator.warehouses.find(({ text }) => text === 'Омск') ?? {};
    expect(marketplaces).toEqual(calculator.warehouses.find(({ id }) => id === 'tula')?.marketplaces);
    expect(rates).toEqual({ box: 'omsk-box', pallet: 'omsk-pallet' });
  });

  test('while one price is missing, the departure stands in the timetable alone, and the editor is told', async () => {
    const files = priced('omsk-pallet');
    const { departures, calculator } = await contentOf(files);
    expect(departures.map(({ id }) => id)).toContain('omsk');
    expect(calculator.warehouses.map(({ id }) => id)).not.toContain('omsk');
    expect((await problemsOf(files)).map(({ file, warning, message }) => [file, warning, message])).toEqual([
      ['departures.yaml', true, expect.stringContaining('строки с id «omsk-box»')],
    ]);
  });
});

test('a missing folder is reported', async () => {
  expect(await problemsOf(contentWith({ reviews: () => undefined }))).toEqual([
    { file: 'reviews', line: 1, field: '', message: 'Этой папки нет, или она пуста. В ней должны лежать файлы .md.' },
  ]);
});

function review(id: number, category: string, service: string): string {
  return `---
id: ${id}
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
    'а во второй строке [опечатка](/ratse) и [верная](/rates).',
    '',
    '| Что | Где |',
    '|---|---|',
    '| Верно | [тарифы](/rates) |',
    '| Неверно | [кейсы](/case) |',
    '',
    '- Пункт со ссылкой на [форму](/contact?preset=request)',
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
    'navigation.yaml': append('  - { text: Никуда, to: /nowhere-to-go }'),
    'redirects.yaml': append(
      '- { from: /old, to: /nowhere-to-move }\n- { from: /rates, to: /cargo }\n- { from: /chain, to: /old }\n- { from: /rates?id=1, to: /cargo }',
    ),
  });
  const error = await siteOf({ files }).catch((caught) => caught);
  if (!(error instanceof ContentError)) throw error;
  const found = error.problems.map(({ file, line, message }) => `${file}:${line} ${/«(.*?)»/.exec(message)?.[1]}`);
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
      `${at('redirects.yaml', '/rates?id')} /rates?id=1`,
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
    content = (await siteOf()).content;
  });

  shippedTest('has eleven services, and enough of everything else', () => {
    expect(content.services).toHaveLength(11);
    expect(content.cases.length).toBeGreaterThanOrEqual(12);
    expect(content.reviews.length).toBeGreaterThanOrEqual(12);
    expect(new Set(content.reviews.map(({ category }) => category)).size).toBeGreaterThanOrEqual(3);
    expect(content.articles.length).toBeGreaterThanOrEqual(14);
    expect(content.news.length).toBeGreaterThanOrEqual(12);
    expect(content.questions.length).toBeGreaterThanOrEqual(15);
    expect(content.rates.groups.length).toBeGreaterThanOrEqual(content.services.length);
  });

  shippedTest('fills every category of the blog and of the reviews', () => {
    expect(content.categories.blog.map(({ slug }) => slug).sort()).toEqual(['articles', 'news', 'video-news']);
    for (const { slug } of content.categories.blog)
      expect([slug, content.articles.some(({ category }) => category === slug)]).toEqual([slug, true]);
    for (const { slug } of content.categories.reviews)
      expect([slug, content.reviews.some(({ category }) => category === slug)]).toEqual([slug, true]);
  });

  shippedTest('has the eight presets in their order, under their titles', () => {
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

  shippedTest('marks its cases and reviews as samples, and its facts as invented', () => {
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

  test('never says what a template would', () => {
    const all = JSON.stringify(content);
    expect(all).not.toMatch(/lorem|TODO|FIXME|undefined|\[object|NaN/i);
  });
});
