import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { Prose } from '../model/prose.ts';
import { daysInWords, defaultRetention, type Retention } from '../model/retention-periods.ts';
import { typeset } from '../model/typography.ts';
import { one, parseHtml, textOf } from '../tests/support/html.ts';
import { htmlOf } from '../tests/support/prose-of.ts';
import { contentWith, lineOf, valued } from '../tests/support/sample-content.ts';
import { testIf } from '../tests/support/test-if.ts';
import { shownSite, textAt } from '../tests/support/test-site.ts';
import type { ContentFiles } from './content-files.ts';
import { factsOf } from './facts.ts';
import type { Source } from './source.ts';
import { readSources } from './sources.ts';

const file = 'pages/about.md';
const page = (body: string, title = 'Страница о фактах') => `---
heading: Заголовок
title: ${title}
description: Описание страницы, которое достаточно длинно, чтобы его показать в поиске
lead: Слова
---

${body}
`;

const contentOf = (text: string, company: string): ContentFiles =>
  contentWith({ [file]: () => text, 'company.yaml': () => company }, new Map());

/** The result of reading a page, and its problems. */
async function read(files: ContentFiles) {
  const { sources, problems } = readSources(files);
  const source = sources.page.find((one) => one.file === file);
  return {
    problems: problems.filter((one) => one.file === file).map(({ line, message, instead }) => [line, message, instead]),
    source,
    html: htmlOf(source?.body().blocks),
  };
}

test('a changed fact reaches files that have not changed', () => {
  const cache = createCache();
  const html = (name: string) => {
    const { sources } = readSources(contentOf(page('{{ company.name }}'), `name: ${name}\n`), [], cache);
    return htmlOf(sources.page[0]?.body().blocks);
  };
  expect([html('Короб'), html('Полка')]).toEqual([expect.stringContaining('Короб'), expect.stringContaining('Полка')]);
});

test('a text names the retention periods of the server that shows it', () => {
  const cache = createCache();
  const shown = (retention: Retention) => {
    const files = contentOf(page('Храним {{ retention.leads }}, потом {{ retention.consents }}.'), 'name: Короб\n');
    return htmlOf(readSources(files, [], cache, retention).sources.page[0]?.body().blocks);
  };
  expect(shown(defaultRetention)).toContain('Храним 12 месяцев, потом 4 года.');
  expect(shown({ leads: 30, consents: 400 })).toContain('Храним 30 дней, потом 400 дней.');
});

test.each([
  [1, '1 день'],
  [21, '21 день'],
  [92, '92 дня'],
  [364, '364 дня'],
  [365, '12 месяцев'],
  [366, '12 месяцев'],
  [367, '367 дней'],
  [730, '2 года'],
  [1_461, '4 года'],
  [1_462, '1462 дня'],
  [1_827, '5 лет'],
  [36_500, '100 лет'],
])('a period of %i days reads %s', (days, words) => {
  expect(daysInWords(days)).toBe(words);
});

describe('a fact that contains markup characters', () => {
  // It is short enough for a title.
  const name = '*<&_#';
  const company = `name: ${JSON.stringify(name)}\nemail: a_b_c@example.com\nphone: { number: "+74951234567" }\n`;

  test('is plain text everywhere in Markdown', async () => {
    const link = '[{{company.email}}](mailto:{{ company.email }}), [звонок](tel:{{ company.phone.number }})';
    const table = '| {{ company.name }} | Цена |\n|---|---|\n| `{{ company.email }}` | 1 |';
    const { html, source } = await read(
      contentOf(page(`## {{ company.name }}\n\n**{{ company.name }}**а\n${link}\n\n${table}`), company),
    );
    const texts = ['h2', 'strong', 'th:first-child'].map((element) => textOf(one(parseHtml(html), element)));
    expect(texts).toEqual([name, name, name]);
    expect(html).not.toContain('<&');
    expect(new Prose(() => source?.body().blocks ?? []).headings[0]?.text).toBe(name);
    expect(html).toContain('<a href="mailto:a_b_c@example.com">a_b_c@example.com</a>');
    expect(html).toContain('<a href="tel:+74951234567">');
    expect(html).toContain('<code>a_b_c@example.com</code>');
  });

  test('is a plain value in YAML, with or without quotes', async () => {
    for (const title of [
      'Это "{{ company.name }}"',
      '\'Это "{{ company.name }}"\'',
      '>-\n  Это\n  "{{ company.name }}"',
    ]) {
      const { problems, source } = await read(contentOf(page('Текст.', title), company));
      expect([problems, source?.value.title, source?.lineOf(['title'])]).toEqual([[], `Это "${name}"`, 3]);
    }
  });

  test.each(['{{ company.name }}', '{{ company.name }} и мы', '{{ company.name }}: мы'])(
    'that begins a value without quotes is reported with the corrected line: %s',
    async (title) => {
      const { problems } = await read(contentOf(page('Текст.', title), company));
      expect(problems).toEqual([[3, expect.stringContaining('в кавычки'), `title: "${title}"`]]);
    },
  );

  test('is plain text in an answer, which is Markdown within YAML', async () => {
    // It is short enough for a title.
    const short = '*_<&#';
    const files = contentWith({
      'company.yaml': valued({ name: short }),
      'questions.yaml': () => '- { slug: a, topic: Тема, question: Кто?, answer: "Мы — **{{ company.name }}**" }\n',
    });
    const html = textAt(await shownSite({ files }), '/questions');
    expect(textOf(one(parseHtml(html), 'main strong'))).toBe(short);
  });
});

