import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { paths } from '../lib/paths.ts';
import type { Company } from '../model/content.ts';
import { contentWith, fielded, fileIn, shippedTest, valued } from '../testing/content.ts';
import { checkInvented, invented } from './check-company.ts';
import { checkDays, checkTexts } from './check-texts.ts';
import { type ContentFiles, readFolder } from './content-files.ts';
import { readSources } from './sources.ts';

const at = new Date('2026-11-21T09:00:00Z');
const file = fileIn('news');
const shipped = readFolder(paths.content);
const company = new Map([...shipped].filter(([name]) => name === 'company.yaml'));
/** The front matter of a file that is right, for a text under it. */
const fields = /^---\n[\s\S]*?\n---\n/.exec(String(shipped.get(file)?.bytes()))?.[0] ?? '';
const above = fields.split('\n').length - 1;

function found(files: ContentFiles) {
  const { sources } = readSources(files);
  return [...checkTexts({ sources }), ...checkDays({ sources, at })];
}

/** What an editor sees of a text: the line, and what is quoted of it or should stand there. */
const inBody = (...lines: string[]) =>
  found(contentWith({ [file]: () => fields + lines.join('\n') }, company)).map(({ line, message, instead }) => [
    line - above,
    instead ?? /«(.*?)»/.exec(message)?.[1],
  ]);
const inField = (name: string, value: string) =>
  found(contentWith({ [file]: () => fielded(name, value)(fields) }, company));

describe('headings', () => {
  test('may go down by one level and up by any', () => {
    expect(inBody('## А', '### Б', '#### В', '## Г')).toEqual([]);
  });

  test('leave out no level, nor compete with that of the page; one mistake is told once', () => {
    expect(inBody('### А', '', '## Б', '', '#### В', '', '#### Г', '', '# Д')).toEqual([
      [1, '## А'],
      [5, '### В'],
      [9, '## Д'],
    ]);
  });
});

test.each(['**здесь**', 'Читать далее', '«здесь».', 'https://example.com/a', ''])(
  'the words «%s» do not say where a link leads',
  (words) => {
    expect(inBody('Раз', '', `| А |\n|---|\n| [${words}](/rates) |`).map(([line]) => line)).toEqual([5]);
  },
);

test('words of links that name what they lead to are fine', () => {
  const links = '[152-ФЗ](https://e.ru), [подробнее о тарифах](/rates), ![](/a.svg)';
  expect(inBody(links)).toEqual([]);
});

test.each([
  ['Wildberriеs', 'Wildberriеs'],
  ['Приёмка c восьми', 'c'],
  // Not every Cyrillic letter is a Russian one.
  ['Cвітло', 'Cвітло'],
])('«%s» has letters of another alphabet', (text, word) => {
  expect(inBody('Строка', text)).toEqual([[2, word]]);
});

test.each([
  'QR-код, IT-отдел, 3D-модель, Wi‑Fi, PDF, SKU, FBO и FBS, «Честный ЗНАК», витамин C, класс A, C восьми',
  'формат A4, где a - длина, x - ширина; 60×40×40 см, 152-ФЗ, м³, ₽, ёж, Ёлка, Kraft-бумага',
  '`cрок`, https://example.ru/cрок, info@example.ru',
])('«%s» has none', (text) => {
  expect(inBody(text)).toEqual([]);
});

test('days are at most two years away, but for the end of a change', () => {
  for (const day of ['2062-11-21', '0226-11-21']) expect(inField('published', day)).toHaveLength(1);
  expect([...inField('published', '2027-12-31'), ...inField('until', '2039-12-31')]).toEqual([]);
});

test('tags and comments of HTML are told once a line, code is not', () => {
  expect(inBody('Раз <b>два</b><br>', '`<b>` <!-- три -->', '', '5 < 6 > 4')).toEqual([
    [1, '<b>'],
    [2, '<!--'],
  ]);
  expect(inField('action', 'Это <i>Нет</i>')).toHaveLength(1);
});

test('a value that # cuts is told, a comment is not', () => {
  expect(inField('heading', 'Топ #1 складов')).toMatchObject([{ warning: true, instead: 'heading: "Топ #1 складов"' }]);
  for (const fine of ['Склад # примечание', '"Топ #1"', '№#1']) expect(inField('heading', fine)).toEqual([]);
});

describe('what is left of the company that ships', () => {
  /** What is said of a text in the content of a company that is invented, or not. */
  function told(demo: boolean, text: string) {
    const files = contentWith({
      'company.yaml': valued({ demo, slogan: 'Всё своё' }),
      [file]: () => `${fields}${text}\n`,
    });
    return [...checkInvented(readSources(files))]
      .filter((problem) => problem.file === file)
      .map(({ warning, message }) => [warning, /^«([^«].*[^»])» есть/.exec(message)?.[1]]);
  }

  test.each([
    ['В ООО\n«Короб»', 'ООО «Короб'],
    ['На складе "Короб"', '"Короб"'],
    ['Звоните 8 800 000-00-00', '8 800 000-00-00'],
    ['[WhatsApp](https://wa.me/74950000000)', '74950000000'],
    ['Пишите на sales@example.ru', 'sales@example.ru'],
  ])('is told to another: %j', (text, fact) => {
    expect(told(false, text)).toEqual([[true, fact]]);
    expect(told(true, text)).toEqual([]);
  });

  test.each(['Тип поставки «Короба и паллеты»', 'test@example.com', 'Мы — {{ company.name }}, {{ company.email }}'])(
    'does not include %j',
    (text) => {
      expect(told(false, text)).toEqual([]);
    },
  );

  shippedTest('is every fact that it alone has', () => {
    const { name, legalName, inn, kpp, ogrn, phone, tollFree, email, address, social }: Company = parse(
      String(shipped.get('company.yaml')?.bytes()),
    );
    const facts = [legalName, inn, kpp, ogrn, email, ...Object.values(phone), ...Object.values(tollFree)]
      .concat([`name: ${name}`, `«${name}»`, address.street])
      .concat([address.latitude, address.longitude].map(String), ...social.map(({ href }) => href));
    expect(facts.filter((fact) => String(fact).search(invented) === -1)).toEqual([]);
  });
});
