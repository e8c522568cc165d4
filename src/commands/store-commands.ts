import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { backUp, markBackup, restore } from '../leads/store/backup.ts';
import { keepErasures } from '../leads/store/erasures.ts';
import { openStore } from '../leads/store/open-store.ts';
import type { Sql } from '../leads/store/sql.ts';
import { databasePath } from '../leads/store/sqlite.ts';
import { userName } from '../lib/user-name.ts';
import { type Command, configOf, count, note, parse } from './command.ts';

export const storeCommands: readonly Command[] = [
  {
    name: 'backup',
    usage: 'FILE',
    does: 'copies the database while the server runs; replaces a file that exists',
    async run(args, io) {
      const [name = ''] = parse(args, {}, ['FILE']).positionals;
      const { dataDir, databaseUrl } = configOf(io);
      if (databaseUrl) throw new Error(ownToolFor(databaseUrl, name));
      const file = resolve(name);
      const path = databasePath(dataDir);
      if (!existsSync(path)) throw new Error(`There is no ${path}: no server has run with this DATA_DIR.`);
      if (existsSync(file) && realpathSync(file) === realpathSync(path)) {
        throw new Error(`${file} is the database itself; name another file.`);
      }
      const leads = backUp(dataDir, file);
      markBackup(dataDir);
      note(io, `${count(leads, 'lead')} in ${file}. It holds personal data: keep it as safe as the database.`);
    },
  },
  {
    name: 'restore',
    usage: 'FILE',
    does: 'copies a backup into a database without leads; to replace one, stop the server and move korob.sqlite* away',
    async run(args, io) {
      const [file = ''] = parse(args, {}, ['FILE']).positionals;
      const config = configOf(io);
      const store = await openStore(config);
      try {
        const leads = await restore(resolve(file), store.sql);
        note(io, `${count(leads, 'lead')} restored from ${file}.`);
        note(io, await eraseAgain(store.sql, config.dataDir));
        note(io, 'Repeat every revocation of links that was made after this backup.');
      } finally {
        await store.close();
      }
    },
  },
];

/** Without the password, which other users of the machine would see in the list of processes. */
function ownToolFor(databaseUrl: string, file: string): string {
  const { hostname, port, username, pathname } = new URL(databaseUrl);
  const where = `--host=${hostname}${port && ` --port=${port}`} --username=${username}`;
  const command = `pg_dump --format=custom --file=${file} ${where} ${pathname.slice(1)}`;
  return `The leads are in PostgreSQL; use its own tool, which reads the password from ~/.pgpass:\n  ${command}`;
}

/** @returns what is to be said about it */
async function eraseAgain(sql: Sql, dataDir: string): Promise<string> {
  const { file, known, erased } = await keepErasures(sql, dataDir, userName());
  if (erased > 0) await sql.forget();
  if (!known) return `There was no ${file}: repeat every erasure that was made after this backup.`;
  if (erased === 0) return `By ${file}, no restored lead was erased after this backup.`;
  return `${erased === 1 ? '1 of them was' : `${erased} of them were`} erased after this backup; that was repeated.`;
}
