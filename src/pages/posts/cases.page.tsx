import { CaseCard, summariseCase } from './case-card.tsx';
import { listPage } from './list-page.tsx';

export const cases = listPage({
  kind: 'case',
  share: { drawing: '/images/presets/cooperation.svg' },
  summarise: () => summariseCase,
  Card: CaseCard,
});
