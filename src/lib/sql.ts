/** What a statement is given: `:name` in its text stands for the value of that name. */
export type Values = Readonly<Record<string, string | number | null | Uint8Array>>;

/** By column. In whichever database it lies, a time is ISO 8601 in UTC, JSON is text, and a count a number. */
export type Row = Record<string, unknown>;

/** A transaction: each statement is yielded, and its rows come back. */
export type Work<T> = Generator<readonly [text: string, values: Values], T, Row[]>;

/** One statement of a `Work`. */
export function* step<R extends object = Row>(text: string, values: Values = {}): Work<R[]> {
  return (yield [text, values]) as R[];
}

/** A database. Most statements have the same text for each; the others go by the `dialect`. */
export type Sql = {
  readonly dialect: 'sqlite' | 'postgres';
  /** Runs one statement that changes nothing. @throws {StoreError} within seconds */
  ask<R extends object = Row>(text: string, values?: Values): Promise<R[]>;
  /** Runs one statement, and resolves once the commit is on disk. @throws {StoreError} within seconds */
  run<R extends object = Row>(text: string, values?: Values): Promise<R[]>;
  /** As `run`, for several in one transaction. @param work may be begun anew */
  transact<T>(work: () => Work<T>): Promise<T>;
  /**
   * Empties free space of what was removed. Takes a second for some hundred thousand leads.
   *
   * @throws {StoreError} while another process keeps it from doing so
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
