import { type Cache, createCache } from '../lib/cache.ts';
import { slices } from '../lib/slices.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { kindOf } from '../reading/kinds.ts';
import { type LoadedContent, loadContent } from '../reading/load.ts';
import { readPictures } from '../reading/pictures.ts';
import { contentReader, type Reader } from '../reading/source.ts';
import { sections, taken } from '../routes.ts';
import { type Bodies, createBodies } from './bodies.ts';
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
  bodies?: Bodies;
  /** Collects problems of the files. */
  reader?: Reader;
};

/** Yields to the event loop. @throws {ContentError} if the content is invalid */
export async function loadSite(
  files: ContentFiles,
  options: LoadSiteOptions,
): Promise<{ site: Site; loaded: LoadedContent }> {
  const { inputs, at, drafts = false, thorough = false, cache = createCache(), bodies = createBodies() } = options;
  const { reader = contentReader(files, cache) } = options;
  const { assets, integrations } = inputs;
  const pictures = await readPictures(files, cache, thorough);
  const pause = slices();
  // Fills the cache, so that the synchronous part is fast.
  const ahead = contentReader(files, cache);
  for (const name of files.keys()) {
    const kind = kindOf(name);
    if (kind) ahead.file(name, kind.schema);
    await pause();
  }
  const loaded = loadContent(files, assets, { sections, taken, integrations, pictures, at, cache, reader });
  return { site: makeSite({ files, loaded, inputs, bodies, drafts }), loaded };
}
