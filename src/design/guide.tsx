import type { Prose } from '../model/prose.ts';
import { ContentsList } from './contents-list.tsx';
import { ProseBlock } from './prose-block.tsx';
import './guide.css';

export function Guide({ prose, label = 'Содержание' }: { prose: Prose; label?: string }) {
  return (
    <div className="guide">
      <ContentsList headings={prose.headings} label={label} />
      <ProseBlock prose={prose} />
    </div>
  );
}
