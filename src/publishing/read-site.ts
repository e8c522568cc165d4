import { join } from 'node:path';
import type { Cache } from '../lib/cache.ts';
import { type ContentFiles, readFolderInTurns } from '../loading/content-files.ts';
import { ContentError } from '../loading/problem.ts';
import type { BuildInputs } from '../site/compiled-code.ts';
import { loadSite } from '../site/load-site.ts';
import type { Site } from '../site/site.ts';
import { candidates, type ListText, readList, readPublished, readRevision } from './revisions.ts';

/** The site that is served, with its sources. */
export type Current = {
  site: Site;
  files: ContentFiles;
  /** The folder of the files. */
  dir: string;
  /** The list that the folder was chosen from. */
  list: ListText;
  /** Why this is not what was published; empty if it is. */
  problems: readonly string[];
};

export type SourceOptions = {
  published: string;
  contentDir: string;
  inputs: BuildInputs;
  cache: Cache;
  /** Serves `contentDir` with drafts. */
  drafts: boolean;
};

/**
 * Uses the first revision that is intact and valid for this version, or `contentDir`.
 *
 * @param before its files are reused if they are from the same folder
 * @throws {ContentError} if `contentDir` is needed and cannot be shown
 */
export async function readSite(options: SourceOptions, at: Date, before?: Current): Promise<Current> {
  const { contentDir, published, inputs, cache, drafts } = options;
  const list = readList(published);
  const listed = readPublished(published, list);
  const problems: string[] = [];

  function made(files: ContentFiles, dir: string): Current {
    const { site } = loadSite(files, { inputs, at, drafts, cache });
    return { site, files, dir, list, problems };
  }

  try {
    if (drafts) return made(await readFolderInTurns(contentDir), contentDir);
    if (listed.damaged) {
      problems.push(`The list in ${published} is damaged; the newest content that is whole is shown; "publish" again`);
    }
    for (const { id } of candidates(listed)) {
      const dir = join(published, id);
      try {
        const files = before?.dir === dir ? before.files : await readRevision(published, id);
        if (files) return made(files, dir);
        problems.push(`The published content ${id} is damaged; what was shown before it is shown instead`);
      } catch (error) {
        if (!(error instanceof ContentError)) throw error;
        problems.push(
          `The published content ${id} cannot be shown; what was shown before it is shown instead: ${error.message}`,
        );
      }
    }
    return made(before?.dir === contentDir ? before.files : await readFolderInTurns(contentDir), contentDir);
  } finally {
    cache.sweep();
  }
}
