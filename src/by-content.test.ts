import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ContentError } from './reading/problem.ts';
import { type Change, contentWith, fileIn, valued } from './testing/content.ts';
import { all, type Element, one, parseHtml, textOf } from './testing/html.ts';
import { siteOf, startTestSite, type TestSite, textAt } from './testing/test-site.ts';

const page = (heading: string) => (_text: string) =>
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
const proof = '<html><body>Verification: 0123abcd</body></html>';
const service = fileIn('services');

const added: Record<string, Change> = {
  'pages/payment.md': page('Оплата'),
  'pages/coins.svg': drawing,
  [service]: (text) =>
    text.replace(/^image: .*$/m, 'image: own.svg\ncallout: { heading: Свой призыв, preset: question }'),
  'services/own.svg': drawing,
  'root/yandex_0123abcd.html': () => proof,
  'root/ads.txt': () => 'example.com, 1, DIRECT\n',
  'pages/later.md': (text) => page('Позже')(text).replace('updated:', 'draft: true\nupdated:'),
  'navigation.yaml': (text) =>
    text.replace(/^header:\n/m, 'header:\n  - text: Клиентам\n    pages: [{ to: /payment, text: Оплата }]\n') +
    '  - { to: /payment, text: Оплата и документы }\n',
  'company.yaml': valued({
    social: ['MAX', 'Signal'].map((text) => ({ kind: 'messenger', text, href: `https://example.com/${text}` })),
  }),
};

