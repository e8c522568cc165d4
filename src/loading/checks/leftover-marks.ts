import { factName, withBraces } from '../facts.ts';
import { type Kind, kinds } from '../kinds.ts';
import { schemaOf } from '../schema-parts.ts';

/*
 * Malformed Markdown, HTML and facts, which visitors would see as typed. The patterns match sequences that normal text
 * never has. They read rendered text, so what Markdown understood is gone from it.
 */

/** A replacement for the written line. */
type Correction = readonly [from: RegExp, to: string];

type LeftoverMark = {
  name: string;
  /** Visitors would see a mark of this text. */
  example: string;
  /** Resembles the example, but is normal. */
  fine: string;
  pattern: RegExp;
};

export type MarkGroup = {
  /** Tells editors what to write. */
  remedy: string;
  /** Fine in headings and plain fields. */
  inParagraphs?: true;
  marks: readonly LeftoverMark[];
  /** Applied in this order. */
  inMarkdown?: readonly Correction[];
  inPlainText?: readonly Correction[];
};

const tag = /<\/?[a-z][\w-]*(?:\s[^<>\n]*)?\/?>|<\/[a-z]|<[\w-]+\.[^\s<>]*>/gi;
const linkTarget = String.raw`(?:[/#<]|https?:|mailto:|tel:|www\.|[^()\n]+\.(?:ru|com|рф|md|png|jpe?g|webp|gif|avif|svg)\b)`;
const fieldNames = Object.values<Kind>(kinds)
  .filter(({ files }) => files.includes('*'))
  .flatMap((kind) => Object.keys(schemaOf(kind).properties ?? {}));

/** `withBraces` corrects these. */
export const factMarks: MarkGroup = {
  remedy: 'Факт из company.yaml пишут в двух скобках с каждой стороны: {{ company.email }}.',
  marks: [
    { name: 'a brace', example: '{rates.x}', fine: '(rates.x)', pattern: /[{}]+/g },
    {
      name: 'the name of a fact',
      example: 'Пишите на company.email',
      fine: 'company.ru, mycompany.email, sales@company.email.ru',
      pattern: factName,
    },
    { name: 'a retention period', example: 'Храним retention.leads', fine: 'retention.ru', pattern: factName },
  ],
};

