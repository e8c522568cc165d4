import { existsSync } from 'node:fs';
import { moveTo } from '../leads/store/backup.ts';
import { databasePath, movedPath } from '../leads/store/sqlite.ts';
import { type Command, CommandError, configOf, count, note, parse } from './command.ts';

export const migrateCommand: Command = {
  name: 'leads migrate',
  usage: '',
  does: 'moves everything from SQLite in DATA_DIR to the empty PostgreSQL of DATABASE_URL; stop the server first',
  async run(args, io) {
    parse(args, {});
    const { dataDir, databaseUrl } = configOf(io);
    const path = databasePath(dataDir);
    if (!databaseUrl) throw new CommandError('DATABASE_URL is not set; set it to the address of an empty PostgreSQL.');
    if (!existsSync(path)) {
      throw new CommandError(`There is no ${path}: there is nothing to move; set DATA_DIR to the server's.`);
    }
    const { openPostgres } = await import('../leads/store/postgres.ts');
    const postgres = await openPostgres(databaseUrl);
    try {
      const { leads, deliveries } = await moveTo(postgres, dataDir);
      note(io, `Moved to ${postgres.place}: ${count(leads, 'lead')}, ${count(deliveries, 'message')} about them.`);
      note(
        io,
        `Start the server with DATABASE_URL. The SQLite database is now ${movedPath(dataDir)}; delete it when you no longer need it.`,
      );
    } finally {
      await postgres.close();
    }
  },
};
