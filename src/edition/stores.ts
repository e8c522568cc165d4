import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { paths } from '../lib/paths.ts';
import { type EditionStore, openEditionStore, openOrReplace } from '../store/store.ts';

/** The store that shipped with the code; `undefined` if there is none, or it cannot be read. */
export function openShipped(file: string = paths.shippedEditions): EditionStore | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return openEditionStore(file, { for: 'ship' });
  } catch {
    return undefined;
  }
}

/** The store of a server, and what shipped, which is read where the first one has nothing. */
export type Editions = EditionStore & { shipped: EditionStore | undefined };

/**
 * Opens the store in `DATA_DIR`.
 *
 * @param use whether this process serves visitors or makes editions
 */
export function openEditions(dataDir: string, use: 'serve' | 'make', logger?: Pick<Logger, 'error'>): Editions {
  const shipped = openShipped();
  const { store, aside } = openOrReplace(paths.ownEditions(dataDir), { for: use }, shipped);
  if (aside) logger?.error(`the store of editions was damaged; it is in ${aside} now, and a new one is made`);
  return {
    ...store,
    shipped,
    close() {
      store.close();
      shipped?.close();
    },
  };
}
