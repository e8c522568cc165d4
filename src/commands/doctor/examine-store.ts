import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { channelNames } from '../../leads/channels/configured.ts';
import type { OpenDeliveries } from '../../leads/store/deliveries.ts';
import type { Sql } from '../../leads/store/sql.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import { minuteMs } from '../../lib/durations.ts';
import { freeBytes } from '../../lib/files.ts';
import { count, withStore } from '../command.ts';
import { type Examined, type Finding, fail, ok, warn } from './finding.ts';
import { requireAccess } from './require-access.ts';

/** Bytes of free space below which leads are at risk, and those of `KorobDiskFills`. */
const minFreeBytes = 200e6;
const fewFreeBytes = 1e9;

/** A message that waits for longer is a fault of its channel, or of the server. */
const maxWaitMs = 10 * minuteMs;

export async function* examineStore({ config }: Examined): AsyncGenerator<Finding> {
  const { dataDir, databaseUrl } = config;
  if (!databaseUrl) requireAccess(dataDir);
  const path = databasePath(dataDir);
  if (!databaseUrl && !existsSync(path)) {
    yield warn(`no server has run with DATA_DIR=${dataDir} yet; the first start makes a database there`);
    return;
  }
  if (databaseUrl && existsSync(path)) yield leftIn(path);
  const open = await withStore(config, async ({ sql, leads, deliveries }) => {
    if (!databaseUrl) await requireWhole(sql);
    await leads.probe();
    return deliveries.open();
  });
  if (!databaseUrl) yield ok('the database is whole');
  yield ok(`leads can be stored in ${databaseUrl ? 'PostgreSQL' : path}`);
  yield* undelivered(open, channelNames(config.channels));
  if (!databaseUrl) yield space(dataDir);
}

/** A server with a `DATABASE_URL` does not look into this file. */
function leftIn(path: string): Finding {
  using database = new DatabaseSync(path, { readOnly: true });
  const leads = Number(database.prepare('SELECT count(*) AS n FROM lead').get()?.n);
  if (leads === 0) return warn(`${path} is not used, because DATABASE_URL is set, and holds no lead: delete it`);
  const they = `${count(leads, 'lead')} that nobody sees, because DATABASE_URL is set`;
  return fail(`${path} holds ${they}; without it, "leads export" lists them`);
}

function* undelivered(open: readonly OpenDeliveries[], configured: readonly string[]): Generator<Finding> {
  for (const one of open) {
    const { channel, waiting, givenUp } = one;
    const isConfigured = configured.includes(channel);
    if (waiting > 0) yield delayed(one, isConfigured);
    if (givenUp === 0) continue;
    const command = `"leads resend --channel ${channel}" sends those of new leads again`;
    const remedy = isConfigured ? command : `once the channel is configured again, ${command}`;
    yield warn(`${messages(givenUp, channel)} given up: the desk has the leads; ${remedy}`);
  }
}

function delayed({ channel, waiting, waitingSince, error }: OpenDeliveries, isConfigured: boolean): Finding {
  const text = messages(waiting, channel);
  if (!isConfigured) {
    return warn(`${text} waiting, but the channel is not configured; within an hour, a server gives up such messages`);
  }
  if (waitingSince === null || Date.now() - Date.parse(waitingSince) < maxWaitMs) return warn(`${text} on the way`);
  const reason = error ?? 'no attempt has ended yet';
  return fail(`${text} waiting, the oldest since ${waitingSince} and until three days have passed: ${reason}`);
}

function messages(number: number, channel: string): string {
  return `${count(number, 'message')} for ${channel}`;
}

/** What leads need may be whole while other pages are damaged. */
async function requireWhole({ query }: Sql): Promise<void> {
  const [found] = await query<{ integrity_check: string }>('PRAGMA integrity_check(1)');
  if (found?.integrity_check === 'ok') return;
  const remedy = 'stop the server, keep the file, restore a backup';
  throw new Error(`the database is damaged; ${remedy}: ${found?.integrity_check}`);
}

function space(dataDir: string): Finding {
  const free = freeBytes(dataDir);
  const text = `${Math.floor(free / 1e6)} MB are free on the disk of ${dataDir}`;
  if (free < minFreeBytes) return fail(text);
  return free < fewFreeBytes ? warn(text) : ok(text);
}
