import { describe, expect, test } from '@jest/globals';
import { type Change, contentWith, fileIn, lineOf } from '../testing/content.ts';
import { problemsOf } from '../testing/problems.ts';
import { ContentError, linesFor, type Problem } from './problem.ts';

const at = new Date('2026-11-21T09:00:00Z');
const told = async (changes: Record<string, Change>) => linesFor(await problemsOf(contentWith(changes), at));

const article = fileIn('blog/articles');
const service = fileIn('services');
const line = (name: string, written: string) => (text: string) =>
  text.replace(new RegExp(`^${name}: .*$`, 'm'), written);
const swap = (from: string | RegExp, to: string) => (text: string) => text.replace(from, to);
/** Other tiers for the first row that has them in one line. */
const tiers = (written: string) => swap(/(?<= tiers: \[)\{ from: 1,.*(?=\])/, written);
const windows1251 = (text: string) =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.charCodeAt(0);
      if (code < 0x80) return code;
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : 0xb8;
    }),
  );

type Slip = {
  name: string;
  file?: string;
  write: Change;
  /** A text on the line that is named; without it, the first line. */
  at?: string;
  /** The words; without them, any in Russian that name a remedy. */
  said?: string;
  field?: string;
  /** The line as it should be. */
  instead?: string;
};

