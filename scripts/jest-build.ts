import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { unpackChromium } from './unpack-chromium.ts';

/** Runs before the tests, also in watch mode, so that they never use an outdated build. */
export default function build(): void {
  const { status } = spawnSync(process.execPath, [join(import.meta.dirname, 'build.ts'), '--stale'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('The build failed. The reason is printed above.');
  unpackChromium();
}
