import { ArticleCard, summariseArticle } from './article-card.tsx';
import { listPage } from './list-page.tsx';

const definition = { kind: 'article', summarise: summariseArticle, Card: ArticleCard } as const;

export const blog = listPage(definition);
export const blogCategory = listPage({ ...definition, byCategory: true });
