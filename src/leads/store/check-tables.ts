import { DatabaseSync } from 'node:sqlite';
import type { Sql } from '../../lib/sql.ts';
import { StoreError } from '../../lib/store-error.ts';
import { schemaFor } from './migrations.ts';

type Column = {
  table: string;
  column: string;
  /** 1 if every row needs a value from the program. */
  required: number;
};

const columnsOf = {
  sqlite: `SELECT t.name AS "table", c.name AS "column", c."notnull" AND c.dflt_value IS NULL AND c.pk = 0 AS required
    FROM pragma_table_list AS t JOIN pragma_table_xinfo(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND t.name NOT LIKE 'sqlite%'`,
  postgres: `SELECT relname AS "table", attname AS "column",
      (attnotnull AND NOT atthasdef AND attidentity = '')::integer AS required
    FROM pg_class AS t JOIN pg_attribute AS c ON attrelid = t.oid
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped`,
};

/**
 * Two builds may give their schemas the same version.
 *
 * @param place of the database, for the error
 * @throws {StoreError} if this program cannot use the tables
 */
export async function checkTables({ dialect, query }: Sql, place: string): Promise<void> {
  using ours = new DatabaseSync(':memory:');
  for (const step of schemaFor('sqlite')) ours.exec(step);
  const known = ours.prepare(columnsOf.sqlite).all() as Column[];
  const found = await query<Column>(columnsOf[dialect]);
  const unknown = found.filter(({ table, required }) => required === 1 && known.some((one) => one.table === table));
  const faults = [
    ['they lack', without(known, found)],
    ['they need', without(unknown, known)],
  ].flatMap(([what, names]) => (names ? `${what} ${names}` : []));
  if (faults.length === 0) return;
  throw new StoreError(
    `The tables of ${place} are those of another build: ${faults.join(', and ')}. ` +
      'Start the build that made them, or name an empty DATA_DIR or DATABASE_URL.',
  );
}

/** Names the columns that the others lack. */
function without(columns: readonly Column[], others: readonly Column[]): string {
  const names = new Set(others.map(nameOf));
  return columns
    .map(nameOf)
    .filter((name) => !names.has(name))
    .join(', ');
}

function nameOf({ table, column }: Column): string {
  return `${table}.${column}`;
}
