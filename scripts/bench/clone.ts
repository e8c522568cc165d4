import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { paths } from '../../src/lib/paths.ts';

/** Copies what was committed last, with the dependencies of this copy. @throws without git, or without a repository */
export function clone(folder: string): string {
  const project = dirname(dirname(paths.main));
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${project}`, folder], { stdio: ['ignore', 2, 2] });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}
