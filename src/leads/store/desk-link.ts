import { createHash, randomBytes } from 'node:crypto';
import { tidyLine } from '../../lib/tidy.ts';

/** For how many days a link to the desk works, unless told otherwise, and at most. */
export const deskLinkDays = { usual: 7, most: 92 };

/** What a link to the desk is known by: 256 random bits, which nobody guesses, so that a hash without salt hides them. */
export function newDeskSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is kept of it: whoever reads the database, or a copy of it, has no link. */
export function deskHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * The name by which a link is called and its owner is shown: up to 40 letters, digits, blanks and `. ' -`.
 *
 * @returns `undefined` if it is none
 */
export function readDeskName(text: string): string | undefined {
  const name = tidyLine(text.slice(0, 200));
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,39}$/u.test(name) ? name : undefined;
}
