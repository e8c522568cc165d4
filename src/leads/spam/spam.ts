import spamWords from './spam-words.json' with { type: 'json' };

/**
 * A spam call only costs a minute, but a quarantined lead may be lost, so three or four signals that people may cause
 * pass.
 */
export const signalScores = {
  /** Autofill hardly ever fills the hidden field. */
  honeypot: 4,
  /** Many forms from one address within minutes, as from a town behind one. */
  'shared-address': 1,
  /** Invalid, not merely expired or reused. */
  challenge: 2,
  /** As with old WebViews and privacy tools. */
  'no-origin': 1,
  /** The key is not this server's, as after an update that changes keys. */
  'no-form': 1,
  /** As with autofill. */
  time: 1,

  /** Except to marketplaces and shared files; sellers may show their site. */
  link: 1,
  'many-links': 2,
  'link-in-name': 2,
  /** Links or scripts in HTML or BBCode. */
  markup: 3,
  /** Probes for SQL, script or template injection. */
  probe: 3,

  /** As in complaints and job applications. */
  'off-topic': 3,
  /** Sellers may mention spam topics. */
  topic: 1,
  /** Suppliers also write sales offers. */
  pitch: 1,

  /** Random letters: «dJhGkPq». */
  'gibberish-name': 2,
  'gibberish-message': 2,

  /** The company would pay to call premium-rate and satellite numbers. */
  'premium-phone': 4,
} as const;

export type SpamSignal = keyof typeof signalScores;

/** Staff are warned at this score. It takes at least two text signals. */
export const doubtfulScore = 4;
/** It takes at least two signals. */
export const quarantineScore = 6;

/** Excludes quarantined leads, which an operator has reviewed. */
export function isDoubtful(signals: readonly SpamSignal[]): boolean {
  const score = scoreOf(signals);
  return score >= doubtfulScore && score < quarantineScore;
}

function scoreOf(signals: readonly SpamSignal[]): number {
  return signals.reduce((sum, signal) => sum + signalScores[signal], 0);
}

export type Texts = { name: string | null; phone: string; message: string | null };

type Circumstances = {
  /** From the form. */
  signals: readonly SpamSignal[];
  /** `undefined` if the key does not say. */
  renderedAt: Date | undefined;
  now: Date;
};

type Assessment = {
  /** In the order of `signalScores`. */
  signals: SpamSignal[];
  score: number;
  quarantined: boolean;
};

/** Never throws, takes linear time. */
export function assess(texts: Texts, circumstances: Circumstances): Assessment {
  const textSignals = signalsIn(texts, circumstances);
  const all = Object.keys(signalScores) as SpamSignal[];
  const signals = all.filter((signal) => circumstances.signals.includes(signal) || textSignals[signal]);
  const score = scoreOf(signals);
  return { signals, score, quarantined: score >= quarantineScore };
}

const minFillTimeMs = 3_000;
/** Letters; shorter messages are not judged by their subject. */
const minJudgedLetters = 15;
/** 809 in Russia, 900 in North America, and by ITU-T E.164, annex D: 979, and 88 for satellites and global networks. */
const premiumPhone = /^\+(?:7809|1900|979|88)/;
const markup =
  /<[\s/]{0,3}(?:script|iframe|svg|object|embed)\b|<\s{0,3}a\s[^<>]{0,40}href|\[\/?(?:url|link|img)\b|\bjavascript:|\bon(?:error|load|mouseover|toggle)\s{0,3}=/i;
const probe =
  /\b(?:alert|prompt|confirm)\s{0,3}\(|document\.cookie|\$\{(?:jndi:|@)|\bunion\s+(?:all\s+)?select\b|\bwaitfor\s+delay\b|\bpg_sleep\b|\bsleep\s*\(\d|(['"])\s*(?:or|and)\s+\1?\w+\1?\s*=|\/etc\/(?:passwd|hosts)\b|\b169\.254\.169\.254\b|\{\{\s{0,3}\d+\s{0,3}\*\s*\d+|\$\{\s*\d+\s*\*|<%=|%0d%0a/i;

function signalsIn(texts: Texts, { renderedAt, now }: Circumstances): Partial<Record<SpamSignal, boolean>> {
  const { name, message } = { name: texts.name ?? '', message: texts.message ?? '' };
  const both = plain(`${name}\n${message}`);
  const links = linksIn(message);
  return {
    'no-form': renderedAt === undefined,
    time: renderedAt !== undefined && now.getTime() - renderedAt.getTime() < minFillTimeMs,
    link: links > 0,
    'many-links': links > 3,
    'link-in-name': linksIn(name) > 0,
    markup: markup.test(both),
    probe: probe.test(both),
    'off-topic': isOffTopic(message),
    topic: phrases.topic.test(both),
    pitch: phrases.pitch.test(both),
    'gibberish-name': isGibberish(name),
    'gibberish-message': isGibberish(message),
    'premium-phone': premiumPhone.test(texts.phone),
  };
}

/** `*` is any letters, `#` a number, the rest whole words in any case, with «е» for «ё». */
const phrases = {
  /** Without sellers' words such as «слот», «карточка» or «тендер». */
  topic: anyOf(spamWords.topic),
  pitch: anyOf(spamWords.pitch),
  /** Words of the trade and of inquiries. */
  trade: anyOf(spamWords.trade),
};

function anyOf(patterns: readonly string[]): RegExp {
  const alternatives = patterns.map((pattern) =>
    RegExp.escape(pattern).replaceAll('\\*', '\\p{L}*').replaceAll('\\x23', '\\d[\\d ]*'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'iu');
}

function plain(text: string): string {
  return text.replaceAll('ё', 'е').replaceAll('Ё', 'Е').replace(/\s+/g, ' ');
}

function isOffTopic(message: string): boolean {
  const words = wordsOf(plain(message)).filter((word) => !address.test(word));
  const prose = words.filter((word) => !isLink(word)).join(' ');
  const shows = words.some((word) => isLink(word) && isOfSellers(word));
  return count(prose, /\p{L}/gu) >= minJudgedLetters && !shows && !phrases.trade.test(prose);
}

function linksIn(text: string): number {
  return new Set(wordsOf(text).filter((word) => isLink(word) && !isOfSellers(word))).size;
}

/** Strips punctuation and attribute names. */
function wordsOf(text: string): string[] {
  const words = text.split(/[\s<>"'«»()[\]{},;|]+/u);
  return words.map((word) => word.replace(/^(?:href|src|url|link)=/i, '').replace(/(?<![.:!?…])[.:!?…]+$/u, ''));
}

const address = /^[^@]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,}$/u;
const explicitLink = /^(?:https?:\/\/|www\.)[^/?#:]/i;
const bareDomain = new RegExp(
  `^(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}(?:${spamWords.topLevelDomains.join('|')})(?:[:/?#]|$)`,
  'iu',
);

function isLink(word: string): boolean {
  return !address.test(word) && (explicitLink.test(word) || bareDomain.test(word));
}

function isOfSellers(link: string): boolean {
  const host = URL.parse(/^https?:/i.test(link) ? link : `http://${link}`)?.hostname ?? '';
  return spamWords.sellersHosts.some((known) => host === known || host.endsWith(`.${known}`));
}

/** Whether all words are unpronounceable Latin letters. */
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
