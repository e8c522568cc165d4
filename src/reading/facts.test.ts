import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { type Cache, createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { legalNames } from '../model/content.ts';
import { plainText } from '../model/plain-text.ts';
import * as schema from '../model/schema.ts';
import { typeset } from '../model/typography.ts';
import { contentWith, lineOf, valued } from '../testing/content.ts';
import { siteOf, textAt } from '../testing/test-site.ts';
import type { ContentFiles } from './content-files.ts';
import { factsIn, factsOf } from './facts.ts';
import { contentReader } from './source.ts';

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
  contentWith({ [file]: () => text, 'company.yaml': () => company });

const textIn = (files: ContentFiles, name: string) => files.get(name)?.bytes().toString() ?? '';

/** What is read of a page, and what is wrong with it. */
function read(files: ContentFiles, cache?: Cache) {
  const reader = contentReader(files, cache);
  const source = reader.file(file, schema.pageTextSchema);
  const problems = reader.problems.map(({ line, message, instead }) => [line, message, instead]);
  return { problems, source, html: source?.text().html ?? '' };
}

describe('a fact with marks that mean something elsewhere', () => {
  // No longer than a name that titles have room for.
  const name = '*<&_#';
  const company = `name: ${JSON.stringify(name)}\nemail: a_b_c@example.com\nphone: { number: "+74951234567" }\n`;
  const shown = typeset(name);

  test('is text in Markdown, wherever it stands', () => {
    const link = '[{{company.email}}](mailto:{{ company.email }}), [звонок](tel:{{ company.phone.number }})';
    const table = '| {{ company.name }} | Цена |\n|---|---|\n| `{{ company.email }}` | 1 |';
    const { html, source } = read(
      contentOf(page(`## {{ company.name }}\n\n**{{ company.name }}**а\n${link}\n\n${table}`), company),
    );
    const [heading, bold, cell] = [/<h2[^>]*>(.*)<\/h2>/, /<strong>(.*)<\/strong>/, /<th [^>]*>(.*)<\/th>/].map(
      (pattern) => plainText(pattern.exec(html)?.[1] ?? ''),
    );
    expect([heading, bold, cell]).toEqual([shown, shown, shown]);
    expect(source?.text().headings[0]?.text).toBe(shown);
    expect(html).toContain('<a href="mailto:a_b_c@example.com">a_b_c@example.com</a>');
    expect(html).toContain('<a href="tel:+74951234567">');
    expect(html).toContain('<code>a_b_c@example.com</code>');
  });

  test('is a value in YAML, with quotes or without', () => {
    for (const title of ['{{ company.name }} и мы', '"{{ company.name }} и мы"', '>-\n  {{ company.name }}\n  и мы']) {
      const { problems, source } = read(contentOf(page('Текст.', title), company));
      expect([problems, source?.value.title, source?.lineOf(['title'])]).toEqual([[], `${shown} и\u00A0мы`, 3]);
    }
  });

  test('is text in an answer, which is Markdown within YAML', async () => {
    // Titles have room for it.
    const short = '*_<&#';
    const files = contentWith({
      'company.yaml': valued({ name: short }),
      'questions.yaml': () => '- { slug: a, topic: Тема, question: Кто?, answer: "Мы — **{{ company.name }}**" }\n',
    });
    const html = textAt(await siteOf({ files }), '/questions');
    expect(plainText(/<strong>(.*?)<\/strong>/.exec(html)?.[1] ?? '')).toBe(short);
  });
});

test('is typeset with the words around it', () => {
  const company = 'legalName: ООО "Короб"\naddress: { postalCode: "115201", locality: Москва, street: "ул. Новая, 2" }';
  const { html } = read(contentOf(page('Сайт {{ company.legalName }} - в {{ company.address }}.'), company));
  const whole = typeset('Сайт ООО «Короб» - в 115201, Москва, ул. Новая, 2.');
  expect(html).toBe(`<p>${whole}</p>\n`);
});

describe('names of facts', () => {
  test('stand in what editors read', () => {
    const words = readFileSync(join(paths.content, 'README.md'), 'utf8');
    const rows = words.slice(words.indexOf('| after `company.`'), words.indexOf('## Dates')).split('\n').slice(2);
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
    const facts = factsOf(readFileSync(join(paths.content, 'company.yaml'), 'utf8'));
    const optional = ['kpp', 'camera.hours'];
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((name) => !facts?.has(`company.${name}`) && !optional.includes(name ?? ''))).toEqual([]);
  });

  test('that nobody knows are told with their line and the nearest one', () => {
    const text = page(
      'Текст.\n\nНа {{ company.emial }} и {{ адрес }}, {{ company.name',
      '{{ company.nam }} и мы: склад',
    );
    const { problems, source } = read(contentOf(text, 'name: Сундук\nemail: a@example.com'));
    expect(source).toBeUndefined();
    expect(problems).toEqual([
      [3, 'Такого факта в company.yaml нет: {{ company.nam }}. Наверное, это {{ company.name }}.', undefined],
      [10, 'Такого факта в company.yaml нет: {{ company.emial }}. Наверное, это {{ company.email }}.', undefined],
      [10, 'Такого факта в company.yaml нет: {{ адрес }}. Впишите его туда или уберите отсюда.', undefined],
      [10, 'После {{ не хватает }} на той же строке. Допишите, например {{ company.name }}.', undefined],
      [3, expect.stringContaining('Возьмите значение в кавычки.'), 'title: "{{ company.nam }} и мы: склад"'],
    ]);
  });

  test('of what the company does not say are told, and so are those in its own file, but not in comments', () => {
    const { problems } = read(contentOf(page('КПП {{ company.kpp }}'), 'name: Сундук'));
    expect(problems).toEqual([
      [8, 'Такого факта в company.yaml нет: {{ company.kpp }}. Впишите его туда или уберите отсюда.', undefined],
    ]);
    const files = contentWith({
      'company.yaml': (text) => `${valued({ slogan: 'Это {{ company.name }}' })(text)}# {{ company.x }}\n`,
    });
    const reader = contentReader(files);
    reader.file('company.yaml', schema.companySchema);
    expect(reader.problems).toEqual([
      {
        ...{ file: 'company.yaml', field: '' },
        line: lineOf(files, 'company.yaml', 'slogan:'),
        message: 'В самом company.yaml факты пишут словами. Впишите значение.',
      },
    ]);
  });

  test('are no problem while company.yaml cannot be read, for that is one', () => {
    const cache = createCache();
    const text = page('Мы — {{ company.name }}');
    expect(read(contentOf(text, 'name: "Сундук'), cache).problems).toEqual([]);
    expect(read(contentOf(text, 'slogan: Сундук'), cache).problems).toHaveLength(1);
  });
});

