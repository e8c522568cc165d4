import type { Prose } from '../../model/prose.ts';
import { ContentsList } from './contents-list.tsx';
import { ProseBlock } from './prose-block.tsx';
import './guide.css';

type Props = { prose: Prose; label?: string };

export function Guide({ prose, label = 'Содержание' }: Props) {
  if (prose.blocks.length === 0) return null;
  return (
    <div className="guide">
      <ContentsList headings={prose.headings} label={label} />
      <div className="guide-text">
        <ProseBlock blocks={prose.blocks} />
      </div>
    </div>
  );
}
