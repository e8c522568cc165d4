import MarkdownIt from 'markdown-it';
import { typeset } from '../model/typography.ts';
import { hidden, revealed } from './facts.ts';

type Markdown = InstanceType<typeof MarkdownIt>;
export type MarkdownToken = ReturnType<Markdown['parse']>[number];
type RenderRule = NonNullable<Markdown['renderer']['rules'][string]>;

/** Reads Markdown whose facts are encoded; they stay encoded in tokens and HTML. */
export function createMarkdown(): Markdown {
  const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });
  // Pages have no styles for these, and each takes honest text by accident: four blanks, a line of hyphens, «>100».
  markdown.disable(['blockquote', 'code', 'lheading', 'reference']);
  const { normalizeLink } = markdown;
  markdown.normalizeLink = (address) => normalizeLink(revealed(address));
  recogniseAddresses(markdown);
  addParseRules(markdown);
  addRenderRules(markdown);
  return markdown;
}

/** Bare addresses become links: mailboxes, and sites with a scheme, `www.` or a path. A name such as «Ozon.ru» is a word. */
function recogniseAddresses({ linkify }: Markdown): void {
  linkify.set({ fuzzyLink: true });
  const match = linkify.match.bind(linkify);
  linkify.match = (text) => {
    const found = (match(text) ?? []).filter(({ schema, raw }) => schema !== '' || /^www\.|\//i.test(raw));
    for (const one of found) if (one.schema === '') one.url = `https://${one.raw}`;
    return found;
  };
}

function addParseRules(markdown: Markdown): void {
  const {
    core: { ruler },
    inline,
    utils: { escapeHtml },
  } = markdown;
  // «60*40*40» is no emphasis.
  inline.ruler.before('emphasis', 'asterisk', (state, silent) => {
    if (!/^[\p{L}\p{N}%₽²³]\*[\p{L}\p{N}]$/u.test(state.src.slice(state.pos - 1, state.pos + 2))) return false;
    if (!silent) state.pending += '*';
    state.pos += 1;
    return true;
  });
  ruler.after('linkify', 'fact_links', ({ tokens }) => {
    for (const token of tokens) if (token.children) token.children = linkFacts(token.children, markdown);
  });
  // Escaped characters are intended, so they are encoded like facts.
  ruler.before('text_join', 'escaped', ({ tokens }) => hideEscaped(tokens));
  ruler.push('heading_ids', ({ tokens }) => setHeadingIds(tokens));
  ruler.push('table_names', ({ tokens }) => setTableNames(tokens));
  ruler.push('figures', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries())
      if (type === 'inline') makeFigure(tokens.slice(index - 1, index + 2), escapeHtml);
  });
}

/** A fact that is a whole address becomes a link, as a typed address does. */
function linkFacts(tokens: readonly MarkdownToken[], { linkify, normalizeLink }: Markdown): MarkdownToken[] {
  let links = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open' || token.type === 'link_close') links += token.nesting;
    if (token.type !== 'text' || links > 0) return token;
    return token.content.split(/([\u{f0000}-\u{fffff}]+)/u).flatMap((content, index) => {
      const text = new MarkdownIt.Token('text', '', 0);
      text.content = content;
      const fact = revealed(content);
      const found = index % 2 === 1 ? linkify.match(fact)?.[0] : undefined;
      if (found?.raw !== fact) return text;
      const open = new MarkdownIt.Token('link_open', 'a', 1);
      open.attrSet('href', normalizeLink(found.url));
      open.info = 'auto';
      return [open, text, new MarkdownIt.Token('link_close', 'a', -1)];
    });
  });
}

function hideEscaped(tokens: readonly MarkdownToken[]): void {
  for (const token of tokens) {
    if (token.type === 'text_special' && token.content !== token.markup) token.content = hidden(token.content);
    hideEscaped(token.children ?? []);
  }
}

function setHeadingIds(tokens: readonly MarkdownToken[]): void {
  const taken = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue;
    const name = anchor(revealed(inlineText(tokens[index + 1])));
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    token.attrSet('id', count === 1 ? name : `${name}-${count}`);
  }
}

function setTableNames(tokens: readonly MarkdownToken[]): void {
  let heading = 'Таблица';
  let tables = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      heading = inlineText(tokens[index + 1]);
      tables = 0;
    }
    if (token.type !== 'table_open') continue;
    tables += 1;
    token.meta = { name: tables === 1 ? heading : `${heading}, таблица ${tables}` };
  }
}

/** `Как считать литры?` -> `как-считать-литры` */
function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** A titled picture alone in its paragraph becomes a figure with a caption. */
function makeFigure(paragraph: readonly (MarkdownToken | undefined)[], escapeHtml: (text: string) => string): void {
  const [open, inline, close] = paragraph;
  const [picture, ...others] = inline?.children ?? [];
  const caption = picture?.type === 'image' ? picture.attrGet('title') : null;
  if (open?.type !== 'paragraph_open' || !close || !picture || !caption || others.length > 0) return;
  open.tag = 'figure';
  close.tag = 'figure';
  picture.meta = { caption: `<figcaption>${escapeHtml(typeset(revealed(String(caption))))}</figcaption>` };
}

function addRenderRules({ renderer: { rules }, utils: { escapeHtml } }: Markdown): void {
  const plain: RenderRule = (tokens, index, options, _env, self) => self.renderToken(tokens, index, options);
  // Editors wrap lines anywhere, but short words must stay with the next word.
  rules.softbreak = () => ' ';
  rules.link_open = (tokens, index, ...rest) => {
    const token = tokens[index];
    if (/^https?:/.test(String(token?.attrGet('href')))) token?.attrSet('rel', 'noopener');
    return plain(tokens, index, ...rest);
  };
  rules.th_open = (tokens, index, ...rest) => {
    tokens[index]?.attrSet('scope', 'col');
    return plain(tokens, index, ...rest);
  };
  // Wide tables scroll in a focusable region named after the heading above.
  rules.table_open = (tokens, index, ...rest) => {
    const label = escapeHtml(String(tokens[index]?.meta?.name));
    return `<section class="scroll" tabindex="0" aria-label="${label}">${plain(tokens, index, ...rest)}`;
  };
  rules.table_close = (...all) => `${plain(...all)}</section>`;
  // A placeholder with the caption, for `withPictures`.
  rules.image = (tokens, index) => `<picture>${tokens[index]?.meta?.caption ?? ''}</picture>`;
}

/** Without marks of Markdown. */
export function inlineText(inline: MarkdownToken | undefined): string {
  return joinText(inline?.children ?? []).trim();
}

export function joinText(tokens: readonly MarkdownToken[]): string {
  return tokens.map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}
