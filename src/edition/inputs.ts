import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Styles } from '../document/document.tsx';
import { filesBelow } from '../files.ts';
import type { Integrations } from '../site/integrations.ts';

/** What compiling leaves in `dist/code.json`. */
export type Code = {
  /** Hash of all that was compiled: an edition made by other code is stale. */
  id: string;
  styles: Styles;
  /** What runs in a browser, by its address; the first one is what pages load. */
  scripts: readonly { path: string; text: string }[];
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

/** Hash of every file in a folder, by name and bytes. */
export function hashFolder(dir: string): string {
  const hash = createHash('sha256');
  for (const name of filesBelow(dir))
    hash
      .update(`${name.slice(dir.length)}\0`)
      .update(readFileSync(name))
      .update('\0');
  return hash.digest('hex');
}

/** Names what an edition is made from; two editions with the same inputs and of the same time are the same. */
export function inputsOf(options: {
  code: Code;
  contentDir: string;
  siteUrl: string;
  integrations: Integrations;
  preview?: boolean;
}): string {
  const { code, contentDir, siteUrl, integrations, preview = false } = options;
  const { metrikaId, mapsApiKey, turnstileSiteKey } = integrations;
  return createHash('sha256')
    .update(
      JSON.stringify([code.id, hashFolder(contentDir), siteUrl, metrikaId, mapsApiKey, turnstileSiteKey, preview]),
    )
    .digest('hex');
}
