import { type Sql, step } from '../database/sql.ts';

/** An address that people have asked for in vain: its path in lower case, decoded. */
export type MissedAddress = { path: string; times: number; last_at: string };

/** What tells editors which old addresses still lead here. */
export type MissedAddresses = {
  /** Costs nothing: counts are written once a minute, and at the end. */
  count(path: string): void;
  /** The most frequent first. @throws {StoreError} */
  list(): Promise<MissedAddress[]>;
  /** Resolves once counts are written, or given up. */
  flush(): Promise<void>;
};

/** What is kept, however many addresses somebody makes up. */
const bounds = { characters: 200, ofAMinute: 100, rows: 1000, days: 90 };
const minute = 60_000;
const day = 86_400_000;

/** Keeps counts in a database, for all processes that share it; without queries, in which people write about themselves. */
export function missedAddresses({ ask, transact }: Pick<Sql, 'ask' | 'transact'>): MissedAddresses {
  let counted = new Map<string, number>();
  let due: NodeJS.Timeout | undefined;

  async function flush(): Promise<void> {
    clearTimeout(due);
    due = undefined;
    const batch = counted;
    if (batch.size === 0) return;
    counted = new Map();
    const now = Date.now();
    const at = new Date(now).toISOString();
    const forgotten = new Date(now - bounds.days * day).toISOString();
    await transact(function* () {
      // In one order, so that two servers never wait for each other.
      for (const [path, times] of [...batch].sort()) {
        yield* step(
          `INSERT INTO missed_address (path, times, last_at) VALUES (:path, :times, :at)
           ON CONFLICT (path) DO UPDATE SET times = missed_address.times + excluded.times, last_at = excluded.last_at`,
          { path, times, at },
        );
      }
      yield* step(
        `DELETE FROM missed_address WHERE last_at < :forgotten
         OR path NOT IN (SELECT path FROM missed_address ORDER BY times DESC, last_at DESC LIMIT :rows)`,
        { forgotten, rows: bounds.rows },
      );
      // A count that is lost harms nobody, and a database that fails has others who say so.
    }).catch(() => {});
  }

  return {
    count(path) {
      if (path.length > bounds.characters || (counted.size >= bounds.ofAMinute && !counted.has(path))) return;
      counted.set(path, (counted.get(path) ?? 0) + 1);
      due ??= setTimeout(flush, minute).unref();
    },
    list: () => ask('SELECT path, times, last_at FROM missed_address ORDER BY times DESC, last_at DESC'),
    flush,
  };
}
