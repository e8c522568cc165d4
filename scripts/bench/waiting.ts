import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './figure.ts';
import type { PageLoad } from './page-load.ts';
import type { RunningServer } from './servers.ts';

const perSecond = 200;
/** Milliseconds until visitors come at their pace; they do not count. */
const warmUp = 2_000;

/**
 * Milliseconds that 99 of 100 visitors wait at most while something happens.
 *
 * @param list file with the addresses that they ask for, as a list in JSON
 * @throws if one of them is refused
 */
export async function waitWhile(
  { port }: RunningServer,
  list: string,
  happening: () => Promise<unknown>,
): Promise<number> {
  // A process of its own: what this one does meanwhile would keep visitors from asking.
  const script = join(import.meta.dirname, 'page-load.ts');
  const args = [script, `--port=${port}`, `--rate=${perSecond}`, `--paths=${list}`];
  const visitors = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = visitors.stdout.toArray();
  try {
    await sleep(warmUp);
    await happening();
  } finally {
    visitors.kill('SIGTERM');
  }
  const { waits, refused }: PageLoad = JSON.parse((await said).join(''));
  if (refused.length > 0) throw new Error(`Pages were refused: ${refused.join(', ')}`);
  return percentile(waits.slice((warmUp / 1_000) * perSecond), 0.99);
}
