import type { Prose } from '../../model/prose.ts';
import './prose-block.css';

export function ProseBlock({ prose }: { prose: Pick<Prose, 'html'> }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from the editors' Markdown, where raw HTML is off
  return <div className="prose" dangerouslySetInnerHTML={{ __html: prose.html }} />;
}
