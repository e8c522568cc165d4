import type { Part } from '../../model/prose.ts';
import { Section } from '../section.tsx';
import { ProseBlock } from './prose-block.tsx';

type Props = { parts: readonly Part[]; nested?: boolean };

export function ProseSections({ parts, nested }: Props) {
  return parts.map(({ heading, blocks }) =>
    heading ? (
      <Section key={heading.id} id={heading.id} heading={heading.text} nested={nested} fold={!nested}>
        <ProseBlock blocks={blocks} />
      </Section>
    ) : (
      <ProseBlock key="" blocks={blocks} />
    ),
  );
}
