import type { Part } from '../../model/prose.ts';
import { Section } from '../section.tsx';
import { ProseBlock } from './prose-block.tsx';

export function ProseSections({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ id, text, html }) => (
    <Section key={id} id={id} heading={text} fold>
      <ProseBlock prose={{ html }} />
    </Section>
  ));
}
