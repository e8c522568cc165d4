import type { Logger } from 'pino';
import type { Cache } from '../lib/cache.ts';
import { type ContentFiles, readFolder } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import type { BuildInputs } from './code.ts';
import { loadSite } from './load.ts';
import { candidates, type Published, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';

/** `asPublished`: not a fallback. */
export type Current = { site: Site; files: ContentFiles; asPublished: boolean };

export type SourceOptions = {
  published: string;
  contentDir: string;
  inputs: BuildInputs;
  cache: Cache;
  /** Serves `contentDir` with drafts. */
  drafts: boolean;
  logger: Pick<Logger, 'error'>;
};

type Source = {
  name: string;
  /** `undefined` if it is damaged. */
  read(): ContentFiles | undefined;
  asPublished: boolean;
};

/**
 * Uses the first revision that is intact and valid for this version, or `contentDir`.
 *
 * @param before its files are reused
 * @throws {ContentError} if `contentDir` is needed and cannot be shown
 */
export function readSite(options: SourceOptions, at: Date, before?: Current): Current {
  const { contentDir, published, inputs, cache, drafts, logger } = options;
  const list = readPublished(published);

  function made(files: ContentFiles, asPublished: boolean): Current {
    const { site } = loadSite(files, { inputs, at, drafts, cache });
    return { site, files, asPublished };
  }

  try {
    if (list.damaged) {
      logger.error(`The list in ${published} is damaged; the newest content that is whole is shown; "publish" again`);
    }
    if (drafts) return made(readFolder(contentDir), true);
    for (const { name, read, asPublished } of revisionsOf(list, published, before)) {
      try {
        const files = read();
        if (files) return made(files, asPublished);
        logger.error(`${name} is damaged; what was shown before it is shown instead`);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        logger.error(`${name} cannot be shown; what was shown before it is shown instead: ${error.message}`);
      }
    }
    const unpublished = list.current === null;
    return made((unpublished && before?.files) || readFolder(contentDir), unpublished);
  } finally {
    cache.sweep();
  }
}

function revisionsOf(list: Published, published: string, before: Current | undefined): Source[] {
  return candidates(list).map(({ id }) => ({
    name: `The published content ${id}`,
    read: () => (before?.site.revision === id ? before.files : readRevision(published, id)),
    asPublished: id === list.current && !list.damaged,
  }));
}
