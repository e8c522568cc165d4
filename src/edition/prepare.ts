import { join } from 'node:path';
import type { Integrations } from '../site/integrations.ts';
import { type Code, inputsOf } from './inputs.ts';
import { type Edition, openEdition, readIndex } from './open.ts';

type Options = {
  code: Code;
  contentDir: string;
  publicDir: string;
  siteUrl: string;
  integrations: Integrations;
  /** Where the image or the build left its edition. */
  shippedDir: string;
  /** Where an edition is made when the shipped one does not fit. */
  ownDir: string;
  /** Told before an edition is made, which takes some seconds. */
  onBuild: () => void;
};

/**
 * The edition for these inputs: the one that was shipped, the one that was made
 * at an earlier start, or a new one.
 *
 * @throws {ContentError} if it has to be made and the content is wrong
 */
export async function prepareEdition(options: Options): Promise<Edition> {
  const { shippedDir, ownDir, onBuild, ...workshop } = options;
  const inputs = inputsOf(workshop);
  for (const editionsDir of [ownDir, shippedDir]) {
    const dir = join(editionsDir, 'current');
    const index = readIndex(dir);
    if (index?.inputs === inputs) return openEdition(dir, index);
  }
  onBuild();
  // Loaded only here, because a server whose edition is ready needs neither Markdown nor a compressor.
  const { buildEdition } = await import('./build.ts');
  const dir = await buildEdition(workshop, ownDir);
  const index = readIndex(dir);
  if (index === undefined) throw new Error(`The edition in ${dir} was written but cannot be read.`);
  return openEdition(dir, index);
}
