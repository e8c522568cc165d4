import { randomBytes } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';
import type { Query, Sql } from '../../lib/sql.ts';
import { tidyLine } from '../../lib/tidy.ts';

/** What lets somebody work with leads without an account: a lead in a message, or the whole desk. */
export type Link = {
  /** Number of the lead; `null`: the desk. */
  lead: number | null;
  /** The channel that was told of the lead, or the person whose link to the desk it is. */
  name: string;
  /** Until when it works; ISO 8601, UTC. */
  until: string;
};

/** The database holds a hash of each token, so whoever reads it has no link. */
export type Links = {
  /** @returns the token of a new link */
  add(link: Link): Promise<string>;
  /** `undefined`: there is no such link, or it has ended. */
  find(token: string): Promise<Link | undefined>;
  /** Ends the links of a person to the desk. @returns how many there were */
  revoke(name: string): Promise<number>;
  /** Ends all links, those in messages too. */
  revokeAll(): Promise<void>;
};

export function linksIn({ query }: Sql): Links {
  return {
    add: (link) => addLink(query, link),
    async find(token) {
      const [link] = await query<Link>(
        'SELECT lead, name, ends_at AS until FROM link WHERE hash = $1 AND ends_at > $2',
        [sha256(token), new Date().toISOString()],
      );
      return link;
    },
    async revoke(name) {
      const ended = await query('DELETE FROM link WHERE lead IS NULL AND name = $1 RETURNING hash', [name]);
      return ended.length;
    },
    async revokeAll() {
      await query('DELETE FROM link');
    },
  };
}

/** @returns its token: 256 random bits, so a hash without salt hides it */
export async function addLink(query: Query, { lead, name, until }: Link): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const values = [sha256(token), lead, name, until];
  await query('INSERT INTO link (hash, lead, name, ends_at) VALUES ($1, $2, $3, $4)', values);
  return token;
}

export async function dropLink(query: Query, token: string): Promise<void> {
  await query('DELETE FROM link WHERE hash = $1', [sha256(token)]);
}

/** For how many days a link to the desk works, unless told otherwise, and at most. */
export const deskLinkDays = { usual: 7, most: 92 };

/**
 * Reads the name of a person who gets a link to the desk: up to 40 letters, digits, blanks and `. ' -`.
 *
 * @returns `undefined` if it is none
 */
export function readDeskName(text: string): string | undefined {
  const name = tidyLine(text.slice(0, 200));
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,39}$/u.test(name) ? name : undefined;
}