describe('what an editor adds by files alone', () => {
  let site: TestSite;
  const open = async (path: string): Promise<Element> => parseHtml((await site.request(path)).text);
  beforeAll(async () => {
    site = await startTestSite({ site: await siteOf({ files: contentWith(added) }) });
  });
  afterAll(() => site.close());

  test('a page stands at the address that its file has, with its words, its drawing and its form', async () => {
    const document = await open('/payment');
    expect(textOf(one(document, 'h1'))).toBe('Оплата');
    expect(textOf(one(document, 'title'))).toContain('как это устроено у нас');
    expect(all(document, 'h2').map(textOf)).toEqual(['По годам', 'Счета', 'Нужен договор?']);
    expect(all(document, 'img').some(({ attrs }) => /^\/pictures\/coins\./.test(attrs.src ?? ''))).toBe(true);
    expect(textOf(one(document, 'main'))).toMatch(/Отсрочка\s*5 дней\s*с 2026 года.*2024\s*Приняли карты/s);
    const callout = one(document, 'section.callout');
    expect(textOf(callout)).toContain('Пришлите реквизиты. Перезвоним');
    expect(all(callout, 'a').map(({ attrs }) => attrs.href)).toContain('/contact?preset=question');
  });

  test('it is in the menu, the footer, the map, the search, the sitemap, and has data', async () => {
    const home = await open('/');
    const menus = all(one(home, 'nav[aria-label="Основная навигация"]'), 'details');
    expect(textOf(menus[0] as Element)).toBe('КлиентамОплата');
    expect(all(one(home, 'footer'), 'a[href="/payment"]').map(textOf)).toEqual(['Оплата и документы']);
    expect(all(one(await open('/map'), 'main'), 'a[href="/payment"]')).toHaveLength(1);
    expect(
      all(one(await open(`/search?q=${encodeURIComponent('оплата')}`), 'main'), 'a[href="/payment"]'),
    ).not.toHaveLength(0);
    expect((await site.request('/sitemap.xml')).text).toContain('/payment</loc>');
    expect(JSON.parse((await site.request('/payment/_payload.json')).text).text.heading).toBe('Оплата');
    expect((await site.request('/PAYMENT/')).headers.location).toBe('/payment');
  });

  test('a page that is a draft is nowhere', async () => {
    expect((await site.request('/later')).status).toBe(404);
    for (const path of ['/map', '/sitemap.xml']) expect((await site.request(path)).text).not.toContain('/later');
  });

  test('a service has the drawing beside it, also in the picture of its links, and a callout of its own', async () => {
    const path = `/${service.replace('.md', '')}`;
    const document = await open(path);
    const drawn = all(document, 'img').map(({ attrs }) => attrs.src ?? '');
    const own = drawn.find((src) => /^\/pictures\/own\.[0-9a-f]{10}\.svg$/.test(src)) ?? '';
    expect((await site.request(own)).text).toBe(drawing());
    expect(textOf(one(document, 'section.callout'))).toContain('Свой призыв');
    const shared = (page: Element) => one(page, 'meta[property="og:image"]').attrs.content;
    const before = shared(parseHtml(textAt(await siteOf(), path)));
    expect([shared(document), before]).toEqual(Array(2).fill(expect.stringMatching(/\/share\/.*\.png$/)));
    expect(shared(document)).not.toBe(before);
  });

  test('a proof for a search engine is sent as it is, and is no page', async () => {
    const { status, text, headers } = await site.request('/yandex_0123abcd.html');
    expect([status, text, headers['content-type']]).toEqual([200, proof, 'text/html']);
    expect((await site.request('/ads.txt')).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(site.served.paths.filter((path) => path.includes('yandex'))).toEqual([]);
    expect((await site.request('/sitemap.xml')).text).not.toContain('yandex');
  });

  test('two ways to write of one kind stand beside each other', async () => {
    const links = all(one(await open('/'), 'footer'), 'a').map(textOf);
    expect(links).toEqual(expect.arrayContaining(['MAX', 'Signal']));
  });
});

describe('what an editor cannot add is told with its file', () => {
  const wrong: [name: string, changes: Record<string, Change>, file: string, message: RegExp][] = [
    ...['/desk', '/policy', '/healthz'].map((path): (typeof wrong)[number] => {
      return [`a page at ${path}`, { [`pages${path}.md`]: page('Занято') }, `pages${path}.md`, /Адрес .* занят/];
    }),
    [
      'an address of the desk that has moved',
      { 'redirects.yaml': (text) => `${text.trimEnd()}\n- { from: /desk, to: /rates }\n` },
      'redirects.yaml',
      /уже есть страница/,
    ],
    ['a file that the site makes itself', { 'root/robots.txt': () => 'x' }, 'root/robots.txt', /сайт отвечает сам/],
    [
      'a draft of a page that the site needs',
      { 'pages/rates.md': (text) => text.replace('updated:', 'draft: true\nupdated:') },
      'pages/rates.md',
      /Сотрите/,
    ],
    ['a program', { 'root/x.js': () => 'x' }, 'root/x.js', /\.html, \.txt/],
    ['a file in a folder', { 'root/a/x.txt': () => 'x' }, 'root/a/x.txt', /без папок внутри/],
    ['a large file', { 'root/x.txt': () => Buffer.alloc(70_000, 'x') }, 'root/x.txt', /до 64 КБ/],
    [
      'a drawing that is not there',
      { [service]: (text) => text.replace(/^image: .*$/m, 'image: no.svg') },
      service,
      /no\.svg/,
    ],
    [
      'an entry of the header that leads nowhere',
      { 'navigation.yaml': (text) => text.replace(/^footer:/m, '  - { text: Никуда }\nfooter:') },
      'navigation.yaml',
      /либо to, либо pages/,
    ],
  ];
  const pages = { 'pages/x.md': page('Страница'), 'pages/coins.svg': drawing };

  test.each(wrong)('%s', async (_, changes, file, message) => {
    const error = await siteOf({ files: contentWith({ ...pages, ...changes }) }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ContentError);
    const { problems } = error as ContentError;
    expect(problems.filter(({ warning }) => !warning).map((problem) => problem.file)).toEqual([file]);
    expect(problems.find((problem) => problem.file === file)?.message).toMatch(message);
  });
});
