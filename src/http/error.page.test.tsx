import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { shownSite } from '../testing/test-site.ts';
import { errorView } from './error.page.tsx';

const content = (await shownSite()).content;

test.each([
  [404, /Ссылка неверна/],
  [500, /Внутренняя ошибка.*исправляем/],
])('the screen of %i explains itself', (status, explanation) => {
  const { head, body } = errorView({ content, status, path: '/' });
  const page = parseHtml(renderToStaticMarkup(body));
  expect(head).toMatchObject({ noindex: true, crumbs: [] });
  expect(textOf(one(page, 'h1'))).toBe('Ошибка');
  expect(textOf(page)).toMatch(explanation);
  expect(textOf(page)).toContain(String(status));
});

test.each([400, 403, 429, 503])('the screen of %i has the heading and the code, no explanation', (status) => {
  const page = parseHtml(renderToStaticMarkup(errorView({ content, status, path: '/' }).body));
  expect(textOf(page)).toBe(`ОшибкаКод ${status}На главную${content.company.tollFree.text}`);
});

test('the ways out are home and the phone', () => {
  const page = parseHtml(renderToStaticMarkup(errorView({ content, status: 404, path: '/' }).body));
  expect(all(page, 'a').map(({ attrs }) => attrs.href)).toEqual(['/', `tel:${content.company.tollFree.number}`]);
});