const slips: Slip[] = [
  {
    name: 'a colon in a title',
    write: line('title', 'title: Приёмка: как подготовить товар'),
    at: 'title: Приёмка',
    said: 'title: В значении есть двоеточие с пробелом. Возьмите значение в кавычки.',
    instead: 'title: "Приёмка: как подготовить товар"',
  },
  {
    name: 'a colon in a list',
    file: service,
    write: swap(/^excluded:\n.*$/m, 'excluded:\n  - Сложная ретушь: замена "деталей"'),
    at: '- Сложная ретушь',
    field: 'excluded',
  },
  {
    name: 'a quotation mark that is not closed',
    write: line('heading', 'heading: "FBO или FBS'),
    at: 'heading:',
    said: 'heading: Кавычка открыта и не закрыта. Поставьте такую же в конце значения.',
    instead: 'heading: "FBO или FBS"',
  },
  {
    name: 'quotation marks within the same',
    write: line('heading', 'heading: "FBO "или" FBS"'),
    at: 'heading:',
    said: 'heading: Значение кончается на второй кавычке',
    instead: 'heading: \'FBO "или" FBS\'',
  },
  {
    name: 'a line that is moved to the right',
    write: swap(/^published:/m, '  published:'),
    at: 'author:',
    said: 'author: Следующая строка сдвинута вправо. Сотрите лишние пробелы в её начале.',
  },
  {
    name: 'a line that is moved to the left',
    file: 'rates.yaml',
    write: swap(/^ {8}unit: /m, '       unit: '),
    at: '       unit: ',
    field: 'unit',
  },
  {
    name: 'a tab',
    file: service,
    write: swap(/^excluded:\n {2}-/m, 'excluded:\n\t-'),
    at: '\t-',
    said: 'Строка начинается с табуляции. Отступы делают пробелами, по два на шаг.',
  },
  {
    name: 'a value that begins with a star',
    write: line('author', 'author: *Анна*'),
    at: 'author:',
    said: 'author: У знака, с которого начинается значение, здесь особый смысл. Возьмите значение в кавычки.',
    instead: 'author: "*Анна*"',
  },
  {
    name: 'no blank behind a colon',
    write: line('author', 'author:Анна'),
    at: 'author:',
    said: 'После двоеточия и дефиса нужен пробел.',
  },
  {
    name: 'front matter that is not closed',
    write: swap(/\n---\n/, '\n'),
    said: 'После полей нужна вторая строка из трёх дефисов, а под ней начинается текст.',
  },
  {
    name: 'a comma for a point within braces',
    file: 'rates.yaml',
    write: swap(/(tiers: \[\{ from: 1, price: )[\d.]+/, '$157,50'),
    at: 'price: 57,50',
    field: 'groups.rows.tiers',
  },
  {
    name: 'a comma for a point in a line of its own',
    file: 'rates.yaml',
    write: swap(/^ {10}- \{ from: 1, price: [\d.]+ \}$/m, '          - from: 1\n            price: 57,50'),
    at: 'price: 57,50',
    said: 'groups.rows.tiers.price: «57,50» не подходит. Нужно число: одни цифры, дробная часть после точки.',
  },
  {
    name: 'a field that is misspelt beside the right one',
    write: swap(/^heading: .*$/m, '$&\nhedding: Ещё один'),
    at: 'hedding:',
    field: 'hedding',
  },
  {
    name: 'a phone that reads as another than it calls',
    file: 'company.yaml',
    write: swap(/^phone: .*$/m, 'phone: { number: "+74951234567", text: "+7 (495) 123-45-68" }'),
    at: 'phone:',
    said: 'phone.text: «+7 (495) 123-45-68» и «+74951234567» - разные номера. Поставьте в text и number один и тот же.',
  },
  {
    name: 'a contact with a phone that the company does not have any more',
    file: 'company.yaml',
    write: swap(/"tel:.*?"/, '"tel:+74951234567"'),
    at: 'tel:+74951234567',
    field: 'social.href',
  },
  {
    name: 'the proof of a search engine beside the folder for such',
    file: 'yandex_0123456789abcdef.html',
    write: () => '<html></html>',
  },
  {
    name: 'a drawing that is not there',
    file: service,
    write: line('image', 'image: no.svg'),
    at: 'image:',
    field: 'image',
  },
  {
    name: 'a date in words',
    write: line('published', 'published: 5 мая 2026 г.'),
    at: 'published:',
    field: 'published',
  },
  {
    name: 'quotation marks of print around figures, which would be a number without any',
    file: 'company.yaml',
    write: swap(/^inn: "(.*)"$/m, 'inn: «$1»'),
    at: 'inn:',
    said: 'inn: «0000000000» не подходит. Нужны 10 или 12 цифр в кавычках.',
  },
  {
    name: 'the year 2062',
    write: line('published', 'published: 2062-11-06'),
    at: 'published:',
    field: 'published',
  },
  {
    name: 'a photograph of a telephone',
    write: (text) => `${text}\n![Склад](photo.HEIC)\n`,
    at: 'photo.HEIC',
  },
  {
    name: 'windows-1251',
    write: windows1251,
    at: 'heading:',
    said: 'Здесь знаки не из UTF-8. Откройте файл в редакторе и сохраните в кодировке UTF-8.',
  },
  {
    name: 'UTF-16',
    write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  },
  {
    name: 'a file that was cut off within a letter',
    write: (text) => Buffer.from(`${text}Конец`).subarray(0, -1),
    at: 'Коне',
  },
  {
    name: 'a file of five megabytes',
    write: () => 'x'.repeat(5e6),
  },
  {
    name: 'a heading that # cuts',
    write: line('heading', 'heading: Топ #1 складов'),
    at: 'heading:',
    said: 'замечание: На сайт попадёт только «Топ»: дальше стоит #, и это примечание. Возьмите значение в кавычки.',
    instead: 'heading: "Топ #1 складов"',
  },
  {
    name: 'a folder that nobody reads',
    file: 'article/x.md',
    write: () => 'Текст',
    said: 'Такого файла сайт не читает. Тексты (.md) лежат в папках blog/articles/, ',
  },
  {
    name: 'a text of another kind',
    file: 'blog/articles/Рейсы в центр.txt',
    write: () => 'Текст',
  },
  {
    name: 'upper case in the name of a file',
    file: 'blog/articles/FBO News.md',
    write: () => contentText(article).replace(/^id: .*$/m, 'id: 999'),
    said: 'Имя файла становится адресом: в нём строчные латинские буквы, цифры и дефисы, и не одни цифры. Назовите его, например, fbo-news.md.',
  },
  {
    name: 'a table under another name',
    file: 'rate.yaml',
    write: () => 'groups: []',
  },
  {
    name: 'a document that no page shows',
    file: 'legal/vacancies.md',
    write: () => 'Текст',
  },
  {
    name: 'raw HTML',
    write: (text) => `${text}\nЦена <b>выросла</b>.\n`,
    at: 'Цена <b>',
  },
  {
    name: 'a price without its point',
    file: 'rates.yaml',
    write: tiers('{ from: 1, price: 4.5 }, { from: 2, price: 41.41 }, { from: 3, price: 4 }'),
    at: 'price: 41.41 }',
    said: 'замечание: groups.rows.tiers.price: Цена 41,41 ₽ выше предыдущей, 4,5 ₽. Проверьте обе, и на месте ли точка.',
  },
  {
    name: 'a first price without its point',
    file: 'rates.yaml',
    write: tiers('{ from: 1, price: 44.4 }, { from: 2, price: 4.44 }'),
    at: 'price: 4.44 }',
    field: 'groups.rows.tiers.price',
  },
  {
    name: 'a departure that has no rates',
    file: 'departures.yaml',
    write: swap(/^- id: .*$(?![\s\S]*^- id: )/m, '- id: nowhere'),
    at: 'id: nowhere',
    field: 'id',
  },
  {
    name: 'two versions of one place',
    write: swap(/^author: .*$/m, '<<<<<<< HEAD\n$&\n=======\n$&\n>>>>>>> other'),
    at: '<<<<<<<',
  },
];

function contentText(file: string): string {
  return String(contentWith({}).get(file)?.bytes());
}

describe('a slip of an editor is told in Russian, at its line, with its remedy, and nothing besides', () => {
  test.each(slips)('$name', async ({ file = article, write, at, said, field, instead }) => {
    const files = contentWith({ [file]: write });
    const place = at === undefined ? 1 : lineOf(files, file, at);
    const start = `${file}:${place}: `;
    const lines = await told({ [file]: write });
    expect(lines).toEqual([expect.stringContaining(start + (said ?? ''))]);
    const [words = '', right] = lines[0]?.slice(start.length).replace('замечание: ', '').split('\n    ') ?? [];
    if (said === undefined) expect(words.startsWith(field ? `${field}: ` : '')).toBe(true);
    expect(words).toMatch(
      /[А-Яа-яё]{2,}те(?!\p{L})|нуж(ен|на|но|ны)(?!\p{L})|надо|здесь бывает|отделяют|делают|пишут|наверное, это/iu,
    );
    expect(right).toBe(instead);
  });
});

test('a mark of byte order and the ends of lines of Windows are no mistake', async () => {
  const windows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;
  expect(await told({ [article]: windows, 'rates.yaml': windows, 'redirects.yaml': windows })).toEqual([]);
});

test.each([
  '{ number: "+78001234567", text: "8 (800) 123-45-67" }',
  '{ number: "+74951234567", text: "8 495 123-45-67, доб. 12" }',
  '{ number: "+375291234567", text: "+375 29 123-45-67" }',
])('%s is a phone that reads as it calls', async (phone) => {
  expect(await told({ 'company.yaml': line('phone', `phone: ${phone}`) })).toEqual([]);
});

test('without the form that all other links open, there is an error, and it names presets.yaml', async () => {
  const lines = await told({ 'presets.yaml': (text) => text.replace(/^- slug: request\n(?: .*\n)+/m, '') });
  expect(lines).toContainEqual(expect.stringMatching(/^presets\.yaml:1: Здесь нет формы request, а её открывают/));
});

test('what cannot be read hides nothing that is wrong elsewhere, and makes nothing look wrong', async () => {
  const [study, news] = [fileIn('cases'), fileIn('news')];
  const lines = await told({
    [article]: line('title', 'title: Приёмка: как'),
    'rates.yaml': windows1251,
    'categories.yaml': (text) => `\t${text}`,
    [study]: (text) => `${text}\n![Нет](no.png)\n\n# Раз\n`,
    [news]: line('published', 'published: вчера'),
  });
  expect(
    lines.map((one) =>
      one.replace(/^(\S+?):\d+:.*?(Картинка|UTF-8|табуляции|двоеточие|«вчера»|Один знак).*/s, '$1 $2'),
    ),
  ).toEqual([
    `${article} двоеточие`,
    `${study} Картинка`,
    `${study} Один знак`,
    'categories.yaml табуляции',
    `${news} «вчера»`,
    'rates.yaml UTF-8',
  ]);
});

describe('the list', () => {
  const problem = (file: string, line: number, more: Partial<Problem> = {}): Problem => ({
    ...{ file, line, field: '', message: `Ошибка ${line}.` },
    ...more,
  });

  test('has errors first, then warnings, by file and line, each once', () => {
    const warning = { warning: true, field: 'title' } as const;
    const lines = linesFor([
      problem('a.md', 1, warning),
      problem('b.md', 2, { instead: 'раз' }),
      ...[problem('a.md', 12), problem('a.md', 3), problem('a.md', 3)],
    ]);
    expect(lines).toEqual([
      'a.md:3: Ошибка 3.',
      'a.md:12: Ошибка 12.',
      'b.md:2: Ошибка 2.\n    раз',
      'a.md:1: замечание: title: Ошибка 1.',
    ]);
    expect(new ContentError([problem('a.md', 3)]).message).toBe('Опубликовать нельзя, ошибок: 1.\na.md:3: Ошибка 3.');
  });

  test('does not flood, whatever there is', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => problem('a.md', index + 1));
    expect(linesFor(many).slice(-2)).toEqual(['a.md:100: Ошибка 100.', 'И ещё 9900. Поправьте эти и проверьте снова.']);
    const rows = Array.from({ length: 10_000 }, () => '- { from: нет, to: нет, куда: нет }');
    expect(await told({ 'redirects.yaml': () => rows.join('\n') })).toHaveLength(101);
  });
});