test('a changed fact has those files read anew that name it, and no others', () => {
  const cache = createCache();
  function filesMade(files: ContentFiles): string[] {
    const made: string[] = [];
    const watched: Cache = {
      ...cache,
      get: (key, make) =>
        cache.get(key, () => {
          const [kind, name = ''] = key.split(' ');
          if (kind === 'file') made.push(name);
          return make();
        }),
    };
    const reader = contentReader(files, watched);
    for (const name of files.keys()) if (/\.(md|yaml)$/.test(name)) reader.file(name, z.unknown());
    return made;
  }
  const before = contentWith({
    [file]: () => page('Мы — {{ company.name }}'),
    'pages/cargo.md': () => page('Пишите на {{ company.email }}'),
  });
  const all = filesMade(before);
  expect(all).toEqual(expect.arrayContaining([file, 'pages/cargo.md', 'company.yaml']));
  expect(new Set(all).size).toBe(all.length);
  expect(filesMade(before)).toEqual([]);
  const after = contentWith({ 'company.yaml': valued({ email: 'new@example.com' }) }, before);
  const using = [...after].filter(([, { bytes }]) => bytes().includes('{{ company.email }}')).map(([name]) => name);
  expect(filesMade(after).sort()).toEqual(['company.yaml', ...using].sort());
  expect(using).toContain('pages/cargo.md');
  expect(using).not.toContain(file);
});

test('one file says in all legal texts whose they are', async () => {
  const others = {
    name: 'Ларец',
    legalName: 'АО «Ларец»',
    email: 'office@example.com',
    'address.street': 'ул. Баумана, 9',
  };
  const files = contentWith({ 'company.yaml': valued(others) });
  const facts = factsOf(textIn(files, 'company.yaml'));
  const site = await siteOf({ files });
  for (const name of legalNames) {
    const html = plainText(textAt(site, `/${name}`)).replaceAll('\u00A0', ' ');
    const missing = factsIn(textIn(files, `legal/${name}.md`)).filter(
      (fact) => !html.includes(facts?.get(fact) ?? '?'),
    );
    expect([name, missing]).toEqual([name, []]);
  }
});
