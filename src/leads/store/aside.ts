import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A database that a restored backup has replaced. It still holds personal data. */
export type Aside = {
  path: string;
  /** When it was put aside, in milliseconds since 1970. */
  since: number;
};

/** Where the database at `path` is put aside. @param at milliseconds since 1970 */
export function asidePath(path: string, at: number): string {
  return path.replace(/\.sqlite$/, `-until-${new Date(at).toISOString().replaceAll(':', '-')}.sqlite`);
}

/** Long enough for an operator to notice that a lead is missing. */
const keptDays = 30;
/** Milliseconds for which another process that holds the file is waited for. */
const patience = 5_000;
/** What lies beside a damaged one. */
export const companions = ['-wal', '-shm', '-journal'];

/** The oldest first. */
export function asides(dataDir: string): Aside[] {
  if (!existsSync(dataDir)) return [];
  return readdirSync(dataDir)
    .sort()
    .flatMap((name) => {
      const [, hour, minute, second] = /^korob-until-(.{13})-(\d\d)-(\d\d\.\d{3}Z)\.sqlite$/.exec(name) ?? [];
      const since = Date.parse(`${hour}:${minute}:${second}`);
      return Number.isNaN(since) ? [] : [{ path: join(dataDir, name), since }];
    });
}

/** For how many days one is kept: no longer than the requests in it. @param requests days for which these are kept */
export function asideDays(requests: number): number {
  return Math.min(keptDays, requests);
}

export function removeAside({ path }: Aside): void {
  for (const rest of ['', ...companions]) rmSync(path + rest, { force: true });
}

/**
 * Removes every lead of a phone number for good.
 *
 * @returns how many there were
 * @throws what SQLite says; then they may still be there
 */
export function eraseAside({ path }: Aside, phone: string): number {
  using connection = new DatabaseSync(path, { timeout: patience });
  const { changes } = connection.prepare('DELETE FROM lead WHERE phone = ?').run(phone);
  // Writes every page anew: none keeps what was there.
  connection.exec('VACUUM');
  return Number(changes);
}
