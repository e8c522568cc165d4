import { pitch, topics } from './spam-phrases.ts';
import { characters } from './tidy.ts';

/**
 * What speaks against a request, and how much. A lead in quarantine is called late or never, while a call to a
 * spammer costs a minute, so whatever a person may do weighs little: one such thing, or two, let a lead pass.
 */
export const points = {
  /** The field that people never see is filled. Of people's programs hardly one does that. */
  honeypot: 4,
  /** Many forms from its address within minutes. They are called once an operator has looked at them. */
  crowd: 5,
  /** The challenge's token is false. A form that lay open, or was sent twice, has a stale one. */
  challenge: 2,
  /** No token of the challenge at all, where other things speak of a machine; scripts may be blocked, too. */
  'no-challenge': 1,
  /** The browser does not say where the form came from. So do old WebViews and tools for privacy. */
  'no-origin': 1,
  /** Its key is none that this server makes: nobody asked for the form. An update that changes keys makes such ones. */
  'no-form': 2,
  /** Sent within seconds of its rendering. Autofill is quick, too. */
  time: 1,

  /** A link to elsewhere than marketplaces and shared files. A seller may well show a site of their own. */
  link: 1,
  /** Two or more such links and e-mail addresses. Signatures have a site and an address. */
  links: 1,
  /** Four or more such links. */
  'many-links': 1,
  /** The name is, or has, a link. */
  'link-in-name': 2,
  /** Links or scripts in HTML or BBCode, which nobody types into a plain field but to show code. */
  markup: 3,
  /** What scanners type to see whether it is run as SQL, as a script or as a template. */
  probe: 3,

  /** What spam to Russian sites sells. Sellers have games, loans and search phrases of their own. */
  topic: 2,
  /** Two or more kinds of it at once. */
  topics: 1,
  /** Phrases that turn to the owner of a site. Suppliers and carriers write so, too. */
  pitch: 1,

  /** A message without one Cyrillic letter. Factories abroad write so. */
  'no-cyrillic': 1,
  /** A long text that is mostly neither in Cyrillic nor in Latin letters. So is one from Yiwu or Yerevan. */
  'foreign-script': 1,
  /** Three or more words in which Latin letters pose as Cyrillic ones. */
  lookalikes: 2,
  /** A name of letters without sense: «dJhGkPq». */
  'gibberish-name': 2,
  /** A message of such words. */
  'gibberish-message': 2,

  /** A number of one digit, or eleven digits from 8 that are no Russian number: machines make both up. */
  phone: 1,
  /** Whoever calls it back pays: numbers with a fee, and of satellites. */
  'premium-phone': 2,
  /** Many requests from this phone in an hour. Warehouses send several. */
  'same-phone': 1,
  /** The same long text from several other phones in an hour. */
  'same-message': 2,
  /** The same long text from many. */
  flood: 3,
} as const;

export type SpamSignal = keyof typeof points;

/** Points from which on a lead looks like spam: those who call are told so. No one signal but the trap reaches it. */
export const threshold = 4;
/** Points from which on nobody is told, and a lead waits for an operator. No one signal but the crowd reaches it. */
export const quarantine = 5;

/** Whether those who call should look twice; what waits for an operator is told to nobody, or was let out by one. */
export function isDoubtful(signals: readonly string[]): boolean {
  const score = scoreOf(signals);
  return score >= threshold && score < quarantine;
}

/** What is looked at in a request. */
export type Words = { name: string | null; phone: string; message: string | null };

/** What came in within the last hour, before this request. */
export type Recent = {
  /** Leads from the same phone. */
  samePhone: number;
  /** Other phones from which the same message came. */
  sameMessage: number;
};

export type Circumstances = {
  /** What was found elsewhere: the trap, the origin, the challenge. */
  signals: readonly SpamSignal[];
  /** When the form was rendered; `undefined` if the key that came with it does not tell. */
  renderedAt: Date | undefined;
  now: Date;
  recent: Recent;
};

export type Assessment = {
  /** Each at most once, in the order of the table. */
  signals: SpamSignal[];
  score: number;
  quarantined: boolean;
};

/** What speaks of a machine rather than of what it wants. */
const machine: ReadonlySet<SpamSignal> = new Set([
  'honeypot',
  'no-origin',
  'no-form',
  'time',
  'gibberish-name',
  'markup',
  'probe',
]);

