import { join } from 'node:path';
import type { View } from '../pages/page.ts';
import { readAssets } from '../site/assets.ts';
import type { Content, Redirect } from '../site/content.ts';
import type { Integrations } from '../site/integrations.ts';
import { byPlace, type Finding, lintContent } from '../site/lint.ts';
import { type LoadedContent, loadContent } from '../site/load.ts';
import { readPictures } from '../site/pictures.ts';
import { ContentError } from '../site/source.ts';
import { type Code, inputsOf } from './inputs.ts';
import { type Draft, type OpenPage, openPages, prerender } from './prerender.ts';
import { type SharePictures, sharePictures } from './share-picture.tsx';
import { writeEdition } from './write.ts';

/** Stands for the site while addresses are taken apart. */
const placeholder = 'http://site.invalid';

export type Workshop = {
  code: Code;
  contentDir: string;
  publicDir: string;
  siteUrl: string;
  integrations: Integrations;
  /** Whether posts are shown, and marked, that visitors do not see yet. */
  preview?: boolean;
  /** The moment that the edition is made for; now, unless told otherwise. */
  at?: Date;
};

/** An edition in memory, what it was rendered from, and when the same files make another one, if ever. */
export type Drafted = { draft: Draft; content: Content; until: Date | undefined };

/**
 * Reads the content and renders all of it, in memory; pictures are examined, and not yet made. Posts that visitors
 * do not see yet are rendered as well and thrown away, so that what is wrong with them is known while somebody is
 * there to mend it.
 *
 * @throws {ContentError} with every problem in the content, links to nowhere among them
 */
export async function draftEdition(workshop: Workshop): Promise<Drafted> {
  const { drafted, findings } = await inspectContent(workshop);
  const errors = findings.flatMap(({ severity, ...problem }) => (severity === 'error' ? [problem] : []));
  if (drafted === undefined || errors.length > 0) throw new ContentError(errors);
  return drafted;
}

/**
 * Looks for all that is wrong with the content.
 *
 * @returns findings by file and line, and what came of the content if it can be rendered at all
 */
export async function inspectContent(
  workshop: Workshop,
): Promise<{ drafted: Drafted | undefined; findings: Finding[] }> {
  const findings = lintContent(workshop.contentDir, workshop.at ?? new Date());
  try {
    return { drafted: await render(workshop), findings };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const errors = error.problems.map((problem) => ({ ...problem, severity: 'error' as const }));
    return { drafted: undefined, findings: [...errors, ...findings].sort(byPlace) };
  }
}

/** @throws {ContentError} */
async function render(workshop: Workshop): Promise<Drafted> {
  const { code, contentDir, publicDir, siteUrl, integrations, at = new Date(), preview = false } = workshop;
  const { styles, scripts } = code;
  const assets = readAssets(publicDir);
  const files = await readPictures(contentDir);

  async function rendered(preview: boolean, knownShare?: SharePictures) {
    const loaded = loadContent(contentDir, assets, { integrations, pictures: files, at, preview });
    const { content, pictures } = loaded;
    const pages = openPages(content);
    const share = knownShare ?? sharePictures(canonicalViews(pages), content.company, assets);
    const draft = prerender({ content, pages, pictures, share, siteUrl, styles, scripts, assets });
    checkAddresses(loaded, draft);
    return { ...loaded, draft, share };
  }

  const { draft, content, until, unpublished, share } = await rendered(preview);
  // What is thrown away needs no share pictures of its own.
  if (unpublished && !preview) await rendered(true, share);
  return { draft, content, until };
}

/**
 * Makes an edition and puts it on disk as the current one of `editionsDir`.
 *
 * @returns the folder of the edition
 * @throws {ContentError} as `draftEdition` does; the current edition stays
 */
export async function buildEdition(workshop: Workshop, editionsDir: string): Promise<string> {
  const inputs = inputsOf(workshop);
  const { draft, content, until } = await draftEdition(workshop);
  return writeEdition(draft, content, { editionsDir, cacheDir: join(editionsDir, 'cache'), inputs, until });
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
      .map((link) => ({ ...link, expected: expectedOf(link.href, content.redirects) })),
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

/** What should stand in the place of a link to nowhere; of an address that was moved, it is known where it has gone. */
function expectedOf(href: string, redirects: readonly Redirect[]): string {
  const moves = new Map(redirects.map(({ from, to }) => [from, to]));
  const passed = new Set<string>();
  let path = href.replace(/[?#].*$/, '');
  for (let to = moves.get(path); to !== undefined && !passed.has(path); to = moves.get(path)) {
    passed.add(path);
    path = to;
  }
  if (passed.size === 0) return 'an address that this site has';
  if (passed.has(path)) return 'an address that this site has; redirects lead from this one in a circle';
  return `${path}, where redirects lead from this one`;
}
