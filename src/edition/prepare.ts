import { join } from 'node:path';
import type { Workshop } from './build.ts';
import { inputsOf } from './inputs.ts';
import { type Edition, isCurrent, openEdition, readIndex } from './open.ts';

type Options = Workshop & {
  /** Where the image or the build left its edition. */
  shippedDir: string;
  /** Where an edition is made when the shipped one does not fit. */
  ownDir: string;
  /** Told before an edition is made, which takes some seconds. */
  onBuild: () => void;
};

/**
 * The edition for these inputs: the one that was shipped, the one that was made earlier, or a new one. One whose
 * time is over is better than a wait: whoever serves it has a new one made meanwhile.
 *
 * @throws {ContentError} if it has to be made and the content is wrong
 */
export async function prepareEdition(options: Options): Promise<Edition> {
  const { shippedDir, ownDir, onBuild, ...workshop } = options;
  const inputs = inputsOf(workshop);
  const fitting = [ownDir, shippedDir].flatMap((editionsDir) => {
    const dir = join(editionsDir, 'current');
    const index = readIndex(dir);
    return index?.inputs === inputs ? [{ dir, index }] : [];
  });
  const found = fitting.find(({ index }) => isCurrent(index, inputs)) ?? fitting[0];
  if (found) return openEdition(found.dir, found.index);
  onBuild();
  // Loaded only here, because a server whose edition is ready needs neither Markdown nor a compressor.
  const { buildEdition } = await import('./build.ts');
  const dir = await buildEdition(workshop, ownDir);
  const index = readIndex(dir);
  if (index === undefined) throw new Error(`The edition in ${dir} was written but cannot be read.`);
  return openEdition(dir, index);
}
