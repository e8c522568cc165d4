import { paths } from '../../lib/paths.ts';
import { readFolder, revisionOf } from '../../loading/content-files.ts';
import { readPublished, readRevision } from '../../publishing/revisions.ts';
import { loadSite } from '../../site/load-site.ts';
import { missingPictures } from '../../site/site-pictures.ts';
import { inputsOf } from '../content-commands.ts';
import { type Examined, type Finding, fail, ok, warn } from './finding.ts';
import { requireAccess } from './require-access.ts';

/** Checks that visitors see what was published. */
export async function* examinePublished({ config }: Examined): AsyncGenerator<Finding> {
  const { dataDir, contentDir } = config;
  requireAccess(dataDir);
  const folder = paths.published(dataDir);
  const { current, revisions, damaged } = readPublished(folder);
  if (damaged)
    yield fail(`the list in ${folder} is damaged, and the newest content that is whole is shown; "publish" again`);
  if (current === null) {
    const shown = `visitors see the ${contentDir} that the server read at its start`;
    yield warn(`nothing was published with DATA_DIR=${dataDir} yet; ${shown}`);
    return;
  }
  const files = await readRevision(folder, current);
  if (files === undefined) {
    yield fail(`${folder}/${current} is damaged, and what was published before is shown; "publish" again`);
    return;
  }
  const { site } = loadSite(files, { inputs: inputsOf(config), at: new Date() });
  const at = revisions.find(({ id }) => id === current)?.at;
  yield ok(`${current}, published at ${at}`);
  const pictures = site.pictures();
  const missing = missingPictures(pictures, paths.pictures(dataDir)).length;
  if (missing > 0)
    yield warn(`${missing} of ${pictures.length} pictures are still to be encoded; a server that runs does that`);
  if (revisionOf(readFolder(contentDir)) !== current) {
    yield warn(`${contentDir} has changed since ${at}; "publish" makes it what visitors see`);
  }
}
