import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { paths } from '../../src/lib/paths.ts';
import { alone, type Figure, inTurns, median } from './figure.ts';
import { fill } from './fill.ts';
import { load } from './leads.ts';
import { type Peers, production, type RunningServer, start } from './servers.ts';
import { undisturbed } from './undisturbed.ts';

const leads = 100_000;
const rounds = 5;
const quiet = { connections: 64, seconds: 4, rate: 100 };

/** What a backup costs those who send the form meanwhile: the longest wait, against rounds without a backup. */
export async function measureBackup({ folder }: Peers): Promise<Figure[]> {
  const dataDir = join(folder, 'backup');
  await fill(dataDir, leads, []);
  await using server = await start(production(dataDir), { cpu: 0 });
  const seconds: number[] = [];
  await load(server, quiet);
  const longest = await inTurns(rounds, {
    without: () => undisturbed(() => longestWait(server)),
    during: () =>
      undisturbed(async () => {
        const waiting = longestWait(server);
        const begun = performance.now();
        await backUp(dataDir, join(folder, 'backup.sqlite'));
        seconds.push((performance.now() - begun) / 1000);
        return waiting;
      }),
  });
  const added = longest.during.map((wait, round) => wait - (longest.without[round] ?? Number.NaN));
  return [
    alone('longest wait for a receipt, no backup', 'ms', median(longest.without)),
    alone('what a backup adds to the longest wait', 'ms', Math.max(0, median(added)), { at: 'most', value: 50 }),
    alone('backup of 100,000 leads', 's', median(seconds)),
  ];
}

async function longestWait(server: RunningServer): Promise<number> {
  const { latencies } = await load(server, quiet);
  return Math.max(...latencies);
}

async function backUp(dataDir: string, file: string): Promise<void> {
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir };
  await promisify(execFile)(process.execPath, [paths.commands, 'backup', file, '--force'], { env });
}
