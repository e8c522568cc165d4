import { describe, expect, test } from '@jest/globals';
import { renderToStaticMarkup } from 'react-dom/server';
import type { Content } from '../../model/content.ts';
import { postPath } from '../../model/post-kinds.ts';
import { addresses } from '../../routes.ts';
import { all, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { proseOf } from '../../tests/support/prose-of.ts';
import { shownSite } from '../../tests/support/test-site.ts';
import { ReviewCard, summariseReview } from './reviews.page.tsx';

const { content } = await shownSite();
const [article, study, news, review] = [content.articles[0], content.cases[0], content.news[0], content.reviews[0]];
if (!article || !study || !news || !review) throw new Error('The content lacks a kind of post.');

function viewAt(of: Content, path: string) {
  const address = addresses(of).find((one) => one.path === path);
  return address?.page.open(of, address.params, {});
}

const open = (of: Content, path: string) => parseHtml(renderToStaticMarkup(viewAt(of, path)?.body));
const linksIn = (part: ReturnType<typeof open>) => all(part, 'a').map(({ attrs }) => attrs.href);

describe('a list', () => {
  const withCases = (...samples: boolean[]) => {
    const cases = samples.map((sample, n) => ({ ...study, slug: `case-${n}`, id: n + 1, sample }));
    return open({ ...content, cases }, '/cases');
  };

  test.each([
    [[true, true], 1, 0],
    [[true, false], 0, 1],
    [[false, false], 0, 0],
    [[], 0, 0],
  ])('whose items are samples as in %j says so %d times, and on %d cards', (samples, notes, cards) => {
    const page = withCases(...samples);
    expect([all(page, '.list-note .stamp').length, all(page, 'li.card .stamp').length]).toEqual([notes, cards]);
    expect(/: образец$/.test(textOf(one(page, 'h1')))).toBe(notes > 0);
  });

  test('of samples says what they are samples of', () => {
    const sampled = <T,>(posts: readonly T[]) => posts.map((post) => ({ ...post, sample: true }));
    const samples = { ...content, cases: sampled(content.cases), reviews: sampled(content.reviews) };
    const intros = ['/cases', '/reviews'].map((path) => textOf(one(open(samples, path), '.page-heading .lead')));
    expect(intros).toEqual([expect.stringMatching(/результат.*придуманы/), expect.stringMatching(/отзывы придуманы/)]);
  });

  test('of samples that visitors cannot take for clients says nothing of them', () => {
    const sampled = content.articles.map((post) => ({ ...post, sample: true }));
    expect(all(open({ ...content, articles: sampled }, '/blog'), '.stamp')).toEqual([]);
  });

  test('of a category has the posts of that category, ten on its first page', () => {
    for (const { slug } of content.categories.blog) {
      const own = content.articles.filter(({ category }) => category === slug);
      const links = all(open(content, `/blog/${slug}`), 'li.card a').map(({ attrs }) => attrs.href);
      expect([slug, links]).toEqual([slug, own.slice(0, 10).map((post) => postPath('article', post))]);
    }
    expect(content.categories.blog.length).toBeGreaterThan(1);
  });

  test('names the category of its posts only if it has several', () => {
    for (const { slug, text } of content.categories.blog) {
      const image = `/images/${slug}.svg`;
      const item = { ...article, category: slug, image, video: undefined };
      const cardAt = (path: string) => one(open({ ...content, articles: [item] }, path), 'li.card');
      const named = ['/blog', `/blog/${slug}`].map((path) => textOf(one(cardAt(path), '.card-label')).startsWith(text));
      expect(named).toEqual([true, false]);
      expect(one(cardAt('/blog'), 'img').attrs.src).toBe(image);
    }
  });

  test('shows the stills of videos large if it has nothing else, and small beside articles', () => {
    const still = { src: '/a.svg', alt: '', width: 640, height: 360 };
    const video = { duration: 'PT6S', href: '/a.mp4', still };
    const articles = [{ ...article, image: undefined, video }];
    const stillsAt = (path: string) => {
      const page = open({ ...content, articles }, path);
      // Another ratio would move the page once the still has loaded.
      expect(one(page, 'li.card img').attrs).toMatchObject({ width: '640', height: '360' });
      return [all(page, '.card > .picture').length, all(page, '.card-still').length];
    };
    expect([stillsAt('/blog'), stillsAt(`/blog/${article.category}`)]).toEqual([
      [1, 0],
      [0, 1],
    ]);
  });
});

describe('an article', () => {
  const written = (about: Partial<typeof article>) => {
    const item = { ...article, video: undefined, updated: undefined, sources: undefined, ...about };
    const others = content.articles.filter((one) => one !== article);
    return open({ ...content, articles: [item, ...others] }, postPath('article', item));
  };

  test('shows the day of its edit and its sources only if it has them', () => {
    const source = { text: 'Закон', href: 'https://example.com/law' };
    const page = written({ updated: '2026-11-02', sources: [source] });
    expect(textOf(one(page, '.article-meta'))).toContain('обновлено 2 ноября 2026 г.');
    expect(linksIn(one(page, '.article-sources'))).toEqual([source.href]);
    const bare = written({});
    expect(textOf(one(bare, '.article-meta'))).not.toContain('обновлено');
    expect(all(bare, '.article-sources')).toEqual([]);
  });

  test('says that its video is a sample if it is one', () => {
    const video = { duration: 'PT6S', href: '/a.mp4' };
    const said = [true, false].map((sample) =>
      /Образец/.test(textOf(one(written({ video, sample }), '.video-still p'))),
    );
    expect(said).toEqual([true, false]);
  });

  test('links to its related articles in the order of its editor', () => {
    const related = content.articles.slice(1, 4).toReversed();
    const page = written({ related: related.map(({ slug }) => slug) });
    expect(all(page, 'li.card a').map(({ attrs }) => attrs.href)).toEqual(
      related.map((one) => postPath('article', one)),
    );
  });

  test('has its slug and its number as addresses, only within its category', () => {
    const address = addresses(content).find(({ path }) => path === postPath('article', article));
    const found = (id: string, category = article.category ?? '') =>
      address?.page.open(content, { id, category }, {})?.head.path;
    const path = postPath('article', article);
    expect([found(article.slug), found(String(article.id))]).toEqual([path, path]);
    expect([found(article.slug, 'elsewhere'), found('nothing'), found('0')]).toEqual([undefined, undefined, undefined]);
  });

  test('is hidden from search engines until it is published', () => {
    const noindex = (about: Partial<typeof article>) =>
      viewAt({ ...content, articles: [{ ...article, ...about }] }, postPath('article', article))?.head.noindex;
    expect([noindex({}), noindex({ unpublished: 'draft' }), noindex({ unpublished: 'scheduled' })]).toEqual([
      false,
      true,
      true,
    ]);
  });
});

describe('a review', () => {
  const card = (text: string, reply?: string) => {
    const item = { ...summariseReview(content)(review), body: proseOf(text), reply };
    return parseHtml(renderToStaticMarkup(<ReviewCard item={item} level={2} />));
  };

  test('shows its first paragraph, and folds the others and the reply', () => {
    const folded = (text: string, reply?: string) => all(card(text, reply), 'details').map(textOf);
    expect(folded('Раз')).toEqual([]);
    expect(folded('Раз\n\nДва')).toEqual([expect.stringMatching(/дальше\s*Два$/)]);
    const [replied = ''] = folded('Раз', 'Спасибо');
    expect(replied).toContain('Наш ответ. Спасибо');
    expect(textOf(card('Раз\n\nДва'))).toMatch(/^Раз/);
  });
});
