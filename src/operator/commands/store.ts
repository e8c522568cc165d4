import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { asideDays } from '../../leads/store/aside.ts';
import { backUp, restore } from '../../leads/store/backup.ts';
import { databasePath } from '../../leads/store/sqlite.ts';
import type { Config } from '../config.ts';
import { type Command, CommandError, type CommandIo, configOf, count, note, parse } from './command.ts';

export const storeCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: 'FILE',
    does: 'copies the database while the server runs; replaces a file that exists',
    async run(args, io) {
      const [name = ''] = parse(args, {}, ['FILE']).positionals;
      const { dataDir } = sqliteOf(io, `pg_dump --format=custom --file=${name}`);
      const file = resolve(name);
      const path = databasePath(dataDir);
      if (!existsSync(path)) throw new CommandError(`There is no ${path}: no server has run with this DATA_DIR.`);
      if (existsSync(file) && realpathSync(file) === realpathSync(path)) {
        throw new CommandError(`${file} is the database itself; name another file.`);
      }
      const leads = await backUp(dataDir, file);
      note(io, `${count(leads, 'lead')} in ${file}. It holds personal data: keep it as safe as the database.`);
    },
  },
  {
    name: 'restore',
    usage: 'FILE',
    does: 'puts a backup in the place of the database, which is kept; the server must not run',
    async run(args, io) {
      const [file = ''] = parse(args, {}, ['FILE']).positionals;
      const config = sqliteOf(io, `pg_restore --clean --if-exists --single-transaction ${file} --dbname`);
      const { leads, aside } = await restore(config.dataDir, resolve(file));
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
function sqliteOf(io: CommandIo, instead: string): Config {
  const config = configOf(io);
  if (!config.databaseUrl) return config;
  throw new CommandError(`The leads are in PostgreSQL; use its own tool:\n  ${instead} "$DATABASE_URL"`);
}
