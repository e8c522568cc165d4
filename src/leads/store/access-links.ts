import { randomBytes } from 'node:crypto';
import { sha256 } from '../../lib/hash.ts';
import { tidyLine } from '../../lib/tidy.ts';
import type { Query, Sql } from './sql.ts';

/** Grants access to one lead, or to the whole desk. */
export type Link = {
  /** A lead's number; `null` for the desk. */
  lead: number | null;
  /** The notified channel, or the person at the desk. */
  name: string;
  /** The expiry; ISO 8601, UTC. */
  until: string;
};

export type Links = ReturnType<typeof linksIn>;

/** Tokens are stored as hashes, so a copy of the database grants no access. */
export function linksIn({ query }: Sql) {
  return {
    add: (link: Link) => addLink(query, link),
    /** `undefined` if unknown or expired. */
    async find(token: string): Promise<Link | undefined> {
      if (!tokenPattern.test(token)) return undefined;
      const [link] = await query<Link>(
        'SELECT lead, name, ends_at AS until FROM link WHERE hash = $1 AND ends_at > $2',
        [sha256(token), new Date().toISOString()],
      );
      return link;
    },
    /** Revokes a person's links to the desk. @returns how many there were */
    async revoke(name: string): Promise<number> {
      return (await query('DELETE FROM link WHERE lead IS NULL AND name = $1 RETURNING hash', [name])).length;
    },
    /** Including those in messages. */
    async revokeAll(): Promise<void> {
      await query('DELETE FROM link');
    },
  };
}

/** Of 32 bytes in base64url. */
const tokenPattern = /^[\w-]{43}$/;

/** @returns the token; with 256 random bits, its hash needs no salt */
export async function addLink(query: Query, { lead, name, until }: Link): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const values = [sha256(token), lead, name, until];
  await query('INSERT INTO link (hash, lead, name, ends_at) VALUES ($1, $2, $3, $4)', values);
  return token;
}

export async function dropLink(query: Query, token: string): Promise<void> {
  await query('DELETE FROM link WHERE hash = $1', [sha256(token)]);
}

/** In days. */
export const deskLinkDays = { usual: 7, max: 92 };

/** @returns a name of up to 40 letters, digits, blanks and `. ' -`; `undefined` for other text */
export function readDeskName(text: string): string | undefined {
  const name = tidyLine(text.slice(0, 200));
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .'’-]{0,39}$/u.test(name) ? name : undefined;
}
