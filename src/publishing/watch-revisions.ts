import type { Logger } from 'pino';
import { minuteMs } from '../lib/durations.ts';
import { messageOf } from '../lib/message-of.ts';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';
import { readFolder, revisionOf } from '../loading/content-files.ts';
import { prepareIndex } from '../pages/search/index-of.ts';
import type { Site } from '../site/site.ts';
import { missingPictures, type PictureFolders } from '../site/site-pictures.ts';
import { warmSite } from '../site/warm-site.ts';
import { forgetFailedPublication, keepFailedPublication, readFailedPublication } from './failed-publication.ts';
import type { RunJob } from './jobs.ts';
import { type Current, readSite, type SourceOptions } from './read-site.ts';
import { type ListText, readList, readPublished } from './revisions.ts';
import { changesIn } from './watch-folder.ts';

/** Each check takes microseconds. */
const pollIntervalMs = 100;
/** A look at 100 files takes 2 ms. */
const watchIntervalMs = 100;
/** A change is published after 300 ms without another. */
const quietLooks = 3;
const retryIntervalMs = minuteMs;

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
  /** The last attempt to show what was published, unless it succeeded. */
  let failed: { list: ListText; retryAt: number } | undefined;
  let stopped = false;
  let warming: Promise<void>;

  function warmCurrent(): void {
    const { site } = current;
    warming = warm(options, site, () => stopped || site !== current.site);
  }

  async function pollRevisions(): Promise<void> {
    const list = listOrError(source.published);
    if (isUpToDate(current, list)) return;
    if (failed && failed.list === list && performance.now() < failed.retryAt) return;
    failed = { list, retryAt: performance.now() + retryIntervalMs };
    try {
      show(await readSite(source, new Date(), current));
      if (isUpToDate(current, list)) failed = undefined;
    } catch (error) {
      onOutdated(true);
      logger.error({ err: error }, 'the next site could not be built; the current one is still served');
    }
  }

  function show(next: Current): void {
    const { site, dir, problems } = current;
    const same = next.site.id === site.id && next.dir === dir;
    current = same ? { ...next, site } : next;
    if (String(next.problems) !== String(problems)) log(next.problems);
    onOutdated(next.problems.length > 0);
    if (same) return;
    onSite(next.site);
    logger.info({ build: next.site.id, until: next.site.until }, 'new site served');
    warmCurrent();
  }

  function log(problems: readonly string[]): void {
    for (const problem of problems) logger.error(problem);
  }

  log(first.problems);
  onOutdated(first.problems.length > 0);
  warmCurrent();
  const polling = repeatedly(pollRevisions, pollIntervalMs);
  const publishing = watch ? publishChanges(options, () => stopped) : undefined;
  return async () => {
    stopped = true;
    await Promise.all([polling.stop(), publishing?.stop(), warming]);
  };
}

/** An unreadable list is a state, too. */
function listOrError(published: string): ListText {
  try {
    return readList(published);
  } catch (error) {
    return String(error);
  }
}

/** A site of a later period was made while the clock was ahead. */
function isUpToDate({ site, list, problems }: Current, listNow: ListText): boolean {
  const now = Date.now();
  const inPeriod = Date.parse(site.content.at) <= now && now < site.until.getTime();
  return inPeriod && list === listNow && problems.length === 0;
}

async function warm({ folders, run, logger }: Options, site: Site, replaced: () => boolean): Promise<void> {
  try {
    await prepareIndex(site.content);
    await warmSite(site, replaced, (path, error) => logger.error({ err: error }, `${path} cannot be rendered`));
    if (!replaced() && missingPictures(site.pictures(), folders).length > 0) await run('pictures');
  } catch (error) {
    if (!replaced())
      logger.error({ err: error }, 'pages or pictures could not be prepared; pages are rendered on request');
  }
}

function publishChanges({ source, run, logger }: Options, stopped: () => boolean): Repetition {
  const changed = changesIn(source.contentDir, quietLooks);
  let publishAt: number | undefined;
  let failure = '';

  async function isDue(): Promise<boolean> {
    const isChanged = await changed();
    // After the first look at the folder, so that no change falls between the two.
    publishAt ??= firstAttemptAt(source);
    return isChanged || performance.now() >= publishAt;
  }

  return repeatedly(async () => {
    if (!(await isDue())) return;
    publishAt = Number.POSITIVE_INFINITY;
    try {
      await run('publish');
      if (failure !== '') logger.info('the content can be published again');
      failure = '';
    } catch (error) {
      if (stopped()) return;
      publishAt = performance.now() + retryIntervalMs;
      const reason = messageOf(error);
      if (reason !== failure)
        logger.error(`the content cannot be published; visitors still see the previous revision: ${reason}`);
      failure = reason;
      // The command has said why, unless it was killed.
      if (!readFailedPublication(source.published)) keepFailedPublication(source.published, error, new Date());
    }
  }, watchIntervalMs);
}

function firstAttemptAt(source: SourceOptions): number {
  if (isNew(source)) return 0;
  forgetFailedPublication(source.published);
  return Number.POSITIVE_INFINITY;
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
