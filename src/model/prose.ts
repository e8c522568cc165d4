import type { Illustration } from './illustration.ts';

/** Part of a line. `line` counts from 1 within the text. */
export type Inline =
  /** `literal` was a fact or an escaped character, so what looks like markup in it is none. */
  | { type: 'text'; text: string; literal?: true }
  | { type: 'code'; text: string }
  /** `soft` if the editor only wrapped the line. */
  | { type: 'break'; soft: boolean }
  | { type: 'strong' | 'em' | 's'; content: readonly Inline[] }
  /** `bare` links are addresses without words. */
  | { type: 'link'; href: string; title: string; bare: boolean; line: number; content: readonly Inline[] }
  | Picture;

export type Picture = {
  type: 'picture';
  src: string;
  alt: string;
  title: string;
  line: number;
  /** Absent if the picture cannot be shown. */
  shown?: Illustration | undefined;
};

/** Words with their line. */
export type Words = { line: number; content: readonly Inline[] };

export type Heading = Words & { type: 'heading'; level: number; id: string };

export type Block =
  | Heading
  /** `tight` paragraphs are items of a list without blank lines. */
  | (Words & { type: 'paragraph'; tight: boolean })
  /** A titled picture alone in its paragraph. */
  | (Words & { type: 'figure'; caption: string })
  | { type: 'list'; start: number | undefined; items: readonly (readonly Block[])[] }
  | { type: 'table'; name: string; rows: readonly (readonly Words[])[] }
  | { type: 'code'; text: string; language: string }
  | { type: 'rule' };

export type ProseHeading = { id: string; text: string };

export type Part = { heading?: ProseHeading; blocks: readonly Block[] };

/** Silent reading of Russian prose by adults (M. Brysbaert, 2019: 184 ± 32). */
const wordsPerMinute = 184;

/** Reads the text on first use, because a page shows one text of thousands. */
export class Prose {
  readonly #blocks: () => readonly Block[];
  #minutes: number | undefined;

  /** @param blocks must cache its result */
  constructor(blocks: () => readonly Block[]) {
    this.#blocks = blocks;
  }

  get blocks(): readonly Block[] {
    return this.#blocks();
  }

  /** Without pictures: of each heading, paragraph, item and row. */
  get lines(): readonly string[] {
    return this.blocks.flatMap(linesIn);
  }

  /** One line. */
  get text(): string {
    return this.lines.join(' ').replace(/\s+/g, ' ').trim();
  }

  /** Level 2 only. */
  get headings(): readonly ProseHeading[] {
    return this.parts.flatMap(({ heading }) => heading ?? []);
  }

  /** Text before the first heading is a part without one. */
  get parts(): readonly Part[] {
    const parts: { heading?: ProseHeading; blocks: Block[] }[] = [];
    for (const block of this.blocks) {
      if (isSection(block)) parts.push({ heading: { id: block.id, text: inlineText(block.content) }, blocks: [] });
      else if (parts.length === 0) parts.push({ blocks: [block] });
      else parts.at(-1)?.blocks.push(block);
    }
    return parts;
  }

  /** At least 1. */
  get minutes(): number {
    this.#minutes ??= Math.max(1, Math.round(this.text.split(' ').length / wordsPerMinute));
    return this.#minutes;
  }
}

function isSection(block: Block): block is Heading {
  return block.type === 'heading' && block.level === 2;
}

/** «·» separates cells. */
function linesIn(block: Block): readonly string[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return [sentence(inlineText(block.content))];
    case 'figure':
      return [block.caption];
    case 'list':
      return block.items.flatMap((item) => item.flatMap(linesIn));
    case 'table':
      return block.rows.map((row) => sentence(row.map(({ content }) => inlineText(content)).join(' · ')));
    case 'code':
      return [block.text];
    case 'rule':
      return [];
  }
}

function sentence(text: string): string {
  return /[^\s.!?:;…]$/.test(text) ? `${text}.` : text;
}

/** Without marks of Markdown, and without pictures. */
export function inlineText(content: readonly Inline[]): string {
  return content
    .map((one) => {
      if ('text' in one) return one.text;
      return 'content' in one ? inlineText(one.content) : one.type === 'break' ? ' ' : '';
    })
    .join('');
}

/** In reading order. */
export function wordsIn(blocks: readonly Block[]): readonly (Words | Heading)[] {
  return blocks.flatMap((block): readonly (Words | Heading)[] => {
    if ('content' in block) return [block];
    if (block.type === 'list') return block.items.flatMap(wordsIn);
    return block.type === 'table' ? block.rows.flat() : [];
  });
}

export function headingsIn(blocks: readonly Block[]): Heading[] {
  return wordsIn(blocks).filter((words) => 'level' in words);
}

/** In reading order. */
export function inlinesIn<T extends Inline['type']>(blocks: readonly Block[], type: T): Extract<Inline, { type: T }>[] {
  const below = (content: readonly Inline[]): Inline[] =>
    content.flatMap((one) => ('content' in one ? [one, ...below(one.content)] : one));
  const isWanted = (one: Inline): one is Extract<Inline, { type: T }> => one.type === type;
  return wordsIn(blocks).flatMap(({ content }) => below(content).filter(isWanted));
}

/** @param change gets the outermost parts of each line */
export function mapInlines(blocks: readonly Block[], change: (one: Inline) => Inline): Block[] {
  const words = <T extends Words>(one: T): T => ({ ...one, content: one.content.map(change) });
  return blocks.map((block) => {
    if ('content' in block) return words(block);
    if (block.type === 'list') return { ...block, items: block.items.map((item) => mapInlines(item, change)) };
    return block.type === 'table' ? { ...block, rows: block.rows.map((row) => row.map(words)) } : block;
  });
}
