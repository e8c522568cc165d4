import { describe, expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { contentWith, fielded, fileIn, shippedTest } from '../testing/content.ts';
import { checkDays, checkTexts } from './check-texts.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import type { Problem } from './problem.ts';
import { readSources } from './sources.ts';

const at = new Date('2026-11-21T09:00:00Z');
const file = fileIn('news');

async function found(files: ContentFiles): Promise<Problem[]> {
  const { sources } = readSources(files);
  return [...checkTexts({ sources }), ...checkDays({ sources, at })];
}

const shipped = readFolder(paths.content);
const company = new Map([...shipped].filter(([name]) => name === 'company.yaml'));
/** The front matter of a file that is right, for a text under it. */
const fields = /^---\n[\s\S]*?\n---\n/.exec(String(shipped.get(file)?.bytes()))?.[0] ?? '';
const above = fields.split('\n').length - 1;

/** What is found in these lines of Markdown, by their number. */
async function inBody(...lines: string[]) {
  const problems = await found(contentWith({ [file]: () => fields + lines.join('\n') }, company));
  return problems.map((one) => ({ ...one, line: one.line - above }));
}

/** What is found in a field of the front matter. */
const inField = (name: string, value: string) =>
  found(contentWith({ [file]: () => fielded(name, value)(fields) }, company));

/** Problems as an editor sees them: the line, and what is quoted of it or should stand there. */
const seen = (problems: readonly Problem[]) =>
  problems.map(({ line, message, instead }) => [line, instead ?? /«(.*?)»/.exec(message)?.[1]]);

describe('headings', () => {
  test('in order are fine: down by one, up by any', async () => {
    expect(await inBody('## А', '### Б', '#### В', '## Г', '### Д')).toEqual([]);
  });

  test('of the first level compete with that of the page', async () => {
    expect(await inBody('Текст', '', '# А', '', 'Текст')).toMatchObject([
      {
        line: 3,
        message: 'Один знак # у заголовка всей страницы, он стоит в поле heading. Здесь нужно ##.',
        instead: '## А',
      },
    ]);
  });

  test('leave out no level, not the first one either; one mistake is reported once', async () => {
    expect(seen(await inBody('### А', '', '## Б', '', '#### В', '', '#### Г'))).toEqual([
      [1, '## А'],
      [5, '### В'],
    ]);
  });
});

describe('words of links', () => {
  test.each([
    'здесь',
    'Тут',
    'по ссылке',
    'подробнее',
    'Читать далее',
    '**здесь**',
    '«здесь».',
    'https://example.com/a',
  ])('%s says nothing', async (word) => {
    expect(await inBody(`Цены [${word}](/rates)`)).toMatchObject([
      { warning: true, line: 1, message: expect.stringContaining('не понять, куда она ведёт') },
    ]);
  });

  test('that name what they lead to are fine, those of a few letters too', async () => {
    const links = '[Тарифы](/rates), [152-ФЗ](https://e.ru), [подробнее о тарифах](/rates), ![](/a.svg)';
    expect(await inBody(links)).toEqual([]);
  });

  test('are found on their line, in paragraphs, lists and tables', async () => {
    const text = ['Раз', 'два [тут](/a)', '', '- три', '- [](/a)', '', '| А |', '|---|', '| б |', '| [тут](/a) |'];
    expect((await inBody(...text)).map(({ line }) => line)).toEqual([2, 5, 10]);
  });
});

describe('letters of another alphabet', () => {
  test.each([
    ['Заказ в cрок', '«cрок» латинское «c»'],
    ['Доcтaвка', '«Доcтaвка» латинское «ca»'],
    ['Wildberriеs', '«Wildberriеs» русское «е»'],
    ['Приёмка c восьми', '«c» латинское «c»'],
    // Not every Cyrillic letter is a Russian one.
    ['Cвітло', '«Cвітло» латинское «C»'],
  ])('%s', async (text, said) => {
    expect(await inBody('Строка', text)).toMatchObject([
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
  ])('%s: fine', async (text) => {
    expect(await inBody(text)).toEqual([]);
  });
});

shippedTest('the content that ships gives no cause', async () => {
  expect(await found(shipped)).toEqual([]);
});

describe('days that are far away', () => {
  test('by a slip of the keyboard are errors', async () => {
    for (const day of ['2062-11-21', '0226-11-21']) {
      expect(await inField('published', day)).toEqual([
        { file, line: 2, field: 'published', message: expect.stringContaining(`${day} больше чем за два года`) },
      ]);
    }
  });

  test('of a change that ends some day, or of a year to come, are fine', async () => {
    expect(await inField('until', '2039-12-31')).toEqual([]);
    expect(await inField('published', '2027-12-31')).toEqual([]);
  });
});

describe('signs that do not do what their author meant', () => {
  test('tags and comments of HTML are named once a line, code is not', async () => {
    expect(seen(await inBody('Раз <b>два</b><br>', '`<b>` <!-- три -->', '', '5 < 6 > 4'))).toEqual([
      [1, '<b>'],
      [2, '<!--'],
    ]);
    expect(seen(await inField('action', 'Это <i>Нет</i>'))).toEqual([[2, '<i>']]);
  });

  test('a heading that # cuts is told with the line as it should be; comments are fine', async () => {
    expect(await inField('heading', 'Топ #1 складов')).toMatchObject([
      { line: 2, warning: true, instead: 'heading: "Топ #1 складов"' },
    ]);
    for (const fine of ['Склад # примечание', '"Топ #1"', '№#1']) expect(await inField('heading', fine)).toEqual([]);
  });
});
