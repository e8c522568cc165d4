import { cut, tidyLine } from '../../lib/tidy.ts';
import type { Notification } from './channel.ts';
import { readablePhone } from './wording.ts';

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
