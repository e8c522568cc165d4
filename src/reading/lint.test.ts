import { describe, expect, test } from '@jest/globals';
import MarkdownIt from 'markdown-it';
import { hashOf } from '../lib/hash.ts';
import { paths } from '../lib/paths.ts';
import { forgetfulMemo } from '../store/memo.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { doubledWords, freshDays, headings, linkTexts, lintContent, mixedAlphabets, wideTables } from './lint.ts';
import { contentReader } from './source.ts';

const at = new Date('2026-11-21T09:00:00Z');
const markdown = new MarkdownIt();
const tokens = (...lines: string[]) => markdown.parse(lines.join('\n'), {});
/** Problems as an editor sees them: the line, and what was found there. */
const seen = (problems: readonly { line: number; found: string }[]) => problems.map(({ line, found }) => [line, found]);

describe('headings', () => {
  test('in order are fine: down by one, up by any', () => {
    expect(headings(tokens('## А', '### Б', '#### В', '## Г', '### Д'))).toEqual([]);
  });

  test('of the first level compete with that of the page', () => {
    expect(headings(tokens('Текст', '', '# А', '', 'Текст'))).toEqual([
      { line: 3, field: 'heading', expected: 'a heading of level 2, "##"', found: '# А' },
    ]);
  });

  test('leave out no level, not the first one either; one mistake is reported once', () => {
    expect(seen(headings(tokens('### А', '', '## Б', '', '#### В', '', '#### Г')))).toEqual([
      [1, '### А'],
      [5, '#### В'],
    ]);
    expect(headings(tokens('## А', '', '#### Б'))[0]?.expected).toBe('a heading of level 3, "###"');
  });
});

describe('tables', () => {
  const table = (...cells: string[]) =>
    tokens('Текст', '', `| ${cells.join(' | ')} |`, `|${'---|'.repeat(cells.length)}`, `| ${cells.join(' | ')} |`);

  test('of five columns, or of long cells in short words, fit two screens of a phone', () => {
    expect(wideTables(table('а', 'б', 'в', 'г', 'д'))).toEqual([]);
    expect(wideTables(table('много коротких слов подряд '.repeat(20), 'б'))).toEqual([]);
  });

  test('of six columns do not', () => {
    expect(wideTables(table('а', 'б', 'в', 'г', 'д', 'е'))).toEqual([
      {
        warning: true,
        line: 3,
        field: 'table',
        expected: 'a table that a phone shows on two screens: fewer columns, or shorter words',
        found: '6 columns, about 2.3 screens wide',
      },
    ]);
  });

  test('of few columns with words that cannot be broken do not; an address behind a link takes no place', () => {
    const long = 'https://example.com/a-very-long-address/that-goes-on-and-on-for-more-than-a-line';
    expect(wideTables(table('достопримечательность'.repeat(3), 'б', 'в'))).toHaveLength(1);
    expect(wideTables(table(`[тариф](${long})`, 'б', 'в'))).toEqual([]);
  });
});

describe('words of links', () => {
  test.each(['здесь', 'Тут', 'по ссылке', 'подробнее', 'Читать далее', '**здесь**', '«здесь».'])(
    '%s says nothing',
    (word) => {
      expect(linkTexts(tokens(`Цены [${word}](/rates)`))).toMatchObject([{ warning: true, line: 1, field: 'link' }]);
    },
  );

  test('are no address, and not missing', () => {
    expect(seen(linkTexts(tokens('[https://example.com/a](https://example.com/a) и [](/rates)')))).toEqual([
      [1, '"https://example.com/a"'],
      [1, '""'],
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
    ['Заказ в cрок', '"cрок" with a Latin "c"'],
    ['Доcтaвка', '"Доcтaвка" with a Latin "ca"'],
    ['Wildberriеs', '"Wildberriеs" with a Cyrillic "е"'],
    ['Приёмка c восьми', '"c" with a Latin "c"'],
    // Not every Cyrillic letter is a Russian one.
    ['Cвітло', '"Cвітло" with a Latin "C"'],
  ])('%s', (text, found) => {
    expect(mixedAlphabets(`Строка\n${text}\n`)).toEqual([
      { warning: true, line: 2, field: 'word', expected: 'a word in one alphabet', found },
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

describe('doubled words', () => {
  test('are found within a line and around its end, whatever their case', () => {
    expect(seen(doubledWords('Привезите на на склад.\n\nСдайте груз в\nв пятницу.\nНе Не раньше.'))).toEqual([
      [1, '"на на"'],
      [3, '"в в"'],
      [5, '"Не Не"'],
    ]);
  });

  test.each([
    'да, да; еле-еле; всё, что что-то значит; раз-раз; 5 5; на нашем; склад складу',
    '| да | да |',
    '## Короб\nКороб - это тара.',
    'Первый абзац кончается на склад\n\nСклад начинает второй.',
    '- короб\n- короб',
    'text: короб\ntext: короб',
  ])('%j: fine', (text) => {
    expect(doubledWords(text)).toEqual([]);
  });
});

function lintFiles(files: ContentFiles) {
  const reader = contentReader(files, forgetfulMemo());
  reader.readOthers();
  return lintContent(reader.linted, at);
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
      expect.objectContaining({ file: 'rates.yaml', line: 1, warning: true, field: 'effective', found: longAgo }),
      {
        file: 'services/a.md',
        line: 3,
        warning: true,
        field: 'updated',
        expected: 'a look at whether it still holds, and the day of it in "checked", every 180 days',
        found: longAgo,
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
    expect(found).toEqual([
      expect.objectContaining({ file: 'departures.yaml', line: 2, field: '1.checked', found: longAgo }),
    ]);
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
        expected: 'words that no other page has',
        found: 'those of cases/a.md:2',
      },
      expect.objectContaining({
        file: 'categories.yaml',
        line: 3,
        field: 'description',
        found: 'those of cases/b.md:3',
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
    'b.md': '---\ntitle: А\nlead: на на\n---\n\n# Б\n\n[тут](/a) cрок\n',
    'a.yaml': '- text: >-\n    Груз на\n    на склад\n',
    'broken.yaml': '"',
    'notes.txt': 'на на',
  });
  expect(found.map(({ file, line, field }) => `${file}:${line} ${field}`)).toEqual([
    'a.yaml:2 word',
    'b.md:3 word',
    'b.md:6 heading',
    'b.md:8 link',
    'b.md:8 word',
  ]);
});

test('the content that ships gives no cause', () => {
  expect(lintFiles(readFolder(paths.content))).toEqual([]);
});
