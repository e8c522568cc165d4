import { readFileSync } from 'node:fs';
import type { Styles } from '../document/document.tsx';
import { type Hash, keyOf } from '../lib/hash.ts';
import type { Integrations } from '../model/integrations.ts';

/** What compiling leaves in `dist/code.json`. */
export type Code = {
  /** Hash of all that was compiled: what other code has made is stale. */
  id: string;
  styles: Styles;
  /** What runs in a browser, by its address; the first one is what pages load. */
  scripts: readonly { path: string; text: string }[];
};

/** By what code, and for which site, editions are made. */
export type Workshop = {
  code: Code;
  publicDir: string;
  /** Absolute address of the site, without a trailing slash. */
  siteUrl: string;
  integrations: Integrations;
};

/** Address of the module that every page loads. */
export function entryScript(scripts: Code['scripts']): string {
  const [entry] = scripts;
  if (entry === undefined) throw new Error('No script was compiled; run the build again.');
  return entry.path;
}

/** @param file `dist/code.json` */
export function readCode(file: string): Code {
  return JSON.parse(readFileSync(file, 'utf8')) as Code;
}

/** Names all that an edition depends on besides the content and the time. */
export function variantOf({ code, siteUrl, integrations }: Workshop): Hash {
  const { metrikaId, mapsApiKey, turnstileSiteKey, videoHosts } = integrations;
  return keyOf(code.id, siteUrl, metrikaId, mapsApiKey, turnstileSiteKey, videoHosts);
}
