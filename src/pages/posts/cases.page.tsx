import type { Content } from '../../model/content.ts';
import { CaseCard, summariseCase } from './case-card.tsx';
import { listPage } from './list-page.tsx';

export const cases = listPage({
  name: 'cases',
  path: '/cases',
  share: { drawing: '/images/presets/cooperation.svg' },
  posts: (content: Content) => content.cases,
  summarise: () => summariseCase,
  Card: CaseCard,
});
