/** For pure functions; the key must cover all inputs. */
export type Cache = {
  get<T>(key: string, make: () => T): T;
  /** Evicts what was not read since the previous sweep. */
  sweep(): void;
};

export function createCache(): Cache {
  let current = new Map<string, unknown>();
  let previous = new Map<string, unknown>();
  return {
    get<T>(key: string, make: () => T): T {
      if (current.has(key)) return current.get(key) as T;
      const value = previous.has(key) ? (previous.get(key) as T) : make();
      current.set(key, value);
      return value;
    },
    sweep() {
      previous = current;
      current = new Map();
    },
  };
}
