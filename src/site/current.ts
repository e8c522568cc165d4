import type { Logger } from 'pino';
import type { Cache } from '../lib/cache.ts';
import { type ContentFiles, readFolder, readFolderInSlices } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import type { Bodies } from './bodies.ts';
import type { BuildInputs } from './code.ts';
import { loadSite } from './load.ts';
import { candidates, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';

/** `asPublished`: not a fallback. */
export type Current = { site: Site; files: ContentFiles; asPublished: boolean };

export type SourceOptions = {
  published: string;
  contentDir: string;
  /** Ships with the code. */
  shipped: string;
  inputs: BuildInputs;
  cache: Cache;
  bodies: Bodies;
  /** Serves `contentDir` with drafts, ignoring what was published. */
  drafts: boolean;
  logger: Pick<Logger, 'error'>;
};

/**
 * The current revision; if it is damaged or does not suit this version, the one before. Before anything is published:
 * `contentDir`, then the shipped content.
 *
 * @param before reuses its files
 * @throws {ContentError} if the shipped content fails
 */
export async function readSite(options: SourceOptions, at: Date, before?: Current): Promise<Current> {
  const { published, contentDir, shipped, inputs, cache, bodies, drafts, logger } = options;

  async function made(files: ContentFiles, asPublished: boolean): Promise<Current> {
    const { site } = await loadSite(files, { inputs, at, drafts, cache, bodies });
    return { site, files, asPublished };
  }

  async function madeOf(name: string, read: () => Promise<ContentFiles | undefined>, asPublished: boolean) {
    try {
      const files = await read();
      if (files) return await made(files, asPublished);
      logger.error(`${name} is damaged; what was shown before it is shown instead`);
    } catch (error) {
      if (!(error instanceof ContentError)) throw error;
      logger.error(`${name} cannot be shown; what was shown before it is shown instead: ${error.message}`);
    }
    return undefined;
  }

  try {
    if (drafts) return await made(await readFolderInSlices(contentDir), true);
    const list = readPublished(published);
    for (const { id } of candidates(list)) {
      const known = before?.site.revision === id ? before.files : undefined;
      const read = async () => known ?? (await readRevision(published, id));
      const current = await madeOf(`The published content ${id}`, read, id === list.current);
      if (current) return current;
    }
    const unpublished = list.current === null;
    if (unpublished && contentDir !== shipped) {
      const read = async () => before?.files ?? readFolderInSlices(contentDir);
      const current = await madeOf(`The content of ${contentDir}`, read, true);
      if (current) return current;
    }
    const files = unpublished && before ? before.files : readFolder(shipped);
    return await made(files, unpublished && contentDir === shipped);
  } finally {
    cache.sweep();
  }
}
