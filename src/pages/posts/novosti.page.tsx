import { listPage } from './list-page.tsx';
import { NewsCard, summariseNews } from './news-card.tsx';

export const novosti = listPage({
  kind: 'news',
  share: { drawing: '/images/presets/request.svg' },
  summarise: summariseNews,
  Card: NewsCard,
});
