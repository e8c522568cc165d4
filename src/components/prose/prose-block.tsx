import { createElement, type ReactNode } from 'react';
import type { Block, Inline, Words } from '../../model/prose.ts';
import { columnSizes, Picture } from '../picture.tsx';
import './prose-block.css';

export function ProseBlock({ blocks }: { blocks: readonly Block[] }) {
  return createElement('div', { className: 'prose' }, ...proseNodes(blocks));
}

/** Blocks, items and rows end their lines, so that their words stay apart where a program takes the tags away. */
export function proseNodes(blocks: readonly Block[]): ReactNode[] {
  return blocks.flatMap((block, index) => blockNodes(block, index === blocks.length - 1));
}

function blockNodes(block: Block, isLast: boolean): ReactNode[] {
  switch (block.type) {
    case 'heading':
      return [createElement(`h${block.level}`, { id: block.id }, ...inlineNodes(block.content)), '\n'];
    case 'paragraph':
      if (block.tight) return [...inlineNodes(block.content), !isLast && '\n'];
      return [createElement('p', null, ...inlineNodes(block.content)), '\n'];
    case 'figure': {
      const caption = <figcaption>{block.caption}</figcaption>;
      return [createElement('figure', null, ...inlineNodes(block.content), caption), '\n'];
    }
    case 'list': {
      const { start, items } = block;
      const tag = start === undefined ? 'ul' : 'ol';
      return [lines(tag, { start: start === 1 ? undefined : start }, items.map(itemNode)), '\n'];
    }
    case 'table':
      return [createElement(Table, block)];
    case 'code': {
      const { text, language } = block;
      return [createElement('pre', null, <code className={language && `language-${language}`}>{text}</code>), '\n'];
    }
    case 'rule':
      return [<hr key="" />, '\n'];
  }
}

function itemNode(blocks: readonly Block[]): ReactNode {
  const [first] = blocks;
  const isTight = first === undefined || (first.type === 'paragraph' && first.tight);
  return createElement('li', null, !isTight && '\n', ...proseNodes(blocks));
}

/** Wide tables scroll in a focusable region named after the heading above. */
function Table({ name, rows: [head = [], ...rows] }: Extract<Block, { type: 'table' }>) {
  const row = (cells: readonly Words[], tag: 'td' | 'th') => {
    const scope = tag === 'th' ? 'col' : undefined;
    return lines(
      'tr',
      null,
      cells.map(({ content }) => createElement(tag, { scope }, ...inlineNodes(content))),
    );
  };
  const parts = [lines('thead', null, [row(head, 'th')])];
  if (rows.length > 0) {
    const body = rows.map((cells) => row(cells, 'td'));
    parts.push(lines('tbody', null, body));
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls what has focus
    <section className="scroll" tabIndex={0} aria-label={name}>
      {lines('table', null, parts)}
      {'\n'}
    </section>
  );
}

function lines(tag: string, attributes: object | null, children: readonly ReactNode[]): ReactNode {
  return createElement(tag, attributes, '\n', ...children.flatMap((child) => [child, '\n']));
}

function inlineNodes(content: readonly Inline[]): ReactNode[] {
  return content.map(inlineNode);
}

function inlineNode(one: Inline): ReactNode {
  switch (one.type) {
    case 'text':
      return one.text;
    case 'code':
      return <code>{one.text}</code>;
    case 'break':
      // Editors wrap lines anywhere, but short words must stay with the next word.
      return one.soft ? ' ' : [<br key="" />, '\n'];
    case 'link': {
      const { href, title, content } = one;
      const rel = /^https?:/.test(href) ? 'noopener' : undefined;
      return createElement('a', { href, title: title || undefined, rel }, ...inlineNodes(content));
    }
    case 'picture':
      return one.shown && <Picture picture={one.shown} sizes={columnSizes} />;
    default:
      return createElement(one.type, null, ...inlineNodes(one.content));
  }
}
