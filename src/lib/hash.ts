import { hash } from 'node:crypto';

/** 128 bits of a SHA-256 in hexadecimal; accidental collisions are ruled out. */
export type Hash = string;

/** In hexadecimal. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

export function hashOf(data: string | Uint8Array): Hash {
  return sha256(data).slice(0, 32);
}

/** The parts must be plain data. */
export function keyOf(...parts: readonly unknown[]): Hash {
  return hashOf(JSON.stringify(parts));
}
