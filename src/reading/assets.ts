import { readFileSync } from 'node:fs';
import { extname, sep } from 'node:path';
import { filesBelow } from '../lib/files.ts';
import { hashOf } from '../lib/hash.ts';

/** A file of `public/`. */
type Asset = {
  /** Address that pages use. A file in a folder carries the hash of its bytes and never changes. */
  href: string;
  bytes: Buffer;
  immutable: boolean;
};

/** By the path that editors write, `/images/presets/bonus.svg`. */
export type Assets = ReadonlyMap<string, Asset>;

/**
 * Reads every file of `public/`. Files in folders are published under a hashed
 * name and cached for ever; files at its root have names that others rely on
 * (`/favicon.ico`) and keep them.
 */
export function readAssets(publicDir: string): Assets {
  const assets = new Map<string, Asset>();
  for (const name of filesBelow(publicDir)) {
    const bytes = readFileSync(name);
    const path = name.slice(publicDir.length).split(sep).join('/');
    const immutable = path.lastIndexOf('/') > 0;
    assets.set(path, { href: immutable ? hashed(path, bytes) : path, bytes, immutable });
  }
  return assets;
}

function hashed(path: string, bytes: Buffer): string {
  const ending = extname(path);
  const hash = hashOf(bytes).slice(0, 10);
  return `${path.slice(0, -ending.length)}.${hash}${ending}`;
}
