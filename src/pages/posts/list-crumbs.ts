import type { Crumb } from '../../components/layout/breadcrumbs.tsx';
import { type Category, type Content, pageText } from '../../model/content.ts';
import { type PostKindName, postKinds } from '../../model/post-kinds.ts';

/** Ends with the list, or with its category. */
export function listCrumbs(content: Content, kind: PostKindName, category?: string): Crumb[] {
  const { list } = postKinds[kind];
  const above = content.sections.filter(({ to }) => list.to.startsWith(`${to}/`));
  return [
    ...[...above, list].map(({ name, to }) => ({ path: to, text: pageText(content, name).heading })),
    ...categoriesOf(content, kind)
      .filter(({ slug }) => slug === category)
      .map(({ slug, text }) => ({ path: `${list.to}/${slug}`, text })),
  ];
}

export function categoriesOf(content: Content, kind: PostKindName): readonly Category[] {
  const row = postKinds[kind];
  return 'categories' in row ? content.categories[row.categories] : [];
}
