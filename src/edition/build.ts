import { join } from 'node:path';
import { readAssets } from '../site/assets.ts';
import type { Content } from '../site/content.ts';
import { type ContentLink, loadContent } from '../site/load.ts';
import { ContentError } from '../site/source.ts';
import { type Code, inputsOf } from './inputs.ts';
import { type Draft, prerender } from './prerender.ts';
import { writeEdition } from './write.ts';

export type Workshop = {
  code: Code;
  contentDir: string;
  publicDir: string;
  siteUrl: string;
};

/**
 * Reads the content and renders all of it, in memory.
 *
 * @throws {ContentError} with every problem in the content, links to nowhere among them
 */
export function draftEdition({ code, contentDir, publicDir, siteUrl }: Workshop): { draft: Draft; content: Content } {
  const assets = readAssets(publicDir);
  const { content, links } = loadContent(contentDir, assets);
  const draft = prerender({ content, siteUrl, styles: code.styles, assets });
  checkLinks(links, draft);
  return { draft, content };
}

/**
 * Makes an edition and puts it on disk as the current one of `editionsDir`.
 *
 * @returns the folder of the edition
 * @throws {ContentError} as `draftEdition` does; the current edition stays
 */
export async function buildEdition(workshop: Workshop, editionsDir: string): Promise<string> {
  const inputs = inputsOf(workshop);
  const { draft, content } = draftEdition(workshop);
  return writeEdition(draft, content, { editionsDir, cacheDir: join(editionsDir, 'cache'), inputs });
}

function checkLinks(links: readonly ContentLink[], draft: Draft): void {
  const known = new Set([...draft.resources.map(({ path }) => path), '/contact']);
  const broken = links.filter(({ href }) => href.startsWith('/') && !known.has(href.replace(/[?#].*$/, '')));
  if (broken.length === 0) return;
  throw new ContentError(
    broken.map(({ file, line, href }) => ({
      file,
      line,
      field: 'link',
      expected: 'the address of a page of this site',
      found: href,
    })),
  );
}
