import type { Content } from '../../model/content.ts';
import { ArticleCard, summariseArticle } from './article-card.tsx';
import { listPage } from './list-page.tsx';

const definition = {
  name: 'blog',
  path: '/blog',
  posts: (content: Content) => content.articles,
  categories: (content: Content) => content.categories.blog,
  summarise: () => summariseArticle,
  Card: ArticleCard,
};

export const blog = listPage(definition);
export const blogCategory = listPage({ ...definition, byCategory: true });
