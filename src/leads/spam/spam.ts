import { characters } from '../../lib/tidy.ts';
import { pitch, topic, trade } from './spam-phrases.ts';

/**
 * What speaks against a request, and how much. A lead in quarantine is called late or never, while a call to a
 * spammer costs a minute, so what a person may do weighs little: three or four such things let a lead pass.
 */
export const points = {
  /** The field that people never see is filled. Of people's programs hardly one does that. */
  honeypot: 4,
  /** Many forms from its address within minutes. They are called once an operator has looked at them. */
  crowd: 6,
  /** The challenge's token is false. A form that lay open, or was sent twice, has a stale one. */
  challenge: 2,
  /** No token of the challenge at all, beside another sign of a machine; scripts may be blocked, too. */
  'no-challenge': 1,
  /** The browser does not say where the form came from. So do old WebViews and tools for privacy. */
  'no-origin': 1,
  /** Its key is none that this server makes: no form was asked for. An update that changes keys makes such ones. */
  'no-form': 1,
  /** Sent within seconds of its rendering. Autofill is quick, too. */
  time: 1,

  /** A link to elsewhere than marketplaces and shared files. A seller may well show a site of their own. */
  link: 1,
  /** Four or more such links. */
  'many-links': 2,
  /** The name is, or has, a link. */
  'link-in-name': 2,
  /** Links or scripts in HTML or BBCode, which people type into a plain field only to show code. */
  markup: 3,
  /** What scanners type to see whether it is run as SQL, as a script or as a template. */
  probe: 3,

  /** Some words, and none of them of the trade, nor any that asks for something. People complain so, or seek work. */
  'off-topic': 3,
  /** What spam to Russian sites sells. Sellers have games, loans and search phrases of their own. */
  topic: 1,
  /** Phrases of offers. Suppliers and carriers write so, too. */
  pitch: 1,

  /** A name of letters without sense: «dJhGkPq». */
  'gibberish-name': 2,
  /** A message of such words. */
  'gibberish-message': 2,

  /** The company would pay for calling back: numbers with a fee, and of satellites. */
  'premium-phone': 4,
  /** The same long text from several other phones in an hour. */
  'same-message': 2,
  /** The same long text from many: with the former, enough for the quarantine. */
  flood: 4,
} as const;

export type SpamSignal = keyof typeof points;

/** Points from which on a lead looks like spam: those who call are told so. No one signal in the words reaches it. */
export const threshold = 4;
/** Points from which on a lead waits in quarantine. No one signal but the crowd reaches it. */
export const quarantine = 6;

/** Whether those who call should look twice. With more points, an operator has looked already, and let the lead out. */
export function isDoubtful(signals: readonly string[]): boolean {
  const score = scoreOf(signals);
  return score >= threshold && score < quarantine;
}

/** What is looked at in a request. */
export type Words = { name: string | null; phone: string; message: string | null };

/** What came in within the last hour, before this request. */
export type Recent = {
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
const machine: ReadonlySet<SpamSignal> = new Set(['honeypot', 'no-origin', 'no-form', 'time', 'markup', 'probe']);

/** Weighs what speaks against a request. Pure; never throws; takes time in proportion to the length of the words. */
export function assess(words: Words, circumstances: Circumstances): Assessment {
  const here = signalsIn(words, circumstances);
  const all = Object.keys(points) as SpamSignal[];
  const found = new Set(all.filter((signal) => circumstances.signals.includes(signal) || here[signal]));
  // By itself, that scripts are blocked says nothing.
  if (found.isDisjointFrom(machine)) found.delete('no-challenge');
  const signals = [...found];
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
/** Characters from which on people do not write the same by chance. */
const ownWords = 40;
/**
 * The codes for which callers are charged: 809 of Russia's plan, 900 of North America's, and of the world's own (ITU-T
 * E.164, annex D) 979 and what begins with 88, satellites and networks without a country.
 */
const premium = /^\+(?:7809|1900|979|88)/;

/** Which signals the words and their time give; those of `Circumstances` come from elsewhere. */
function signalsIn(words: Words, { renderedAt, now, recent }: Circumstances): Partial<Record<SpamSignal, boolean>> {
  const { name, message } = { name: words.name ?? '', message: words.message ?? '' };
  const both = `${name}\n${message}`;
  const links = linksIn(message);
  const repeated = characters(message) >= ownWords ? recent.sameMessage : 0;
  return {
    'no-form': renderedAt === undefined,
    time: renderedAt !== undefined && now.getTime() - renderedAt.getTime() < quickest,
    link: links > 0,
    'many-links': links > 3,
    'link-in-name': linksIn(name) > 0,
    markup: markup.test(both),
    probe: probe.test(both),
    'off-topic': isOffTopic(message),
    topic: topic().test(plain(both)),
    pitch: pitch().test(plain(both)),
    'gibberish-name': isGibberish(name),
    'gibberish-message': isGibberish(message),
    'premium-phone': premium.test(words.phone),
    'same-message': repeated >= 2,
    flood: repeated >= 5,
  };
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

/** How many different links, not counting those to what sellers show. */
function linksIn(text: string): number {
  return new Set(wordsOf(text).filter((word) => isLink(word) && !isOfSellers(word))).size;
}

/** What stands between blanks, brackets and quotes, without what ends a sentence or names an attribute. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s<>"'«»()[\]{},;|]+/u);
  return words.map((word) => word.replace(/^(?:href|src|url|link)=/i, '').replace(/(?<![.:!?…])[.:!?…]+$/u, ''));
}

function isLink(word: string): boolean {
  return !address.test(word) && (explicitLink.test(word) || bareDomain.test(word));
}

function isOfSellers(link: string): boolean {
  return sellersHost.test(URL.parse(/^https?:/i.test(link) ? link : `http://${link}`)?.hostname ?? '');
}

/** Letters from which on a message is about something. */
const fewLetters = 15;

function isOffTopic(message: string): boolean {
  const words = wordsOf(plain(message)).filter((word) => !address.test(word));
  const prose = words.filter((word) => !isLink(word)).join(' ');
  const shows = words.some((word) => isLink(word) && isOfSellers(word));
  return count(prose, /\p{L}/gu) >= fewLetters && !shows && !trade().test(prose);
}

/** A text as the phrases are written. */
function plain(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е').replace(/\s+/g, ' ');
}

/** Whether a text is nothing but Latin words that cannot be pronounced or that no person spells so. */
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

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
