import { type Content, wordsOf } from '../../model/content.ts';
import { listPage } from './list-page.tsx';
import { NewsCard, summariseNews } from './news-card.tsx';

export const novosti = listPage({
  name: 'novosti',
  path: '/about/novosti',
  above: (content) => [{ path: '/about', text: wordsOf(content, 'about').heading }],
  share: { drawing: '/images/presets/request.svg' },
  posts: (content: Content) => content.news,
  summarise: summariseNews,
  Card: NewsCard,
});