const html: MarkGroup = {
  remedy: 'HTML здесь не действует: жирное пишут **так**, курсив *так*, новый абзац после пустой строки.',
  marks: [
    { name: 'a tag', example: 'Раз <b>два</b>', fine: '<5 кг, 5 < 6 > 4', pattern: tag },
    { name: 'a comment', example: 'Раз <!-- два -->', fine: 'А--Б', pattern: /<!--|-->/g },
    {
      name: 'an entity',
      example: 'раз&nbspдва',
      fine: 'R&D; H&M',
      pattern: /&(?:[a-z]{2,}|#x?[\da-f]+);|&nbsp/gi,
    },
  ],
  inMarkdown: [
    [/<a\s[^>]*href=["']([^"']*)["'][^>]*>(.*?)<\/a>/gi, '[$2]($1)'],
    [/<\/?(?:b|strong)(?:\s[^>]*)?>/gi, '**'],
    [/<\/?(?:i|em)(?:\s[^>]*)?>/gi, '*'],
    [/<br ?\/?>/gi, ' '],
    [/ ?<!--.*?(?:-->|$)/g, ''],
    [tag, ''],
  ],
  inPlainText: [
    [/&nbsp;?/g, ' '],
    [/<!--.*?(?:-->|$)/g, ''],
    [tag, ''],
  ],
};

const links: MarkGroup = {
  remedy: 'Ссылку пишут так: [тарифы](/rates), картинку так: ![что на ней](photo.jpg).',
  marks: [
    {
      name: 'a bracket of a link or picture',
      example: 'Вес^[брутто]',
      fine: 'Ура![1], [имя]_[дата].xlsx',
      pattern: /(?<![\p{L}\p{N}])!\[|\]\(|\]\[|\[\[|\[[!^]|\^\[/gu,
    },
    {
      name: 'a link whose parts are apart or swapped',
      example: '(тарифы)[/rates]',
      fine: '[1] (см. ниже), Тарифы [с НДС] (включая упаковку)',
      pattern: new RegExp(`\\]\\s+\\((?=${linkTarget})|\\)\\[(?=${linkTarget})`, 'gi'),
    },
    {
      name: 'an address without its bracket',
      example: '[тарифы]: /rates',
      fine: '(см. /rates)',
      pattern: /\]:?\s?(?=\/[a-z]|https?:)|\((?=\/[a-z])|(?:mailto|tel):(?=\S)/gi,
    },
    {
      name: 'a tag of a forum',
      example: '[b]да[/b]',
      fine: '[…]',
      pattern: /\[\/?(?:b|i|u|s|url|img|quote|code|list|size|color|center|toc)(?:=[^\]\n]*)?\]/gi,
    },
  ],
  inMarkdown: [
    // A missing bracket, a blank between the parts, blanks in a file name, a missing bracket at the end.
    [/\[([^[\]()=]+)\]?:?\s*\(?(?=(?:[/#]|https?:|mailto:|tel:)[^\s()]+)/g, '[$1]('],
    [/\]\s+\((?=\S)/g, ']('],
    [/\]\(([^()<>\s"]+(?: [^()<>\s"]+)+\.[a-z]{3,4})(?=[\s)])/gi, '](<$1>'],
    [/(\]\((?:[^()<>\s"]*[^()<>\s".,;:!?]))(?=[.,;:!?]*(?:\s(?!")|$))/g, '$1)'],
  ],
  inPlainText: [[/!?\[([^\]]*)\]\s?\([^)]*\)?/g, '$1']],
};

const emphasis: MarkGroup = {
  remedy: 'Такие знаки стоят вплотную к словам с обеих сторон: **жирное**, *курсив*.',
  marks: [
    {
      name: 'two or three asterisks',
      example: 'Это **важно: да',
      fine: '+7 (495) ***-**-**',
      pattern: /(?<![*-])(?:(?<=[^\s*])\*{2,3}|\*{2,3}(?=[^\s*])|\*{2,3}(?=\s[^*\n]*\*\*))(?![*-])/g,
    },
    {
      name: 'two underscores',
      example: '__важно',
      fine: 'подпись ________, a_b__c_d',
      pattern: /(?<![\p{L}\p{N}_])__(?=[^\s_])|(?<=[^\s_])__(?![\p{L}\p{N}_])/gu,
    },
    {
      name: 'an underscore at a Russian word',
      example: 'это _важно',
      fine: 'e-mail_адрес, photo_01_final.jpg',
      pattern: /(?<![\p{L}\p{N}_/.-])_(?=\p{Script=Cyrillic})|(?<=\p{Script=Cyrillic})_(?![\p{L}\p{N}_.-])/gu,
    },
    {
      // A footnote begins a sentence or stands after a word.
      name: 'an asterisk',
      example: 'это *важно',
      fine: '*при партии от 100 шт., 5 * 3, 3 ₽*',
      pattern:
        /(?<=\p{L})\*(?=\p{L})|(?<=[\p{L}\p{N},;:»–—-]\s)\*(?=[\p{L}«"])|(?<![\p{L}\p{N}*])\*(?=[\p{L}«"][^*\n]*[\p{L}»".!?]\*(?![\p{L}\p{N}*]))/gu,
    },
    {
      name: 'tildes, equals signs, bars or backticks',
      example: 'раз `два',
      fine: '~5 кг, x|y',
      pattern: /~~+|==+|\|\||`+/g,
    },
  ],
  inMarkdown: [
    [/==+|\|\||`+|~{3,}/g, ''],
    // Blanks within a pair, words that touch it, what opens and does not close, what closes and did not open.
    [/(\*{2,3}|__|~~)[ \t]*([^*_~\s](?:[^*_~]*[^*_~\s])?)[ \t]*\1/g, '$1$2$1'],
    [/(\*\*[^*]+[^\s\p{L}\p{N}*]\*\*)(?=[\p{L}\p{N}])/gu, '$1 '],
    [/(?<=[\p{L}\p{N}])(\*\*[«"(][^*]+\*\*)/gu, ' $1'],
    [
      /^((?:[^*_~]|(\*\*|__|~~)[^*_~]+\2)*)(\*\*|__|~~|\*|_)(?=[\p{L}\p{N}«"(])([^*_~.,:;!?"]+)(?!.*[*_~])/u,
      '$1$3$4$3',
    ],
    [/^([^*]*[^\s*])\*\*(?=[^*]*$)/, '$1'],
  ],
  inPlainText: [
    [/\*{2,}|__|~~|`+|==+/g, ''],
    [/(?<![\p{L}\p{N}])([*_])([\p{L}«].*?)\1(?![\p{L}\p{N}])/gu, '$2'],
  ],
};

const headings: MarkGroup = {
  remedy: 'Заголовок стоит на своей строке, и после ## в нём пробел: ## Сроки.',
  marks: [
    {
      name: 'the hashes of a heading',
      example: '##Сроки',
      fine: '#wildberries и #ozon',
      pattern: /##+|^#(?=\s)|^#(?=[А-ЯЁ][а-яё]*\s[^#\n]*[^#\n.!?…,:;]$)/gmu,
    },
  ],
  inMarkdown: [
    [/^[ \t]*#(?!#)[ \t]*/, '## '],
    [/^[ \t]*(#{2,6})[ \t]*(?=[^#\s])/, '$1 '],
  ],
};

const quotations: MarkGroup = {
  remedy: 'Цитат на сайте нет. Сотрите > и возьмите слова в кавычки.',
  marks: [{ name: 'a quotation', example: '> цитата', fine: '>100 шт.', pattern: /^>(?=\s)/gm }],
};

const lists: MarkGroup = {
  remedy: 'Пункт списка стоит на своей строке, и после дефиса в нём пробел: - Короба.',
  marks: [
    {
      name: 'the bullet of an item',
      example: '-пункт',
      fine: '-5 °C, +НДС, — Да, конечно.',
      pattern:
        /^[-*+•·](?=\s)|^[•·]|^[–—](?=\s.*\n[–—]\s)|^o(?=\t)|^-(?=[\p{L}«"])|^\*(?=[\p{L}«"].*\n\*[\p{L}«"])|^\[[ xхXХ]?\](?=\s)/gmu,
    },
  ],
  inMarkdown: [
    [/^[ \t]*(?:[-*+] +\[[ xхXХ]?\]|\[[ xхXХ]?\](?= )|\*(?!\*| \S)|\+(?=\s)|[•·–—]|o\t|-(?![-\d])) */u, '- '],
  ],
  inPlainText: [[/^(?:#{1,6}|[-*+>•]) +/, '']],
};

const numbers: MarkGroup = {
  remedy: 'Список начинается с 1. или стоит после пустой строки, и после номера пункта нужен пробел: 1. Короба.',
  inParagraphs: true,
  marks: [
    {
      name: 'the number of an item',
      example: '1)пункт',
      fine: '1) пункт, 2.5 кг',
      pattern: /^\d{1,2}[.)](?=\p{L})|(?<=:\n)\d{1,2}[.)](?=\s)|^\d{1,2}[.)](?=\s.*\n\d{1,2}[.)]\s)/gmu,
    },
  ],
  inMarkdown: [[/^(\d{1,2}[.)])(?=\p{L})/u, '$1 ']],
};

const tables: MarkGroup = {
  remedy: 'Таблица стоит после пустой строки, вторая строка в ней из черт, |---|---|, столбцов во всех поровну.',
  inParagraphs: true,
  marks: [
    {
      name: 'the bars of a table',
      example: '| А | Б |',
      fine: 'x|y',
      pattern: /^\||\|$|\|\s*:?--|--:?\s*\||(?<=\|.*\n[^|\n]*)\||(?<=\t.*\n[^\t\n]*)\t/gm,
    },
  ],
};

const remains: MarkGroup = {
  remedy: 'Сотрите это и перечитайте строку.',
  marks: [
    { name: 'a line of signs', example: 'раз --- два', fine: 'А--Б, 50$', pattern: /-{3,}|<{4,}|>{4,}|:{3,}|\$\$/g },
    {
      name: 'a backslash',
      example: 'раз\\nдва',
      fine: 'C:\\Users',
      pattern: /(?<![\w:\\])\\(?=[^\s\w]|n(?![a-z])|$)/gim,
    },
    {
      name: 'a formula',
      example: 'при $a^2$',
      fine: 'от 50$ до 100$, $5 и $6, US$',
      pattern: /(?<![\d$])\$(?=[^\s\d$](?:[^$\n]*[^\s$])?\$(?!\d))/g,
    },
    { name: 'a character that was lost', example: 'раз \uFFFD два', fine: 'раз два', pattern: /\uFFFD/g },
    {
      name: 'a placeholder of a mailing program',
      example: 'Да, %NAME%',
      fine: '5 % и 10 %',
      pattern: /%[A-Z_]{2,}%|\|[A-Z_]{2,}\|/gi,
    },
    { name: 'the name of an emoji', example: 'Да :smile:', fine: 'в 10:30:00', pattern: /(?<!\S):[a-z_]{2,}:(?!\S)/gi },
    {
      name: 'a note to oneself',
      example: 'TODO: цена',
      fine: 'TODO-лист',
      pattern: /(?<!\w)(?:todo|fixme|tbd)(?![\w-])|lorem ipsum/gi,
    },
  ],
  inPlainText: [
    [/(?<![\w:\\])\\n(?![a-z])/g, ' '],
    [/(?<=\s)-{3,}(?=\s)/g, '—'],
  ],
};

const fields: MarkGroup = {
  remedy: 'Поле стоит в тексте. Перенесите его выше второй строки из трёх дефисов.',
  inParagraphs: true,
  marks: [
    {
      name: 'a field',
      example: 'draft: true',
      fine: 'Срок: 5 дней',
      pattern: new RegExp(`^(?:${fieldNames.join('|')}):(?=\\s|$)`, 'gm'),
    },
  ],
};

/** In order: the first group with a mark in a line names its remedy, and the corrections of all groups apply. */
export const markGroups: readonly MarkGroup[] = [
  factMarks,
  html,
  links,
  emphasis,
  headings,
  quotations,
  lists,
  numbers,
  tables,
  remains,
  fields,
];

/** `plain` is a field whose value is shown as typed. */
export type TextKind = 'paragraph' | 'heading' | 'plain' | 'address';

const url = /https?:\/\/[^\s<>()[\]{}*`|»]+/g;

/** The first mark of each row; a plain text is one row. */
export function findMarks(text: string, kind: TextKind): { found: string; row: number; group: MarkGroup }[] {
  const words = text.replace(url, (found) => 'https:'.padEnd(found.length, 'x'));
  const rowAt = kind === 'plain' ? () => 0 : rowsOf(words);
  const groups = kind === 'address' ? [factMarks] : markGroups;
  const found = groups
    .filter(({ inParagraphs }) => !inParagraphs || kind === 'paragraph')
    .flatMap((group) => matchesOf(group, words).map(({ 0: found, index }) => ({ found, row: rowAt(index), group })));
  return [...Map.groupBy(found, ({ row }) => row).values()].flatMap(([first]) => first ?? []);
}

/** @returns the row of an index, counted from 0 */
function rowsOf(text: string): (index: number) => number {
  let row = 0;
  const rows = Uint32Array.from(text.split(''), (letter) => (letter === '\n' ? row++ : row));
  return (index) => rows[index] ?? row;
}

function matchesOf({ marks }: MarkGroup, text: string): RegExpExecArray[] {
  return marks.flatMap(({ pattern }) => [...text.matchAll(pattern)]).sort((a, b) => a.index - b.index);
}

export function correctMarks(line: string, kind: TextKind): string {
  const corrections = markGroups.flatMap(({ inMarkdown = [], inPlainText = [] }) => {
    if (kind === 'address') return [];
    return kind === 'plain' ? inPlainText : inMarkdown;
  });
  return corrections.reduce((text, [from, to]) => text.replace(from, to), withBraces(line));
}

export function remedyFor(group: MarkGroup, kind: TextKind): string {
  if (group === factMarks) return group.remedy;
  if (kind === 'plain') return 'Это поле показывают как есть, Markdown и HTML в нём не действуют. Сотрите знаки.';
  return `${group.remedy} Если знак нужен как есть, поставьте перед ним \\.`;
}
