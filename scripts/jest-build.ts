import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Before every run, also those that a watch begins: no test judges a build that is older than its sources. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--stale'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('There is no build to test.');
}
