import { describe, expect, test } from '@jest/globals';
import { createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { type Change, contentWith, fielded, fileIn, lineOf, ofTheDemo } from '../testing/content.ts';
import { siteOf } from '../testing/test-site.ts';
import { readAssets } from './assets.ts';
import type { ContentFiles } from './content-files.ts';
import { lintContent } from './lint.ts';
import { loadContent } from './load.ts';
import { readPictures } from './pictures.ts';
import { ContentError, linesFor, type Problem } from './problem.ts';
import { contentReader } from './source.ts';

const at = new Date('2026-11-21T09:00:00Z');
const assets = readAssets(paths.public);
const cache = createCache();
const sections = [...contentWith({}).keys()]
  .flatMap((file) => /^pages\/(.*)\.md$/.exec(file)?.[1] ?? [])
  .map((name) => ({ name, to: `/${name}`, listed: true }));

/** All that is found without making pages. */
async function found(files: ContentFiles): Promise<readonly Problem[]> {
  const reader = contentReader(files, cache);
  const pictures = await readPictures(files, cache, true);
  try {
    const loaded = loadContent(files, assets, { sections, pictures, at, cache, reader });
    return [...reader.problems, ...loaded.examineTexts().problems, ...lintContent(reader.lint(), at)];
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return [...error.problems, ...lintContent(reader.lint(), at)];
  }
}

const told = async (changes: Record<string, Change>) =>
  linesFor((await found(contentWith(changes))).filter((problem) => !ofTheDemo(problem)));

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
  /** The line as it should be; or what to make of the wrong one. */
  instead?: string | ((wrong: string) => string);
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
    instead: '  - \'Сложная ретушь: замена "деталей"\'',
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
    at: '  published:',
    said: 'published: Строка сдвинута вправо. Сотрите лишние пробелы в начале.',
    instead: (wrong) => wrong.trim(),
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
    instead: (wrong) => wrong.replace('\t', '  '),
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
    instead: 'author: Анна',
  },
  {
    name: 'front matter that is not closed',
    write: swap(/\n---\n/, '\n'),
    said: 'После полей нужна вторая строка из трёх дефисов, а под ней начинается текст.',
    at: '\u0000',
    instead: '---',
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
    said: 'groups.rows.tiers.price: Нужно число: одни цифры, дробная часть после точки, а здесь «57,50».',
    instead: '            price: 57.5',
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
    instead: (wrong) => wrong.replace(/[«»]/g, '"'),
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
    said: 'Файл сохранён в кодировке Windows-1251. Откройте его в редакторе и сохраните в кодировке UTF-8.',
  },
  {
    name: 'UTF-16',
    write: (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
    said: 'Файл сохранён в кодировке UTF-16. Откройте его в редакторе и сохраните в кодировке UTF-8.',
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
    said: 'замечание: heading: На сайт попадёт только «Топ»: дальше стоит #, и это примечание. Возьмите значение в кавычки.',
    instead: 'heading: "Топ #1 складов"',
  },
  {
    name: 'a folder that nobody reads',
    file: 'article/x.md',
    write: () => 'Текст',
    said: 'В этой папке сайт ничего не читает. Перенесите файл в одну из этих: blog/articles, ',
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
    said: 'Имя файла становится адресом: в нём только строчные латинские буквы, цифры и дефисы. Назовите его, например, fbo-news.md.',
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
    write: swap(/^- id: .*$/m, '- id: nowhere'),
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
    // The first blank line is where the text begins.
    const text = String(files.get(file)?.bytes()).split('\n');
    const place = at === '\u0000' ? text.indexOf('') + 1 : at === undefined ? 1 : lineOf(files, file, at);
    const lines = await told({ [file]: write });
    const alike = lines.filter((one) => !one.includes('То же написано в'));
    const start = `${file}:${place}: `;
    expect(alike).toEqual([expect.stringContaining(start + (said ?? ''))]);
    const [words = ''] = alike[0]?.slice(start.length).replace('замечание: ', '').split('\n') ?? [];
    if (said === undefined) expect(words.startsWith(field ? `${field}: ` : '')).toBe(true);
    expect(words).toMatch(
      /[А-Яа-яё]{2,}те(?!\p{L})|нуж(ен|на|но|ны)(?!\p{L})|надо|здесь бывает|отделяют|делают|пишут|наверное, это/iu,
    );
    const right = typeof instead === 'function' ? instead(text[place - 1] ?? '') : instead;
    if (right !== undefined) expect(alike[0]?.slice(alike[0].indexOf('\n'))).toBe(`\n    ${right}`);
  });
});

