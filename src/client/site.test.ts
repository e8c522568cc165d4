import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { readCode } from '../site/code.ts';

const [site, ...modules] = readCode(paths.code).scripts;
const size = (text = '') => brotliCompressSync(text).length;

test('the first script fits into 1,800 bytes, a module into 1,024, and the dialog of the broadcast into 1,344', () => {
  expect(size(site?.text)).toBeLessThanOrEqual(1800);
  expect(modules.length).toBeGreaterThan(5);
  const limit = (path: string) => (path.includes('/broadcast-dialog.') ? 1344 : 1024);
  expect(modules.filter(({ path, text }) => size(text) > limit(path)).map(({ path }) => path)).toEqual([]);
});

test('no script waits for another file before it runs', () => {
  const waits = /\bimport\b(?!\()|(?<!")\bfrom\s*["']/;
  expect([site, ...modules].filter((one) => waits.test(one?.text ?? '')).map((one) => one?.path)).toEqual([]);
});
