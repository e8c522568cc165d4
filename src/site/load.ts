import { type Cache, createCache } from '../lib/cache.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { type LoadedContent, loadContent } from '../reading/load.ts';
import { readPictures } from '../reading/pictures.ts';
import { contentReader, type Reader } from '../reading/source.ts';
import { sections, taken } from '../routes.ts';
import type { BuildInputs } from './code.ts';
import { makeSite, type Site } from './site.ts';

export type LoadSiteOptions = {
  inputs: BuildInputs;
  /** The moment to render for. */
  at: Date;
  drafts?: boolean;
  /** Decodes pictures completely. */
  thorough?: boolean;
  /** Reused from the previous site. */
  cache?: Cache;
  /** Collects problems of the files. */
  reader?: Reader;
};

/** @throws {ContentError} if the content is invalid */
export async function loadSite(
  files: ContentFiles,
  options: LoadSiteOptions,
): Promise<{ site: Site; loaded: LoadedContent }> {
  const { inputs, at, drafts = false, thorough = false, cache = createCache() } = options;
  const { reader = contentReader(files, cache) } = options;
  const { assets, integrations } = inputs;
  const pictures = await readPictures(files, cache, thorough);
  const loaded = loadContent(files, assets, { sections, taken, integrations, pictures, at, cache, reader });
  return { site: makeSite({ files, loaded, inputs, cache, drafts }), loaded };
}
