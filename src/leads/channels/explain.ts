import { cut, tidyLine } from '../tidy.ts';
import type { Notification } from './channel.ts';
import { readablePhone } from './wording.ts';

const causes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused; check the address and whether the server runs',
  ENOTFOUND: 'its name is unknown; check the address',
  EDNS: 'its name is unknown; check the address',
  EAI_AGAIN: 'its name could not be looked up; check the network and its name server',
  EHOSTUNREACH: 'it cannot be reached; check the network',
  ENETUNREACH: 'it cannot be reached; check the network',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  UND_ERR_HEADERS_TIMEOUT: 'it did not answer in time',
  ECONNRESET: 'it closed the connection without an answer',
  ECONNECTION: 'it closed the connection without an answer',
  EPIPE: 'it closed the connection without an answer',
  UND_ERR_SOCKET: 'it closed the connection without an answer',
};

/** Why the other side could not be spoken to, from the code of a system error: words for the operator. */
export function explainCode(code: string | undefined): string {
  if (code === undefined) return 'the connection failed';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/.test(code)) return `its certificate is not trusted (${code})`;
  return causes[code] ?? `the connection failed (${code})`;
}

/**
 * What the other side said, fit for a log: one line with a colon before it. Servers quote what they refuse, so a
 * remark that repeats anything of a lead, of the link to take it, or a secret, is left out whole.
 *
 * @returns empty if nothing can be told
 */
export function remark(said: string, notifications: readonly Notification[], secrets: readonly string[]): string {
  const line = tidyLine(said);
  if (line === '' || secrets.some((secret) => secret !== '' && line.includes(secret))) return '';
  const told = notifications.map(toldIn).join(' ');
  const words = new Set(wordsOf(told));
  const repeats = wordsOf(line.toLowerCase()).some((word) =>
    // Short words say nothing alone; a long one may be a piece, because servers cut what they quote.
    word.length < 4 ? word.length > 1 && words.has(word) : told.includes(word),
  );
  return repeats ? '' : `: ${cut(line, 200)}`;
}

/** All that must not come back, in lower case. */
function toldIn({ lead, takeUrl }: Notification): string {
  const { name, phone, phoneTyped, message, attribution } = lead;
  const takePath = takeUrl.replace(/^\w+:\/\/[^/]+/, '');
  return [name, phone, readablePhone(phone), phoneTyped, message, ...Object.entries(attribution).flat(), takePath]
    .map((text) => tidyLine(text ?? ''))
    .join(' ')
    .toLowerCase();
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}
