import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Hash } from '../lib/hash.ts';
import { repeatedly } from '../lib/repeatedly.ts';
import type { EditionStore, Publication } from '../store/store.ts';
import { readIndex } from './edition-index.ts';
import type { Errand } from './errands.ts';
import { readFailure } from './failure.ts';
import { polishedNote, renderings } from './fitting.ts';
import { type Edition, openEdition } from './open.ts';

/** Milliseconds between looks into the store, which cost some microseconds. */
const lookInterval = 100;
/** Milliseconds until an errand that failed is tried again, and until one is that another process may have taken on. */
const retryInterval = 60_000;
const leaseInterval = 1_000;
/** Milliseconds for which a process that has died keeps others from its task. */
const leaseTime = 15_000;

/** What a server has done by a process of its own. */
type Task = 'publish' | 'renew' | 'polish';

/** An edition that is served, and the one root that it hangs on. */
export type Served = { edition: Edition; root: Hash };

type Options = {
  store: EditionStore;
  variant: Hash;
  first: Served;
  errand: Errand;
  /** The one place where another edition becomes the current one. */
  onEdition(edition: Edition): void;
  /** Told how many problems keep the newest content away, whenever that changes. */
  onProblems(count: number): void;
  /** Told whether the edition that is served should have been replaced, whenever that changes. */
  onOutdated(is: boolean): void;
  logger: Logger;
};

/** Keeps a server at the edition of now. */
export type Following = {
  /** Has the content published, by one process of this store. */
  publish(): void;
  /** Begins no more, and waits for what was begun. */
  stop(): Promise<void>;
};

/**
 * Takes over what is published on this store, a moment after it was; has the next edition made when the time of this
 * one is over, and its pictures and small bodies when it is new. If any of that fails, the last good edition goes on.
 */
export function followEditions(options: Options): Following {
  const { store, variant, first, errand, onEdition, onProblems, onOutdated, logger } = options;
  const owner = randomUUID();
  const running = new Map<Task, Promise<void>>();
  const notBefore = new Map<Task, number>();
  let served = first;
  let seen = -1;
  let current: Publication | undefined;
  let failure: string | undefined;
  let late = false;
  /** When the content changed that is still to be published. */
  let changedAt: string | undefined;
  let stopped = false;

  /** Has a task done beside everything else, unless it is being done; one process of a store is enough for it. */
  function begin(task: Task, args: readonly string[] = []): boolean {
    if (stopped || running.has(task) || Date.now() < (notBefore.get(task) ?? 0)) return false;
    const mine = store.lease(task, owner, leaseTime);
    if (mine) running.set(task, work(task, args));
    else notBefore.set(task, Date.now() + leaseInterval);
    return mine;
  }

  async function work(task: Task, args: readonly string[]): Promise<void> {
    const known = store.note('failure');
    const holding = setInterval(() => store.lease(task, owner, leaseTime), leaseTime / 3);
    try {
      await errand(task, ...args);
    } catch (error) {
      // What is wrong with the content is told to all servers, and by each of them; trying again would not mend it.
      if (stopped || (task === 'publish' && store.note('failure') !== known)) return;
      notBefore.set(task, Date.now() + retryInterval);
      if (task === 'publish') changedAt ??= new Date().toISOString();
      logger.error({ err: error }, `"${task}" failed; it is tried again in a minute`);
    } finally {
      clearInterval(holding);
      store.release(task, owner);
      running.delete(task);
      // What could not be read can be read now, and there are smaller bodies.
      served.edition.refresh();
    }
  }

  function takeOver(): void {
    served.edition.refresh();
    current = store.publications()[0];
    const rows = current ? renderings(store, variant, current.snapshot, new Date()) : [];
    for (const { root } of rows) {
      if (root === served.root) return;
      const edition = openEdition(readIndex(root, store), store);
      if (edition === undefined) continue;
      served = { edition, root };
      onEdition(edition);
      logger.info({ edition: edition.id, until: edition.until }, 'a new edition is served');
      return;
    }
  }

  function tellFailure(): void {
    const said = store.note('failure');
    if (said === failure) return;
    failure = said;
    const { problems = 0, message = '' } = readFailure(said) ?? {};
    onProblems(problems);
    if (said === undefined) logger.info('the content is in order again');
    else logger.error({ problems }, `the content cannot be used; the last good edition goes on: ${message}`);
  }

  async function look(): Promise<void> {
    const version = store.version();
    if (version !== seen) {
      seen = version;
      takeOver();
      tellFailure();
    }
    const { edition, root } = served;
    const damaged = edition.damaged();
    const outdated = current !== undefined && current.snapshot !== edition.snapshot;
    const over = edition.until !== undefined && edition.until.getTime() <= Date.now();
    if (late !== (damaged || outdated || over)) {
      late = !late;
      onOutdated(late);
    }
    // Another server that watches the same folder may have been quicker.
    if (changedAt !== undefined && current !== undefined && current.at > changedAt) changedAt = undefined;
    if (changedAt !== undefined && begin('publish')) changedAt = undefined;
    else if (damaged) begin('renew', ['--repair']);
    else if (outdated || over) begin('renew');
    else if (store.note(polishedNote(root)) === undefined) begin('polish');
  }

  const looking = repeatedly(look, lookInterval);
  return {
    publish() {
      changedAt = new Date().toISOString();
      looking.again();
    },
    async stop() {
      stopped = true;
      await looking.stop();
      await Promise.all(running.values());
    },
  };
}