test('a fact is typeset with the words around it', async () => {
  const company = 'legalName: ООО "Короб"\naddress: { postalCode: "115201", locality: Москва, street: "ул. Новая, 2" }';
  const { html } = await read(contentOf(page('Сайт {{ company.legalName }} - в {{ company.address }}.'), company));
  expect(typeset(html)).toBe(`<p>${typeset('Сайт ООО «Короб» - в 115201, Москва, ул. Новая, 2.')}</p>\n`);
});

testIf({ shipped: true })('the user agreement says what the facts of the company say', async () => {
  const company = valued({ 'workingHours.week': Array.from({ length: 7 }, () => ['10:00', '19:00']) });
  const files = contentWith({
    'company.yaml': (text) => String(company(text)).replace('callWithin: 10', 'callWithin: 20'),
  });
  const shown = textOf(parseHtml(textAt(await shownSite({ files }), '/useragree')));
  expect(shown).toMatch(/Ежедневно[\s\S]{0,120}в\s+течение\s+20\s+мин\./iu);
  expect(shown).not.toMatch(/10\s+минут|в\s+воскресенье|указаны\s+с\s+НДС/u);
});

describe('the name of a fact', () => {
  test("exists if the editors' page names it", () => {
    const words = readFileSync(join(paths.content, 'README.md'), 'utf8');
    const rows = words.slice(words.indexOf('| после `company.`'), words.indexOf('## Даты')).split('\n').slice(2);
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const facts = factsOf(readFileSync(join(paths.content, 'company.yaml'), 'utf8'), defaultRetention);
    const optional = ['kpp'];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !facts?.has(`company.${name}`) && !optional.includes(name ?? ''))).toEqual([]);
  });

  test('is reported with its line and the nearest known name when it is unknown', async () => {
    const text = page(
      'Текст.\n\nНа {{ company.emial }} и {{ адрес }}, {{ company.name\n\n{{ retention.lead }}',
      '{{ company.nam }} и мы: склад',
    );
    const { problems, source } = await read(contentOf(text, 'name: Сундук\nemail: a@example.com'));
    expect(source).toBeUndefined();
    expect(problems).toEqual([
      [3, expect.stringContaining('Наверное, это {{ company.name }}.'), undefined],
      [10, expect.stringContaining('Наверное, это {{ company.email }}.'), undefined],
      [10, expect.stringContaining('нет: {{ адрес }}. Впишите'), undefined],
      [10, expect.stringContaining('не хватает }}'), 'На {{ company.emial }} и {{ адрес }}, {{ company.name }}'],
      [12, expect.stringContaining('Наверное, это {{ retention.leads }}.'), undefined],
      [3, expect.stringContaining('Возьмите значение в кавычки.'), 'title: "{{ company.nam }} и мы: склад"'],
    ]);
  });

  test('that joins several fields is known without one of them, which is an error of company.yaml', () => {
    const known = (company: string) => factsOf(company, defaultRetention)?.get('company.address');
    const parts = ['postalCode: "115201"', 'locality: Москва', 'street: "ул. Новая, 2"'];
    expect(known(`address: { ${parts.join(', ')} }`)).toBe('115201, Москва, ул. Новая, 2');
    for (const part of parts)
      expect(known(`address: { ${parts.filter((one) => one !== part).join(', ')} }`)).toContain('…');
    expect(known('name: Короб')).toBeUndefined();
  });

  test('is reported in company.yaml', () => {
    const files = contentWith({ 'company.yaml': valued({ slogan: 'Это {{ company.name }}' }) });
    const told = readSources(files).problems.filter(({ file }) => file === 'company.yaml');
    const message = expect.stringContaining('факты пишут словами');
    expect(told).toMatchObject([{ line: lineOf(files, 'company.yaml', 'slogan:'), message }]);
  });

  test('is not reported while company.yaml is unreadable, because that is already an error', async () => {
    const text = page('Мы — {{ company.name }}');
    expect((await read(contentOf(text, 'name: "Сундук'))).problems).toEqual([]);
    expect((await read(contentOf(text, 'slogan: Сундук'))).problems).toHaveLength(1);
  });
});

test('a changed fact reloads only the files that use facts', async () => {
  const cache = createCache();
  const before = contentWith({ [file]: () => page('Мы — {{ company.name }}') });
  const after = contentWith({ 'company.yaml': valued({ email: 'new@example.com' }) }, before);
  const sources = async (files: ContentFiles) =>
    Object.values(readSources(files, [], cache).sources).flat() as Source<unknown>[];
  const known = new Set(await sources(before));
  const using = [...after]
    .filter(([name, { bytes }]) => /\.(md|yaml)$/.test(name) && bytes().includes('{{'))
    .map(([name]) => name);
  const anew = (await sources(after)).filter((one) => !known.has(one)).map((one) => one.file);
  expect(anew.sort()).toEqual([...new Set(['company.yaml', ...using])].sort());
});
