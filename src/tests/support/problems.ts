import { createCache } from '../../lib/cache.ts';
import { paths } from '../../lib/paths.ts';
import { readAssets } from '../../loading/assets.ts';
import { checkSources } from '../../loading/checks/check-content.ts';
import { type ContentFiles, readFolder } from '../../loading/content-files.ts';
import { withOwnDrawings } from '../../loading/own-drawings.ts';
import type { Problem } from '../../loading/problem.ts';
import { examinePictures } from '../../loading/read-pictures.ts';
import { readSources } from '../../loading/sources.ts';
import { occupiedPaths, sections } from '../../routes.ts';
import { ofTheSample } from './sample-content.ts';

const assets = readAssets(paths.public);
const cache = createCache();

/**
 * The last day on which the shipped content was edited or checked. Months later, the check asks editors to review
 * prices and departures.
 */
const lastEdit = new Date(`${newest(readFolder(paths.content))}T09:00:00Z`);

function newest(files: ContentFiles): string {
  const texts = [...files].filter(([name]) => /\.(md|yaml)$/.test(name)).map(([, file]) => String(file.bytes()));
  const days = texts.flatMap((text) => [...text.matchAll(/^ *(?:updated|checked): (\d{4}-\d\d-\d\d)/gm)]);
  return days.map(([, day = '']) => day).reduce((latest, day) => (day > latest ? day : latest), '2026-11-24');
}

/** Returns the problems of content without rendering its pages. Leaves out those of the shipped company. */
export async function problemsOf(files: ContentFiles, at = lastEdit): Promise<Problem[]> {
  const read = readSources(files, sections, cache);
  const pictures = await examinePictures(files, cache);
  return checkSources({
    ...read,
    assets: withOwnDrawings(assets, files, pictures),
    pictures,
    occupiedPaths,
    at,
  }).filter((problem) => !ofTheSample(problem));
}
