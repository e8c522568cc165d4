import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { paths } from '../../lib/paths.ts';
import type { Company } from '../../model/content.ts';
import { contentWith, fielded, fileIn, valued } from '../../tests/support/sample-content.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { readAssets } from '../assets.ts';
import { type ContentFiles, readFolder } from '../content-files.ts';
import { readSources } from '../sources.ts';
import { checkBlocked } from './check-blocked.ts';
import { checkInvented, invented } from './check-company.ts';
import { checkMarks } from './check-marks.ts';
import { checkSample } from './check-sample.ts';
import { checkDays, checkTexts } from './check-texts.ts';

const shippedTest = testIf({ shipped: true });

const at = new Date('2026-11-21T09:00:00Z');
const file = fileIn('news');
const shipped = readFolder(paths.content);
const company = new Map([...shipped].filter(([name]) => name === 'company.yaml'));
/** The front matter of a valid file, to which a test adds a text. */
const fields = /^---\n[\s\S]*?\n---\n/.exec(String(shipped.get(file)?.bytes()))?.[0] ?? '';
const above = fields.split('\n').length - 1;

function found(files: ContentFiles) {
  const { sources } = readSources(files);
  return [...checkTexts({ sources }), ...checkMarks({ sources }), ...checkDays({ sources, at })];
}

/** The problems of a text as editors see them: the line, and the quoted words or the corrected line. */
const problemsIn = (...lines: string[]) => found(contentWith({ [file]: () => fields + lines.join('\n') }, company));
const inBody = (...lines: string[]) =>
  problemsIn(...lines).map(({ line, message, instead }) => [line - above, instead ?? /«(.*?)»/.exec(message)?.[1]]);
const inField = (name: string, value: string) =>
  found(contentWith({ [file]: () => fielded(name, value)(fields) }, company));

describe('headings', () => {
  test('may go down by one level and up by any number', () => {
    expect(inBody('## А', '### Б', '#### В', '## Г')).toEqual([]);
  });

  test('are reported once each when they skip a level or use the level of the page heading', () => {
    expect(inBody('### А', '', '## Б', '', '#### В', '', '#### Г', '', '# Д')).toEqual([
      [1, '## А'],
      [5, '### В'],
      [9, '## Д'],
    ]);
  });
});

test('a heading without words is reported', () => {
  expect(problemsIn('## А', '', '##')).toMatchObject([{ message: expect.stringContaining('нет слов') }]);
});

test.each([
  ...['**здесь**', 'Читать далее', '«здесь».', 'https://example.com/a', 'www.example.com', '', 'Тут', 'сюда', 'отсюда'],
  ...[
    'вот',
    'это',
    'ссылка',
    'по ссылке',
    'по этой ссылке',
    'подробнее',
    'далее',
    'перейти',
    'клик',
    'here',
    'link',
    'more',
  ],
])('the link text «%s» is reported, because it does not describe the target', (words) => {
  expect(inBody('Раз', '', `| А |\n|---|\n| [${words}](/rates) |`).map(([line]) => line)).toEqual([5]);
});

test('reports marks in the description of a picture', () => {
  expect(problemsIn('Раз', '', '![Короб **внутри](korob.jpg)')).toMatchObject([{ line: above + 3 }]);
});

describe('a link to a service that is blocked in Russia', () => {
  const blockedIn = (files: ContentFiles) =>
    [...checkBlocked({ sources: readSources(files).sources })].map(({ warning, line, message }) => {
      expect(warning).toBe(true);
      return [line, /^(.+?) в России заблокирован, и ссылка «(.*?)»/.exec(message)?.slice(1)];
    });
  const inText = (...lines: string[]) =>
    blockedIn(contentWith({ [file]: () => fields + lines.join('\n') }, company)).map(([, found]) => found);

  test.each([
    ['https://wa.me/79161234567', 'WhatsApp'],
    ['https://api.whatsapp.com/send?phone=79161234567', 'WhatsApp'],
    ['whatsapp://send?phone=79161234567', 'WhatsApp'],
    ['viber://chat?number=79161234567', 'Viber'],
    ['https://WWW.Instagram.com/korob', 'Instagram'],
    ['https://x.com/korob', 'X'],
    ['https://ru.linkedin.com/company/korob', 'LinkedIn'],
  ])('causes a warning: %s', (href, service) => {
    expect(inText('Раз', '', `[пишите нам](${href})`)).toEqual([[service, href]]);
  });

  test.each([
    ...[
      'https://max.ru/korob',
      'https://t.me/korob',
      'https://vk.com/korob',
      'https://ok.ru/korob',
      'tel:+78001234567',
    ],
    ...['https://notx.com', 'https://constructor', 'https://example.com/?to=https://wa.me/7', '/rates', '#wa.me'],
  ])('is not %s', (href) => {
    expect(inText(`[пишите нам](${href})`)).toEqual([]);
  });

  test('is found in the contacts of the company, with its line, and is not a word', () => {
    const social = [
      { kind: 'messenger', text: 'Viber: пишите', href: 'https://max.ru/korob' },
      { kind: 'network', text: 'Facebook', href: 'https://facebook.com/korob' },
    ];
    const files = contentWith({ 'company.yaml': valued({ social }) }, company);
    const line =
      String(files.get('company.yaml')?.bytes())
        .split('\n')
        .findIndex((one) => one.includes('facebook')) + 1;
    expect(blockedIn(files)).toEqual([[line, ['Facebook', 'https://facebook.com/korob']]]);
  });
});

