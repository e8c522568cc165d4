import type { Illustration } from '../model/illustration.ts';
import type { Prose } from '../model/prose.ts';
import { typeset } from '../model/typography.ts';
import { createMarkdown, inlineText, joinText, type MarkdownToken } from './create-markdown.ts';
import { revealed } from './facts.ts';
import { type TextSlip, textSlips } from './text-slips.ts';

/** HTML with picture placeholders. Lines count from 1 within the text. */
export type RenderedMarkdown = Pick<Prose, 'html' | 'headings' | 'minutes'> & {
  outline: readonly { level: number; text: string; line: number }[];
  /** `bare` links are addresses without words. */
  links: readonly { href: string; text: string; line: number; bare: boolean }[];
  pictures: readonly { src: string; alt: string; line: number }[];
  /** Visible text by block, lines apart; facts and what was escaped are encoded, code is left out. */
  shown: readonly { text: string; line: number; heading: boolean }[];
  slips: readonly TextSlip[];
};

/** Text column from `prose-block.css`: `--measure`, or the screen minus margins. */
const columnSizes = '(min-width: 44rem) 42rem, calc(100vw - 2rem)';

/** Silent reading of Russian prose by adults (M. Brysbaert, 2019: 184 ± 32). */
const wordsPerMinute = 184;

const markdown = createMarkdown();

/** @param source may contain encoded facts */
export function renderMarkdown(source: string): RenderedMarkdown {
  const tokens = markdown.parse(source, {});
  const outline = readOutline(tokens);
  const inline = inlineTokens(tokens);
  const words = revealed(source).split(/\s+/).length;
  return {
    html: typeset(revealed(markdown.renderer.render(tokens, markdown.options, {}), markdown.utils.escapeHtml)),
    headings: outline.flatMap(({ level, id, text }) => (level === 2 ? [{ id, text: typeset(text) }] : [])),
    minutes: Math.max(1, Math.round(words / wordsPerMinute)),
    outline,
    links: readLinks(inline),
    pictures: readPictures(inline),
    shown: readShown(tokens),
    slips: textSlips(tokens, source.split('\n')),
  };
}

function readOutline(tokens: readonly MarkdownToken[]) {
  return tokens.flatMap((token, index) => {
    if (token.type !== 'heading_open') return [];
    const text = revealed(inlineText(tokens[index + 1]));
    return [{ id: String(token.attrGet('id')), text, level: Number(token.tag.slice(1)), line: lineOf(token) }];
  });
}

const lineOf = ({ map }: MarkdownToken) => (map?.[0] ?? 0) + 1;

function inlineTokens(tokens: readonly MarkdownToken[]): { child: MarkdownToken; line: number }[] {
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
  const links: { href: string; inside: MarkdownToken[]; line: number; bare: boolean }[] = [];
  let inside: MarkdownToken[] = [];
  for (const { child, line } of inline) {
    if (child.type === 'link_open' || child.type === 'link_close') inside = [];
    const href = revealed(String(child.attrGet('href')));
    if (child.type === 'link_open') links.push({ href, inside, line, bare: child.info === 'auto' });
    else inside.push(child);
  }
  return links.map(({ inside, ...link }) => ({ ...link, text: revealed(joinText(inside)) }));
}

function readPictures(inline: ReturnType<typeof inlineTokens>) {
  return inline.flatMap(({ child, line }) => {
    if (child.type !== 'image') return [];
    const alt = markdown.renderer.renderInlineAsText(child.children ?? [], markdown.options, {});
    return [{ src: revealed(String(child.attrGet('src'))), alt: revealed(alt), line }];
  });
}

/** Replaces code and pictures, so that the texts around them stay apart. */
export const placeholderChar = '\uFFFC';

function visible(tokens: readonly MarkdownToken[]): string {
  const one = (token: MarkdownToken): string => {
    const title = String(token.attrGet('title') ?? '');
    if (token.type === 'text') return token.content;
    if (token.type === 'softbreak' || token.type === 'hardbreak') return '\n';
    if (token.type === 'image')
      return [placeholderChar, visible(token.children ?? []), title, placeholderChar].join(' ');
    if (token.type === 'code_inline') return placeholderChar;
    return title === '' ? '' : [placeholderChar, title, placeholderChar].join(' ');
  };
  return tokens.map(one).join('');
}

function readShown(tokens: readonly MarkdownToken[]): RenderedMarkdown['shown'] {
  let line = 1;
  return tokens.flatMap((token, index) => {
    if (token.map) line = lineOf(token);
    const heading = tokens[index - 1]?.type === 'heading_open';
    return token.type === 'inline' ? [{ text: visible(token.children ?? []), line, heading }] : [];
  });
}

const pictureTag = /<picture>(.*?)<\/picture>/gs;

/** @param shown in order; `undefined` for pictures that cannot be shown */
export function withPictures(html: string, shown: readonly (Illustration | undefined)[]): string {
  const remaining = [...shown];
  return html.replace(pictureTag, (_, caption: string) => {
    const picture = remaining.shift();
    return (picture ? pictureHtml(picture) : '') + caption;
  });
}

function pictureHtml({ alt, width, height, src, srcset }: Illustration): string {
  const sizes = srcset ? ` sizes="${columnSizes}"` : '';
  const avif = srcset ? `<source type="image/avif" srcset="${srcset.avif}"${sizes}>` : '';
  const webp = srcset ? ` srcset="${srcset.webp}"${sizes}` : '';
  const words = markdown.utils.escapeHtml(typeset(alt));
  return `<picture>${avif}<img src="${src}"${webp} alt="${words}" width="${width}" height="${height}" loading="lazy" decoding="async"></picture>`;
}
