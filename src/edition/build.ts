import { join } from 'node:path';
import type { View } from '../pages/page.ts';
import { readAssets } from '../site/assets.ts';
import type { Content } from '../site/content.ts';
import type { Integrations } from '../site/integrations.ts';
import { type LoadedContent, loadContent } from '../site/load.ts';
import { readPictures } from '../site/pictures.ts';
import { ContentError } from '../site/source.ts';
import { type Code, inputsOf } from './inputs.ts';
import { type Draft, type OpenPage, openPages, prerender } from './prerender.ts';
import { sharePictures } from './share-picture.tsx';
import { writeEdition } from './write.ts';

/** Stands for the site while addresses are taken apart. */
const placeholder = 'http://site.invalid';

export type Workshop = {
  code: Code;
  contentDir: string;
  publicDir: string;
  siteUrl: string;
  integrations: Integrations;
};

/**
 * Reads the content and renders all of it, in memory; pictures are examined, and not yet made.
 *
 * @throws {ContentError} with every problem in the content, links to nowhere among them
 */
export async function draftEdition(workshop: Workshop): Promise<{ draft: Draft; content: Content }> {
  const { code, contentDir, publicDir, siteUrl, integrations } = workshop;
  const assets = readAssets(publicDir);
  const loaded = loadContent(contentDir, assets, { integrations, pictures: await readPictures(contentDir) });
  const { content, pictures } = loaded;
  const pages = openPages(content);
  const share = await sharePictures(canonicalViews(pages), content.company, assets);
  const { styles, scripts } = code;
  const draft = prerender({ content, pages, pictures, share, siteUrl, styles, scripts, assets });
  checkAddresses(loaded, draft);
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
  const { draft, content } = await draftEdition(workshop);
  return writeEdition(draft, content, { editionsDir, cacheDir: join(editionsDir, 'cache'), inputs });
}

/** An article has two addresses, and one of them is canonical. */
function canonicalViews(pages: readonly OpenPage[]): View[] {
  return pages.flatMap(({ path, view }) => (view.head.path === path ? [view] : []));
}

/** @throws {ContentError} with every wrong picture, every link to nowhere, and every moved address that a page still has */
function checkAddresses({ content, links, moved, problems: known }: LoadedContent, draft: Draft): void {
  const published = new Map(draft.resources.map(({ path, body }) => [path, body]));

  function leadsSomewhere(href: string): boolean {
    if (/^([a-z][a-z\d+.-]*:|#)/i.test(href)) return true;
    const url = href.startsWith('/') ? URL.parse(href, placeholder) : null;
    if (url?.origin !== placeholder) return false;
    if (url.pathname === '/broadcast') return true;
    if (url.pathname === '/contact') {
      const preset = url.searchParams.get('preset');
      return preset === null || content.presets.some(({ slug }) => slug === preset);
    }
    return published.get(url.pathname)?.includes(url.hash && ` id="${decodeURIComponent(url.hash.slice(1))}"`) ?? false;
  }

  const problems = [
    ...links
      .filter(({ href }) => !leadsSomewhere(href))
      .map((link) => ({ ...link, expected: 'an address that this site has' })),
    ...moved
      .filter(({ href }) => published.has(href))
      .map((link) => ({ ...link, expected: 'an address that no page has' })),
  ];
  const wrong = problems.map(({ file, line, href, expected }) => ({
    file,
    line,
    field: 'link',
    expected,
    found: href,
  }));
  if (known.length + wrong.length > 0) throw new ContentError([...known, ...wrong]);
}
