import type { Logger } from 'pino';
import type { Cache } from '../lib/cache.ts';
import { type ContentFiles, readFolder } from '../reading/content-files.ts';
import { ContentError } from '../reading/problem.ts';
import type { BuildInputs } from './code.ts';
import { loadSite } from './load.ts';
import { candidates, readPublished, readRevision } from './revisions.ts';
import type { Site } from './site.ts';

/** `asPublished`: not a fallback. */
export type Current = { site: Site; files: ContentFiles; asPublished: boolean };

export type SourceOptions = {
  published: string;
  contentDir: string;
  shipped: string;
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
 * Uses the first source that is intact and valid for this version, or the shipped content.
 *
 * @param before its files are reused
 * @throws {ContentError} if the shipped content fails
 */
export function readSite(options: SourceOptions, at: Date, before?: Current): Current {
  const { contentDir, shipped, inputs, cache, drafts, logger } = options;

  function made(files: ContentFiles, asPublished: boolean): Current {
    const { site } = loadSite(files, { inputs, at, drafts, cache });
    return { site, files, asPublished };
  }

  try {
    if (drafts) return made(readFolder(contentDir), true);
    for (const { name, read, asPublished } of sources(options, before)) {
      try {
        const files = read();
        if (files) return made(files, asPublished);
        logger.error(`${name} is damaged; what was shown before it is shown instead`);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        logger.error(`${name} cannot be shown; what was shown before it is shown instead: ${error.message}`);
      }
    }
    logger.error('nothing else can be shown, so visitors see the content that ships; "publish" shows yours again');
    return made(readFolder(shipped), false);
  } finally {
    cache.sweep();
  }
}

/** The current revision, then earlier ones; `contentDir` until something is published. */
function sources({ published, contentDir, logger }: SourceOptions, before: Current | undefined): Source[] {
  const list = readPublished(published);
  if (list.damaged) {
    logger.error(`The list in ${published} is damaged; the newest content that is whole is shown; "publish" again`);
  }
  if (list.current === null) {
    const read = () => before?.files ?? readFolder(contentDir);
    return [{ name: `The content of ${contentDir}`, read, asPublished: true }];
  }
  return candidates(list).map(({ id }) => ({
    name: `The published content ${id}`,
    read: () => (before?.site.revision === id ? before.files : readRevision(published, id)),
    asPublished: id === list.current && !list.damaged,
  }));
}
