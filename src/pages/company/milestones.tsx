import { Steps } from '../../components/prose/steps.tsx';
import { Section } from '../../components/section.tsx';
import type { PageText } from '../../model/content.ts';

export function Milestones({ milestones }: Pick<PageText, 'milestones'>) {
  return (
    milestones && (
      <Section fold variant="wide" heading="По годам">
        <Steps unnumbered steps={milestones.map(({ year, text }) => ({ title: String(year), text }))} />
      </Section>
    )
  );
}
