import { hash } from 'node:crypto';

/** The first 128 bits of a SHA-256, as 32 hexadecimal digits: no two things of one site share them by accident. */
export type Hash = string;

export function hashOf(data: string | Uint8Array): Hash {
  return hash('sha256', data, 'hex').slice(0, 32);
}

/** Names what a pure step is made of: the same parts, which must be plain data, give the same key. */
export function keyOf(...parts: readonly unknown[]): Hash {
  return hashOf(JSON.stringify(parts));
}
