import { readFileSync } from 'node:fs';
import { extname, sep } from 'node:path';
import { filesBelow } from '../lib/files.ts';
import { hashOf } from '../lib/hash.ts';

type Asset = {
  href: string;
  bytes: Buffer;
  immutable: boolean;
  /** An editor's file, which no page inlines. */
  own?: true;
};

/** Keyed by the path editors write, such as `/images/presets/bonus.svg`. */
export type Assets = ReadonlyMap<string, Asset>;

/** Hashed names are cached forever; files at the root keep names others rely on (`/favicon.ico`). */
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
