import { listPage } from './list-page.tsx';
import { ReviewCard, summariseReview } from './review-card.tsx';

const definition = {
  kind: 'review',
  sampleLead: 'Так мы покажем слова клиентов и то, что им ответили. Имена и отзывы придуманы.',
  share: { drawing: '/images/presets/bonus.svg' },
  uneven: true,
  summarise: summariseReview,
  Card: ReviewCard,
} as const;

export const reviews = listPage(definition);
export const reviewCategory = listPage({ ...definition, byCategory: true });
