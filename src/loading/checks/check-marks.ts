import { decoded } from '../../lib/decoded.ts';
import { companyFile } from '../content-files.ts';
import { factName, inCompanyFile, withBraces } from '../facts.ts';
import { type Kind, kinds } from '../kinds.ts';
import { object, renderMarkdown } from '../markdown.ts';
import { guillemets, type Problem } from '../problem.ts';
import { leavesIn, partAt, schemaOf, valueAt } from '../schema-parts.ts';
import { problemAt, type Source, textsOf } from '../source.ts';
import type { Path } from '../yaml.ts';
import type { CheckInput } from './rule.ts';

/*
 * Malformed Markdown, HTML and facts reach visitors as typed characters. The check searches the rendered text for
 * sequences that normal text never contains: `5 * 3`, `3 ₽*`, `[…]`, `#tag`, `file_name` and `<5 кг` are fine. It skips
 * escaped text and text in backticks.
 */

type Mark = {
  found: RegExp;
  remedy: string;
  /** Fine in headings and plain fields. */
  inParagraphs?: true;
};

const anyOf = (...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), 'gimu');

const address = String.raw`(?:[/#<]|https?:|mailto:|tel:|www\.|[^()\n]+\.(?:ru|com|рф|md|png|jpe?g|webp|svg)\b)`;
const tag = /<\/?[a-z][\w-]*(?:\s[^<>\n]*)?\/?>|<\/[a-z]|<[\w-]+\.[^\s<>]*>/;

const fieldNames = Object.values<Kind>(kinds)
  .filter(({ files }) => files.includes('*'))
  .flatMap((kind) => Object.keys(schemaOf(kind).properties ?? {}));

const facts: Mark = {
  found: anyOf(/[{}]+/, factName),
  remedy: 'Факт из company.yaml пишут в двух скобках с каждой стороны: {{ company.email }}.',
};