test('link text that describes its target is accepted', () => {
  const links = '[152-ФЗ](https://e.ru), [подробнее о тарифах](/rates), ![](/a.svg)';
  expect(inBody(links)).toEqual([]);
});

test.each([
  ['Wildberriеs', 'Wildberriеs'],
  ['Приёмка c восьми', 'c'],
  // Not every Cyrillic letter is a Russian one.
  ['Cвітло', 'Cвітло'],
])('«%s» is reported, because it mixes alphabets', (text, word) => {
  expect(inBody('Строка', text)).toEqual([[2, word]]);
});

test.each([
  'QR-код, IT-отдел, 3D-модель, Wi‑Fi, PDF, SKU, FBO и FBS, «Честный ЗНАК», витамин C, класс A, C восьми',
  'формат A4, где a - длина, x - ширина; 60×40×40 см, 152-ФЗ, м³, ₽, ёж, Ёлка, Kraft-бумага',
  '`cрок`, https://example.ru/cрок, info@example.ru',
])('«%s» is accepted, because it does not mix alphabets', (text) => {
  expect(inBody(text)).toEqual([]);
});

test('dates must be within two years, except for the end of a change', () => {
  // Up to 732 days ahead.
  for (const day of ['2028-11-22', '1990-01-01', '2026-11-21'])
    expect([day, inField('published', day)]).toEqual([day, []]);
  for (const day of ['2028-11-23', '1989-12-31', '0226-11-21'])
    expect([day, inField('published', day).length]).toEqual([day, 1]);
  expect(inField('since', '2062-11-21')).toHaveLength(1);
  expect(inField('until', '2039-12-31')).toEqual([]);
});

