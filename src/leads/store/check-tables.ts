import { DatabaseSync } from 'node:sqlite';
import { schemaFor } from './migrations.ts';
import type { Sql } from './sql.ts';
import { StoreError } from './store-error.ts';

const columnsOf = {
  sqlite: `SELECT t.name || '.' || c.name AS name FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
  postgres: `SELECT relname || '.' || attname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'`,
};

/**
 * Two builds may give different tables the same version.
 *
 * @param place of the database, for the error
 * @throws {StoreError} if the tables lack something
 */
export async function checkTables({ dialect, query }: Sql, place: string): Promise<void> {
  using ours = new DatabaseSync(':memory:');
  for (const step of schemaFor('sqlite')) ours.exec(step);
  const found = await query<{ name: string }>(columnsOf[dialect]);
  const names = new Set(found.map(({ name }) => name));
  const needed = ours
    .prepare(columnsOf.sqlite)
    .all()
    .map(({ name }) => String(name));
  const missing = needed.filter((name) => !names.has(name));
  if (missing.length === 0) return;
  throw new StoreError(
    `The tables of ${place} are those of another build: they lack ${missing.join(', ')}. ` +
      'Start the build that made them, or name an empty DATA_DIR or DATABASE_URL.',
  );
}