const markup: readonly Mark[] = [
  {
    found: anyOf(tag, /<!--|-->|&(?:[a-z]{2,}|#x?[\da-f]+);|&nbsp/),
    remedy: 'HTML здесь не действует: жирное пишут **так**, курсив *так*, новый абзац после пустой строки.',
  },
  {
    found: anyOf(
      /(?<![\p{L}\p{N}])!\[|\]\(|\]\[|\[\[|\[[!^]/u,
      new RegExp(`\\]\\s+\\((?=${address})|\\)\\[(?=${address})`),
      /\]:?\s?(?=\/[a-z]|https?:)|\((?=\/[a-z])|(?:mailto|tel):(?=\S)/,
      /\[\/?(?:b|i|u|s|url|img|quote|code|list|size|color|center)(?:=[^\]\n]*)?\]/,
    ),
    remedy: 'Ссылку пишут так: [тарифы](/rates), картинку так: ![что на ней](photo.jpg).',
  },
  {
    found: anyOf(
      /(?<![*-])(?:(?<=[^\s*])\*{2,3}|\*{2,3}(?=[^\s*])|\*{2,3}(?=\s[^*\n]*\*\*))(?![*-])/,
      /(?<![\p{L}\p{N}_])__(?=[^\s_])|(?<=[^\s_])__(?![\p{L}\p{N}_])/u,
      /(?<![\p{L}\p{N}_/.-])_(?=\p{Script=Cyrillic})|(?<=\p{Script=Cyrillic})_(?![\p{L}\p{N}_.-])/u,
      // A footnote begins a sentence or stands after a word.
      /(?<=[\p{L}\p{N},;:»–—-]\s)\*(?=[\p{L}«"])|(?<![\p{L}\p{N}*])\*(?=[\p{L}«"][^*\n]*[\p{L}»".!?]\*(?![\p{L}\p{N}*]))/u,
      /~~+|==+|\|\||`+/,
    ),
    remedy: 'Такие знаки стоят вплотную к словам с обеих сторон: **жирное**, *курсив*.',
  },
  {
    found: /##+|^#(?=\s)|^#(?=[А-ЯЁ][а-яё]*\s[^#\n]*[^#\n.!?…,:;]$)/gmu,
    remedy: 'Заголовок стоит на своей строке, и после ## в нём пробел: ## Сроки.',
  },
  {
    found: /^>(?=\s)/gm,
    remedy: 'Цитат на сайте нет. Сотрите > и возьмите слова в кавычки.',
  },
  {
    found:
      /^[-*+•·](?=\s)|^[•·]|^[–—](?=\s.*\n[–—]\s)|^o(?=\t)|^-(?=[\p{L}«"])|^\*(?=[\p{L}«"].*\n\*[\p{L}«"])|^\[[ xхXХ]?\](?=\s)/gmu,
    remedy: 'Пункт списка стоит на своей строке, и после дефиса в нём пробел: - Короба.',
  },
  {
    found: /^\d{1,2}[.)](?=\p{L})/gmu,
    remedy: 'После номера пункта нужен пробел: 1. Короба.',
    inParagraphs: true,
  },
  {
    found: /^\||\|$|\|\s*:?--|--:?\s*\||(?<=\|.*\n.*)\||(?<=\t.*\n.*)\t/gm,
    remedy: 'Таблица стоит после пустой строки, вторая строка в ней из черт, |---|---|, столбцов во всех поровну.',
    inParagraphs: true,
  },
  {
    found: anyOf(
      /-{3,}|<{4,}|>{4,}|:{3,}|\$\$|(?<![\w:\\])\\(?=[^\s\w]|n(?![a-z])|$)|\uFFFD/,
      /%[A-Z_]{2,}%|\|[A-Z_]{2,}\||(?<!\S):[a-z_]{2,}:(?!\S)|(?<!\w)(?:todo|fixme|tbd)(?![\w-])|lorem ipsum/,
    ),
    remedy: 'Сотрите это и перечитайте строку.',
  },
  {
    found: new RegExp(`^(?:${fieldNames.join('|')}):(?=\\s|$)`, 'gm'),
    remedy: 'Поле стоит в тексте. Перенесите его выше второй строки из трёх дефисов.',
    inParagraphs: true,
  },
];

type Corrections = readonly (readonly [RegExp, string])[];

const inMarkdown: Corrections = [
  [/<a\s[^>]*href=["']([^"']*)["'][^>]*>(.*?)<\/a>/gi, '[$2]($1)'],
  [/<\/?(?:b|strong)(?:\s[^>]*)?>/gi, '**'],
  [/<\/?(?:i|em)(?:\s[^>]*)?>/gi, '*'],
  [/<br ?\/?>/gi, ' '],
  [/\s*<!--.*?(?:-->|$)/g, ''],
  [new RegExp(tag, 'gi'), ''],
  [/\[([^[\]()=]+)\]?:?\s*\(?(?=(?:[/#]|https?:|mailto:|tel:)[^\s()]+)/g, '[$1]('],
  [/\]\s+\((?=\S)/g, ']('],
  [/\]\(([^()<>\s"]+(?: [^()<>\s"]+)+\.[a-z]{3,4})(?=[\s)])/gi, '](<$1>'],
  [/(\]\((?:[^()<>\s"]*[^()<>\s".,;:!?]))(?=[.,;:!?]*(?:\s(?!")|$))/g, '$1)'],
  [/==+|\|\||`+|~{3,}/g, ''],
  // Blanks within a pair, words that touch it, what opens and does not close, what closes and did not open.
  [/(\*{2,3}|__|~~)[ \t]*([^*_~]+?)[ \t]*\1/g, '$1$2$1'],
  [/(\*\*[^*]+[^\s\p{L}\p{N}*]\*\*)(?=[\p{L}\p{N}])/gu, '$1 '],
  [/(?<=[\p{L}\p{N}])(\*\*[«"(][^*]+\*\*)/gu, ' $1'],
  [/^((?:[^*_~]|(\*\*|__|~~)[^*_~]+\2)*)(\*\*|__|~~|\*|_)(?=[\p{L}\p{N}«"(])([^*_~.,:;!?"]+)(?!.*[*_~])/u, '$1$3$4$3'],
  [/^([^*]*[^\s*])\*\*(?=[^*]*$)/, '$1'],
  [/^[ \t]*#(?!#)[ \t]*/, '## '],
  [/^[ \t]*(#{2,6})[ \t]*(?=[^#\s])/, '$1 '],
  [/^[ \t]*(?:[-*+] +\[[ xхXХ]?\]|\[[ xхXХ]?\](?= )|\*(?!\*| \S)|\+(?=\s)|[•·–—]|o\t|-(?![-\d])) */u, '- '],
  [/^(\d{1,2}[.)])(?=\p{L})/u, '$1 '],
];

const inPlainText: Corrections = [
  [/&nbsp;?|(?<![\w:\\])\\n(?![a-z])/g, ' '],
  [/(?<=\s)-{3,}(?=\s)/g, '—'],
  [/^(?:#{1,6}|[-*+>•]) +/, ''],
  [/!?\[([^\]]*)\]\s?\([^)]*\)?/g, '$1'],
  [/<!--.*?(?:-->|$)/g, ''],
  [new RegExp(tag, 'gi'), ''],
  [/\*{2,}|__|~~|`+|==+/g, ''],
  [/(?<![\p{L}\p{N}])([*_])([\p{L}«].*?)\1(?![\p{L}\p{N}])/gu, '$2'],
];

/** A text that visitors see, or an address. Facts are encoded. */
type Shown = { text: string; kind: 'paragraph' | 'heading' | 'plain' | 'address'; line: number; field: Path };

export function* checkMarks({ sources }: Pick<CheckInput, 'sources'>): Iterable<Problem> {
  for (const source of Object.values(sources).flat()) {
    const lines = source.text.split('\n');
    const told = new Map<number, Problem>();
    for (const shown of [...textsIn(source), ...fieldsIn(source)]) {
      for (const problem of problemsIn(source, lines, shown))
        if (!told.has(problem.line)) told.set(problem.line, problem);
    }
    yield* told.values();
  }
}

function problemsIn(source: Source<unknown>, lines: readonly string[], shown: Shown): Problem[] {
  return foundIn(shown).map(({ found, row, mark }) => {
    const line = lineWith(found, lines, shown.line + row);
    const place = shown.field.length > 0 ? shown.field : line;
    const remedy = mark === facts && source.file === companyFile ? inCompanyFile : remedyFor(mark, shown);
    const instead = remedy === inCompanyFile ? undefined : corrected(lines[line - 1] ?? '', shown);
    return { ...problemAt(source, place, `Посетители увидят ${guillemets(found)}. ${remedy}`, { instead }), line };
  });
}

function remedyFor(mark: Mark, { kind }: Shown): string {
  if (mark === facts) return mark.remedy;
  if (kind === 'plain') return 'Это поле показывают как есть, Markdown и HTML в нём не действуют. Сотрите знаки.';
  return `${mark.remedy} Если знак нужен как есть, поставьте перед ним \\.`;
}

/** In YAML, the place of a text within its value is not known. */
function lineWith(found: string, lines: readonly string[], from: number): number {
  const [start = found] = found.split('\n');
  const ahead = lines.slice(from - 1, from + 50).findIndex((line) => line.includes(start));
  return from + Math.max(0, ahead);
}

function textsIn(source: Source<unknown>): Shown[] {
  return textsOf(source).flatMap(({ text: { shown, links }, lineAt, field }) => {
    const notes = footnotes(shown.map(({ text }) => text).join('\n\n'));
    const texts = shown.map(({ text, line, heading }): Shown => {
      const words = notes ? text.replace(notes, object) : text;
      return { text: words, kind: heading ? 'heading' : 'paragraph', line: lineAt(line), field };
    });
    const addresses = links.map(({ href, line }): Shown => {
      return { text: decoded(href) ?? href, kind: 'address', line: lineAt(line), field };
    });
    return [...texts, ...addresses];
  });
}

function fieldsIn(source: Source<unknown>): Shown[] {
  return leavesIn(source.value).flatMap(({ path, value }): Shown[] => {
    const { pattern, format, enum: values, 'x-mark': mark } = partAt(source.schema, path) ?? {};
    if (typeof value !== 'string' || (mark && 'markdown' in mark)) return [];
    const plain = !(pattern || format || values || (mark && !('long' in mark)));
    const kind = plain ? 'plain' : 'address';
    if (foundIn({ text: value, kind }).length === 0) return [];
    // A fact may have such marks. What was written of it takes time to read, so only now.
    return [{ text: String(valueAt(source.written(), path)), kind, line: source.lineOf(path), field: path }];
  });
}

/** Marks that stand after a word and again before the note, where they could be taken for emphasis. */
function footnotes(text: string): RegExp | undefined {
  if (/[^\s*]\*\*(?=[\s.,;:!?)])[\s\S]*^\*\*(?!\*)/m.test(text)) return /\*+/g;
  return /[^\s*]\*(?=[\s.,;:!?)]|$)/m.test(text) ? /(?<!\*)\*(?!\*)/g : undefined;
}

const url = /https?:\/\/[^\s<>()[\]{}*`|»]+/g;

/** The first in each row. */
function foundIn({ text, kind }: Pick<Shown, 'text' | 'kind'>): { found: string; row: number; mark: Mark }[] {
  const words = text.replace(url, (found) => 'https:'.padEnd(found.length, 'x'));
  const looked = kind === 'address' ? [facts] : [facts, ...markup];
  const firsts = new Map<number, { found: string; row: number; mark: Mark }>();
  for (const mark of looked) {
    if (mark.inParagraphs && kind !== 'paragraph') continue;
    let [row, from] = [0, 0];
    for (const { 0: found, index } of words.matchAll(mark.found)) {
      if (kind !== 'plain') row += words.slice(from, index).split('\n').length - 1;
      from = index;
      if (!firsts.has(row)) firsts.set(row, { found, row, mark });
    }
  }
  return [...firsts.values()];
}

/** The name of a field of YAML and the quotation mark before its value. */
const before = /^\s*(?:- +)*(?:[\w-]+: +)?["']?/;

/** @returns `undefined` if marks would be left */
function corrected(line: string, { kind, field }: Shown): string | undefined {
  const [start = ''] = field.length > 0 ? (before.exec(line) ?? []) : [];
  const text = line.slice(start.length);
  const list = { paragraph: inMarkdown, heading: inMarkdown, plain: inPlainText, address: [] }[kind];
  const fixed = list.reduce((whole, [from, to]) => whole.replace(from, to), withBraces(text));
  if (fixed === text || fixed.trim() === '') return undefined;
  const words = fixed.replace(/\{\{.*?\}\}/g, object);
  const shown = list === inMarkdown ? renderMarkdown(words).shown : [{ text: words }];
  return shown.some((one) => foundIn({ text: one.text, kind }).length > 0) ? undefined : start + fixed;
}
