import type { Logger } from 'pino';
import { readFolder } from '../reading/content-files.ts';
import type { EditionStore } from '../store/store.ts';
import { variantOf, type Workshop } from './code.ts';
import type { Errand } from './errands.ts';
import { currentEdition } from './fitting.ts';
import type { Served } from './follow.ts';
import { openEdition } from './open.ts';
import { keepSnapshot, nameOf, readSnapshot } from './snapshot.ts';
import type { Editions } from './stores.ts';

type Options = {
  editions: Editions;
  workshop: Workshop;
  contentDir: string;
  /** Whether the content is published now, if it can be. */
  publish: boolean;
  errand: Errand;
  logger: Logger;
};

/**
 * What a server begins with: the edition of the published content. Where nothing was published yet, the content that
 * shipped is, if it is the one of `CONTENT_DIR`, or that folder's; a release with new content publishes it by that, and
 * so does one that is taken back, unless somebody has published since. An edition whose time is over is better than a wait,
 * and if the content cannot be published, the last good one is served.
 *
 * @throws if there is none at all
 */
export async function firstEdition(options: Options): Promise<Served> {
  const { editions, workshop, publish, errand, logger } = options;
  if (shippedIsNew(options)) adoptShipped(editions);
  if (publish || editions.publications().length === 0) {
    logger.info('making an edition of the content; it takes some seconds');
    try {
      await errand('publish');
    } catch (error) {
      if (editions.publications().length === 0 && !adoptShipped(editions)) throw error;
      logger.error({ err: error }, 'the content cannot be published; the last good edition is served instead');
    }
  }
  const served = open(editions, workshop);
  if (served) return served;
  logger.info('making an edition of the published content for this version and address; it takes some seconds');
  await errand('renew');
  const made = open(editions, workshop);
  if (made === undefined) throw new Error('The edition was made but cannot be read; look at the disk of DATA_DIR.');
  return made;
}

function open(editions: EditionStore, workshop: Workshop): Served | undefined {
  const fitting = currentEdition(editions, variantOf(workshop), new Date());
  const edition = openEdition(fitting?.index, editions);
  return fitting && edition && { edition, root: fitting.row.root };
}

/** Name of the note when a release has published what it brings. */
const brought = 'brought';

/** Whether what shipped is what the operator means to show: it was never published here, or a release brought the newest. */
function shippedIsNew({ editions, contentDir }: Options): boolean {
  const [shipped] = editions.shipped?.publications() ?? [];
  const [newest, ...earlier] = editions.publications();
  if (shipped === undefined || shipped.snapshot === newest?.snapshot) return false;
  const known = earlier.some(({ snapshot }) => snapshot === shipped.snapshot);
  if (known && newest?.at !== editions.note(brought)) return false;
  try {
    return nameOf(readFolder(contentDir)) === shipped.snapshot;
  } catch {
    return false;
  }
}

/** @returns false if nothing shipped, or it is damaged */
function adoptShipped(editions: Editions): boolean {
  const [shipped] = editions.shipped?.publications() ?? [];
  const files = shipped && readSnapshot(shipped.snapshot, editions);
  if (files === undefined) return false;
  // The next release brings other files; what was published stays.
  const at = new Date();
  editions.publish(keepSnapshot(files, editions), at);
  editions.setNote(brought, at.toISOString());
  return true;
}
