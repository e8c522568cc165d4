import type { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../lib/store-error.ts';

/** @param place where the leads are now, for people */
export function markMoved(connection: DatabaseSync, place: string): void {
  connection.prepare('INSERT INTO moved (id, place, at) VALUES (1, ?, ?)').run(place, new Date().toISOString());
}

/**
 * A server that went on with such a file would show old leads, and keep new ones where nobody looks.
 *
 * @throws {StoreError}
 */
export function refuseMoved(connection: DatabaseSync, path: string): void {
  const moved = connection.prepare('SELECT place, at FROM moved').get();
  if (moved === undefined) return;
  throw new StoreError(
    `The leads of ${path} were moved to ${moved.place} at ${moved.at}; set DATABASE_URL to that database. ` +
      'To begin anew with SQLite, put the file away.',
  );
}
