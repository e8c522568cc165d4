import { type Cache, createCache } from '../lib/cache.ts';
import type { ContentFiles } from '../loading/content-files.ts';
import { type LoadedContent, loadContent } from '../loading/load-content.ts';
import { withOwnDrawings } from '../loading/own-drawings.ts';
import { readPictures } from '../loading/read-pictures.ts';
import { readSources } from '../loading/sources.ts';
import { sections } from '../routes.ts';
import type { BuildInputs } from './compiled-code.ts';
import { makeSite, type Site } from './site.ts';

export type LoadSiteOptions = {
  inputs: BuildInputs;
  at: Date;
  drafts?: boolean;
  /** Reused from the previous site. */
  cache?: Cache;
};

export function loadSite(files: ContentFiles, options: LoadSiteOptions): { site: Site; loaded: LoadedContent } {
  const { inputs, at, drafts = false, cache = createCache() } = options;
  const { integrations, retention } = inputs;
  const read = readSources(files, sections, cache, retention);
  const pictures = readPictures(files, cache);
  const assets = withOwnDrawings(inputs.assets, files, pictures);
  const loaded = loadContent(read, { assets, integrations, pictures, at, drafts });
  return { site: makeSite({ files, loaded, inputs: { ...inputs, assets }, cache, drafts }), loaded };
}
