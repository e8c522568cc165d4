import { readCode, variantOf, type Workshop } from '../edition/code.ts';
import { readIndex } from '../edition/edition-index.ts';
import { type Edition, openEdition } from '../edition/open.ts';
import { openShipped } from '../edition/stores.ts';
import { paths } from '../lib/paths.ts';
import type { Integrations } from '../model/integrations.ts';

/** The address that the build prerenders for, so that tests serve the very edition that was built. */
export const siteUrl = 'http://localhost:3000';

export function testWorkshop(integrations: Integrations = {}): Workshop {
  return { code: readCode(paths.code), publicDir: paths.public, siteUrl, integrations };
}

/** What the build has made last: for the time of the build, and not for now. */
function newestRow() {
  const store = openShipped();
  const [published] = store?.publications() ?? [];
  const rows = published && store?.editions(variantOf(testWorkshop()), published.snapshot);
  const row = rows?.toSorted((a, b) => (a.made < b.made ? 1 : -1))[0];
  return store && row && { store, row };
}

/** The edition that the build has made last, if it can be read. */
export function lastBuilt(): Edition | undefined {
  const newest = newestRow();
  return newest && openEdition(readIndex(newest.row.root, newest.store), newest.store);
}

/**
 * The time of the built edition. What is compared with that is made for the same time: a run may go on past midnight,
 * when the pages that say when trucks leave become others.
 */
export const builtAt: Date = new Date(newestRow()?.row.starts ?? Date.now());
