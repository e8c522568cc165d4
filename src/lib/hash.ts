import { hash } from 'node:crypto';

/** 128 bits of a SHA-256 in hexadecimal; accidental collisions are ruled out. */
export type Hash = string;

export function hashOf(data: string | Uint8Array): Hash {
  return hash('sha256', data, 'hex').slice(0, 32);
}

/** The parts must be plain data. */
export function keyOf(...parts: readonly unknown[]): Hash {
  return hashOf(JSON.stringify(parts));
}
