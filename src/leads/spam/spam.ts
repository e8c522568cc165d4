import { characters } from '../../lib/tidy.ts';
import { pitch, topic, trade } from './spam-phrases.ts';

/**
 * Points. A quarantined lead is called late or never, a spam call costs a minute, so what people may do weighs little:
 * three or four such signals pass.
 */
export const points = {
  /** The hidden field is filled, which autofill hardly ever does. */
  honeypot: 4,
  /** Many forms from one address within minutes. */
  crowd: 6,
  /** The challenge's token is invalid, not merely expired or reused. */
  challenge: 2,
  /** Counts only beside another sign of a bot, because scripts may be blocked. */
  'no-challenge': 1,
  /** No Origin header, as with old WebViews and privacy tools. */
  'no-origin': 1,
  /** Not a key of this server, as after an update that changes keys. */
  'no-form': 1,
  /** Sent within seconds, as with autofill. */
  time: 1,

  /** Other than marketplaces and shared files; sellers may show their site. */
  link: 1,
  'many-links': 2,
  'link-in-name': 2,
  /** Links or scripts in HTML or BBCode. */
  markup: 3,
  /** Probes for SQL, script or template injection. */
  probe: 3,

  /** No words of the trade or of a request, as in complaints and job applications. */
  'off-topic': 3,
  /** Spam topics, which sellers may mention. */
  topic: 1,
  /** Sales offers, which suppliers also write. */
  pitch: 1,

  /** Random letters: «dJhGkPq». */
  'gibberish-name': 2,
  'gibberish-message': 2,

  /** Premium-rate and satellite numbers, which the company would pay to call. */
  'premium-phone': 4,
  /** The same long text from several other phones within an hour. */
  'same-message': 2,
  /** From many phones: with `same-message`, enough for quarantine. */
  flood: 4,
} as const;

export type SpamSignal = keyof typeof points;

/** Staff are warned. No signal of the text reaches it alone. */
export const threshold = 4;
/** Only `crowd` reaches it alone. */
export const quarantine = 6;

/** Excludes quarantined leads, which an operator has reviewed. */
export function isDoubtful(signals: readonly string[]): boolean {
  const score = scoreOf(signals);
  return score >= threshold && score < quarantine;
}

export type Words = { name: string | null; phone: string; message: string | null };

/** Within the last hour. */
export type Recent = {
  sameMessage: number;
};

export type Circumstances = {
  /** From the form: honeypot, origin, challenge. */
  signals: readonly SpamSignal[];
  /** `undefined` if the form's key does not say. */
  renderedAt: Date | undefined;
  now: Date;
  recent: Recent;
};

export type Assessment = {
  /** Unique, in the order of `points`. */
  signals: SpamSignal[];
  score: number;
  quarantined: boolean;
};

/** Signs of a bot, independent of the content. */
const machine: ReadonlySet<SpamSignal> = new Set(['honeypot', 'no-origin', 'no-form', 'time', 'markup', 'probe']);

/** Pure, never throws, takes linear time. */
export function assess(words: Words, circumstances: Circumstances): Assessment {
  const here = signalsIn(words, circumstances);
  const all = Object.keys(points) as SpamSignal[];
  const found = new Set(all.filter((signal) => circumstances.signals.includes(signal) || here[signal]));
  // Alone it means only that scripts are blocked.
  if (found.isDisjointFrom(machine)) found.delete('no-challenge');
  const signals = [...found];
  const score = scoreOf(signals);
  return { signals, score, quarantined: score >= quarantine };
}

/** Ignores unknown names, which older leads may have. */
export function scoreOf(signals: readonly string[]): number {
  return [...new Set(signals)].reduce(
    (sum, signal) => sum + (Object.hasOwn(points, signal) ? points[signal as SpamSignal] : 0),
    0,
  );
}

/** Milliseconds. */
const quickest = 3_000;
/** Characters; longer texts are not the same by chance. */
const ownWords = 40;
/** 809 in Russia, 900 in North America, and by ITU-T E.164, annex D: 979, and 88 for satellites and global networks. */
const premium = /^\+(?:7809|1900|979|88)/;

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

/** Counts distinct links, except to sellers' hosts. */
function linksIn(text: string): number {
  return new Set(wordsOf(text).filter((word) => isLink(word) && !isOfSellers(word))).size;
}

/** Strips punctuation and attribute names. */
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

/** Shorter messages are not judged. */
const fewLetters = 15;

function isOffTopic(message: string): boolean {
  const words = wordsOf(plain(message)).filter((word) => !address.test(word));
  const prose = words.filter((word) => !isLink(word)).join(' ');
  const shows = words.some((word) => isLink(word) && isOfSellers(word));
  return count(prose, /\p{L}/gu) >= fewLetters && !shows && !trade().test(prose);
}

function plain(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е').replace(/\s+/g, ' ');
}

/** Only unpronounceable Latin words. */
function isGibberish(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length > 0 && words.every((word) => /^[A-Za-z]{5,}$/.test(word) && isRandom(word));
}

/** Many inner capitals or hardly a vowel, unlike «LaModa», «Mkrtchyan» and «WBXKLM». */
function isRandom(word: string): boolean {
  if (word === word.toUpperCase()) return false;
  const humps = count(word, /[a-z][A-Z]/g);
  const vowels = count(word, /[aeiouy]/gi);
  return humps * 4 >= word.length || vowels * 8 < word.length;
}

function count(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0;
}
