/* Russian typography by A. Milchin, «Справочник издателя и автора», as far as it needs no guessing. */

const size = String.raw`\d(?:[ \u00A0]?(?:мм|см|м))?`;

/** Each begins with what it replaces, because a look behind is slow at every character. */
const rules: readonly (readonly [RegExp, string])[] = [
  [/\.{3}/g, '…'],
  // «60x40*40 см», «60 см х 40 см»
  [new RegExp(`[xхXХ*](?:(?<=${size}.)(?=\\d)|(?<=${size}[ \\u00A0].)(?=[ \\u00A0]\\d))`, 'g'), '×'],
  [/[ \n](?=[,;.!?](?:\s|$))/g, ''],
  [/[ \n](?:--?|–|—)(?=[ \n])/g, '\u00A0—'],
  [/[ \n](?<=[№§].)(?=\d)/gs, '\u202F'],
  [/[ \n](?<=\d.)(?=[\p{L}%°₽]|\d{3}(?!\d))/gsu, '\u00A0'],
  // «вс — выходной», «Варшавский пр., 2»
  [/[ \n](?<=(?<!\p{L})(?:пн|вт|ср|чт|пт|сб|вс)\u00A0—.)/gisu, '\u00A0'],
  [/[ \n](?<=(?:ул|пр|пер|наб|пл|ш)\.,.)(?=\d)/gisu, '\u00A0'],
  // After short words and abbreviations, but not after units.
  [/[ \n](?<=(?:^|(?<!\d)[\s(«])(?:\p{L}{1,2}|(?:стр|рис|ул|им|пр|д|г)\.|ООО|ОАО|ЗАО|ПАО).)/gisu, '\u00A0'],
];

type Rules = typeof rules;

/** Sets a text, which may be rendered markup. Skips tags, code, addresses and what visitors wrote. Idempotent. */
export function typeset(text: string): string {
  return setTexts(piecesOf(text), rules).join('');
}

/** Also keeps ranges such as «300–399» and «сб–вс» and units such as «кг/м³» on one line. */
const pageRules: Rules = [
  ...rules,
  [/–(?:(?<=\d.)(?=\d)|(?<=(?<!\p{L})\p{L}{2}.)(?=\p{L}{2}(?!\p{L})))|\/(?<=\p{L}.)(?=\p{L}[²³])/gu, '$&\u2060'],
];

/** Also sets `alt`. @returns the different tags as well, in which others find what is on the page */
export function typesetPage(html: string): { html: string; tags: ReadonlySet<string> } {
  const pieces = piecesOf(html);
  return {
    html: setTexts(pieces, pageRules).join(''),
    tags: new Set(pieces.filter((_, index) => index % 2 === 1)),
  };
}

/** Texts and tags in turn. */
function piecesOf(html: string): string[] {
  return html.split(/(<\/?[a-z][^<>]*>)/i);
}

/** A quotation may contain inline tags, so this reads tags. */
function setTexts(pieces: readonly string[], rules: Rules): string[] {
  let open: Quotation[] = [];
  let verbatim = false;
  return pieces.map((piece, index) => {
    if (index % 2 === 0) return verbatim || piece === '' ? piece : setText(pieces, index, open, rules);
    if (/^<\/?(?:code|pre|textarea|bdi)\b/.test(piece)) verbatim = !piece.startsWith('</');
    if (open.length > 0 && !inline.test(piece)) open = [];
    return piece.startsWith('<img ') ? piece.replace(/(?<= alt=")[^"]*/, typeset) : piece;
  });
}

/** @param open quotations before the text, which changes them */
function setText(pieces: readonly string[], index: number, open: Quotation[], rules: Rules): string {
  const text = pieces[index] ?? '';
  // Most texts of a page are single words.
  if (!/[ \n"&.\d/–]/.test(text) || /^https?:\/\/\S+$/.test(text)) return text;
  const quoted = /"|&quot;/.test(text)
    ? withQuotes(text, open, charBeside(pieces, index, -1), charBeside(pieces, index, 1))
    : text;
  return rules.reduce((set, [from, to]) => set.replace(from, to), quoted);
}

/** A quotation within a text, with the mark that ends it. */
type Quotation = { end: '»' | '“'; straight: boolean };

const quotes = /"|&quot;|[«»„“]/g;

/**
 * Replaces straight quotes by «…», and within quotation marks by „…“. Inches and other single marks stay.
 *
 * @param open quotations before the text, which changes them
 * @param before the character before the text, and `after` the one after it
 */
function withQuotes(text: string, open: Quotation[], before: string, after: string): string {
  let last = { end: 0, mark: before };
  return text.replace(quotes, (written, at: number) => {
    const end = at + written.length;
    const previous = at === last.end ? last.mark : (text[at - 1] ?? '');
    const mark = markFor(written, open, previous, text[end] ?? after);
    last = { end, mark };
    return mark;
  });
}

function markFor(written: string, open: Quotation[], previous: string, next: string): string {
  const top = open.at(-1);
  if (written === '«' || written === '„') open.push({ end: written === '«' ? '»' : '“', straight: false });
  else if (written === '»' || written === '“') {
    if (top?.straight === false) open.pop();
  } else if (isOpening(previous, next)) {
    const inner = top?.end === '»';
    open.push({ end: inner ? '“' : '»', straight: true });
    return inner ? '„' : '«';
  } else if (top?.straight) {
    open.pop();
    return top.end;
  }
  return written;
}

function isOpening(previous: string, next: string): boolean {
  if (/[,;:]/.test(previous)) return /[\p{L}\p{N}]/u.test(next);
  return /^[\s([{«„—–/+=-]?$/.test(previous) && /[^\s)\]}»“.,:;!?…]/.test(next);
}

/** Other tags end a quotation. */
const inline = /^<\/?(?:a|b|bdi|code|em|i|s|small|span|strong|time)\b/;

/** @returns the next character of the same block, or an empty text at its edge */
function charBeside(pieces: readonly string[], index: number, step: 1 | -1): string {
  for (let at = index + step; at >= 0 && at < pieces.length; at += step) {
    const piece = pieces[at] ?? '';
    if (at % 2 === 1 && !inline.test(piece)) return '';
    if (at % 2 === 0 && piece !== '') return piece.at(step === 1 ? 0 : -1) ?? '';
  }
  return '';
}
