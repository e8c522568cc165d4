export type Value = string | number | null | Uint8Array;

/** Times are ISO 8601 in UTC, JSON is text, counts are numbers. */
export type Row = Record<string, unknown>;

/** Runs one statement; `$1` in it is the first value. */
export type Query = <R extends object = Row>(text: string, values?: readonly Value[]) => Promise<R[]>;

/** SQL for both databases, except where code checks `dialect`. */
export type Sql = {
  readonly dialect: 'sqlite' | 'postgres';
  /** A change is on disk when it resolves. @throws {StoreError} within seconds */
  query: Query;
  /**
   * Commits all statements of `work` or none of them.
   *
   * @param work may run again after a conflict, and awaits nothing but its own `query`
   * @throws {StoreError} within seconds
   */
  transact<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /**
   * Erases deleted rows from free space. In SQLite it blocks the process, for a second per some hundred thousand leads.
   *
   * @throws {StoreError} while another process prevents it
   */
  forget(): Promise<void>;
};
