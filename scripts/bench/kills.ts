import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { alone, type Figure } from './figure.ts';

const kills = 200;
const root = join(import.meta.dirname, '../..');

/** The test of the tests' own run, with more kills. @throws if anything acknowledged is lost */
export async function measureKills(): Promise<Figure[]> {
  const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
  const { status } = spawnSync(process.execPath, [...jest, 'src/faults/kills.slow.test.ts'], {
    cwd: root,
    env: { ...process.env, KILLS: String(kills) },
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('Something acknowledged was lost, or never told of; see above.');
  return [alone('kills that lost no request', 'kills', kills, { at: 'least', value: kills })];
}
