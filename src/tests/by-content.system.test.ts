import { describe, expect, test } from '@jest/globals';
import { checkContent } from '../publishing/check-site.ts';
import { builtAt, testInputs } from './support/built.ts';
import { all, type Element, one, parseHtml, textOf } from './support/html.ts';
import { problemsOf } from './support/problems.ts';
import { type Change, contentWith, fileIn, lineOf, valued } from './support/sample-content.ts';
import { shownSite, siteOf, startTestSite, textAt } from './support/test-site.ts';

const page = (heading: string) => () =>
  `---
heading: ${heading}
title: ${heading}, как это устроено у нас
description: Как вы платите за услуги, какие документы получаете и когда они приходят в личный кабинет.
lead: Счёт приходит до отгрузки, акт после неё.
image: coins.svg
updated: 2026-11-20
figures: [{ text: Отсрочка, value: 5 дней, at: с 2026 года }]
milestones: [{ year: 2024, text: Приняли карты. }]
callout: { heading: Нужен договор?, text: Пришлите реквизиты., preset: question }
---

## Счета

Раз в неделю, [цены](/rates) те же.
`;
const drawing = () => '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 180"><path d="M9 9h9v9z"/></svg>';
const service = fileIn('services');
const pictured = (image: string) => (text: string) => text.replace(/^image: .*$/m, `image: ${image}`);

const added: Record<string, Change> = {
  'pages/payment.md': page('Оплата'),
  'pages/coins.svg': drawing,
  [service]: pictured('own.svg\ncallout: { heading: Свой призыв, preset: question }'),
  'services/own.svg': drawing,
  'navigation.yaml': (text) =>
    text.replace(/^header:\n/m, 'header:\n  - text: Клиентам\n    pages: [{ to: /payment, text: Оплата }]\n') +
    '  - { to: /payment, text: Оплата и документы }\n',
  'company.yaml': valued({
    social: ['MAX', 'Signal'].map((text) => ({ kind: 'messenger', text, href: `https://example.com/${text}` })),
  }),
};

const site = await startTestSite({ site: await siteOf({ files: contentWith(added) }) });

describe('an editor', () => {
  const textOfPage = async (path: string) => (await site.request(path)).text;
  const open = async (path: string): Promise<Element> => parseHtml(await textOfPage(path));
  const picturesOf = (document: Element) => all(document, 'img').map(({ attrs }) => attrs.src ?? '');
  const links = (part: Element) => all(part, 'a[href="/payment"]').map(textOf);

  test('adds a page at the address of its file, with its text, its drawing and its form', async () => {
    const document = await open('/payment');
    expect(textOf(one(document, 'h1'))).toBe('Оплата');
    expect(all(document, 'h2').map(textOf)).toEqual(['По годам', 'Счета', 'Нужен договор?']);
    expect(picturesOf(document)).toContainEqual(expect.stringMatching(/^\/pictures\/coins\./));
    expect(textOf(one(document, 'main'))).toMatch(/Отсрочка\s*5 дней.*2024\s*Приняли карты/s);
    const callout = one(document, 'section.callout');
    expect(textOf(callout)).toContain('Пришлите реквизиты.');
    expect(all(callout, 'a[href="/contact?preset=question"]')).toHaveLength(1);
  });

  test('adds the page to the menu, the footer, the site map, the search and the sitemap', async () => {
    const home = await open('/');
    const [menu] = all(one(home, 'nav[aria-label="Основная навигация"]'), 'details');
    expect(menu && textOf(menu)).toBe('КлиентамОплата');
    const footer = one(home, 'footer');
    expect(links(footer)).toEqual(['Оплата и документы']);
    expect(all(footer, 'a').map(textOf)).toEqual(expect.arrayContaining(['MAX', 'Signal']));
    for (const path of ['/map', `/search?q=${encodeURIComponent('оплата')}`])
      expect(links(one(await open(path), 'main'))).toHaveLength(1);
    const map = await textOfPage('/sitemap.xml');
    expect(map).toContain('/payment</loc>');
  });

  test('adds a drawing to a service, which also changes its share picture, and a callout', async () => {
    const path = `/${service.replace('.md', '')}`;
    const document = await open(path);
    const own = picturesOf(document).find((src) => /^\/pictures\/own\.[0-9a-f]{10}\.svg$/.test(src)) ?? '';
    expect(await textOfPage(own)).toBe(drawing());
    expect(textOf(one(document, 'section.callout'))).toContain('Свой призыв');
    const shared = (page: Element) => one(page, 'meta[property="og:image"]').attrs.content;
    expect(shared(document)).not.toBe(shared(parseHtml(textAt(await shownSite(), path))));
  });
});

