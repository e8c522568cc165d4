/* Russian typography by A. Milchin, «Справочник издателя и автора», as far as it needs no guessing. */

/** Words of three or more letters with a no-break space after them. */
const leading = 'без|если|для|или|как|обо|под|при|про|ООО|ОАО|ЗАО|ПАО';
const units = 'см|мм|км|кг|мл|г|т|л|м|ч';
/** Words with a no-break space before them. */
const particles = 'ли|ль|же|ж|бы|б';
/** Only these are counted in thousands: other numbers may be years or codes. */
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
  [/(?<=\d)[ \n](?=[\p{L}%°]|\d{3}(?!\d))/gu, '\u00A0'],
  [
    new RegExp(
      `(?<=(?:^|[\\s(«„])(?:(?!(?:${units}|${particles})[ \\n])\\p{L}{1,2}|${leading}|${abbreviations}))[ \\n]`,
      'giu',
    ),
    '\u00A0',
  ],
  [new RegExp(`[ \\n](?=(?:${particles})(?![\\p{L}-]))`, 'gu'), '\u00A0'],
  // A short last word of a sentence.
  [/[ \n](?=[\p{L}\d]{1,3}[.!?…](?:\s+[\p{Lu}«]|\s*$))/gu, '\u00A0'],
];

/** For text or HTML. Skips tags, `code` and `pre`. Idempotent. */
export function typeset(text: string): string {
  const quote = quotes();
  return eachText(text, quote.begin, (piece) => applyRules(quote(piece)));
}

/** Must not wrap at a dash, hyphen or slash: «300–399», «из-за», «кг/м³». */
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
/** Elements without a `span`: they forbid it, lay it out as a flex item, or do not wrap. */
const unmarked = /^<(?:option\b|span class="unbroken"|(?:a|button) [^>]*\bclass="action|a [^>]*\bhref="tel:)/;

/** Caches texts that repeat on every page. */
const known = new Map<string, string>();
const mostKnown = 5_000;

/** Also wraps unbreakable words in `.unbroken`. Visitors' text is in `<bdi>`, which is skipped. */
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

/** @param change gets each text node and the tag before it */
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

/** Tags that end an open quotation. */
const blocks = /^<\/?(?:p|li|d[dt]|h\d|t[dh]|div|figcaption|blockquote|summary|label|legend|option|button)\b/;

/** «ёлочки» and nested „лапки“; a quotation may span text nodes. */
function quotes() {
  let depth = 0;
  let last = '';
  /** @param before the preceding character */
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
