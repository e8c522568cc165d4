import { existsSync } from 'node:fs';
import { backedUpAt } from '../../leads/store/backup.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import { hourMs } from '../../lib/durations.ts';
import { count } from '../command.ts';
import { type Examined, type Finding, ok, warn } from './finding.ts';

/** A nightly backup may start late; two nights without one are a fault. */
const maxBackupAgeMs = 36 * hourMs;

/** PostgreSQL is copied by its own tools, which this does not see. */
export async function* examineBackup({ config: { dataDir, databaseUrl } }: Examined): AsyncGenerator<Finding> {
  if (databaseUrl || !existsSync(databasePath(dataDir))) return;
  const at = backedUpAt(dataDir);
  const remedy = 'look at korob-backup.timer or the job of cron, and see README.md of scripts/deploy';
  if (at === undefined) return yield warn(`no backup was made with DATA_DIR=${dataDir} yet; ${remedy}`);
  const age = Date.now() - at.getTime();
  const text = `the newest backup is ${count(Math.floor(age / hourMs), 'hour')} old`;
  yield age > maxBackupAgeMs ? warn(`${text}; ${remedy}`) : ok(text);
}
