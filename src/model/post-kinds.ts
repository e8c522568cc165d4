import type { z } from 'zod';
import { memoizedWeakly } from '../lib/lazy.ts';
import type { Illustration } from './illustration.ts';
import type { Prose } from './prose.ts';
import { articleSchema } from './schemas/article-schema.ts';
import { caseSchema } from './schemas/case-schema.ts';
import { newsSchema } from './schemas/news-schema.ts';
import { reviewSchema } from './schemas/review-schema.ts';
import type { ReleasedPage } from './written-page.ts';

/** Fields that some kinds or posts have. */
type OptionalFields = {
  /** `company.yaml` lists its file as shipped. */
  sample?: boolean;
  /** A field of the schema, or the folder of the file if `files` has two `*`. */
  category?: string;
  picture?: Illustration;
  updated?: string;
};

type PostKind<P> = {
  /** For editors: «Кейсы». */
  title: string;
  /** Of one post: «Кейс». */
  label: string;
  /** `*` matches a name. */
  files: string;
  /** Name in `Content`. */
  plural: string;
  /** The page that lists the posts; its text is in `pages/{name}.md`. */
  list: { name: string; to: string };
  /** Name in `categories.yaml`. */
  categories?: 'blog' | 'reviews';
} & (PostPages<P> | { address?: undefined });

/** Of kinds whose posts have their own pages. */
type PostPages<P> = {
  /** With the same `*` as `files`. */
  address: string;
  /** Feed readers get a new post. */
  inFeed?: true;
  /** Rank in search results; a page of average rank has 1. */
  boost: number;
  /** For search results and feeds. */
  summary(post: P): string;
  /** What search finds, apart from heading and summary. */
  texts(post: P): readonly (string | Prose)[];
};

function postKind<S extends z.ZodType<{ id: number; published: string }>, const Row extends PostKind<ReleasedPage<S>>>(
  schema: S,
  row: Row,
) {
  return { ...row, schema };
}

/** Loading, lists, search, feeds, the site map, the check and the editor iterate over this table. */
export const postKinds = {
  case: postKind(caseSchema, {
    title: 'Кейсы',
    label: 'Кейс',
    files: 'cases/*.md',
    plural: 'cases',
    list: { name: 'cases', to: '/cases' },
    address: '/cases/*',
    boost: 0.9,
    summary: ({ description }) => description,
    texts: ({ niche, task, start, body, volume, period, limits, marketplaces }) => {
      return [niche, task, start, body, volume, period, limits, marketplaces.join(', ')];
    },
  }),
  article: postKind(articleSchema, {
    title: 'Статьи',
    label: 'Статья',
    files: 'blog/*/*.md',
    plural: 'articles',
    list: { name: 'blog', to: '/blog' },
    categories: 'blog',
    address: '/blog/*/*',
    inFeed: true,
    boost: 1,
    summary: ({ summary }) => summary,
    texts: ({ body, author }) => [body, author],
  }),
  news: postKind(newsSchema, {
    title: 'Новости компании',
    label: 'Новость',
    files: 'news/*.md',
    plural: 'news',
    list: { name: 'novosti', to: '/about/novosti' },
    address: '/about/novosti/*',
    inFeed: true,
    boost: 0.8,
    summary: ({ description }) => description,
    texts: ({ action, body }) => [action, body],
  }),
  review: postKind(reviewSchema, {
    title: 'Отзывы',
    label: 'Отзыв',
    files: 'reviews/*.md',
    plural: 'reviews',
    list: { name: 'reviews', to: '/reviews' },
    categories: 'reviews',
  }),
};

type PostKinds = typeof postKinds;
export type PostKindName = keyof PostKinds;
export const postKindNames = Object.keys(postKinds) as PostKindName[];

/** Kinds whose posts have their own pages. */
export type PagedKindName = {
  [K in PostKindName]: PostKinds[K] extends { address: string } ? K : never;
}[PostKindName];
export const pagedKindNames = postKindNames.filter((kind): kind is PagedKindName => 'address' in postKinds[kind]);

export type PostOf<K extends PostKindName> = ReleasedPage<PostKinds[K]['schema']> & OptionalFields;

/** Newest first. */
export type Posts = { [K in PostKindName as PostKinds[K]['plural']]: readonly PostOf<K>[] };

export function postsOf<K extends PostKindName>(posts: Posts, name: K): readonly PostOf<K>[] {
  return posts[postKinds[name].plural] as readonly unknown[] as readonly PostOf<K>[];
}

/** @param address its slug or its id */
export function postAt<K extends PostKindName>(posts: Posts, name: K, address: string): PostOf<K> | undefined {
  return byAddress(postsOf(posts, name)).get(address) as PostOf<K> | undefined;
}

const byAddress = memoizedWeakly((posts: readonly { id: number; slug: string }[]) => {
  return new Map(posts.flatMap((post) => [String(post.id), post.slug].map((address) => [address, post])));
});

export function postPath(
  kind: PagedKindName,
  { category = '', slug }: Pick<PostOf<PagedKindName>, 'category' | 'slug'>,
): string {
  const { address } = postKinds[kind];
  return address.replace('*/*', `${category}/*`).replace('*', slug);
}

/** The path of its page, or `отзыв SLUG`. */
export function postLabel(kind: PostKindName, post: { category?: string; slug: string }): string {
  const paged = pagedKindNames.find((name) => name === kind);
  return paged ? postPath(paged, post) : `${postKinds[kind].label.toLowerCase()} ${post.slug}`;
}

type PagedPost = PostOf<PagedKindName>;
export type PagedKind = PostKind<PagedPost> & PostPages<PagedPost>;

type PostPage = { name: PagedKindName; kind: PagedKind; path: string; post: PagedPost };

/** All posts that have a page. */
export function postPages(posts: Posts): PostPage[] {
  return pagedKindNames.flatMap((name) => {
    const kind: PagedKind = postKinds[name];
    return posts[postKinds[name].plural].map((post: PagedPost) => ({ name, kind, path: postPath(name, post), post }));
  });
}