/** Weighs what speaks against a request. Pure; never throws; takes time in proportion to the length of the words. */
export function assess(words: Words, circumstances: Circumstances): Assessment {
  const found = new Set<SpamSignal>([
    ...circumstances.signals,
    ...timeSignals(circumstances),
    ...linkSignals(words),
    ...topicSignals(words),
    ...scriptSignals(words),
    ...phoneSignals(words),
    ...repetitionSignals(words, circumstances.recent),
  ]);
  // By itself, that scripts are blocked says nothing.
  if (![...found].some((signal) => machine.has(signal))) found.delete('no-challenge');
  const signals = (Object.keys(points) as SpamSignal[]).filter((signal) => found.has(signal));
  const score = scoreOf(signals);
  return { signals, score, quarantined: score >= quarantine };
}

/** The sum of the points of different signals; names that the table does not have, of older leads, count nothing. */
export function scoreOf(signals: readonly string[]): number {
  return [...new Set(signals)].reduce(
    (sum, signal) => sum + (Object.hasOwn(points, signal) ? points[signal as SpamSignal] : 0),
    0,
  );
}

/** Milliseconds that it takes to fill in a form and press, at the least. */
const quickest = 3_000;

function timeSignals({ renderedAt, now }: Circumstances): SpamSignal[] {
  if (renderedAt === undefined) return ['no-form'];
  return now.getTime() - renderedAt.getTime() < quickest ? ['time'] : [];
}

