/** Values of the `:name` placeholders. */
export type Values = Readonly<Record<string, string | number | null | Uint8Array>>;

/** Times are ISO 8601 in UTC, JSON is text, counts are numbers. */
export type Row = Record<string, unknown>;

/** A transaction that yields statements and receives rows. */
export type Work<T> = Generator<readonly [text: string, values: Values], T, Row[]>;

export function* step<R extends object = Row>(text: string, values: Values = {}): Work<R[]> {
  return (yield [text, values]) as R[];
}

/** SQL for both databases, except where code checks `dialect`. */
export type Sql = {
  readonly dialect: 'sqlite' | 'postgres';
  /** For reads. @throws {StoreError} within seconds */
  ask<R extends object = Row>(text: string, values?: Values): Promise<R[]>;
  /** Resolves once the commit is on disk. @throws {StoreError} within seconds */
  run<R extends object = Row>(text: string, values?: Values): Promise<R[]>;
  /** @param work may run again after a conflict */
  transact<T>(work: () => Work<T>): Promise<T>;
  /**
   * Erases deleted rows from free space, in about a second per some hundred thousand leads.
   *
   * @throws {StoreError} while another process prevents it
   */
  forget(): Promise<void>;
};

/** The same, with every failure reported. */
export function watched(sql: Sql, failed: () => void): Sql {
  function watch<T>(work: Promise<T>): Promise<T> {
    work.catch(failed);
    return work;
  }
  return {
    dialect: sql.dialect,
    ask: <R extends object>(text: string, values?: Values) => watch(sql.ask<R>(text, values)),
    run: <R extends object>(text: string, values?: Values) => watch(sql.run<R>(text, values)),
    transact: (work) => watch(sql.transact(work)),
    forget: () => watch(sql.forget()),
  };
}
