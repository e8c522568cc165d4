import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { hashOf } from '../lib/hash.ts';
import { type ContentFiles, revisionOf } from '../reading/content-files.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { candidates, publishBack, publishedState, publishFiles, readPublished, readRevision } from './revisions.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 12, minute));

function saying(words: string): ContentFiles {
  const file = (text: string) => {
    const bytes = Buffer.from(text);
    return { hash: hashOf(bytes), bytes: () => bytes };
  };
  return new Map([
    ['company.yaml', file(`name: ${words}\n`)],
    ['pages/about.md', file('О нас\n')],
  ]);
}

const shown = (folder: string) => candidates(readPublished(folder)).map(({ id }) => id);
const [one, two, three] = [saying('Один'), saying('Два'), saying('Три')];

test('what is published is there as it was, and comes first', async () => {
  const folder = temporaryFolder();
  expect(readPublished(folder)).toEqual({ current: null, revisions: [] });
  await publishFiles(folder, one, at(0));
  const state = publishedState(folder);
  await publishFiles(folder, two, at(1));
  expect(publishedState(folder)).not.toBe(state);
  expect(shown(folder)).toEqual([revisionOf(two), revisionOf(one)]);
  const files = readRevision(folder, revisionOf(two));
  expect([...(files ?? [])].map(([name, file]) => [name, String(file.bytes())])).toEqual([
    ['company.yaml', 'name: Два\n'],
    ['pages/about.md', 'О нас\n'],
  ]);
});

test('a way back leads further back each time, and ends where there is nothing', async () => {
  const folder = temporaryFolder();
  for (const [minute, files] of [one, two, three].entries()) await publishFiles(folder, files, at(minute));
  expect(publishBack(folder)?.id).toBe(revisionOf(two));
  expect(shown(folder)).toEqual([two, one].map(revisionOf));
  expect(publishBack(folder)?.id).toBe(revisionOf(one));
  expect(publishBack(folder)).toBeUndefined();
  expect(shown(folder)).toEqual([revisionOf(one)]);
  // Publishing an old revision again makes it the newest.
  await publishFiles(folder, three, at(3));
  expect(shown(folder)).toEqual([three, two, one].map(revisionOf));
});

test('a file that has changed, is missing or was added makes a revision damaged, and publishing mends it', async () => {
  const folder = temporaryFolder();
  const id = revisionOf(one);
  await publishFiles(folder, one, at(0));
  const file = join(folder, id, 'company.yaml');
  const whole = readFileSync(file);
  for (const bytes of [Buffer.concat([whole.subarray(0, -2), Buffer.from('x\n')]), Buffer.alloc(0)]) {
    writeFileSync(file, bytes);
    expect(readRevision(folder, id)).toBeUndefined();
  }
  await publishFiles(folder, one, at(1));
  expect(readRevision(folder, id)).toBeDefined();
  writeFileSync(join(folder, id, 'more.yaml'), 'x: 1\n');
  expect(readRevision(folder, id)).toBeUndefined();
  expect(readRevision(folder, 'nothing')).toBeUndefined();
});

test('a list that is damaged is no list', async () => {
  const folder = temporaryFolder();
  await publishFiles(folder, one, at(0));
  writeFileSync(join(folder, 'revisions.json'), '{"current": "3');
  expect(readPublished(folder).current).toBeNull();
});

test('twenty stay, and nothing is left half-written', async () => {
  const folder = temporaryFolder();
  for (let minute = 0; minute < 23; minute++) await publishFiles(folder, saying(`Раз ${minute}`), at(minute));
  expect(shown(folder)).toHaveLength(20);
  for (const id of shown(folder)) expect(existsSync(join(folder, id))).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
});

test('the same published by several at once is whole', async () => {
  const folder = temporaryFolder();
  await Promise.all([one, one, one, two, two].map((files, minute) => publishFiles(folder, files, at(minute))));
  for (const files of [one, two]) expect(readRevision(folder, revisionOf(files))).toBeDefined();
  expect(readPublished(folder).current).toMatch(/^[0-9a-f]{32}$/);
});
