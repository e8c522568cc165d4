import type { ReactElement } from 'react';
import { actionOf, type NextStep, nextStep } from '../../components/callout.tsx';
import type { Crumb } from '../../components/layout/breadcrumbs.tsx';
import { type Content, pageText } from '../../model/content.ts';
import { type PagedKindName, type PostOf, postAt, postKinds, postPath, postsOf } from '../../model/post-kinds.ts';
import { definePage, type Page, type PageFacts, pageHead } from '../page.ts';
import { listCrumbs } from './list-crumbs.ts';

type PostProps<K extends PagedKindName, Props> = Props & {
  item: PostOf<K>;
  crumbs: readonly Crumb[];
  next: NextStep | undefined;
};

type PostDefinition<K extends PagedKindName, Props extends object> = Omit<PageFacts, 'name'> & {
  kind: K;
  props(content: Content, post: PostOf<K>): Props;
  Body(props: PostProps<K, Props>): ReactElement;
};

type Params = { id: string; category?: string };

/** In the file of its list, whose name it has. Both slug and id are valid addresses. */
export function postPage<K extends PagedKindName, Props extends object>(definition: PostDefinition<K, Props>): Page {
  const { kind, props, Body, ...page } = definition;
  const { address, list } = postKinds[kind];
  return definePage({
    ...page,
    name: list.name,
    path: address.replace(/\*$/, ':id').replace('*', ':category'),
    paths: (content) =>
      postsOf(content, kind).flatMap(({ category, slug, id }): Params[] =>
        [slug, String(id)].map((one) => (category === undefined ? { id: one } : { category, id: one })),
      ),
    props(content, { id, category }: Params): PostProps<K, Props> | undefined {
      const item = postAt(content, kind, id);
      if (item === undefined || item.category !== category) return undefined;
      // Posts without a callout have that of their list.
      const next = nextStep(content, item.callout ?? pageText(content, list.name).callout);
      return { ...props(content, item), item, crumbs: listCrumbs(content, kind, category), next };
    },
    head: ({ item, crumbs, next }) => ({
      ...pageHead(postPath(kind, item), item, crumbs),
      action: actionOf(next),
      subject: item,
      noindex: item.unpublished !== undefined,
      hero: item.picture,
    }),
    dates: ({ item }) => [item.published, item.updated],
    Body,
  });
}
