import { expect, test } from '@jest/globals';
import { rootFileProblem } from './root-files.ts';

const bytes = (kilobytes: number, more = 0) => Buffer.alloc(kilobytes * 1024 + more, 'a');

test.each([
  ['root/ads.txt', bytes(64)],
  ['root/yandex_0123456789.html', bytes(1)],
])('%s may be published at the root', (name, file) => {
  expect(rootFileProblem(name, file)).toEqual([]);
});

test.each([
  ['root/ads.txt', 'is larger than 64 KB', bytes(64, 1)],
  ['root/more/ads.txt', 'is in a folder', bytes(1)],
  ['root/реклама.txt', 'has a Russian name', bytes(1)],
  ['root/app.js', 'is a script', bytes(1)],
])('%s is refused because it %s', (name, _, file) => {
  expect(rootFileProblem(name, file)).toEqual([expect.stringContaining('до 64 КБ')]);
});
