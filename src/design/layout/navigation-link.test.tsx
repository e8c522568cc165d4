import { expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { NavigationLink } from './navigation-link.tsx';

const render = (to: string, path: string) => renderToStaticMarkup(<NavigationLink to={to} text="Сюда" path={path} />);
const link = (to: string) => `<a href="${to}">Сюда</a>`;
const current = '<span aria-current="page">Сюда</span>';

test.each([
  ['/rates', '/rates', current],
  ['/rates', '/', link('/rates')],
  ['/about', '/about/novosti', link('/about')],
  ['/blog/articles', '/blog/articles', current],
  ['/blog', '/blog/articles/104', link('/blog')],
])('the entry %s on %s', (to, path, expected) => {
  expect(render(to, path)).toBe(expected);
});

test('on the page of an article even its own entry is a link', () => {
  expect(render('/blog/articles/104', '/blog/articles/104')).toBe(link('/blog/articles/104'));
});
