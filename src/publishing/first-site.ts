import type { Logger } from 'pino';
import { messageOf } from '../lib/message-of.ts';
import { paths } from '../lib/paths.ts';
import { type Current, readSite, type SourceOptions } from './read-site.ts';
import { publishFiles } from './revisions.ts';

/**
 * Publishes an operator's content before it is first shown, because a restart would otherwise show unfinished edits. The
 * content that ships is not published, because each release replaces it.
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
    const reason = messageOf(error);
    logger.error(
      `the content cannot be published to DATA_DIR, so a restart will show the latest CONTENT_DIR: ${reason}`,
    );
    return first;
  }
}
