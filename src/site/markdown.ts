import MarkdownIt from 'markdown-it';
import type { Illustration } from './pictures.ts';
import type { Heading, Prose } from './prose.ts';
import { typeset } from './typography.ts';

/** A link in a content file; `line` counts from 1 within the Markdown. */
export type Link = { href: string; line: number };

/** A picture in a content file, as the editor named it. */
export type PictureReference = { src: string; alt: string; line: number };

/** Width of the column of text, as `prose-block.css` sets it: `--measure`, or the screen without its margins. */
const columnSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

/** Words a minute at which adults read Russian prose silently (M. Brysbaert, 2019, gives 184 ± 32). */
const wordsPerMinute = 184;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

const { rules } = markdown.renderer;
// Editors wrap lines anywhere; a short word at the end of one still belongs to the next word.
rules.softbreak = () => ' ';
const plain: NonNullable<(typeof rules)[string]> = (tokens, index, options, _env, self) =>
  self.renderToken(tokens, index, options);
rules.th_open = (tokens, index, options, env, self) => {
  tokens[index]?.attrSet('scope', 'col');
  return plain(tokens, index, options, env, self);
};
// A wide table scrolls inside a region that the keyboard can reach; its name is the heading above it, and no other's.
rules.table_open = (tokens, index, options, env, self) => {
  const label = markdown.utils.escapeHtml(tableName(tokens, index));
  return `<section class="scroll" tabindex="0" aria-label="${label}">${plain(tokens, index, options, env, self)}`;
};
rules.table_close = (tokens, index, options, env, self) => `${plain(tokens, index, options, env, self)}</section>`;

rules.image = (tokens, index) => String(tokens[index]?.meta?.html ?? '');

type Token = ReturnType<typeof markdown.parse>[number];

/** Stands in the text, so it can wait until the text has come. */
function pictureHtml({ alt, width, height, src, srcset }: Illustration): string {
  const sizes = srcset ? ` sizes="${columnSizes}"` : '';
  const avif = srcset ? `<source type="image/avif" srcset="${srcset.avif}"${sizes}>` : '';
  const webp = srcset ? ` srcset="${srcset.webp}"${sizes}` : '';
  const words = markdown.utils.escapeHtml(typeset(alt));
  return `<picture>${avif}<img src="${src}"${webp} alt="${words}" width="${width}" height="${height}" loading="lazy" decoding="async"></picture>`;
}

/** A picture alone in its paragraph, with a title, is a figure with a caption. */
function makeFigure(paragraph: readonly (Token | undefined)[]): void {
  const [open, inline, close] = paragraph;
  const [picture, ...others] = inline?.children ?? [];
  const caption = picture?.type === 'image' ? picture.attrGet('title') : null;
  if (open?.type !== 'paragraph_open' || !close || !picture || !caption || others.length > 0) return;
  open.tag = 'figure';
  close.tag = 'figure';
  const words = markdown.utils.escapeHtml(typeset(String(caption)));
  picture.meta = { html: `${picture.meta?.html}<figcaption>${words}</figcaption>` };
}

function tableName(tokens: readonly Token[], index: number): string {
  const open = tokens.findLastIndex((token, at) => at < index && token.type === 'heading_open');
  const heading = tokens[open + 1];
  const name = open === -1 || heading === undefined ? 'Таблица' : heading.content;
  const earlier = tokens.slice(open + 1, index).filter(({ type }) => type === 'table_open').length;
  return earlier === 0 ? name : `${name}, таблица ${earlier + 1}`;
}

/** `Как считать литры?` -> `как-считать-литры` */
function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** Every picture that a Markdown text names, in their order. */
export function picturesIn(source: string): PictureReference[] {
  // Spares most texts the parsing.
  if (!source.includes('![')) return [];
  return inlineTokens(markdown.parse(source, {})).flatMap(({ child, line }) => {
    if (child.type !== 'image') return [];
    const alt = markdown.renderer.renderInlineAsText(child.children ?? [], markdown.options, {});
    return [{ src: String(child.attrGet('src')), alt, line }];
  });
}

/** What stands in the paragraphs, cells and headings of a text, each with its line. */
function inlineTokens(tokens: readonly Token[]): { child: Token; line: number }[] {
  let line = 1;
  return tokens.flatMap((token) => {
    // The cells of a table do not know their line; its rows do.
    if (token.map) line = token.map[0] + 1;
    return (token.children ?? []).map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
      return { child, line };
    });
  });
}

/**
 * Renders Markdown to typeset HTML; the links in it come back apart, for checking.
 *
 * @param pictures those that `picturesIn` names, in their order; `undefined` for one that cannot be shown
 */
export function renderMarkdown(
  source: string,
  pictures: readonly (Illustration | undefined | null)[] = [],
): { prose: Prose; links: Link[] } {
  const tokens = markdown.parse(source, {});
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const text = tokens[index + 1]?.content ?? '';
    const name = anchor(text);
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    const id = count === 0 ? name : `${name}-${count + 1}`;
    token.attrSet('id', id);
    if (token.tag === 'h2') headings.push({ id, text: typeset(text) });
  }
  const remaining = [...pictures];
  const links = inlineTokens(tokens).flatMap(({ child, line }): Link[] => {
    if (child.type === 'image') {
      const picture = remaining.shift();
      child.meta = { html: picture ? pictureHtml(picture) : '' };
    }
    const href = child.attrGet('href');
    if (href === null) return [];
    if (/^https?:/.test(String(href))) child.attrSet('rel', 'noopener');
    return [{ href: String(href), line }];
  });
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') makeFigure(tokens.slice(index - 1, index + 2));
  }
  const words = source.split(/\s+/).length;
  return {
    prose: {
      html: typeset(markdown.renderer.render(tokens, markdown.options, {})),
      headings,
      minutes: Math.max(1, Math.round(words / wordsPerMinute)),
    },
    links,
  };
}
