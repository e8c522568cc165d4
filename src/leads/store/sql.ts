export type Value = string | number | null | Uint8Array;

/** Times are ISO 8601 in UTC, JSON is text, counts are numbers. */
type Row = Record<string, unknown>;

/** One statement; values start at `$1`. */
export type Query = <R extends object = Row>(text: string, values?: readonly Value[]) => Promise<R[]>;

export type Sql = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Resolves once changes are on disk. @throws {StoreError} within seconds */
  query: Query;
  /**
   * @param work may run again after a conflict, and must await only its own `query`
   * @throws {StoreError} within seconds
   */
  transact<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Erases deleted rows from disk. With SQLite it blocks the process, a second per several hundred thousand leads.
   *
   * @throws {StoreError} if another process prevents it
   */
  forget(): Promise<void>;
};

export class StoreError extends Error {
  override readonly name = 'StoreError';
  /** Of the response. */
  readonly status = 503;
}
