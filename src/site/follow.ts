import type { Logger } from 'pino';
import { minuteMs } from '../lib/calendar.ts';
import { repeatedly } from '../lib/repeatedly.ts';
import { readFolderInSlices, revisionOf } from '../reading/content-files.ts';
import { prepareIndex } from '../search/index-of.ts';
import { type Current, readSite, type SourceOptions } from './current.ts';
import { fillSite, picturesToMake } from './fill.ts';
import type { RunJob } from './jobs.ts';
import type { PictureFolders } from './pictures.ts';
import { keepFirst, publishedState, readPublished } from './revisions.ts';
import type { Site } from './site.ts';
import { watchFolder } from './watch.ts';

/** Milliseconds; a check costs a few microseconds. */
const lookInterval = 100;
/** Milliseconds. */
const retryInterval = minuteMs;

type Options = {
  source: SourceOptions;
  first: Current;
  /** Publishes changes of the folder automatically. */
  watch: boolean;
  folders: PictureFolders;
  run: RunJob;
  /** The only place that replaces the current site. */
  onSite(site: Site): void;
  /** Called when watched content becomes invalid or valid. */
  onRefused(is: boolean): void;
  /** Called when the site falls behind the current revision or day, or catches up. */
  onOutdated(is: boolean): void;
  logger: Logger;
};

export type Following = {
  /** Waits for running work. */
  stop(): Promise<void>;
};

export function followContent(options: Options): Following {
  const { source, first, watch, folders, run, onSite, onOutdated, logger } = options;
  let current = first;
  let seen = publishedState(source.published);
  let retryAt = 0;
  let outdated = false;
  let stopped = false;
  let filling: Promise<void> | undefined;

  function show(next: Current): void {
    current = next;
    onSite(next.site);
    logger.info({ build: next.site.id, until: next.site.until }, 'a new site is served');
    filling = fill(next.site);
  }

  function tell(is: boolean): void {
    if (is !== outdated) onOutdated(is);
    outdated = is;
  }

  async function look(): Promise<void> {
    const state = publishedState(source.published);
    const over = current.site.until.getTime() <= Date.now();
    if (state === seen && !(over && Date.now() >= retryAt)) return;
    try {
      const next = await readSite(source, new Date(), current);
      if (next.site.id !== current.site.id) show(next);
      tell(!next.asPublished);
    } catch (error) {
      retryAt = Date.now() + retryInterval;
      tell(true);
      logger.error({ err: error }, 'the next site cannot be made; the last good one goes on');
    }
    seen = state;
  }

  async function fill(site: Site): Promise<void> {
    const replaced = () => stopped || site !== current.site;
    try {
      await prepareIndex(site.content);
      if ((await picturesToMake(site, folders)).length > 0) {
        run('pictures').catch((error) => {
          if (!stopped) logger.error({ err: error }, 'pictures cannot be made; originals are sent meanwhile');
        });
      }
      const failed = (path: string, error: unknown) => logger.error({ err: error }, `${path} cannot be rendered`);
      await fillSite(site, source.bodies, replaced, failed);
    } catch (error) {
      logger.error({ err: error }, 'the site cannot be made ready ahead; its pages are when they are asked for');
    }
  }

  if (!source.drafts && first.asPublished) {
    keepFirst(source.published, first.files, new Date(), source.contentDir !== source.shipped).catch((error) =>
      logger.error({ err: error }, 'what is shown cannot be kept in DATA_DIR'),
    );
  }
  filling = fill(first.site);
  tell(!first.asPublished);
  const looking = repeatedly(look, lookInterval);
  const publishing = watch ? publishChanges(options) : undefined;
  return {
    async stop() {
      stopped = true;
      await Promise.all([looking.stop(), publishing?.stop(), filling]);
    },
  };
}

/** Retries until the content is valid. */
function publishChanges({ source, run, onRefused, logger }: Options) {
  const { contentDir, published } = source;
  let wanted = false;
  let notBefore = 0;
  let failure = '';
  let stopped = false;

  /** Edits made while no server ran, except a revision that was rolled back. */
  async function isNew(): Promise<boolean> {
    const id = revisionOf(await readFolderInSlices(contentDir));
    return readPublished(published).revisions.every((revision) => revision.id !== id);
  }

  async function publish(): Promise<void> {
    if (!wanted || Date.now() < notBefore) return;
    wanted = false;
    try {
      await run('publish');
      if (failure !== '') {
        logger.info('the content is in order again');
        onRefused(false);
      }
      failure = '';
    } catch (error) {
      if (stopped) return;
      wanted = true;
      notBefore = Date.now() + retryInterval;
      const reason = Error.isError(error) ? error.message : String(error);
      if (reason !== failure) logger.error(`the content cannot be published; the last good one goes on: ${reason}`);
      if (failure === '') onRefused(true);
      failure = reason;
    }
  }

  function changed(): void {
    wanted = true;
    notBefore = 0;
    publishing.again();
  }

  const publishing = repeatedly(publish, 1_000);
  const watching = watchFolder(contentDir, changed);
  isNew().then(
    (is) => is && changed(),
    (error) => logger.error({ err: error }, 'the content folder cannot be read'),
  );
  return {
    async stop() {
      stopped = true;
      await Promise.all([watching.stop(), publishing.stop()]);
    },
  };
}
