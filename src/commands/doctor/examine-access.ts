import { existsSync } from 'node:fs';
import { databasePath, isWritableByOthers, openFiles } from '../../leads/store/sqlite.ts';
import { type Examined, type Finding, warn } from './finding.ts';

/** Opening the database closes its files to others where that can be done. */
export async function* examineAccess({ config: { dataDir } }: Examined): AsyncGenerator<Finding> {
  if (!existsSync(databasePath(dataDir))) return;
  for (const path of openFiles(dataDir)) {
    yield warn(`other users of this machine may open ${path}, which holds personal data; "chmod go= ${path}"`);
  }
  if (isWritableByOthers(dataDir)) {
    yield warn(`other users of this machine may write into ${dataDir}, which holds personal data; use another folder`);
  }
}
