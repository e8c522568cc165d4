import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import { article } from '../blog/article.page.tsx';
import { blogCategory } from '../blog/blog.page.tsx';
import { Layout } from '../design/layout/layout.tsx';
import type { View } from '../document/page.ts';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../reading/assets.ts';
import { readFolder } from '../reading/content-files.ts';
import { loadContent } from '../reading/load.ts';
import { readPictures } from '../reading/pictures.ts';
import { reviewCategory, reviews } from '../reviews/reviews.page.tsx';
import { addresses, footer, sections } from '../routes.ts';
import { service } from '../services/service.page.tsx';
import { forgetfulMemo } from '../store/memo.ts';
import { all, type Element, one, parseHtml } from './html.ts';

const { content } = loadContent(readFolder(paths.content), readAssets(paths.public), {
  sections,
  pictures: await readPictures(readFolder(paths.content), forgetfulMemo()),
});

function render({ head, body }: View): Element {
  return parseHtml(
    renderToStaticMarkup(
      <Layout shell={{ ...content, footer }} path={head.path.split('?', 1)[0] ?? ''} crumbs={head.crumbs}>
        {body}
      </Layout>,
    ),
  );
}

describe.each(addresses(content).map((address) => [address.path, address] as const))('%s', (_path, address) => {
  const view = address.page.open(content, address.params, {});
  if (!view) throw new Error('A path that the page itself gave has no view.');
  const document = render(view);

  test('has one h1, and headings that skip no level', () => {
    const levels = all(document, '*').flatMap(({ name }) => (/^h[1-6]$/.test(name) ? [Number(name[1])] : []));
    expect(levels.filter((level) => level === 1)).toHaveLength(1);
    expect(levels.filter((level, index) => index > 0 && level > (levels[index - 1] ?? 0) + 1)).toEqual([]);
  });

  test('has no id twice, and every link within the page leads somewhere', () => {
    const ids = all(document, '*', { id: true }).map(({ attributes }) => attributes.id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const targets = all(document, 'a').flatMap(({ attributes: { href = '' } }) =>
      href.startsWith('#') ? [decodeURIComponent(href.slice(1))] : [],
    );
    expect(targets.filter((target) => !ids.includes(target))).toEqual([]);
  });

  test('has tables with captions or names, and headers with scopes', () => {
    for (const header of all(document, 'th')) expect(header.attributes.scope).toMatch(/^(col|row)$/);
    const regions = all(document, 'section', { 'aria-label': true });
    const names = regions.map(({ attributes }) => attributes['aria-label']);
    expect(names).toEqual([...new Set(names)]);
    const named = regions.flatMap((section) => all(section, 'table'));
    for (const table of all(document, 'table')) {
      expect(named.includes(table) || all(table, 'caption').length === 1).toBe(true);
    }
  });

  test('has no inline style, and images only with their size and alt text', () => {
    expect(all(document, '*', { style: true })).toEqual([]);
    for (const { attributes } of all(document, 'img')) {
      expect(attributes).toMatchObject({ width: expect.any(String), height: expect.any(String) });
      expect(attributes.alt).toBeDefined();
    }
  });

  test('opens no window to other sites', () => {
    const outside = all(document, 'a').filter(({ attributes }) => /^https?:/.test(attributes.href ?? ''));
    for (const { attributes } of outside) expect(attributes).toMatchObject({ rel: 'noopener' });
  });
});

test('an article opens by slug and by id, in its own category only', () => {
  const [first] = content.articles;
  if (!first) throw new Error('There are no articles.');
  const bySlug = article.open(content, { category: first.category, id: first.slug }, {});
  const byId = article.open(content, { category: first.category, id: String(first.id) }, {});
  expect(byId?.head.path).toBe(bySlug?.head.path);
  const other = content.categories.blog.find(({ slug }) => slug !== first.category)?.slug ?? '';
  expect(article.open(content, { category: other, id: first.slug }, {})).toBeUndefined();
});

test('unknown names are refused', () => {
  expect(service.open(content, { slug: 'teleport' }, {})).toBeUndefined();
  expect(reviewCategory.open(content, { category: 'nothing' }, {})).toBeUndefined();
  expect(blogCategory.open(content, { category: 'nothing' }, {})).toBeUndefined();
  expect(reviews.open(content, {}, { page: '999' })).toBeUndefined();
});

test('a service shows the prices of all its groups', () => {
  for (const item of content.services) {
    const view = service.open(content, { slug: item.to.slice('/services/'.length) }, {});
    if (!view) throw new Error(`There is no page for ${item.to}.`);
    const main = one(render(view), 'main');
    expect(all(main, 'table', { class: 'prices' })).toHaveLength(item.rates.length);
  }
});
