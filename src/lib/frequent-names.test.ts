import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FrequentNames } from './frequent-names.ts';

describe('frequent names', () => {
  const many = (count: number, prefix: string) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
  const addAll = (names: FrequentNames, added: readonly string[]) => {
    for (const name of added) names.add(name);
    return names;
  };

  test('are counted exactly while there are few, and most frequent first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }).map(String)), (added) => {
        const entries = addAll(new FrequentNames(), added).entries();
        const counts = new Map(
          Object.entries(Object.groupBy(added, (name) => name)).map(([n, all]) => [n, all?.length]),
        );
        expect(new Map<string, number | undefined>(entries)).toEqual(counts);
        expect(entries.map(([, count]) => count)).toEqual(entries.map(([, count]) => count).toSorted((a, b) => b - a));
      }),
    );
  });

  test('that came twice stay when any number of others comes once', () => {
    const asked = many(800, 'asked');
    const names = addAll(new FrequentNames(), [...asked, ...asked, ...many(50_000, 'scanned')]);
    expect(names.entries()).toHaveLength(1_000);
    expect(names.entries().slice(0, 800)).toEqual(asked.map((name) => [name, 2]));
  });

  test('are counted further after they were stored', () => {
    const names = new FrequentNames(addAll(new FrequentNames(), ['a', 'b', 'a', ...many(2_000, 'c')]).entries());
    names.add('a');
    expect(names.entries()[0]).toEqual(['a', 3]);
    expect(names.entries()).toHaveLength(1_000);
  });
});