describe('the marks of Markdown, HTML and facts', () => {
  test.each([
    ['![Фото](Фото паллеты.png)', '![Фото](<Фото паллеты.png>)'],
    ['##Заголовок', '## Заголовок'],
    ['    ### Заголовок', '### Заголовок'],
    ['#Как мы считаем', '## Как мы считаем'],
    ['[тарифы] (/rates)', '[тарифы](/rates)'],
    ['Цены: [тарифы](/rates.', 'Цены: [тарифы](/rates).'],
    ['[тарифы(/rates)', '[тарифы](/rates)'],
    ['[тарифы]: /rates', '[тарифы](/rates)'],
    ['[пишите](mailto:{company.email})', '[пишите](mailto:{{ company.email }})'],
    ['Это **важно: да', 'Это **важно**: да'],
    ['- **Короб: 60 см', '- **Короб**: 60 см'],
    ['** важно ** и', '**важно** и'],
    ['**«Важно»**текст', '**«Важно»** текст'],
    ['Важно** груз', 'Важно груз'],
    ['__важно', '__важно__'],
    ['это _важно', 'это _важно_'],
    ['это *важно', 'это *важно*'],
    ['~~было', '~~было~~'],
    ['раз `два', 'раз два'],
    ['{ company.email }', '{{ company.email }}'],
    ['{{company.email}}}', '{{ company.email }}'],
    ['[[company.email]]', '{{ company.email }}'],
    ['company.phone.text', '{{ company.phone.text }}'],
    ['Раз <b>два</b><br>', 'Раз **два** '],
    ['<a href="/rates">тарифы</a>', '[тарифы](/rates)'],
    ['раз <!-- два -->', 'раз'],
    ['-пункт', '- пункт'],
    ['    - пункт', '- пункт'],
    ['• пункт', '- пункт'],
    ['o\tпункт', '- пункт'],
    ['– раз\n– два', '- раз'],
    ['**раз\n\nдва', '**раз**'],
    ['- [ ] пункт', '- пункт'],
    ['1)пункт', '1) пункт'],
  ])('%j is reported with the correction %j', (written, right) => {
    const lines = ['## Строка', '', ...written.split('\n')];
    const told = problemsIn(...lines);
    expect(told).toHaveLength(1);
    const [{ line, instead } = { line: 0, instead: '' }] = told;
    expect(instead).toBe(right);
    expect(problemsIn(...lines.with(line - above - 1, right))).toEqual([]);
  });

  test.each([
    '![Фото',
    '(тарифы)[/rates]',
    '[^1]',
    '[b]да[/b]',
    '{rates.x}',
    'раз&nbspдва',
    '> цитата',
    '| А | Б |',
    'А | Б\nВ | Г',
    'раз --- два',
    'раз\tдва\nтри\tчетыре',
    'Вес^[брутто]',
    '[TOC]',
    'При $a^2$',
    'Нужно:\n2. Раз',
    'Нужно\n2. Раз\n3. Два',
    'сверх*нормы*',
    'Да, %NAME%',
    'Да, *|NAME|*',
    'Да :smile:',
    'TODO: цена',
    'draft: true',
    '<<<<<<< HEAD',
    'раз\\nдва',
  ])('%j is reported without a correction', (written) => {
    const told = problemsIn('## Строка', '', ...written.split('\n'));
    expect(told).toMatchObject([{ message: expect.stringContaining('Посетители увидят «'), instead: undefined }]);
  });

  test.each([
    ['| А | Б |\n|---|---|\n| 1 | 2 | 3 |', 3, 'Ячеек в этой строке таблицы 3, а столбцов 2. Допишите'],
    ['| А | Б |\n|---|---|\n| 1 |', 3, 'таблицы 1, а столбцов 2. Допишите'],
    ['| А | Б |\n|---|---|\n| 1 | 2 |\nИтог', 4, 'поставьте после неё пустую строку'],
    ['Поставка пришла\n1. января', 2, 'Строка начинается с «1.»'],
    ['Один расчёт\n- одна поставка', 2, 'Строка начинается с «-»'],
    ['Раз\n\n```\nдва', 3, 'Поставьте после него строку ```.'],
  ])('%j is reported, because Markdown understands it in another way', (written, line, said) => {
    const message = expect.stringContaining(said);
    expect(problemsIn(...written.split('\n'))).toMatchObject([{ line: above + line, message }]);
  });

  test('a quotation is reported, because the site does not show quotations', () => {
    expect(problemsIn('## Строка', '', '> цитата')).toMatchObject([
      { message: expect.stringContaining('Цитат на сайте нет') },
    ]);
  });

  test.each([
    '5 * 3, 5*3*2, №1, e-mail_адрес, от 3₽, <5 кг, >100, 5 < 6 > 4, ~5 кг, x|y, R&D; H&M, 50$, А--Б',
    '>100 шт.\n\n- >100 шт.',
    'https://site.ru/a_b__c_d?x=1*2, photo_01_final.jpg, [имя]_[дата].xlsx, C:\\Users',
    '[…], [1] (см. ниже), Ура![1], Тарифы [с НДС] (включая упаковку), (см. /rates), 10 000–12 000',
    '*при партии от 100 шт.',
    'Wildberries* и Ozon*, *кроме СГТ\n\n*кроме СГТ',
    'Цена 5 ₽**, да\n\n**для новых',
    '#wildberries и #ozon\n\n#Wildberries\n\n#1 в Москве',
    '+7 (495) ***-**-**, подпись ________, -5 °C\n-5 % скидки\n+НДС',
    'company.ru, mycompany.email, sales@company.email.ru',
    '\\*\\*как есть\\*\\* \\{ &lt;b&gt; `**` `<b>` `{x}`',
    '| А | Б |\n|---|---|\n| **1** | a\\|b |',
    '1. раз\n2) два',
    'Нужно:\n1. Раз',
    'Нужно:\n- Раз\n  - Два',
    'Раз\n- Два\n- Три',
    'Раз\n\n2. Два',
    'В строке\n2. Раз',
    '```\n> раз\n**два\n```',
    'https://example.ru, info@example.ru',
    'TODO-лист, Ozon: да, — Да, конечно.\nи — нет',
  ])('%j is accepted', (text) => {
    expect(inBody(...text.split('\n'))).toEqual([]);
  });

  test.each([
    ['Это **важно** для вас', 'Это важно для вас'],
    ['"*Важно* для вас"', '"Важно для вас"'],
    ['Смотрите [тарифы](/rates)', 'Смотрите тарифы'],
    ['Раз&nbsp;<i>два</i>', 'Раз два'],
    ['"## Раз"', '"Раз"'],
    ['Пишите { company.email }', 'Пишите {{ company.email }}'],
    ['>-\n  Раз\n  **два**', '  два'],
  ])('a field with such a mark is reported with a correction: %j', (written, right) => {
    const instead = right.startsWith(' ') ? right : `action: ${right}`;
    const line = 1 + written.split('\n').length;
    expect(inField('action', written)).toMatchObject([{ line, field: 'action', instead }]);
  });

  test('an answer or an address with such a mark is reported', () => {
    const rows = [
      '- slug: a',
      '  topic: Тема',
      '  question: Кто?',
      '  answer: >-',
      '    Это',
      '    мы, [тарифы] (/rates)',
    ];
    const files = contentWith(
      {
        'questions.yaml': () => rows.join('\n'),
        'company.yaml': (text) => text.replace('//t.me/', '//t.me/{company.name}'),
      },
      company,
    );
    expect(found(files)).toMatchObject([
      { file: 'company.yaml', message: expect.stringContaining('факты пишут словами') },
      { line: 6, field: 'answer', instead: '    мы, [тарифы](/rates)' },
    ]);
  });
});

