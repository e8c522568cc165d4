import { accessSync, constants } from 'node:fs';
import { userName } from '../../lib/user-name.ts';

/** @throws for another user, to whom all that is in the folder would seem to be missing */
export function requireAccess(dataDir: string): void {
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return;
    throw new Error(`DATA_DIR: ${userName()} may not use ${dataDir} (${code}); run this as the user of the server`);
  }
}
