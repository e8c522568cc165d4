import MarkdownIt from 'markdown-it';
import type { Illustration } from '../model/illustration.ts';
import type { Prose } from '../model/prose.ts';
import { typeset } from '../model/typography.ts';
import { hidden, revealed } from './facts.ts';

/** HTML with picture placeholders. Lines count from 1 within the text. */
export type Rendered = Pick<Prose, 'html' | 'headings' | 'minutes'> & {
  outline: readonly { level: number; text: string; line: number }[];
  links: readonly { href: string; text: string; line: number }[];
  pictures: readonly { src: string; alt: string; line: number }[];
  /** Visible text by block, lines apart; facts and what was escaped are encoded, code is left out. */
  shown: readonly { text: string; line: number; heading: boolean }[];
};

/** Text column from `prose-block.css`: `--measure`, or the screen minus margins. */
const columnSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

/** Silent reading of Russian prose by adults (M. Brysbaert, 2019: 184 ± 32). */
const wordsPerMinute = 184;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
// Pages have no styles for these, and each takes honest text by accident: four blanks, a line of hyphens, «>100».
markdown.disable(['blockquote', 'code', 'fence', 'lheading', 'reference']);
// Escaped characters are intended, so they are encoded like facts.
markdown.core.ruler.before('text_join', 'escaped', ({ tokens }) => hideEscaped(tokens));

const { normalizeLink } = markdown;
markdown.normalizeLink = (address) => normalizeLink(revealed(address));

const { rules } = markdown.renderer;
// Editors wrap lines anywhere, but short words must stay with the next word.
rules.softbreak = () => ' ';
const plain: NonNullable<(typeof rules)[string]> = (tokens, index, options, _env, self) =>
  self.renderToken(tokens, index, options);
rules.th_open = (tokens, index, options, env, self) => {
  tokens[index]?.attrSet('scope', 'col');
  return plain(tokens, index, options, env, self);
};
// Wide tables scroll in a focusable region named after the heading above.
rules.table_open = (tokens, index, options, env, self) => {
  const label = markdown.utils.escapeHtml(tableName(tokens, index));
  return `<section class="scroll" tabindex="0" aria-label="${label}">${plain(tokens, index, options, env, self)}`;
};
rules.table_close = (tokens, index, options, env, self) => `${plain(tokens, index, options, env, self)}</section>`;

// A placeholder with the caption, for `withPictures`.
rules.image = (tokens, index) => `<picture>${tokens[index]?.meta?.caption ?? ''}</picture>`;
const placeholder = /<picture>(.*?)<\/picture>/gs;

type Token = ReturnType<typeof markdown.parse>[number];

function hideEscaped(tokens: readonly Token[]): void {
  for (const token of tokens) {
    if (token.type === 'text_special' && token.content !== token.markup) token.content = hidden(token.content);
    hideEscaped(token.children ?? []);
  }
}

function revealFacts(tokens: readonly Token[]): void {
  for (const token of tokens) {
    token.content = revealed(token.content);
    token.attrs = token.attrs?.map(([name, value]) => [name, revealed(String(value))]) ?? null;
    revealFacts(token.children ?? []);
  }
}

function pictureHtml({ alt, width, height, src, srcset }: Illustration): string {
  const sizes = srcset ? ` sizes="${columnSizes}"` : '';
  const avif = srcset ? `<source type="image/avif" srcset="${srcset.avif}"${sizes}>` : '';
  const webp = srcset ? ` srcset="${srcset.webp}"${sizes}` : '';
  const words = markdown.utils.escapeHtml(typeset(alt));
  return `<picture>${avif}<img src="${src}"${webp} alt="${words}" width="${width}" height="${height}" loading="lazy" decoding="async"></picture>`;
}

/** A titled picture alone in its paragraph becomes a figure with a caption. */
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
  const name = open === -1 || heading === undefined ? 'Таблица' : textOf(heading);
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

function readHeadings(tokens: readonly Token[]) {
  const taken = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = textOf(tokens[index + 1]);
    const name = anchor(text);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    const id = count === 1 ? name : `${name}-${count}`;
    token.attrSet('id', id);
    return [{ id, text, level: Number(token.tag.slice(1)), line: lineOf(token) }];
  });
}

