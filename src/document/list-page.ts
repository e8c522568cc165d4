import type { ReactElement } from 'react';
import type { Crumb } from '../design/layout/breadcrumbs.tsx';
import { neighbours, type Paginated, pagePath, pageTitle, paginate } from '../design/paginate.ts';
import type { Category, Content, PageText } from '../model/content.ts';
import { definePage, type ListEntry, type Page, type Params, type Placed } from './page.ts';

type Words = Pick<PageText, 'heading' | 'title' | 'description' | 'lead'>;

type List = {
  path: string;
  text: Words;
  /** The last entry is the list itself. */
  crumbs: readonly Crumb[];
  /** Newest first. */
  items: readonly { published: string }[];
};

type ListProps<L extends List> = Omit<L, 'items'> & { list: Paginated<L['items'][number]> };

type ListDefinition<P extends Params, L extends List> = Placed & {
  paths?(content: Content): readonly P[];
  /** `undefined` when the parameters match no list. */
  list(content: Content, params: P): L | undefined;
  /** For structured data. */
  entry(item: L['items'][number]): ListEntry;
  Body(props: ListProps<L>): ReactElement;
};

export function defineList<P extends Params, L extends List>(definition: ListDefinition<P, L>): Page {
  const { list: listOf, entry, ...page } = definition;
  return definePage({
    ...page,
    query: ['page'],
    props(content, params: P, query): ListProps<L> | undefined {
      const found = listOf(content, params);
      const list = found && paginate<L['items'][number]>(found.items, query);
      if (!list) return undefined;
      const { items: _, ...rest } = found;
      const { heading, title, description, lead } = found.text;
      return { ...rest, text: { heading, title, description, lead }, list };
    },
    head: ({ path, text, crumbs, list: { items, page, pages, total } }) => ({
      path: pagePath(path, page),
      title: pageTitle(text.title, page),
      description: text.description,
      crumbs,
      subjects: [{ type: 'ItemList', entries: items.map(entry), page, total }],
      ...neighbours(path, page, pages),
    }),
    dates: ({ list }) => list.items.map(({ published }) => published),
  });
}

type Categorised<T> = {
  path: string;
  words: Words;
  categories: readonly Category[];
  /** Text of the link to all categories. */
  all: string;
  items: readonly T[];
};

/** `undefined` if there is no such category. */
export function inCategory<T extends { category: string }>(
  { path: whole, words, categories, all, items }: Categorised<T>,
  category: string | undefined,
) {
  const links = [{ to: whole, text: all }, ...categories.map(({ slug, text }) => ({ to: `${whole}/${slug}`, text }))];
  const above = { path: whole, text: words.heading };
  if (category === undefined) return { path: whole, text: words, crumbs: [above], categories: links, items };
  const text = categories.find(({ slug }) => slug === category);
  const path = `${whole}/${category}`;
  return (
    text && {
      path,
      text,
      crumbs: [above, { path, text: text.text }],
      categories: links,
      items: items.filter((item) => item.category === category),
    }
  );
}
