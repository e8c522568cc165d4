import type { ReactElement } from 'react';
import { type NextStep, nextStep } from '../../components/callout.tsx';
import type { Crumb } from '../../components/layout/breadcrumbs.tsx';
import { type Article, type Content, type Unpublished, wordsOf } from '../../model/content.ts';
import { definePage, type Page, type PageFacts, type PostFacts, wordedHead } from '../page.ts';

type Post = PostFacts &
  Unpublished &
  Pick<Article, 'id' | 'slug' | 'title'> &
  Partial<Pick<Article, 'category' | 'picture' | 'callout'>>;

type Shown<P, Props> = Props & { item: P; crumbs: readonly Crumb[]; next: NextStep | undefined };

type PostDefinition<P extends Post, Props extends object> = PageFacts & {
  /** With `:id`, and `:category` if the posts have one. */
  path: string;
  posts(content: Content): readonly P[];
  addressOf(post: P): string;
  /** List page whose callout is used by posts without their own. */
  list: string;
  above(content: Content, post: P): readonly Crumb[];
  props(content: Content, post: P): Props;
  Body(props: Shown<P, Props>): ReactElement;
};

type Params = { id: string; category?: string };

/** Both slug and id are valid addresses. */
export function postPage<P extends Post, Props extends object>(definition: PostDefinition<P, Props>): Page {
  const { name, share, path, posts, addressOf, list, above, props, Body } = definition;
  return definePage({
    name,
    share,
    path,
    paths: (content) =>
      posts(content).flatMap(({ category, slug, id }): Params[] =>
        [slug, String(id)].map((one) => (category === undefined ? { id: one } : { category, id: one })),
      ),
    props(content, { id, category }: Params): Shown<P, Props> | undefined {
      const item = posts(content).find(
        (post) => (post.slug === id || String(post.id) === id) && post.category === category,
      );
      if (!item) return undefined;
      const next = nextStep(content, item.callout ?? wordsOf(content, list).callout);
      return { ...props(content, item), item, crumbs: above(content, item), next };
    },
    head: ({ item, crumbs }) => ({
      ...wordedHead(addressOf(item), item, crumbs),
      about: item,
      noindex: item.unpublished !== undefined,
      hero: item.picture,
    }),
    dates: ({ item }) => [item.published, item.updated],
    Body,
  });
}
