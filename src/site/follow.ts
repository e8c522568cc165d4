import type { Logger } from 'pino';
import { minuteMs } from '../lib/calendar.ts';
import { paths } from '../lib/paths.ts';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';
import { readFolder, revisionOf } from '../reading/content-files.ts';
import { prepareIndex } from '../search/index-of.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { fillSite } from './fill.ts';
import type { RunJob } from './jobs.ts';
import { missingPictures, type PictureFolders } from './pictures.ts';
import { forgetRefusal, keepRefusal, readRefusal } from './refusal.ts';
import { publishedState, publishFiles, readPublished } from './revisions.ts';
import type { Site } from './site.ts';
import { changesIn } from './watch.ts';

/** Milliseconds; each check takes microseconds. */
const lookInterval = 100;
/** Milliseconds; a folder counts as quiet after two equal checks. */
const watchInterval = 300;
/** Milliseconds. */
const retryInterval = minuteMs;

type Options = {
  source: SourceOptions;
  first: Current;
  watch: boolean;
  folders: PictureFolders;
  run: RunJob;
  /** The only place that replaces the current site. */
  onSite(site: Site): void;
  /** Behind the current revision or day. */
  onOutdated(is: boolean): void;
  logger: Logger;
};

/** @returns a function that waits for running work */
export function followContent(options: Options): () => Promise<void> {
  const { source, first, watch, onSite, onOutdated, logger } = options;
  let current = first;
  let seen = publishedState(source.published);
  let retryAt = 0;
  let stopped = false;
  let filling: Promise<void>;

  function show(next: Current): void {
    current = next;
    filling = fill(options, next.site, () => stopped || next !== current);
  }

  async function look(): Promise<void> {
    const state = publishedState(source.published);
    const over = current.site.until.getTime() <= Date.now();
    if (state === seen && !(over && Date.now() >= retryAt)) return;
    seen = state;
    try {
      const next = readSite(source, new Date(), current);
      if (next.site.id !== current.site.id) {
        onSite(next.site);
        logger.info({ build: next.site.id, until: next.site.until }, 'a new site is served');
        show(next);
      }
      onOutdated(!next.asPublished);
    } catch (error) {
      retryAt = Date.now() + retryInterval;
      onOutdated(true);
      logger.error({ err: error }, 'the next site cannot be made; the last good one goes on');
    }
  }

  const publishingFirst = publishFirst(options);
  show(first);
  onOutdated(!first.asPublished);
  const looking = repeatedly(look, lookInterval);
  const publishing = watch ? publishChanges(options, () => stopped) : undefined;
  return async () => {
    stopped = true;
    await Promise.all([publishingFirst, looking.stop(), publishing?.stop(), filling]);
  };
}

/** Otherwise a restart would show unfinished edits. Releases replace shipped content. */
async function publishFirst({ source, first, logger }: Options): Promise<void> {
  const { published, contentDir, drafts } = source;
  if (drafts || !first.asPublished || contentDir === paths.content || readPublished(published).current !== null) return;
  try {
    await publishFiles(published, first.files, new Date(), 'first');
  } catch (error) {
    const reason = Error.isError(error) ? error.message : String(error);
    logger.error(`what is shown cannot be kept in DATA_DIR, so a restart shows CONTENT_DIR as it is then: ${reason}`);
  }
}

async function fill({ folders, run, logger }: Options, site: Site, replaced: () => boolean): Promise<void> {
  try {
    await prepareIndex(site.content);
    await fillSite(site, replaced, (path, error) => logger.error({ err: error }, `${path} cannot be rendered`));
    if (!replaced() && missingPictures(site.pictures(), folders).length > 0) await run('pictures');
  } catch (error) {
    if (!replaced()) logger.error({ err: error }, 'pages or pictures cannot be made ahead; they are when asked for');
  }
}

function publishChanges({ source, run, logger }: Options, stopped: () => boolean): Repetition {
  const changed = changesIn(source.contentDir);
  let publishAt = isNew(source) ? 0 : Number.POSITIVE_INFINITY;
  if (publishAt > 0) forgetRefusal(source.published);
  let failure = '';

  return repeatedly(async () => {
    if (Date.now() < publishAt && !(await changed())) return;
    publishAt = Number.POSITIVE_INFINITY;
    try {
      await run('publish');
      if (failure !== '') logger.info('the content is in order again');
      failure = '';
    } catch (error) {
      if (stopped()) return;
      publishAt = Date.now() + retryInterval;
      const reason = Error.isError(error) ? error.message : String(error);
      if (reason !== failure) logger.error(`the content cannot be published; the last good one goes on: ${reason}`);
      failure = reason;
      // The command has said why, unless it was killed.
      if (!readRefusal(source.published)) keepRefusal(source.published, error, new Date());
    }
  }, watchInterval);
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
