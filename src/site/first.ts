import type { Logger } from 'pino';
import { paths } from '../lib/paths.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { publishFiles } from './revisions.ts';

/**
 * Content of one's own is published before it is first shown, or a restart would show unfinished edits. Releases
 * replace the content that ships.
 *
 * @throws {ContentError} if there is nothing to show
 */
export async function readFirstSite(source: SourceOptions, logger: Pick<Logger, 'error'>): Promise<Current> {
  const { published, contentDir, drafts } = source;
  const first = await readSite(source, new Date());
  if (drafts || first.list !== undefined || contentDir === paths.content) return first;
  try {
    await publishFiles(published, first.files, new Date(), 'first');
    return await readSite(source, new Date(), first);
  } catch (error) {
    const reason = Error.isError(error) ? error.message : String(error);
    logger.error(`what is shown cannot be kept in DATA_DIR, so a restart shows CONTENT_DIR as it is then: ${reason}`);
    return first;
  }
}
