import type { Logger } from 'pino';
import { minuteMs } from '../lib/durations.ts';
import { messageOf } from '../lib/message-of.ts';
import { paths } from '../lib/paths.ts';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';
import { readFolder, revisionOf } from '../loading/content-files.ts';
import { clearFailedPublication, readFailedPublication, storeFailedPublication } from './failed-publication.ts';
import type { RunJob } from './jobs.ts';
import type { SourceOptions } from './read-site.ts';
import { readPublished } from './revisions.ts';
import { changesIn } from './watch-folder.ts';

/** A look at 100 files takes 2 ms. */
const watchIntervalMs = 100;
/** A change is published after 300 ms without another. */
const quietLooks = 3;
const retryIntervalMs = minuteMs;

type Options = { source: SourceOptions; run: RunJob; logger: Logger };

/**
 * Publishes an operator's content at the first start, because a restart would otherwise show unfinished edits, and with
 * `watch` each valid change. The content that ships is not published, because each release replaces it.
 *
 * @returns a function that waits for a publication
 */
export function publishFolder({ watch, ...options }: Options & { watch: boolean }): () => Promise<void> {
  if (watch) {
    const publisher = new FolderPublisher(options);
    return () => publisher.stop();
  }
  let stopped = false;
  const first = publishFirst(options, () => stopped);
  return () => {
    stopped = true;
    return first;
  };
}

async function publishFirst({ source, run, logger }: Options, stopped: () => boolean): Promise<void> {
  if (source.drafts || source.contentDir === paths.content || !isFirst(source)) return;
  try {
    await run('publish');
  } catch (error) {
    if (!stopped()) logger.error(failureOf(source, messageOf(error)));
  }
}

function isFirst({ published }: SourceOptions): boolean {
  try {
    return readPublished(published).current === null;
  } catch {
    return false;
  }
}

function failureOf(source: SourceOptions, reason: string): string {
  const seen = isFirst(source)
    ? 'visitors see CONTENT_DIR as it was at the start'
    : 'visitors still see the previous revision';
  return `the content cannot be published; ${seen}: ${reason}`;
}

class FolderPublisher {
  private readonly options: Options;
  private readonly changed: () => Promise<boolean>;
  /** By `performance.now()`. */
  private publishAt = 0;
  private isEdited = false;
  /** Why the last attempt failed. */
  private failure = '';
  private stopped = false;
  private readonly looking: Repetition;

  constructor(options: Options) {
    this.options = options;
    this.changed = changesIn(options.source.contentDir, quietLooks);
    this.looking = repeatedly(() => this.look(), { intervalMs: watchIntervalMs, logger: options.logger });
  }

  stop(): Promise<void> {
    this.stopped = true;
    return this.looking.stop();
  }

  private async look(): Promise<void> {
    if (await this.changed()) this.isEdited = true;
    else if (performance.now() < this.publishAt) return;
    this.publishAt = Number.POSITIVE_INFINITY;
    try {
      await this.publish();
      if (this.failure !== '') this.options.logger.info('the content can be published again');
      this.failure = '';
    } catch (error) {
      if (this.stopped) return;
      this.publishAt = performance.now() + retryIntervalMs;
      this.report(error);
    }
  }

  private async publish(): Promise<void> {
    const { source, run } = this.options;
    // After the first look at the folder, so that no change falls between the two.
    if (this.isEdited || isNew(source)) await run('publish');
    else clearFailedPublication(source.published);
  }

  private report(error: unknown): void {
    const { source, logger } = this.options;
    const reason = messageOf(error);
    if (reason !== this.failure) logger.error(failureOf(source, reason));
    this.failure = reason;
    // The command has said why, unless it was killed.
    if (!readFailedPublication(source.published)) storeFailedPublication(source.published, error, new Date());
  }
}

/** Edited while no server ran; rolled-back content is not new. */
function isNew({ contentDir, published }: SourceOptions): boolean {
  try {
    const id = revisionOf(readFolder(contentDir));
    return readPublished(published).revisions.every((revision) => revision.id !== id);
  } catch {
    // The attempt says why the folder cannot be read.
    return true;
  }
}
