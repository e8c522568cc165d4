import MarkdownIt from 'markdown-it';
import type { Illustration } from '../model/illustration.ts';
import type { Heading, Prose } from '../model/prose.ts';
import { typeset } from '../model/typography.ts';
import { unsealed } from './facts.ts';

/** A link in a content file; `line` counts from 1 within the Markdown. */
export type Link = { href: string; line: number };

/** A picture in a content file, as the editor named it. */
export type PictureReference = { src: string; alt: string; line: number };

/** A rendered text, what it links to, and the pictures that it names; in the place of each stands a placeholder. */
export type Rendered = Pick<Prose, 'html' | 'headings' | 'minutes'> & {
  links: readonly Link[];
  pictures: readonly PictureReference[];
};

/** Width of the column of text, as `prose-block.css` sets it: `--measure`, or the screen without its margins. */
const columnSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

/** Words a minute at which adults read Russian prose silently (M. Brysbaert, 2019, gives 184 ± 32). */
const wordsPerMinute = 184;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });

const { normalizeLink } = markdown;
markdown.normalizeLink = (address) => normalizeLink(unsealed(address));

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

// A picture is a tag until `withPictures` knows its sizes, and what stands within it is the caption.
rules.image = (tokens, index) => `<picture>${tokens[index]?.meta?.caption ?? ''}</picture>`;
const placeholder = /<picture>(.*?)<\/picture>/gs;

export type Token = ReturnType<typeof markdown.parse>[number];

/** @param source may have words for facts, in whose place the facts then are */
export function parseMarkdown(source: string): Token[] {
  return withFacts(markdown.parse(source, {}));
}

function withFacts(tokens: Token[]): Token[] {
  for (const token of tokens) {
    token.content = unsealed(token.content);
    token.attrs = token.attrs?.map(([name, value]) => [name, unsealed(String(value))]) ?? null;
    withFacts(token.children ?? []);
  }
  return tokens;
}

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
  picture.meta = { caption: `<figcaption>${markdown.utils.escapeHtml(typeset(String(caption)))}</figcaption>` };
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

/** What stands in the paragraphs, cells and headings of a text, each with its line. */
export function inlineTokens(tokens: readonly Token[]): { child: Token; line: number }[] {
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
 * Renders Markdown to typeset HTML. What it links to and shows comes back apart: whether that can be had, others know.
 *
 * @param tokens of `parseMarkdown`, which belong to this function from now on
 */
export function renderMarkdown(source: string, tokens: Token[] = parseMarkdown(source)): Rendered {
  const headings: Heading[] = [];
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'inline') makeFigure(tokens.slice(index - 1, index + 2));
    if (token.type !== 'heading_open') continue;
    const text = tokens[index + 1]?.content ?? '';
    const name = anchor(text);
    const count = taken.get(name) ?? 0;
    taken.set(name, count + 1);
    const id = count === 0 ? name : `${name}-${count + 1}`;
    token.attrSet('id', id);
    if (token.tag === 'h2') headings.push({ id, text: typeset(text) });
  }
  const links: Link[] = [];
  const pictures: PictureReference[] = [];
  for (const { child, line } of inlineTokens(tokens)) {
    const alt = () => markdown.renderer.renderInlineAsText(child.children ?? [], markdown.options, {});
    if (child.type === 'image') pictures.push({ src: String(child.attrGet('src')), alt: alt(), line });
    const href = child.attrGet('href');
    if (href === null) continue;
    if (/^https?:/.test(String(href))) child.attrSet('rel', 'noopener');
    links.push({ href: String(href), line });
  }
  const words = unsealed(source).split(/\s+/).length;
  return {
    html: typeset(markdown.renderer.render(tokens, markdown.options, {})),
    headings,
    minutes: Math.max(1, Math.round(words / wordsPerMinute)),
    links,
    pictures,
  };
}

/** @param shown what stands for each picture of the text, in their order; nothing for one that cannot be shown */
export function withPictures(html: string, shown: readonly (Illustration | null)[]): string {
  const remaining = [...shown];
  return html.replace(placeholder, (_, caption: string) => {
    const picture = remaining.shift();
    return (picture ? pictureHtml(picture) : '') + caption;
  });
}
