import type { Part } from '../model/prose.ts';
import { ProseBlock } from './prose-block.tsx';
import { Section } from './section.tsx';

export function ProseSections({ parts }: { parts: readonly Part[] }) {
  return parts.map(({ id, text, html }) => (
    <Section key={id} id={id} heading={text} fold>
      <ProseBlock prose={{ html }} />
    </Section>
  ));
}
