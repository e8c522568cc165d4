import { readFileSync } from 'node:fs';
import type { Assets } from '../loading/assets.ts';
import type { Integrations } from '../model/integrations.ts';
import type { Retention } from '../model/retention-periods.ts';
import type { Styles } from './document.tsx';

/** `dist/code.json` */
export type Code = {
  id: string;
  styles: Styles;
  /** Starts with the entry. */
  scripts: readonly { path: string; text: string }[];
};

export type BuildInputs = {
  code: Code;
  assets: Assets;
  /** Absolute, without a trailing slash. */
  siteUrl: string;
  integrations: Integrations;
  /** Texts name its periods. */
  retention: Retention;
};

export function entryScript(scripts: Code['scripts']): string {
  const [entry] = scripts;
  if (entry === undefined) throw new Error('No script was compiled; run the build again.');
  return entry.path;
}

export function readCode(file: string): Code {
  return JSON.parse(readFileSync(file, 'utf8')) as Code;
}
