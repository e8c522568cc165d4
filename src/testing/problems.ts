import { createCache } from '../lib/cache.ts';
import { paths } from '../lib/paths.ts';
import { readAssets } from '../reading/assets.ts';
import { checkSources } from '../reading/check.ts';
import type { ContentFiles } from '../reading/content-files.ts';
import { examinePictures } from '../reading/pictures.ts';
import type { Problem } from '../reading/problem.ts';
import { readSources } from '../reading/sources.ts';
import { sections, taken } from '../routes.ts';
import { builtAt } from './built.ts';
import { ofTheDemo } from './content.ts';

const assets = readAssets(paths.public);
const cache = createCache();

/** What an editor is told of a content without its pages, besides what is left of the company that ships. */
export async function problemsOf(files: ContentFiles, at = builtAt): Promise<Problem[]> {
  const read = readSources(files, sections, cache);
  const pictures = await examinePictures(files, cache);
  return checkSources({ ...read, assets, pictures, taken, at }).filter((problem) => !ofTheDemo(problem));
}
