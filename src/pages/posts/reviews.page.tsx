import { listPage } from './list-page.tsx';
import { ReviewCard, summariseReview } from './review-card.tsx';

const definition = {
  kind: 'review',
  share: { drawing: '/images/presets/bonus.svg' },
  uneven: true,
  summarise: summariseReview,
  Card: ReviewCard,
} as const;

export const reviews = listPage(definition);
export const reviewCategory = listPage({ ...definition, byCategory: true });