test('a value that # cuts short is reported, and a comment is not', () => {
  expect(inField('heading', 'Топ #1 складов')).toMatchObject([{ warning: true, instead: 'heading: "Топ #1 складов"' }]);
  for (const fine of ['Склад # примечание', '"Топ #1"', '№#1']) expect(inField('heading', fine)).toEqual([]);
});

describe('a fact of the sample company', () => {
  /** The warnings about a text, in content of which some is a sample. */
  function told(sample: readonly string[], text: string) {
    const files = contentWith({
      'company.yaml': valued({ sample, slogan: 'Всё своё' }),
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
  ])('causes a warning in the content of a real company: %j', (text, fact) => {
    expect(told([], text)).toEqual([[true, fact]]);
    for (const sample of ['company.yaml', 'news/']) expect(told([sample], text)).toEqual([]);
  });

  test.each(['Тип поставки «Короба и паллеты»', 'test@example.com', 'Мы — {{ company.name }}, {{ company.email }}'])(
    'is not found in %j',
    (text) => {
      expect(told([], text)).toEqual([]);
    },
  );

  shippedTest('is found for every fact that only the sample company has', () => {
    const { name, legalName, inn, kpp, ogrn, phone, tollFree, email, address, social }: Company = parse(
      String(shipped.get('company.yaml')?.bytes()),
    );
    const facts = [legalName, inn, kpp, ogrn, email, ...Object.values(phone), ...Object.values(tollFree ?? {})]
      .concat([`name: ${name}`, `«${name}»`, address.street])
      .concat([address.latitude, address.longitude].map(String), ...social.map(({ href }) => href));
    expect(facts.filter((fact) => String(fact).search(invented) === -1)).toEqual([]);
  });
});

describe('the list of what is still the sample', () => {
  const assets = readAssets(paths.public);
  const before = new Map([...shipped].filter(([name]) => !/^logo\.|^images\//.test(name)));
  const problemsFor = (list: string) => {
    const files = contentWith({ 'company.yaml': fielded('sample', list) }, before);
    return [...checkSample({ ...readSources(files), files, assets })];
  };

  test.each([
    ['a file', file],
    ['a folder', 'news/'],
    ['a folder without a slash', 'blog'],
    ['a folder in a folder', 'blog/articles/'],
    ['the shipped logo', 'logo.svg'],
    ['a shipped drawing', 'images/map.svg'],
    ['the folder of the shipped drawings', 'images/'],
  ])('may have %s, which remains to be done', (_, entry) => {
    const message = expect.stringMatching(new RegExp(`\n    company\\.yaml\n    ${entry}$`));
    const toDo = { file: 'company.yaml', line: 2, field: 'sample', warning: true, message };
    expect(problemsFor(`[company.yaml, ${entry}]`)).toEqual([toDo]);
  });

  test.each([
    '/cases/',
    '../content/cases/',
    './cases/',
    'cases//',
    'Cases/',
    'case',
    'blog/gone/',
    'company.yaml/',
    '/',
    '.',
    'favicon.svg',
    'README.md',
  ])('may not have %j, which names nothing', (entry) => {
    const [wrong, toDo] = problemsFor(`\n  - cases\n  - ${entry}`);
    const message = expect.stringContaining(`«${entry}» нет. Сотрите эту строку`);
    expect([wrong, toDo?.warning]).toEqual([{ file: 'company.yaml', line: 4, field: 'sample', message }, true]);
  });

  test('leaves nothing to be done when it is empty', () => {
    expect(problemsFor('[]')).toEqual([]);
  });
});
