import { renderToStaticMarkup } from 'react-dom/server';
import { proseNodes } from '../../components/prose/prose-block.tsx';
import { readMarkdown } from '../../loading/markdown.ts';
import { type Block, Prose } from '../../model/prose.ts';

export const proseOf = (markdown: string): Prose => new Prose(() => readMarkdown(markdown).blocks);

export const htmlOf = (blocks: readonly Block[] = []): string => renderToStaticMarkup(proseNodes(blocks));
