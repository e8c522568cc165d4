import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Also in watch mode, so tests never use an outdated build. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--stale'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('There is no build to test.');
}
