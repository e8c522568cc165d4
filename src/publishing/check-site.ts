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
import { type LoadSiteOptions, loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { linkProblems } from './check-links.ts';

/** `html` is by path; `site` is missing if pages cannot be built. */
export type Checked = { site: Site | undefined; html: ReadonlyMap<string, string>; problems: readonly Problem[] };

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
    const html = renderPages(site);
    return { site, html, problems: [...problems, ...siteProblems(read, site, pathsLater, html, inputs.siteUrl)] };
  } catch (error) {
    if (!(error instanceof ContentError)) throw error;
    return { site: undefined, html: new Map(), problems };
  }
}

/** @throws {ContentError} if there are errors other than warnings */
export function publishable({ site, problems }: Checked): Site {
  const errors = problems.filter(({ warning }) => !warning);
  if (site === undefined || errors.length > 0) throw new ContentError(errors);
  return site;
}

export function renderPages(site: Site): Map<string, string> {
  const html = new Map<string, string>();
  for (const path of site.paths) {
    const view = site.open(path);
    const canonical = view.head.path === path ? undefined : html.get(view.head.path);
    html.set(path, canonical ?? site.render(view).html);
  }
  return html;
}

/** @param pathsLater on a day, or with all `drafts` */
function siteProblems(
  read: ReadContent,
  site: Site,
  pathsLater: (later: string) => ReadonlySet<string>,
  html: Checked['html'],
  siteUrl: string,
): Problem[] {
  const anchors = memoized((path: string) => {
    return new Set([...(html.get(path) ?? '').matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id));
  });
  const ownLinks = lazy(() =>
    [...html].flatMap(([path, text]) =>
      [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id = '']) => ({ path, id: decoded(id) ?? id })),
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
