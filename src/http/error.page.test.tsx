import { beforeAll, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { paths } from '../lib/paths.ts';
import type { Content } from '../model/content.ts';
import { readAssets } from '../reading/assets.ts';
import { readFolder } from '../reading/content-files.ts';
import { loadContent } from '../reading/load.ts';
import { readPictures } from '../reading/pictures.ts';
import { forgetfulMemo } from '../store/memo.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { errorView } from './error.page.tsx';

let content: Content;

beforeAll(async () => {
  content = loadContent(readFolder(paths.content), readAssets(paths.public), {
    pictures: await readPictures(readFolder(paths.content), forgetfulMemo()),
  }).content;
});

test.each([
  [404, /Ссылка неверна/],
  [500, /внутренняя ошибка.*исправляем/],
])('the screen of %i explains itself', (status, explanation) => {
  const { head, body } = errorView({ content, status, message: '', path: '/' });
  const page = parseHtml(renderToStaticMarkup(body));
  expect(head).toMatchObject({ noindex: true, crumbs: [] });
  expect(textOf(one(page, 'h1'))).toBe('Ошибка');
  expect(textOf(page)).toMatch(explanation);
  expect(textOf(page)).toContain(String(status));
});

test.each([400, 403, 429, 503])('the screen of %i has the heading and the code, no explanation', (status) => {
  const page = parseHtml(renderToStaticMarkup(errorView({ content, status, message: '', path: '/' }).body));
  expect(textOf(page)).toBe(`ОшибкаКод ${status}На главную${content.company.tollFree.text}`);
});

test('the message is shown as text, and the ways out are home and the phone', () => {
  const message = 'Page not found: /<script>';
  const page = parseHtml(renderToStaticMarkup(errorView({ content, status: 404, message, path: '/' }).body));
  expect(textOf(page)).toContain(message);
  expect(all(page, 'a').map(({ attributes }) => attributes.href)).toEqual([
    '/',
    `tel:${content.company.tollFree.number}`,
  ]);
});
