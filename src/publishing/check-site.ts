import { attributeOf } from '../lib/attribute-of.ts';
import { createCache } from '../lib/cache.ts';
import { decoded } from '../lib/decoded.ts';
import { lazy, memoized } from '../lib/lazy.ts';
import { checkSources } from '../loading/checks/check-content.ts';
import type { ContentFiles } from '../loading/content-files.ts';
import { loadContent } from '../loading/load-content.ts';
import { withOwnDrawings } from '../loading/own-drawings.ts';
import { ContentError, type Problem } from '../loading/problem.ts';
import { examinePictures } from '../loading/read-pictures.ts';
import { type ReadContent, readSources } from '../loading/sources.ts';
import { instant } from '../model/working-hours.ts';
import { addresses, occupiedPaths, possibleLists, sections } from '../routes.ts';
import type { Document } from '../site/document.tsx';
import { type LoadSiteOptions, loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { linkProblems } from './check-links.ts';

/** `site` is missing if pages cannot be built. */
export type Checked = { site: Site | undefined; pages: Pages; problems: readonly Problem[] };

/** By path. */
type Pages = ReadonlyMap<string, Document>;

export async function checkContent(files: ContentFiles, options: LoadSiteOptions): Promise<Checked> {
  const { inputs, at, cache = createCache() } = options;
  const read = readSources(files, sections, cache, inputs.retention);
  const pictures = await examinePictures(files, cache);
  const assets = withOwnDrawings(inputs.assets, files, pictures);
  const problems = checkSources({ ...read, assets, pictures, occupiedPaths, at });
  try {
    const { site } = loadSite(files, { ...options, cache });
    const pathsLater = memoized((later: string) => {
      const { timeZone } = site.content.company.workingHours;
      const moment = later === 'drafts' ? { at, drafts: true } : { at: new Date(instant(later, '00:00', timeZone)) };
      const { content } = loadContent(read, { assets, ...moment });
      return new Set(addresses(content).map(({ path }) => path));
    });
    const pages = renderPages(site);
    return { site, pages, problems: [...problems, ...siteProblems(read, site, pathsLater, pages, inputs.siteUrl)] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { site: undefined, pages: new Map(), problems };
  }
}

/** @throws {ContentError} if there are errors other than warnings */
export function publishable({ site, problems }: Checked): Site {
  const errors = problems.filter(({ warning }) => !warning);
  if (site === undefined || errors.length > 0) throw new ContentError(errors);
  return site;
}

export function renderPages(site: Site): Pages {
  const pages = new Map<string, Document>();
  for (const path of site.paths) {
    const view = site.open(path);
    const canonical = view.head.path === path ? undefined : pages.get(view.head.path);
    pages.set(path, canonical ?? site.render(view));
  }
  return pages;
}

/** @param pathsLater on a day, or with all `drafts` */
function siteProblems(
  read: ReadContent,
  site: Site,
  pathsLater: (later: string) => ReadonlySet<string>,
  pages: Pages,
  siteUrl: string,
): Problem[] {
  const valuesOn = (path: string, name: string) =>
    [...(pages.get(path)?.tags ?? [])].flatMap((tag) => attributeOf(tag, name) ?? []);
  const anchors = memoized((path: string) => new Set(valuesOn(path, 'id')));
  const ownLinks = lazy(() =>
    [...pages.keys()].flatMap((path) =>
      valuesOn(path, 'href').flatMap((href) =>
        href.startsWith('#') ? { path, id: decoded(href.slice(1)) ?? href.slice(1) } : [],
      ),
    ),
  );
  const possible = new Set(possibleLists(site.content));
  const files = [...site.files, ...site.pictures().map(({ path }) => path)];
  const wrong = linkProblems(read, site.content, {
    siteUrl,
    has: (path) => site.find(path) !== undefined || site.picture(path) !== undefined,
    willHave: (path, later) => pathsLater(later).has(path),
    mayHave: (path) => possible.has(path),
    hasAnchor: (path, id) => anchors(path).has(id),
    hasOwnAnchor: (wanted) => ownLinks().every(({ path, id }) => id !== wanted || anchors(path).has(id)),
    hasFilesIn: (folder) => files.some((path) => path.startsWith(`${folder}/`)),
  });
  const clashes = site.clashes.map((path) => {
    return { file: `root${path}`, line: 1, field: '', message: 'По этому адресу сайт отвечает сам. Уберите файл.' };
  });
  return [...wrong, ...clashes];
}
