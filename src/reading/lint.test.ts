import { describe, expect, test } from '@jest/globals';
import MarkdownIt from 'markdown-it';
import * as z from 'zod';
import { hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { shippedTest } from '../testing/content.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { freshDays, headings, linkTexts, lintContent, mixedAlphabets } from './lint.ts';
import { contentReader } from './source.ts';

const at = new Date('2026-11-21T09:00:00Z');
const markdown = new MarkdownIt();
const tokens = (...lines: string[]) => markdown.parse(lines.join('\n'), {});
/** Problems as an editor sees them: the line, and what is quoted of it or should stand there. */
const seen = (problems: readonly { line: number; message: string; instead?: string | undefined }[]) =>
  problems.map(({ line, message, instead }) => [line, instead ?? /«(.*?)»/.exec(message)?.[1]]);

describe('headings', () => {
  test('in order are fine: down by one, up by any', () => {
    expect(headings(tokens('## А', '### Б', '#### В', '## Г', '### Д'))).toEqual([]);
  });

  test('of the first level compete with that of the page', () => {
    expect(headings(tokens('Текст', '', '# А', '', 'Текст'))).toEqual([
      {
        line: 3,
        field: '',
        message: 'Один знак # у заголовка всей страницы, он стоит в поле heading. Здесь нужно ##.',
        instead: '## А',
      },
    ]);
  });

  test('leave out no level, not the first one either; one mistake is reported once', () => {
    expect(seen(headings(tokens('### А', '', '## Б', '', '#### В', '', '#### Г')))).toEqual([
      [1, '## А'],
      [5, '### В'],
    ]);
    expect(headings(tokens('## А', '', '#### Б'))).toMatchObject([
      { message: 'Заголовок пропускает ступень. Здесь нужно ###.', instead: '### Б' },
    ]);
  });
});

describe('words of links', () => {
  test.each(['здесь', 'Тут', 'по ссылке', 'подробнее', 'Читать далее', '**здесь**', '«здесь».'])(
    '%s says nothing',
    (word) => {
      expect(linkTexts(tokens(`Цены [${word}](/rates)`))).toMatchObject([
        { warning: true, line: 1, message: expect.stringContaining('не понять, куда она ведёт') },
      ]);
    },
  );

  test('are no address, and not missing', () => {
    expect(linkTexts(tokens('[https://example.com/a](https://example.com/a) и [](/rates)'))).toMatchObject([
      { message: expect.stringMatching(/^По словам ссылки «https:\/\/example.com\/a» не понять/) },
      { message: expect.stringMatching(/^В ссылке нет слов\./) },
    ]);
  });

  test('that name what they lead to are fine, those of a few letters too', () => {
    expect(
      linkTexts(tokens('[Тарифы](/rates), [152-ФЗ](https://e.ru), [подробнее о тарифах](/rates), ![](/a.svg)')),
    ).toEqual([]);
  });

  test('are found on their line, in paragraphs, lists and tables', () => {
    const text = ['Раз', 'два [тут](/a)', '', '- три', '- [тут](/a)', '', '| А |', '|---|', '| б |', '| [тут](/a) |'];
    expect(linkTexts(tokens(...text)).map(({ line }) => line)).toEqual([2, 5, 10]);
  });
});

describe('letters of another alphabet', () => {
  test.each([
    ['Заказ в cрок', '«cрок» латинское «c»'],
    ['Доcтaвка', '«Доcтaвка» латинское «c», «a»'],
    ['Wildberriеs', '«Wildberriеs» русское «е»'],
    ['Приёмка c восьми', '«c» латинское «c»'],
    // Not every Cyrillic letter is a Russian one.
    ['Cвітло', '«Cвітло» латинское «C»'],
  ])('%s', (text, said) => {
    expect(mixedAlphabets(`Строка\n${text}\n`)).toEqual([
      {
        ...{ warning: true, line: 2, field: '' },
        message: `В слове ${said}: выглядит так же, но поиск слова не найдёт. Наберите его заново.`,
      },
    ]);
  });

  test.each([
    'QR-код, IT-отдел, 3D-модель, Wi‑Fi, PDF, SKU, FBO и FBS, «Честный ЗНАК», витамин C, класс A, C восьми',
    'формат A4, где a - длина, x - ширина; 60×40×40 см, 152-ФЗ, м³, ₽, ёж, Ёлка, Kraft-бумага',
    '`cрок`, https://example.ru/cрок, info@example.ru',
    '# cрок в примечании к файлу YAML',
  ])('%s: fine', (text) => {
    expect(mixedAlphabets(text)).toEqual([]);
  });
});

function lintFiles(files: ContentFiles) {
  const reader = contentReader(files);
  for (const name of files.keys()) if (/\.(md|yaml)$/.test(name)) reader.file(name, z.unknown());
  return lintContent(reader.lint(), at);
}

/** What is found in a content of these files. */
function lint(files: Record<string, string>) {
  const entries = Object.entries(files).map(([file, text]) => {
    const bytes = Buffer.from(text);
    return [file, { hash: hashOf(bytes), bytes: () => bytes }] as const;
  });
  return lintFiles(new Map(entries));
}

const longAgo = '2026-05-24';
const lately = '2026-05-25';

describe('what nobody has looked at for long', () => {
  test(`is said of services and rates after ${freshDays} days, on the line of the newest date`, () => {
    const found = lint({
      'services/a.md': `---\ntext: А\nupdated: ${longAgo}\n---\n`,
      'services/b.md': `---\nupdated: ${longAgo}\nchecked: ${lately}\n---\n`,
      'services/c.md': `---\nchecked: 2026-01-01\nupdated: 2026-02-01\n---\n`,
      'rates.yaml': `effective: ${longAgo}\ngroups: []\n`,
    });
    expect(found).toEqual([
      expect.objectContaining({ file: 'rates.yaml', line: 1, warning: true, field: 'effective' }),
      {
        file: 'services/a.md',
        line: 3,
        warning: true,
        field: 'updated',
        message:
          'Сказанное не сверяли больше 180 дней. Проверьте, всё ли верно, и впишите сегодняшнее число в поле checked.',
      },
      expect.objectContaining({ file: 'services/c.md', line: 3, field: 'updated' }),
    ]);
  });

  test('is said of articles that name sources, and of no other', () => {
    const article = (more: string) => `---\npublished: ${longAgo}\n${more}---\n`;
    const sources = 'sources:\n  - { text: Закон, href: https://example.ru }\n';
    const found = lint({
      'blog/articles/a.md': article(sources),
      'blog/articles/b.md': article(''),
      'blog/articles/c.md': article(`${sources}checked: ${lately}\n`),
      'news/d.md': article(''),
      'cases/e.md': article(''),
    });
    expect(found.map(({ file }) => file)).toEqual(['blog/articles/a.md']);
  });

  test('is said of every entry with a date "checked", wherever it stands', () => {
    const rows = `- { to: Тула, checked: ${lately} }\n- { to: Казань, checked: ${longAgo} }\n`;
    const found = lint({ 'departures.yaml': rows, 'pages/a.md': `---\nlead: А\nupdated: ${longAgo}\n---\n` });
    expect(found).toEqual([expect.objectContaining({ file: 'departures.yaml', line: 2, field: 'checked' })]);
  });
});

describe('titles and descriptions', () => {
  const page = (title: string, description: string) => `---\ntitle: ${title}\ndescription: ${description}\n---\n`;

  test('that two pages share are named on the second, with the place of the first', () => {
    const found = lint({
      'cases/a.md': page('Кейс', 'Один'),
      'cases/b.md': page('кейс', 'Два'),
      'categories.yaml': 'blog:\n  - { title: Раздел,\n      description: Два }\n',
    });
    expect(found).toEqual([
      {
        file: 'cases/b.md',
        line: 2,
        warning: true,
        field: 'title',
        message: 'То же написано в cases/a.md:2, и поиск эти страницы не различит. Напишите другими словами.',
      },
      expect.objectContaining({
        file: 'categories.yaml',
        line: 3,
        field: 'description',
        message: expect.stringContaining('То же написано в cases/b.md:3'),
      }),
    ]);
  });

  test('of forms, which are no pages, may be alike', () => {
    const preset = '- { title: Заявка, description: Заявка, button: Да }\n';
    expect(lint({ 'presets.yaml': preset + preset })).toEqual([]);
  });
});

test('problems in Markdown stand on their line of the file, and all are in order', () => {
  const found = lint({
    'b.md': '---\ntitle: А\nlead: в cрок\n---\n\n# Б\n\n[тут](/a) cрок\n',
    'a.yaml': '- text: >-\n    Груз\n    в cрок\n',
    'broken.yaml': '"',
    'notes.txt': 'cрок',
  });
  expect(found.map(({ file, line, message }) => `${file}:${line} ${message.split(' ', 2).join(' ')}`)).toEqual([
    'a.yaml:3 В слове',
    'b.md:3 В слове',
    'b.md:6 Один знак',
    'b.md:8 По словам',
    'b.md:8 В слове',
  ]);
});

shippedTest('the content that ships gives no cause', () => {
  expect(lintFiles(readFolder(paths.content))).toEqual([]);
});

describe('days that are far away', () => {
  const post = (published: string, more = '') => ({ 'news/a.md': `---\npublished: ${published}\n${more}---\n` });

  test('by a slip of the keyboard are errors', () => {
    expect(lint(post('2062-11-21'))).toEqual([
      { file: 'news/a.md', line: 2, field: 'published', message: 'До 2062-11-21 больше двух лет. Проверьте год.' },
    ]);
    expect(lint(post('0226-11-21'))).toMatchObject([{ message: '0226-11-21 было слишком давно. Проверьте год.' }]);
  });

  test('of a change that ends some day, or of a year to come, are fine', () => {
    expect(lint(post('2027-12-31', 'until: 2039-12-31\n'))).toEqual([]);
  });
});

describe('signs that do not do what their author meant', () => {
  test('tags and comments of HTML are named once a line, code is not', () => {
    const found = lint({
      'news/a.md': '---\nlead: <i>Нет</i>\n---\n\nРаз <b>два</b><br>\n`<b>` <!-- три -->\n\n5 < 6 > 4',
    });
    expect(found.map(({ line, warning, message }) => [line, warning, /«(.*?)»/.exec(message)?.[1]])).toEqual([
      [2, true, '<i>'],
      [5, true, '<b>'],
      [6, true, '<!--'],
    ]);
  });

  test('a heading that # cuts is told with the line as it should be; comments are fine', () => {
    const text = 'heading: Топ #1 складов\nlead: Склад # примечание\nlist:\n  - Короб #2\ntext: "Топ #1"\nmore: №#1\n';
    expect(lint({ 'home.yaml': text })).toEqual([
      expect.objectContaining({ line: 1, field: 'heading', instead: 'heading: "Топ #1 складов"' }),
      expect.objectContaining({ line: 4, field: '', instead: '  - "Короб #2"' }),
    ]);
  });
});
