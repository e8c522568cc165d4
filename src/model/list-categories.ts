import type { Category, Content } from './content.ts';
import { type PostKindName, postKinds, postsOf } from './post-kinds.ts';

/** Those that have a post. */
export function categoriesOf(content: Content, name: PostKindName): readonly Category[] {
  const kind = postKinds[name];
  if (!('categories' in kind)) return [];
  const filled = new Set(postsOf(content, name).map(({ category }) => category));
  return content.categories[kind.categories].filter(({ slug }) => filled.has(slug));
}
