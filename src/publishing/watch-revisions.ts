import type { Logger } from 'pino';
import { minuteMs } from '../lib/durations.ts';
import { type Repetition, repeatedly } from '../lib/repeatedly.ts';
import { prepareIndex } from '../pages/search/search.ts';
import type { Site } from '../site/site.ts';
import { missingPictures, type PictureFolders } from '../site/site-pictures.ts';
import { warmSite } from '../site/warm-site.ts';
import type { RunJob } from './jobs.ts';
import { publishFolder } from './publish-folder.ts';
import { type Current, readSite, type SourceOptions } from './read-site.ts';
import { type ListText, readList } from './revisions.ts';

/** Each check takes microseconds. */
const pollIntervalMs = 100;
const retryIntervalMs = minuteMs;

type Options = {
  source: SourceOptions;
  first: Current;
  /** Publishes changes of the content folder. */
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
  const follower = new Follower(options);
  const stopPublishing = publishFolder(options);
  return async () => {
    await Promise.all([follower.stop(), stopPublishing()]);
  };
}

/** Shows each publication and each day, and prepares its pages and pictures. */
class Follower {
  private readonly options: Options;
  private current: Current;
  /** The last attempt to show what was published, unless it succeeded. */
  private failed: { list: ListText; retryAt: number } | undefined;
  /** The last site whose pages are ready, and whose pictures are. */
  private rendered: Site | undefined;
  private encoded: Site | undefined;
  private stopped = false;
  private readonly polling: Repetition;
  private readonly rendering: Repetition;
  private readonly encoding: Repetition;

  constructor(options: Options) {
    const { first, logger } = options;
    this.options = options;
    this.current = first;
    this.report(first.problems);
    this.encoding = repeatedly(() => this.encode(), { intervalMs: retryIntervalMs, logger });
    this.rendering = repeatedly(() => this.render(), { intervalMs: retryIntervalMs, logger });
    this.polling = repeatedly(() => this.poll(), { intervalMs: pollIntervalMs, logger });
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await Promise.all([this.polling, this.rendering, this.encoding].map((repetition) => repetition.stop()));
  }

  private async poll(): Promise<void> {
    const { source, onOutdated, logger } = this.options;
    const list = listOrError(source.published);
    if (isUpToDate(this.current, list)) return;
    if (this.failed && this.failed.list === list && performance.now() < this.failed.retryAt) return;
    this.failed = { list, retryAt: performance.now() + retryIntervalMs };
    try {
      this.show(await readSite(source, new Date(), this.current));
      if (isUpToDate(this.current, list)) this.failed = undefined;
    } catch (error) {
      onOutdated(true);
      logger.error({ err: error }, 'the next site could not be built; the current one is still served');
    }
  }

  private show(next: Current): void {
    const { onSite, onOutdated, logger } = this.options;
    const { site, dir, problems } = this.current;
    const isShown = next.site.id === site.id && next.dir === dir;
    // Before it becomes the current one: if this throws, the next attempt shows it.
    if (!isShown) onSite(next.site);
    this.current = isShown ? { ...next, site } : next;
    if (String(next.problems) === String(problems)) onOutdated(next.problems.length > 0);
    else this.report(next.problems);
    if (isShown) return;
    logger.info({ build: next.site.id, until: next.site.until }, 'new site served');
    this.rendering.again();
  }

  private report(problems: readonly string[]): void {
    this.options.onOutdated(problems.length > 0);
    for (const problem of problems) this.options.logger.error(problem);
  }

  /** Until then, pages are rendered on request. */
  private async render(): Promise<void> {
    const { site } = this.current;
    const isOver = () => this.stopped || site !== this.current.site;
    if (site === this.rendered) return;
    await prepareIndex(site.content);
    await warmSite(site, isOver, (path, error) => {
      this.options.logger.error({ err: error }, `${path} cannot be rendered`);
    });
    if (isOver()) return;
    this.rendered = site;
    this.encoding.again();
  }

  /** Until then, visitors get the originals. */
  private async encode(): Promise<void> {
    const { folders, run } = this.options;
    const site = this.rendered;
    if (site === undefined || site === this.encoded) return;
    if (missingPictures(site.pictures(), folders).length > 0) await run('pictures');
    this.encoded = site;
  }
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
