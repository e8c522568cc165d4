import { readFileSync } from 'node:fs';
import type { Styles } from '../document/document.tsx';
import type { Integrations } from '../model/integrations.ts';
import type { Assets } from '../reading/assets.ts';

/** What compiling leaves in `dist/code.json`. */
export type Code = {
  /** Hash of all that was compiled. */
  id: string;
  styles: Styles;
  /** What runs in a browser, by its address; the first one is what pages load. */
  scripts: readonly { path: string; text: string }[];
};

/** What a site is made of besides content and time. */
export type BuildInputs = {
  code: Code;
  /** Files of `public/`. */
  assets: Assets;
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