const lineOf = ({ map }: Token) => (map?.[0] ?? 0) + 1;

/** Without marks of Markdown. */
function textOf(inline: Token | undefined): string {
  const texts = (inline?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content));
  return texts.join('').trim();
}

function inlineTokens(tokens: readonly Token[]): { child: Token; line: number }[] {
  let line = 1;
  return tokens.flatMap((token) => {
    // Table cells have no line, but rows do.
    if (token.map) line = lineOf(token);
    return (token.children ?? []).map((child) => {
      if (child.type === 'softbreak' || child.type === 'hardbreak') line += 1;
      return { child, line };
    });
  });
}

function readLinks(inline: ReturnType<typeof inlineTokens>) {
  return inline.flatMap(({ child, line }, index) => {
    if (child.type !== 'link_open') return [];
    const href = String(child.attrGet('href'));
    if (/^https?:/.test(href)) child.attrSet('rel', 'noopener');
    const end = inline.findIndex((one, at) => at > index && one.child.type === 'link_close');
    const inside = inline.slice(index + 1, end).map((one) => one.child);
    return [{ href, text: inside.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join(''), line }];
  });
}

function readPictures(inline: ReturnType<typeof inlineTokens>) {
  return inline.flatMap(({ child, line }) => {
    if (child.type !== 'image') return [];
    const alt = markdown.renderer.renderInlineAsText(child.children ?? [], markdown.options, {});
    return [{ src: String(child.attrGet('src')), alt, line }];
  });
}

/** Replaces code and pictures, so that the texts around them stay apart. */
export const object = '\uFFFC';

function visible(tokens: readonly Token[]): string {
  const one = (token: Token): string => {
    const title = String(token.attrGet('title') ?? '');
    if (token.type === 'text') return token.content;
    if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n';
    if (token.type === 'image') return [object, visible(token.children ?? []), title, object].join(' ');
    if (token.type === 'code_inline') return object;
    return title === '' ? '' : [object, title, object].join(' ');
  };
  return tokens.map(one).join('');
}

function readShown(tokens: readonly Token[], lines: readonly string[]): Rendered['shown'] {
  let line = 1;
  let columns = 0;
  return tokens.flatMap((token, index) => {
    if (token.map) line = lineOf(token);
    if (token.type === 'thead_open') columns = 0;
    if (token.type === 'th_open') columns += 1;
    const heading = tokens[index - 1]?.type === 'heading_open';
    if (token.type === 'inline') return [{ text: visible(token.children ?? []), line, heading }];
    // Markdown drops cells that no column has.
    const lost = token.type === 'tr_open' && columns > 0 ? cellsOf(lines[line - 1] ?? '').slice(columns) : [];
    return lost.length > 0 ? [{ text: `|${lost.join('|')}`, line, heading }] : [];
  });
}

function cellsOf(row: string): string[] {
  return row
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);
}

/** @param source may contain encoded facts */
export function renderMarkdown(source: string): Rendered {
  const tokens = markdown.parse(source, {});
  const shown = readShown(tokens, source.split('\n'));
  revealFacts(tokens);
  for (const [index, { type }] of tokens.entries())
    if (type === 'inline') makeFigure(tokens.slice(index - 1, index + 2));
  const outline = readHeadings(tokens);
  const inline = inlineTokens(tokens);
  const links = readLinks(inline);
  const words = revealed(source).split(/\s+/).length;
  return {
    html: typeset(markdown.renderer.render(tokens, markdown.options, {})),
    headings: outline.flatMap(({ level, id, text }) => (level === 2 ? [{ id, text: typeset(text) }] : [])),
    minutes: Math.max(1, Math.round(words / wordsPerMinute)),
    outline,
    links,
    pictures: readPictures(inline),
    shown,
  };
}

/** @param shown in order; `undefined` for pictures that cannot be shown */
export function withPictures(html: string, shown: readonly (Illustration | undefined)[]): string {
  const remaining = [...shown];
  return html.replace(placeholder, (_, caption: string) => {
    const picture = remaining.shift();
    return (picture ? pictureHtml(picture) : '') + caption;
  });
}
