import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is gone when the tests of the file have ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'korob-'));
  folders.push(folder);
  return folder;
}
