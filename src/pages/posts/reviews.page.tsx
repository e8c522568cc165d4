import type { Content } from '../../model/content.ts';
import { listPage } from './list-page.tsx';
import { ReviewCard, summariseReview } from './review-card.tsx';

const definition = {
  name: 'reviews',
  path: '/reviews',
  share: { drawing: '/images/presets/bonus.svg' },
  posts: (content: Content) => content.reviews,
  categories: (content: Content) => content.categories.reviews,
  summarise: summariseReview,
  Card: ReviewCard,
};

export const reviews = listPage(definition);
export const reviewCategory = listPage({ ...definition, byCategory: true });