test.each([
  [article, 'published', '20.10.2026', '2026-10-20'],
  [article, 'id', '"1 500 шт."', '1500'],
  [article, 'draft', 'да', 'true'],
  [article, 'related', 'fbo-ili-fbs', 'related: [fbo-ili-fbs]'],
  [service, 'preset', 'Request ', 'request'],
  [service, 'to', service.replace('.md', ''), `/${service.replace('.md', '')}`],
  ['company.yaml', 'phone', '{ number: 8 (495) 000-00-00, text: +7 (495) 000-00-00 }', '"+74950000000"'],
])('%s: of %s: %s, the line is told as it should be', async (file, field, value, right) => {
  const lines = await told({ [file]: fielded(field, value) });
  const [, instead] = lines.find((one) => one.includes(`: ${field}`))?.split('\n    ') ?? [];
  expect(instead).toContain(right);
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
  expect(lines).toContainEqual(expect.stringMatching(/^presets\.yaml:1: Здесь нет формы request, а она нужна/));
});

describe('what cannot be read', () => {
  test('hides nothing that is wrong elsewhere, and makes nothing look wrong', async () => {
    const [study, news] = [fileIn('cases'), fileIn('news')];
    const files = contentWith({
      [article]: line('title', 'title: Приёмка: как'),
      'rates.yaml': windows1251,
      'categories.yaml': (text) => `\t${text}`,
      [study]: (text) => `${text}\n[Никуда](/nowhere), [сюда](/${article.replace('.md', '')}#a)\n`,
      [news]: (text) => `${line('published', 'published: вчера')(text)}\n![Нет](no.png)\n\n# Раз\n`,
    });
    const error = await siteOf({ files }).catch((error) => error);
    if (!(error instanceof ContentError)) throw error;
    expect(
      linesFor(error.problems.filter((problem: Problem) => !ofTheDemo(problem))).map((one) =>
        one.replace(/^(\S+?):\d+:.*?(Картинка|Ссылка|кодировке|табуляции|двоеточие|«вчера»|Один знак).*/s, '$1 $2'),
      ),
    ).toEqual([
      `${article} двоеточие`,
      `${study} Ссылка`,
      'categories.yaml табуляции',
      ...['«вчера»', 'Картинка', 'Один знак'].map((said) => `${news} ${said}`),
      'rates.yaml кодировке',
    ]);
  });
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
      problem('b.md', 2, { instead: 'раз\n  два' }),
      ...[problem('a.md', 12), problem('a.md', 3), problem('a.md', 3)],
    ]);
    expect(lines).toEqual([
      'a.md:3: Ошибка 3.',
      'a.md:12: Ошибка 12.',
      'b.md:2: Ошибка 2.\n    раз\n      два',
      'a.md:1: замечание: title: Ошибка 1.',
    ]);
    expect(new ContentError([problem('a.md', 3)]).message).toBe('Опубликовать нельзя, ошибок: 1.\na.md:3: Ошибка 3.');
  });

  test('does not flood, whatever there is', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => problem('a.md', index + 1));
    expect(linesFor(many).slice(-2)).toEqual(['a.md:20: Ошибка 20.', 'И ещё 9980. Поправьте эти и проверьте снова.']);
    const files = Array.from({ length: 5000 }, (_, index) => problem(`${index}.md`, 1));
    expect(linesFor(files)).toHaveLength(201);
    const rows = Array.from({ length: 10_000 }, () => '- { from: нет, to: нет, куда: нет }');
    const lines = await told({ 'redirects.yaml': () => rows.join('\n') });
    expect([lines.length, lines.join('\n').length < 10_000]).toEqual([21, true]);
  });
});
