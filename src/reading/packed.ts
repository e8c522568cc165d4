import type { Content } from '../model/content.ts';
import { type Prose, type ProseReference, StoredProse } from '../model/prose.ts';

/*
 * A content as text: what every page may need, and apart from it the posts, of which there may be thousands. Long texts
 * stay in the store and are read when a page or a search asks for them.
 */

export type PackedContent = { core: string; posts: string };

export function packContent({ cases, reviews, articles, news, ...core }: Content): PackedContent {
  return { core: JSON.stringify(core), posts: JSON.stringify({ cases, reviews, articles, news }) };
}

type Posts = Pick<Content, 'cases' | 'reviews' | 'articles' | 'news'>;

/**
 * @param core as it was packed
 * @param posts read when a page is the first to look at one
 * @param text reads a text by its hash
 */
export function unpackContent(core: string, posts: () => string, text: (hash: string) => string): Content {
  const prose = (packed: Prose): Prose => new StoredProse(packed as unknown as ProseReference, text);
  const withBody = <T extends { body: Prose }>(item: T): T => ({ ...item, body: prose(item.body) });
  const withBodies = <T extends { body: Prose }>(items: readonly T[]): readonly T[] => items.map(withBody);
  const record = <K extends string, T extends { body: Prose }>(items: Readonly<Record<K, T>>) =>
    Object.fromEntries(Object.entries<T>(items).map(([name, item]) => [name, withBody(item)])) as Record<K, T>;

  let read: Posts | undefined;
  function unpacked(): Posts {
    if (read === undefined) {
      const { cases, reviews, articles, news } = JSON.parse(posts()) as Posts;
      read = {
        cases: withBodies(cases),
        reviews: withBodies(reviews),
        articles: withBodies(articles),
        news: withBodies(news),
      };
    }
    return read;
  }

  const rest = JSON.parse(core) as Omit<Content, keyof Posts>;
  return {
    ...rest,
    services: withBodies(rest.services),
    pages: record(rest.pages),
    legal: record(rest.legal),
    questions: rest.questions.map((one) => ({ ...one, answer: prose(one.answer) })),
    get cases() {
      return unpacked().cases;
    },
    get reviews() {
      return unpacked().reviews;
    },
    get articles() {
      return unpacked().articles;
    },
    get news() {
      return unpacked().news;
    },
  };
}