test('a page without its text, and a list without an entry, are nowhere, and menus leave them out', async () => {
  const gone = ['pages/map.md', 'pages/search.md', 'pages/calc.md', 'reviews', 'cases', 'news'];
  const dropped = ['/map', '/search', '/rates/calc', '/reviews', '/reviews/delivery', '/cases', '/about/novosti'];
  const files = contentWith(Object.fromEntries(gone.map((name) => [name, () => undefined])));
  const smaller = await startTestSite({ site: await shownSite({ files }) });
  const { problems } = await checkContent(files, { inputs: testInputs(), at: builtAt });
  expect(problems.filter(({ file }) => file === 'navigation.yaml')).toEqual([]);
  const statuses = await Promise.all(dropped.map(async (path) => (await smaller.request(path)).status));
  expect(new Set(statuses)).toEqual(new Set([404]));
  const shown = ['/', '/about', `/${service.replace('.md', '')}`, '/contact', '/no-such'];
  for (const path of [...shown, '/sitemap.xml']) {
    const { text } = await smaller.request(path);
    for (const one of dropped)
      expect([path, text.includes(`${one}"`) || text.includes(`${one}<`)]).toEqual([path, false]);
  }
});

/** A change that an editor must not make, and the expected message. */
const wrong: Readonly<Record<string, [change: Change, message: RegExp]>> = {
  'pages/desk.md': [page('Занято'), /Адрес .* занят/],
  'pages/policy.md': [page('Тоже занято'), /Адрес .* занят/],
  'pages/contacts.md': [(text) => text.replace('updated:', 'draft: true\nupdated:'), /Сотрите/],
  'root/x.js': [() => 'x', /\.html, \.txt, .* до 64 КБ/],
  'navigation.yaml': [(text) => text.replace(/^footer:/m, '  - { text: Никуда }\nfooter:'), /либо to, либо pages/],
  [service]: [pictured('no.svg'), /no\.svg/],
};

test('a forbidden change is reported with its file, and nothing else is reported', async () => {
  const changes = Object.entries(wrong).map(([file, [change]]) => [file, change] as const);
  const problems = await problemsOf(contentWith({ 'pages/coins.svg': drawing, ...Object.fromEntries(changes) }));
  const expected = Object.entries(wrong).map(([file, [, message]]) => [file, expect.stringMatching(message)]);
  expect(problems).toHaveLength(expected.length);
  expect(Object.fromEntries(problems.map(({ file, message }) => [file, message]))).toEqual(
    Object.fromEntries(expected),
  );
});

test('broken links and addresses that are already taken are reported with file and line', async () => {
  const article = fileIn('blog/articles');
  const append = (addition: string) => (text: string) => `${text.trimEnd()}\n${addition}\n`;
  const links = ['/ratse', '/contact?preset=nothing', '/rates#nowhere', '//example.com/'];
  const taken = ['/rates', '/desk/*', '/take/x', '/contact?preset=price', '/sitemap.xml'];
  const moved = [['/old', '/moved'], ['/chain', '/old'], ...taken.map((from) => [from, '/cargo'])];
  const files = contentWith({
    [article]: append(['', ...links.map((link) => `- [ведёт](${link})`), '![А](/images/no.png)'].join('\n')),
    'questions.yaml': append('- { slug: x, topic: Т, question: В,\n    answer: "[так](/in-an-answer)" }'),
    'navigation.yaml': append('  - { text: Никуда, to: /in-a-menu }'),
    'redirects.yaml': append(moved.map(([from, to]) => `- { from: ${from}, to: ${to} }`).join('\n')),
  });
  const { problems } = await checkContent(files, { inputs: testInputs(), at: builtAt });
  const told = problems
    .filter(({ warning }) => !warning)
    .map(({ file, line, message }) => `${file}:${line} ${/«(.*?)»/.exec(message)?.[1] ?? ''}`);
  const expected = [
    ...[...links, '/images/no.png'].map((link) => [article, `(${link})`, link]),
    ['questions.yaml', '(/in-an-answer)', '/in-an-answer'],
    ['navigation.yaml', '/in-a-menu', '/in-a-menu'],
    ['redirects.yaml', 'to: /moved', '/moved'],
    ['redirects.yaml', 'from: /chain', '/old'],
    ...taken.map((from) => ['redirects.yaml', `from: ${from},`, from]),
  ].map(([file = '', needle = '', link]) => `${file}:${lineOf(files, file, needle)} ${link}`);
  expect(told.sort()).toEqual(expected.sort());
});
