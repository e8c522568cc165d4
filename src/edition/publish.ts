import type { Hash } from '../lib/hash.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import type { Problem } from '../reading/problem.ts';
import type { EditionRow, EditionStore } from '../store/store.ts';
import { variantOf, type Workshop } from './code.ts';
import { type EditionIndex, entriesOf, isPage } from './edition-index.ts';
import { currentEdition, type Fitting, fittingEdition, polishedNote } from './fitting.ts';
import { keepSnapshot, nameOf, readSnapshot } from './snapshot.ts';

/*
 * Content is published: its snapshot is kept, with a publication that names it. Editions are its renderings, one for
 * each variant and period, and can be made again from it at any time.
 */

/** What differs for visitors, by address. */
export type Changes = Readonly<Record<'added' | 'changed' | 'removed', readonly string[]>>;

export type Published = {
  edition: EditionIndex;
  changes: Changes;
  /** What was found that is no reason not to publish it; nothing is looked for in what was rendered before. */
  problems?: readonly Problem[] | undefined;
};

/** A content as it was rendered for a moment. */
type Rendering = Pick<Fitting, 'row' | 'index'> & Pick<Published, 'problems'>;

type Options = { store: EditionStore; workshop: Workshop; at: Date };

/**
 * Makes a content what visitors see, on every server with this store.
 *
 * @throws {ContentError} if anything is wrong with it; what was published before goes on
 */
export async function publish(files: ContentFiles, options: Options): Promise<Published> {
  const { store, workshop, at } = options;
  return goLive(options, async () => {
    const known = fittingEdition(store, variantOf(workshop), nameOf(files), at);
    if (!known?.current) return rendered(files, options);
    // What shipped is needed here when the next release brings something else.
    keepSnapshot(files, store);
    return known;
  });
}

/**
 * Makes the content that was published before the current one what visitors see.
 *
 * @throws if there is none
 */
export async function publishBack(options: Options): Promise<Published> {
  const [current, ...earlier] = options.store.publications();
  const last = earlier.find(({ snapshot }) => snapshot !== current?.snapshot);
  if (last === undefined) throw new Error('Nothing else was published before, so there is nothing to return to.');
  return goLive(options, () => renderPublished(last.snapshot, options));
}

/**
 * Makes sure that there is an edition of the published content for the present: its time was over, the program is a
 * new one, or a part of it was damaged.
 *
 * @param repair looks for damage, however long that takes
 * @throws if nothing was published, or it is damaged itself
 */
export async function renew(options: Options & { repair?: boolean }): Promise<EditionRow> {
  const { store, repair = false } = options;
  const [current] = store.publications();
  if (current === undefined)
    throw new Error('Nothing was published yet; "publish" makes the content what visitors see.');
  if (repair) store.drop(store.damaged());
  const { row } = await renderPublished(current.snapshot, options, repair);
  // What was made again was made in haste.
  if (repair) store.setNote(polishedNote(row.root), undefined);
  return row;
}

async function renderPublished(snapshot: Hash, options: Options, again = false): Promise<Rendering> {
  const { store, workshop, at } = options;
  const known = fittingEdition(store, variantOf(workshop), snapshot, at);
  if (known?.current && !again) return known;
  const files = readSnapshot(snapshot, store);
  if (files === undefined) throw new Error('The published content is damaged; "publish" it again.');
  return rendered(files, { ...options, again: true });
}

/** Loads what makes editions only now: what only looks at what is published needs neither Markdown nor a renderer. */
async function rendered(files: ContentFiles, options: Options & { again?: boolean }): Promise<Rendering> {
  const { makeEdition } = await import('./make.ts');
  return makeEdition({ ...options, files });
}

async function goLive({ store, workshop, at }: Options, render: () => Promise<Rendering>): Promise<Published> {
  const before = currentEdition(store, variantOf(workshop), at)?.index;
  const { row, index, problems } = await render();
  if (store.publications()[0]?.snapshot !== row.snapshot) store.publish(row.snapshot, at);
  if (store.note('failure') !== undefined) store.setNote('failure', undefined);
  store.flush();
  return { edition: index, changes: changesBetween(before, index, store), problems };
}

function changesBetween(before: EditionIndex | undefined, after: EditionIndex, store: EditionStore): Changes {
  const bodies = (index: EditionIndex) =>
    new Map(entriesOf(index, store).flatMap((entry) => (isPage(entry, index) ? [[entry.path, entry.hash]] : [])));
  const [old, current] = [before ? bodies(before) : new Map<string, Hash>(), bodies(after)];
  const paths = [...current.keys()];
  return {
    added: paths.filter((path) => !old.has(path)),
    changed: paths.filter((path) => old.has(path) && old.get(path) !== current.get(path)),
    removed: [...old.keys()].filter((path) => !current.has(path)),
  };
}
