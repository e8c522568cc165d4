import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Entry, findEntry, readEntries, writeEntries } from './entries.ts';

const entry: fc.Arbitrary<Entry> = fc.record({
  path: fc.stringMatching(/^\/[!-~]{0,12}$/),
  profile: fc.nat(99),
  hash: fc.stringMatching(/^[0-9a-f]{32}$/),
  recipe: fc.boolean(),
  shareMark: fc.stringMatching(/^[0-9a-f]{0,8}$/),
});
const lists = fc.uniqueArray(entry, { selector: ({ path }) => path, maxLength: 40 });

test('every entry is found by its address, as it was written', () => {
  fc.assert(
    fc.property(lists, (entries) => {
      const text = Buffer.from(writeEntries(entries));
      for (const one of entries) expect(findEntry(text, one.path)).toEqual(one);
      expect(readEntries(text)).toHaveLength(entries.length);
    }),
  );
});

test('an address that is not listed is not found, whatever it begins or ends with', () => {
  const listed = ['/', '/a', '/a/b', '/ab', '/b'];
  const text = Buffer.from(
    writeEntries(listed.map((path) => ({ path, profile: 0, hash: 'f', recipe: false, shareMark: '' }))),
  );
  for (const path of [
    '',
    '/a/',
    '/a/b/c',
    '/aa',
    '/0',
    '/z',
    'a',
    '/a\t0',
    '/a\n',
    '\n',
    '/Ж',
    `/${'b'.repeat(10_000)}`,
  ]) {
    expect([path, findEntry(text, path)]).toEqual([path, undefined]);
  }
  expect(findEntry(Buffer.alloc(0), '/')).toBeUndefined();
});
