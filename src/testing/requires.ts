import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from '@jest/globals';

/** Whether a program can be run; looked for on the path, and where Debian keeps servers. */
export function has(program: string): boolean {
  const folders = program.includes('/') ? [''] : `${process.env.PATH}:/usr/sbin`.split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * `test` for what needs programs: without them the tests are skipped, loudly. On a
 * build machine (`CI=true`) they run all the same and fail, because a skipped test
 * must not look like a passed one.
 *
 * @param unproved what nothing proves if the tests are skipped
 */
export function testWith(programs: string | string[], unproved: string): typeof test | typeof test.skip {
  const missing = [programs].flat().filter((program) => !has(program));
  return missing.length === 0 ? test : skipLoudly(`${missing.join(', ')} IS NOT INSTALLED`, unproved);
}

/** `testWith` for what needs anything else, once it is known to be missing. @param missing what is wrong */
export function skipLoudly(missing: string, unproved: string): typeof test | typeof test.skip {
  console.warn(`${missing}: nothing here proves that ${unproved}.`);
  return process.env.CI === 'true' ? test : test.skip;
}
