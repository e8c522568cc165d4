import type { Crumb } from '../../components/layout/breadcrumbs.tsx';
import { type Content, pageText, type SectionLink } from '../../model/content.ts';
import { type PostKindName, postKinds } from '../../model/post-kinds.ts';

/** Ends with the list, or with its category. */
export function listCrumbs(content: Content, kind: PostKindName, category?: string): Crumb[] {
  const { list, categories }: { list: SectionLink; categories?: 'blog' | 'reviews' } = postKinds[kind];
  const above = content.sections.filter(({ to }) => list.to.startsWith(`${to}/`));
  return [
    ...[...above, list].map(({ name, to }) => ({ path: to, text: pageText(content, name).heading })),
    ...(categories ? content.categories[categories] : [])
      .filter(({ slug }) => slug === category)
      .map(({ slug, text }) => ({ path: `${list.to}/${slug}`, text })),
  ];
}
