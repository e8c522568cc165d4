import { hash } from 'node:crypto';

/** 128 bits of SHA-256 in hexadecimal, enough to rule out collisions. */
export type Hash = string;

/** Hexadecimal. */
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
