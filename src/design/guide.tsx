import type { Prose } from '../model/prose.ts';
import { ContentsList } from './contents-list.tsx';
import { ProseBlock } from './prose-block.tsx';
import './guide.css';

/** A long text with its contents beside it, or above it on a narrow screen. */
export function Guide({ prose, label = 'Содержание' }: { prose: Prose; label?: string }) {
  return (
    <div className="guide">
      <ContentsList headings={prose.headings} label={label} />
      <ProseBlock prose={prose} />
    </div>
  );
}
