import { match } from 'path-to-regexp';
import { memoized } from '../lib/lazy.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { lintContent } from '../reading/lint.ts';
import type { LoadedContent } from '../reading/load.ts';
import { ContentError, type Problem } from '../reading/problem.ts';
import { contentReader, type Reader } from '../reading/source.ts';
import { addresses, routes } from '../routes.ts';
import { linkProblems, type Targets } from './links.ts';
import { type LoadSiteOptions, loadSite } from './load.ts';
import type { Site } from './site.ts';

/** `html` is by path. */
export type Checked = { site: Site | undefined; html: ReadonlyMap<string, string>; problems: readonly Problem[] };

export async function checkContent(files: ContentFiles, options: LoadSiteOptions): Promise<Checked> {
  const reader = contentReader(files, options.cache);
  const lint = () => lintContent(reader.lint(), options.at);
  try {
    const { site, loaded } = await loadSite(files, { ...options, reader, thorough: true });
    const html = renderPages(site);
    return { site, html, problems: [...reader.problems, ...siteProblems(site, loaded, html), ...lint()] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    const problems = [...error.problems, ...linkProblems(writtenLinks(reader), [], likelyTargets(files)), ...lint()];
    return { site: undefined, html: new Map(), problems };
  }
}

/** @throws {ContentError} if there are errors besides warnings */
export function publishable({ site, problems }: Checked): Site {
  const errors = problems.filter(({ warning }) => !warning);
  if (site === undefined || errors.length > 0) throw new ContentError(errors);
  return site;
}

/** An article with two addresses is rendered once. */
export function renderPages(site: Site): Map<string, string> {
  const html = new Map<string, string>();
  for (const path of site.paths) {
    const view = site.open(path);
    const canonical = view.head.path === path ? undefined : html.get(view.head.path);
    html.set(path, canonical ?? site.render(view).html);
  }
  return html;
}

/** Broken links, unusable pictures, root files that clash with pages. */
function siteProblems(site: Site, loaded: LoadedContent, html: Checked['html']): Problem[] {
  const anchors = memoized((path: string) => {
    return new Set([...(html.get(path) ?? '').matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  });
  const awaited = awaitedPaths(site, loaded);
  const { links, problems } = loaded.examineTexts();
  const exists = (path: string) => site.find(path) !== undefined || site.picture(path) !== undefined;
  const wrong = linkProblems(links, loaded.moved, {
    has: (path, unpublished) => exists(path) || (unpublished === true && awaited.has(path)),
    hasAnchor: (path, id) => anchors(path).has(id),
    presets: site.content.presets.map(({ slug }) => slug),
    redirects: site.content.redirects,
  });
  const taken = site.clashes.map((path) => {
    return { file: `root${path}`, line: 1, field: '', message: 'По этому адресу сайт отвечает сам. Уберите файл.' };
  });
  return [...problems, ...wrong, ...taken];
}

/** Renders unpublished posts, so that errors show before their day. */
function awaitedPaths(site: Site, { preview }: LoadedContent): ReadonlySet<string> {
  if (preview === undefined) return new Set();
  const known = new Set(site.paths);
  const awaited = addresses(preview).filter(({ path }) => !known.has(path));
  for (const { page, params } of awaited) {
    const view = page.open(preview, params, {});
    if (view) site.render(view);
  }
  return new Set(awaited.map(({ path }) => path));
}

/** Without rendered pages only anchors cannot be checked. */
function writtenLinks({ texts }: Reader) {
  return [...texts].flatMap(([file, { text, bodyLine }]) =>
    text().links.map(({ href, line }) => ({ file, href, line: () => bodyLine + line - 1 })),
  );
}

/** Guesses addresses from file names. */
function likelyTargets(files: ContentFiles): Targets {
  const paths = [...files.keys()];
  const text = (name: string) => files.get(name)?.bytes().toString() ?? '';
  const words = new Set([
    ...paths.flatMap((path) => path.replace(/\.\w+$/, '').split('/')),
    ...[...text('categories.yaml').matchAll(/\bslug:\s*["']?([\w-]+)/g)].map(([, slug = '']) => slug),
  ]);
  const matches = routes.map(({ path }) => match(path));
  const known = (word: string) => /^\d+$/.test(word) || words.has(word);
  return {
    has: (path) =>
      /\.\w+$/.test(path) ||
      matches.some((matching) => {
        const found = matching(path);
        return found && Object.values(found.params).every((word) => known(String(word)));
      }),
    hasAnchor: () => true,
    presets: undefined,
    redirects: [],
  };
}
