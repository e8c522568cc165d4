const indexes = new WeakMap<object, ReadonlyMap<string, unknown>>();

/**
 * Finds items by any of their names; the index is made once a list, which never changes.
 *
 * @param namesOf must be the same function for the same list
 */
export function byName<T>(items: readonly T[], namesOf: (item: T) => readonly string[]): ReadonlyMap<string, T> {
  const known = indexes.get(items);
  if (known) return known as ReadonlyMap<string, T>;
  const index = new Map(items.flatMap((item) => namesOf(item).map((name): [string, T] => [name, item])));
  indexes.set(items, index);
  return index;
}
