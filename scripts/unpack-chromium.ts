import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathOf, unpackedChromium } from '../src/tests/support/programs.ts';

const unpack = `const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath();`;

/**
 * Unpacks the Chromium from npm into `var/`, once for each version, where the system has no browser.
 *
 * @throws if it cannot be unpacked
 */
export function unpackChromium(): void {
  if (!unpackedChromium || pathOf('browser')) return;
  mkdirSync(dirname(unpackedChromium), { recursive: true });
  const folder = mkdtempSync(`${unpackedChromium}-`);
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', unpack], {
    cwd: join(import.meta.dirname, '..'),
    // The package unpacks into TMPDIR. It unpacks the libraries that a bare system lacks only if it seems to run on AWS.
    env: { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
    stdio: 'inherit',
  });
  try {
    if (status !== 0) throw new Error(`Chromium could not be unpacked into ${folder}. The reason is printed above.`);
    // The package's own file looks for the fonts below /tmp.
    const fonts = `<fontconfig><dir prefix="relative">fonts</dir><cachedir>${unpackedChromium}/cache</cachedir></fontconfig>`;
    writeFileSync(join(folder, 'fonts/fonts.conf'), fonts);
    renameSync(folder, unpackedChromium);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // Another run may have unpacked it meanwhile.
    if (!pathOf('browser')) throw error;
  }
}
