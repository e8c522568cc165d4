import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ContentError, type Problem } from '../loading/problem.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { clearFailedPublication, readFailedPublication, storeFailedPublication } from './failed-publication.ts';

const problem = (line: number): Problem => ({ file: 'a.md', line, field: 'heading', message: 'Не то.' });
const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));

test('keeps the first hundred errors of the content and no warnings, since the first failure', () => {
  const folder = join(temporaryFolder(), 'published');
  expect(readFailedPublication(folder)).toBeUndefined();
  const lines = Array.from({ length: 101 }, (_, index) => problem(index + 1));
  storeFailedPublication(folder, new ContentError([{ ...problem(500), warning: true }, ...lines]), at(0));
  expect(readFailedPublication(folder)).toEqual({ since: at(0).toISOString(), problems: lines.slice(0, 100) });
  storeFailedPublication(folder, new Error('ENOSPC'), at(5));
  expect(readFailedPublication(folder)).toEqual({ since: at(0).toISOString(), problems: [] });
  clearFailedPublication(folder);
  expect(readFailedPublication(folder)).toBeUndefined();
  storeFailedPublication(folder, new Error('ENOSPC'), at(9));
  expect(readFailedPublication(folder)?.since).toBe(at(9).toISOString());
});

test.each(['', '{', '{"since":"yesterday","problems":[]}', '{"since":"2026-11-20T12:00:00.000Z"}'])(
  'a damaged record says nothing: %j',
  (text) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'failed-publication.json'), text);
    expect(readFailedPublication(folder)).toBeUndefined();
  },
);

test('a folder that cannot be written to causes no other error', () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(() => storeFailedPublication(join(file, 'published'), new Error('ENOSPC'), at(0))).not.toThrow();
});
