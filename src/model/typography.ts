/*
 * Russian typography, as A. Milchin's «Справочник издателя и автора» has it, as far as it can be done without
 * guessing: what stays open is left as the editor wrote it.
 */

/** Words that lean on what follows, besides those of one and two letters; and those of them that lean on a number. */
const leading = 'без|если|для|или|как|обо|под|при|про|ООО|ОАО|ЗАО|ПАО';
const units = 'см|мм|км|кг|мл|г|т|л|м|ч';
/** Words that lean on what stands before. */
const particles = 'ли|ль|же|ж|бы|б';
/** What is counted in thousands; a number before another word may be a year, an article or a code. */
const counted = '₽|руб|шт|штук|единиц|набор|заказ|короб|паллет|артикул|знак|литр|кг|км|мм|см|м²|м³|л';
const abbreviations = '(?:стр|рис|гл|ст|им|ул|п|д|(?<!\\d\\s)(?:см|г))\\.';

const rules: readonly (readonly [RegExp, string])[] = [
  [/\.{3}/g, '…'],
  [/(?<=\d)[xх](?=\d)/g, '×'],
  [/[ \n](?:--?|–|—)(?=[ \n])/g, '\u00A0—'],
  [/(?<=\d)[ \n]?×[ \n](?=\d)/g, '\u00A0×\u00A0'],
  [/(?<=[ \u00A0]\/)[ \n](?=\p{L})/gu, '\u00A0'],
  [new RegExp(`(?<![\\p{L}\\d.,:/№-]|№.)(\\d{1,3})(\\d{3})(?=[ \\n\\u00A0](?:${counted}))`, 'gu'), '$1\u00A0$2'],
  [/(?<=[№§])[ \n](?=\d)/g, '\u202F'],
  // A number and what it counts, and groups of its digits.
  [/(?<=\d)[ \n](?=[\p{L}%°]|\d{3}(?!\d))/gu, '\u00A0'],
  [
    new RegExp(
      `(?<=(?:^|[\\s(«„])(?:(?!(?:${units}|${particles})[ \\n])\\p{L}{1,2}|${leading}|${abbreviations}))[ \\n]`,
      'giu',
    ),
    '\u00A0',
  ],
  [new RegExp(`[ \\n](?=(?:${particles})(?![\\p{L}-]))`, 'gu'), '\u00A0'],
  // The short end of a sentence.
  [/[ \n](?=[\p{L}\d]{1,3}[.!?…](?:\s+[\p{Lu}«]|\s*$))/gu, '\u00A0'],
];

/**
 * Russian typography for plain text or HTML: «ёлочки», dashes, no-break spaces before short words and units. Tags and
 * the contents of `code` and `pre` stay as they are. Applying it twice changes nothing more.
 */
export function typeset(text: string): string {
  const quote = quotes();
  return eachText(text, quote.begin, (piece) => applyRules(quote(piece)));
}

/** Lines may break after a dash, a hyphen or a slash, which «300–399», «из-за» and «кг/м³» must be spared. */
const joined = new RegExp(
  [
    '(?<![\\p{L}\\d@./_–-])(?:',
    '\\d(?:[\\d.,:]*\\d)?(?:[–-]\\d(?:[\\d.,:]*\\d)?)+',
    '|\\p{L}{1,3}[–-]\\p{L}{1,3}',
    '|\\p{L}{1,3}/\\p{L}{1,2}[²³]?',
    ')(?![\\p{L}\\d@/_–-])',
  ].join(''),
  'gu',
);
/** What can hold no element, or would lay it beside its words (a button), or keeps them on one line as it is. */
const unmarked = /^<(?:option\b|span class="unbroken"|(?:a|button) [^>]*\bclass="action|a [^>]*\bhref="tel:)/;

/** Words that stand on page after page: the header's, the footer's, labels. */
const known = new Map<string, string>();
const mostKnown = 5_000;

/**
 * Typesets a finished page, words of the code like those of editors, and marks what no line may break (`.unbroken`).
 * What visitors wrote stays as they wrote it: pages put it into `<bdi>`, HTML's element for words of others.
 */
export function typesetPage(html: string): string {
  const quote = quotes();
  return eachText(html, quote.begin, (piece, tag) => {
    const quoted = quote(piece);
    if (!/[ \d–-]/.test(piece)) return quoted;
    const bare = unmarked.test(tag);
    const key = `${bare} ${quoted}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const set = quoted.split('\n').map(applyRules).join('\n');
    const made = bare ? set : set.replace(joined, '<span class="unbroken">$&</span>');
    if (known.size >= mostKnown) known.clear();
    known.set(key, made);
    return made;
  });
}

function applyRules(text: string): string {
  return rules.reduce((set, [from, to]) => set.replace(from, to), text);
}

/** Changes the text of HTML piece by piece, each after the tag before it; tags and what is `verbatim` stay as they are. */
function eachText(html: string, begin: () => void, change: (piece: string, tag: string) => string): string {
  let verbatim = false;
  let tag = '';
  const pieces = html.split(/(<\/?[a-z][^<>]*>)/i);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0) return verbatim || piece === '' ? piece : change(piece, tag);
      tag = piece;
      if (/^<\/?(?:code|pre|textarea|bdi)\b/.test(piece)) verbatim = !piece.startsWith('</');
      if (blocks.test(piece)) begin();
      return piece;
    })
    .join('');
}

/** In which a quotation that was begun before does not go on. */
const blocks = /^<\/?(?:p|li|d[dt]|h\d|t[dh]|div|figcaption|blockquote|summary|label|legend|option|button)\b/;

/** Turns straight quotation marks into «ёлочки» and „лапки“ within them; a quotation may go on in the next piece. */
function quotes() {
  let depth = 0;
  let last = '';
  /** @param before the character in front of it */
  function turned(mark: string, before: string): string {
    const straight = /["&]/.test(mark);
    const opens = straight ? /^$|[\s(«„—–/-]/.test(before) : '«„'.includes(mark);
    if (!opens && depth === 0) return mark;
    depth += opens ? 1 : -1;
    const [opening = '', closing = ''] = depth === (opens ? 1 : 0) ? '«»' : '„“';
    if (!straight) return mark;
    return opens ? opening : closing;
  }
  const quote = (piece: string) => {
    const set = piece.replace(/"|&quot;|[«„»“]/g, (mark, at: number) => turned(mark, piece[at - 1] ?? last));
    last = piece.at(-1) ?? last;
    return set;
  };
  return Object.assign(quote, {
    begin() {
      depth = 0;
      last = '';
    },
  });
}
