import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from '@jest/globals';
import { backupMark } from '../leads/store/backup.ts';
import { openDatabase } from '../leads/store/sqlite.ts';
import { filesBelow } from '../lib/files.ts';
import { paths } from '../lib/paths.ts';
import { siteUrl } from '../tests/support/built.ts';
import { contentFolder, contentWith, otherContent } from '../tests/support/sample-content.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { type FileCall, tracedCalls } from '../tests/support/traced-calls.ts';
import { readPublished } from './revisions.ts';

const testTraced = testIf({ programs: ['strace'] });

const { PATH, TZ } = process.env;

/** @returns the index of the first such call from `start`, or -1 without one */
function find(calls: readonly FileCall[], call: FileCall['call'], path: string, start = 0): number {
  return calls.findIndex((one, index) => index >= start && one.call === call && one.names.at(-1) === path);
}

testTraced('publish calls fsync on a revision and its folders before the list names it', () => {
  const above = temporaryFolder();
  const dataDir = join(above, 'made', 'data');
  const published = paths.published(dataDir);
  const company = () => readFileSync(join(paths.content, 'company.yaml'));
  // Few posts and the company that ships, so that no picture needs encoding.
  const content = contentFolder({}, contentWith({ 'company.yaml': company }, otherContent()));
  const env = { PATH, TZ, SITE_URL: siteUrl, DATA_DIR: dataDir, CONTENT_DIR: content };
  const calls = tracedCalls([paths.commands, 'publish'], env);

  const revision = join(published, readPublished(published).current ?? '');
  const shown = find(calls, 'rename', revision);
  const listed = find(calls, 'rename', join(published, 'revisions.json'));
  expect(shown).toBeGreaterThan(-1);
  expect(listed).toBeGreaterThan(shown);

  const files = filesBelow(revision);
  expect(files.length).toBeGreaterThan(10);
  const folders = new Set([revision, ...files.map(dirname)]);
  const [temporary = ''] = calls[shown]?.names ?? [];
  const unsynced = [...files, ...folders].filter((path) => {
    const index = find(calls, 'fsync', join(temporary, relative(revision, path)));
    return index === -1 || index > shown;
  });
  expect(unsynced).toEqual([]);

  const [temporaryList = ''] = calls[listed]?.names ?? [];
  const listSynced = find(calls, 'fsync', temporaryList);
  expect(listSynced).toBeGreaterThan(-1);
  expect(listSynced).toBeLessThan(listed);
  expect(find(calls, 'fsync', published, listed)).toBeGreaterThan(listed);

  const made = [join(above, 'made'), dataDir, published];
  const lost = made.filter((folder) => {
    const index = find(calls, 'mkdir', folder);
    return index === -1 || find(calls, 'fsync', dirname(folder), index) === -1;
  });
  expect(lost).toEqual([]);
});

testTraced(
  'backup calls fsync on the copy before renaming it, then on the folder, and then writes the mark for doctor',
  async () => {
    const dataDir = temporaryFolder();
    await openDatabase(dataDir).close();
    const file = join(temporaryFolder(), 'backup.db');
    const calls = tracedCalls([paths.commands, 'backup', file], { PATH, TZ, DATA_DIR: dataDir });
    const named = find(calls, 'rename', file);
    expect(named).toBeGreaterThan(-1);
    expect(calls[named - 1]).toEqual({ call: 'fsync', names: [`${file}.part`] });
    expect(find(calls, 'fsync', dirname(file), named)).toBeGreaterThan(named);
    const marked = find(calls, 'rename', backupMark(dataDir), named);
    expect(marked).toBeGreaterThan(named);
    expect(find(calls, 'fsync', dataDir, marked)).toBeGreaterThan(marked);
  },
);