/** Hosts of what sellers show: goods, shops, files, the programs that they are connected to. */
const sellersHost = new RegExp(
  `(?:^|\\.)(?:${[
    '(?:wildberries|wb|ozon|aliexpress)\\.(?:ru|by|kz|am|kg|uz|ge|com)',
    'market\\.yandex\\.ru|megamarket\\.ru|lamoda\\.ru|detmir\\.ru|avito\\.ru|kaspi\\.kz',
    '1688\\.com|alibaba\\.com|taobao\\.com|tmall\\.com',
    'disk\\.yandex\\.ru|yadi\\.sk|(?:docs|drive)\\.google\\.com|cloud\\.mail\\.ru',
    'moysklad\\.ru|1c\\.ru|xn--80ajghhoc2aj1c8b\\.xn--p1ai',
  ].join('|')})$`,
);
const explicitLink = /^(?:https?:\/\/|www\.)[^/?#:]/i;
const bareDomain =
  /^(?:[\p{L}\p{N}-]{1,63}\.){1,8}(?:ru|рф|su|com|net|org|info|biz|io|me|cc|co|by|kz|ua|uk|de|cn|in|eu|us|pro|top|xyz|club|site|online|shop|store|tech|space|website|link|click|live|app|dev|moscow|москва|онлайн|сайт)(?:[:/?#]|$)/iu;
const address = /^[^@]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,}$/u;
const markup =
  /<[\s/]{0,3}(?:script|iframe|svg|object|embed)\b|<\s{0,3}a\s[^<>]{0,40}href|\[\/?(?:url|link|img)\b|\bjavascript:|\bon(?:error|load|mouseover|toggle)\s{0,3}=/i;
const probe =
  /\b(?:alert|prompt|confirm)\s{0,3}\(|document\.cookie|\$\{(?:jndi:|@)|\bunion\s+(?:all\s+)?select\b|\bwaitfor\s+delay\b|\bpg_sleep\b|\bsleep\s*\(\d|(['"])\s*(?:or|and)\s+\1?\w+\1?\s*=|\/etc\/(?:passwd|hosts)\b|\b169\.254\.169\.254\b|\{\{\s{0,3}\d+\s{0,3}\*\s*\d+|\$\{\s*\d+\s*\*|<%=|%0d%0a/i;

function linkSignals({ name, message }: Words): SpamSignal[] {
  const signals: SpamSignal[] = [];
  const named = linksIn(name ?? '');
  if (named.links > 0) signals.push('link-in-name');
  const { links, addresses } = linksIn(message ?? '');
  if (links > 0) signals.push('link');
  if (links + addresses > 1) signals.push('links');
  if (links > 3) signals.push('many-links');
  const both = `${name ?? ''}\n${message ?? ''}`;
  if (markup.test(both)) signals.push('markup');
  if (probe.test(both)) signals.push('probe');
  return signals;
}

/** How many different links, not counting those to what sellers show, and e-mail addresses. */
function linksIn(text: string): { links: number; addresses: number } {
  const links = new Set<string>();
  const addresses = new Set<string>();
  for (const word of wordsOf(text)) {
    if (address.test(word)) addresses.add(word);
    else if (isLink(word) && !sellersHost.test(hostOf(word))) links.add(word);
  }
  return { links: links.size, addresses: addresses.size };
}

/** What stands between blanks, brackets and quotes, without what ends a sentence or names an attribute. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s<>"'«»()[\]{},;|]+/u);
  return words.map((word) => word.replace(/^(?:href|src|url|link)=/i, '').replace(/(?<![.:!?…])[.:!?…]+$/u, ''));
}

function isLink(word: string): boolean {
  return explicitLink.test(word) || bareDomain.test(word);
}

function hostOf(link: string): string {
  return URL.parse(/^https?:/i.test(link) ? link : `http://${link}`)?.hostname ?? '';
}

function topicSignals({ name, message }: Words): SpamSignal[] {
  const text = `${name ?? ''}\n${message ?? ''}`.replaceAll('ё', 'е').replace(/\s+/g, ' ');
  const kinds = topics.filter((topic) => topic.test(text)).length;
  const signals: SpamSignal[] = [];
  if (kinds > 0) signals.push('topic');
  if (kinds > 1) signals.push('topics');
  if (pitch.test(text)) signals.push('pitch');
  return signals;
}

/** Letters from which on a message has a language. */
const fewLetters = 15;
const longText = 40;
/** Latin letters that look like Cyrillic ones, beside a Cyrillic one. */
const lookalike = /\p{Script=Cyrillic}[aceopxyABCEHKMOPTXY]|[aceopxyABCEHKMOPTXY]\p{Script=Cyrillic}/u;

function scriptSignals({ name, message }: Words): SpamSignal[] {
  const signals: SpamSignal[] = [];
  const text = message ?? '';
  // Addresses are Latin in every language.
  const prose = wordsOf(text)
    .filter((word) => !isLink(word) && !address.test(word))
    .join(' ');
  const letters = count(prose, /\p{L}/gu);
  const cyrillic = count(prose, /\p{Script=Cyrillic}/gu);
  const latin = count(prose, /\p{Script=Latin}/gu);
  if (letters >= fewLetters && cyrillic === 0) signals.push('no-cyrillic');
  if (letters >= longText && (cyrillic + latin) * 2 < letters) signals.push('foreign-script');
  const words = `${name ?? ''} ${text}`.split(/[^\p{L}]+/u);
  if (words.filter((word) => lookalike.test(word)).length >= 3) signals.push('lookalikes');
  if (isGibberish(name ?? '')) signals.push('gibberish-name');
  if (isGibberish(text)) signals.push('gibberish-message');
  return signals;
}

/** Whether a text is nothing but Latin words that nobody could pronounce or would spell so. */
function isGibberish(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => /^[A-Za-z]{5,}$/.test(word) && isRandom(word));
}

/** Capitals in the middle again and again, or hardly a vowel; «LaModa», «Mkrtchyan» and «WBXKLM» are neither. */
function isRandom(word: string): boolean {
  if (word === word.toUpperCase()) return false;
  const humps = count(word, /[a-z][A-Z]/g);
  const vowels = count(word, /[aeiouy]/gi);
  return humps * 4 >= word.length || vowels * 8 < word.length;
}

/**
 * The codes for which callers are charged: 809 of Russia's plan, 900 of North America's, and of the world's own (ITU-T
 * E.164, annex D) 979 and what begins with 88, satellites and networks without a country.
 */
const premium = /^\+(?:7809|1900|979|88)/;

function phoneSignals({ phone }: Words): SpamSignal[] {
  const signals: SpamSignal[] = [];
  if (/(\d)\1{6}$/.test(phone)) signals.push('phone');
  if (premium.test(phone)) signals.push('premium-phone');
  return signals;
}

/** Characters from which on people do not write the same by chance. */
const ownWords = 40;

function repetitionSignals({ message }: Words, { samePhone, sameMessage }: Recent): SpamSignal[] {
  const signals: SpamSignal[] = [];
  if (samePhone >= 8) signals.push('same-phone');
  if (characters(message ?? '') >= ownWords) {
    if (sameMessage >= 2) signals.push('same-message');
    if (sameMessage >= 5) signals.push('flood');
  }
  return signals;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
