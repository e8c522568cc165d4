import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { asideDays } from '../../leads/store/aside.ts';
import { backUp, type Progress, restore } from '../../leads/store/backup.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import type { Config } from '../config.ts';
import { type Command, CommandError, type CommandIo, configOf, count, note, parse } from './command.ts';

export const storeCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: 'FILE [--force]',
    does: 'copies the database while the server runs; --force replaces a file that exists',
    async run(args, io) {
      const { values, positionals } = parse(args, { force: { type: 'boolean' } }, ['FILE']);
      const config = sqliteOf(io, (url) => `pg_dump --format=custom --file=${positionals[0]} ${url}`);
      const file = resolve(positionals[0] ?? '');
      const path = databasePath(config.dataDir);
      if (!existsSync(path)) throw new CommandError(`There is no ${path}: no server has run with this DATA_DIR.`);
      if (isSame(file, path)) throw new CommandError(`${file} is the database itself; name another file.`);
      if (existsSync(file) && !values.force) throw new CommandError(`${file} exists; to replace it, add --force.`);
      const leads = await withProgress(io, (progress) => backUp(config.dataDir, file, progress));
      note(io, `${count(leads, 'lead')} in ${file}. It holds personal data: keep it as safe as the database.`);
    },
  },
  {
    name: 'restore',
    usage: 'FILE',
    does: 'puts a backup in the place of the database, which is kept; the server must not run',
    async run(args, io) {
      const [name = ''] = parse(args, {}, ['FILE']).positionals;
      const config = sqliteOf(
        io,
        (url) => `pg_restore --clean --if-exists --single-transaction --dbname=${url} ${name}`,
      );
      const file = resolve(name);
      if (isSame(file, databasePath(config.dataDir))) throw new CommandError(`${file} is the database itself.`);
      const { leads, aside } = await withProgress(io, (progress) => restore(config.dataDir, file, progress));
      note(io, `${count(leads, 'lead')} restored from ${file}.`);
      if (aside) {
        const days = asideDays(config.retention.requests);
        note(io, `What was there before is in ${aside}; delete it when nobody needs it any more.`);
        note(io, `The server does so after ${days} days, and "leads erase" looks there, too.`);
      }
      note(io, 'Phones erased and links ended since the backup was made must be erased and ended again.');
    },
  },
];

/** @throws {CommandError} with the command line to use if the leads are in PostgreSQL */
function sqliteOf(io: CommandIo, instead: (url: string) => string): Config {
  const config = configOf(io);
  if (config.databaseUrl) {
    throw new CommandError(`The leads are in PostgreSQL; use its own tool:\n  ${instead('"$DATABASE_URL"')}`);
  }
  return config;
}

function isSame(file: string, path: string): boolean {
  return existsSync(file) && existsSync(path) && realpathSync(file) === realpathSync(path);
}

const barWidth = 30;

/** Shows a bar at a terminal, and ends the work in order when the operator interrupts it. */
export async function withProgress<T>({ stderr }: CommandIo, work: (progress: Progress) => Promise<T>): Promise<T> {
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  let shown = '';
  try {
    return await work((share) => {
      if (interrupted) throw new CommandError('interrupted; nothing was left half done');
      const done = Math.floor(share * barWidth);
      const bar = `\r[${'#'.repeat(done)}${'.'.repeat(barWidth - done)}] ${Math.floor(share * 100)} %`;
      if (!stderr.isTTY || bar === shown) return;
      shown = bar;
      stderr.write(bar);
    });
  } finally {
    if (shown) stderr.write('\r\u001b[K');
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  }
}
