import { writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keptBytes } from '../tests/support/kept-bytes.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { type FilePart, joinParts, readParts, totalLength, zeros } from './file-parts.ts';

const bytes = Buffer.from(Array.from({ length: 200 }, (_, n) => n));
const path = join(temporaryFolder(), 'file');
writeFileSync(path, bytes);

const ranges = fc.tuple(fc.nat(200), fc.nat(200)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));
const parts = fc.array(fc.oneof<fc.Arbitrary<FilePart>[]>(ranges, fc.uint8Array({ maxLength: 9 })), { maxLength: 6 });

test('a range of the parts of a file is what it would be of their bytes, also after they are joined', async () => {
  await using file = await open(path);
  await fc.assert(
    fc.asyncProperty(parts, fc.nat(300), fc.nat(300), async (some, a, b) => {
      const whole = keptBytes(bytes, some);
      const [start, end] = [Math.min(a, b), Math.max(a, b)];
      expect(totalLength(some)).toBe(whole.length);
      expect(await buffer(readParts(file, some))).toEqual(whole);
      expect(await buffer(readParts(file, joinParts(some, 6), start, end))).toEqual(whole.subarray(start, end));
    }),
  );
});

test.each([0, 1, 65_536, 200_000])('%d zeros have their length', (length) => {
  expect(totalLength([...zeros(length)])).toBe(length);
});
