/*
 * Russian typography, as A. Milchin's «Справочник издателя и автора» has it, as far as it can be done without
 * guessing: what stays open is left as the editor wrote it.
 */

/** Words that lean on what follows, besides those of one and two letters; and those of them that lean on a number. */
const leading = 'без|если|для|или|как|обо|под|при|про|ООО|ОАО|ЗАО|ПАО';
const units = 'см|мм|км|кг|мл|г|т|л|м|ч';
/** Words that lean on what stands before. */
const particles = 'ли|ль|же|ж|бы|б';
const abbreviations = '(?:стр|рис|гл|ст|им|ул|п|д|(?<!\\d\\s)(?:см|г))\\.';

const rules: readonly (readonly [RegExp, string])[] = [
  [/\.{3}/g, '…'],
  [/(?<=\d)[xх](?=\d)/g, '×'],
  [/[ \n](?:--?|–|—)(?=[ \n])/g, '\u00A0—'],
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
  let verbatim = false;
  const pieces = text.split(/(<\/?[a-z][^<>]*>)/i);
  return pieces
    .map((piece, index) => {
      if (index % 2 === 0)
        return verbatim ? piece : rules.reduce((set, [from, to]) => set.replace(from, to), quote(piece));
      if (/^<\/?(?:code|pre)\b/.test(piece)) verbatim = !piece.startsWith('</');
      if (/^<\/?(?:p|li|h\d|t[dh]|figcaption|blockquote)\b/.test(piece)) quote.begin();
      return piece;
    })
    .join('');
}

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
