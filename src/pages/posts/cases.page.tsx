import { CaseCard, summariseCase } from './case-card.tsx';
import { listPage } from './list-page.tsx';

export const cases = listPage({
  kind: 'case',
  sampleLead: 'Так мы покажем результат вашей партии. Имена и цифры придуманы.',
  share: { drawing: '/images/presets/cooperation.svg' },
  summarise: () => summariseCase,
  Card: CaseCard,
});
