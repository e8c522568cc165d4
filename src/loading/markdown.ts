import MarkdownIt from 'markdown-it';
import { type Block, type Inline, inlineText, type Words } from '../model/prose.ts';
import { type Facts, replaceFacts } from './facts.ts';
import { type MarkdownToken, type TextSlip, textSlips } from './text-slips.ts';

export type MarkdownText = { blocks: readonly Block[]; slips: readonly TextSlip[] };

const markdown = new MarkdownIt({ html: false, linkify: true, typographer: false });
// Pages have no styles for the first four, and each takes honest text by accident: four blanks, a line of hyphens, «>100».
markdown.disable(['blockquote', 'code', 'lheading', 'reference', 'text_join']);

// Addresses are read once their facts are known.
const { normalizeLink } = markdown;
markdown.normalizeLink = (address) => address;

// «60*40*40» is no emphasis.
markdown.inline.ruler.before('emphasis', 'asterisk', (state, silent) => {
  if (!/^[\p{L}\p{N}%₽²³]\*[\p{L}\p{N}]$/u.test(state.src.slice(state.pos - 1, state.pos + 2))) return false;
  if (!silent) state.pending += '*';
  state.pos += 1;
  return true;
});

/** Bare addresses become links: mailboxes, and sites with a scheme, `www.` or a path. A name such as «Ozon.ru» is a word. */
const linkify = markdown.linkify.set({ fuzzyLink: true });
const matchLinks = linkify.match.bind(linkify);
// Looking for every domain takes longer than all other parsing.
linkify.test = (text) => /@|\/\/|www\.|\.[\p{L}\d-]+(?::\d+)?[/?#]/iu.test(text);
linkify.match = (text) => {
  const found = (matchLinks(text) ?? []).filter(({ schema, raw }) => schema !== '' || /^www\.|\//i.test(raw));
  for (const one of found) if (one.schema === '') one.url = `https://${one.raw}`;
  return found;
};

export function readMarkdown(written: string, facts?: Facts): MarkdownText {
  const values: string[] = [];
  const text = replaceFacts(written, facts, (value) => String.fromCodePoint(firstLetter + values.push(value) - 1));
  const tokens = markdown.parse(text, {});
  return { blocks: readBlocks(nested(tokens), values), slips: textSlips(tokens, text.split('\n')) };
}

/**
 * While Markdown is parsed, a letter of Private Use Area A stands for each fact: what the fact contains is no markup, and
 * emphasis may touch it.
 */
const firstLetter = 0xf0000;
const letters = /([\u{f0000}-\u{ffffd}])/gu;

type Node = { token: MarkdownToken; inside: Node[] };

function nested(tokens: readonly MarkdownToken[]): Node[] {
  const top: Node[] = [];
  const open = [top];
  for (const token of tokens) {
    if (token.nesting === -1) open.pop();
    else {
      const node: Node = { token, inside: [] };
      open.at(-1)?.push(node);
      if (token.nesting === 1) open.push(node.inside);
    }
  }
  return top;
}

/** A titled picture alone in its paragraph becomes a figure with a caption. */
function paragraphOf({ line, content }: Words, tight: boolean): Block {
  const [picture, ...others] = content;
  const caption = picture?.type === 'picture' && others.length === 0 ? picture.title : '';
  return caption ? { type: 'figure', line, content, caption } : { type: 'paragraph', tight, line, content };
}

/** `Как считать литры?` -> `как-считать-литры` */
function anchor(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

/** @param values of the facts, by their letters */
function readBlocks(nodes: readonly Node[], values: readonly string[]): Block[] {
  const ids = new Map<string, number>();
  let heading = 'Таблица';
  let tables = 0;
  let line = 1;

  function block({ token, inside }: Node): Block {
    if (token.map) line = token.map[0] + 1;
    switch (token.type) {
      case 'heading_open':
        return headingOf(Number(token.tag.slice(1)), words(inside));
      case 'bullet_list_open':
      case 'ordered_list_open': {
        const start = token.type === 'bullet_list_open' ? undefined : Number(token.attrGet('start') ?? 1);
        return { type: 'list', start, items: inside.map((item) => item.inside.map(block)) };
      }
      case 'table_open':
        tables += 1;
        return {
          type: 'table',
          name: tables === 1 ? heading : `${heading}, таблица ${tables}`,
          rows: inside.flatMap((part) => part.inside.map(row)),
        };
      case 'fence':
        return { type: 'code', text: plain(token.content), language: token.info.trim().split(/\s/, 1)[0] ?? '' };
      case 'hr':
        return { type: 'rule' };
      default:
        return paragraphOf(words(inside), token.hidden);
    }
  }

  function headingOf(level: number, found: Words): Block {
    heading = inlineText(found.content).trim();
    tables = 0;
    const name = anchor(heading);
    const count = (ids.get(name) ?? 0) + 1;
    ids.set(name, count);
    return { type: 'heading', level, id: count === 1 ? name : `${name}-${count}`, ...found };
  }

  /** Table cells have no line, but rows do. */
  function row({ token, inside }: Node): Words[] {
    if (token.map) line = token.map[0] + 1;
    return inside.map((cell) => words(cell.inside));
  }

  function words([inline]: readonly Node[]): Words {
    const from = line;
    return { line: from, content: inlines(nested(inline?.token.children ?? [])) };
  }

  function inlines(nodes: readonly Node[], isLinked = false): Inline[] {
    return nodes.flatMap(({ token, inside }): Inline[] => {
      switch (token.type) {
        case 'text':
          return texts(token.content, isLinked);
        case 'text_special':
          return [{ type: 'text', text: token.content, ...(token.content !== token.markup && { literal: true }) }];
        case 'code_inline':
          return [{ type: 'code', text: plain(token.content) }];
        case 'softbreak':
        case 'hardbreak':
          line += 1;
          return [{ type: 'break', soft: token.type === 'softbreak' }];
        case 'link_open': {
          const at = {
            href: address(token, 'href'),
            title: attribute(token, 'title'),
            bare: token.info === 'auto',
            line,
          };
          return [{ type: 'link', ...at, content: inlines(inside, true) }];
        }
        case 'image': {
          const alt = inlineText(inlines(nested(token.children ?? [])));
          return [{ type: 'picture', src: address(token, 'src'), alt, title: attribute(token, 'title'), line }];
        }
        default:
          return [{ type: token.tag as 'strong' | 'em' | 's', content: inlines(inside, isLinked) }];
      }
    });
  }

  /** A fact that is a whole address becomes a link, as a typed address does. */
  function texts(text: string, isLinked: boolean): Inline[] {
    return text.split(letters).flatMap((part, index): Inline[] => {
      if (index % 2 === 0) return part === '' ? [] : [{ type: 'text', text: part }];
      const fact: Inline = { type: 'text', text: plain(part), literal: true };
      const found = isLinked ? undefined : linkify.match(fact.text)?.[0];
      if (found?.raw !== fact.text) return [fact];
      return [{ type: 'link', href: normalizeLink(found.url), title: '', bare: true, line, content: [fact] }];
    });
  }

  const plain = (text: string) =>
    text.replace(letters, (letter) => values[(letter.codePointAt(0) ?? 0) - firstLetter] ?? '');
  const attribute = (token: MarkdownToken, name: string) => plain(String(token.attrGet(name) ?? ''));
  const address = (token: MarkdownToken, name: string) => normalizeLink(attribute(token, name));

  return nodes.map(block);
}
