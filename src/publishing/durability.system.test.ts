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

/** Names below a folder that a power cut may lose: of bytes that are not on disk yet, or in a folder that is not. */
function lostIn(folder: string, calls: readonly FileCall[]): string[] {
  const isSynced = (path: string, from: number, to?: number) =>
    calls.slice(from, to).some(({ call, names }) => call === 'fsync' && names[0] === path);
  return calls.flatMap(({ call, names: [from = '', to = from] }, index) => {
    if (call === 'fsync' || !to.startsWith(folder)) return [];
    const isWritten = call === 'mkdir' || isSynced(from, 0, index);
    return isWritten && isSynced(dirname(to), index) ? [] : [to];
  });
}

const renames = (calls: readonly FileCall[]) => calls.flatMap(({ call, names }) => (call === 'rename' ? names[1] : []));

testTraced('publish writes a revision and its folders to disk before the list names it', () => {
  const above = temporaryFolder();
  const dataDir = join(above, 'made', 'data');
  const published = paths.published(dataDir);
  const company = () => readFileSync(join(paths.content, 'company.yaml'));
  // Few posts and the company that ships, so that no picture needs encoding.
  const content = contentFolder({}, contentWith({ 'company.yaml': company }, otherContent()));
  const env = { PATH, TZ, SITE_URL: siteUrl, DATA_DIR: dataDir, CONTENT_DIR: content };
  const calls = tracedCalls([paths.commands, 'publish'], env);
  expect(lostIn(above, calls)).toEqual([]);

  const revision = join(published, readPublished(published).current ?? '');
  const names = renames(calls);
  expect(names.indexOf(join(published, 'revisions.json'))).toBeGreaterThan(names.indexOf(revision));
  const shown = calls.findIndex(({ names }) => names[1] === revision);
  const [temporary = ''] = calls[shown]?.names ?? [];
  const synced = new Set(calls.slice(0, shown).flatMap(({ call, names }) => (call === 'fsync' ? names : [])));
  const files = filesBelow(revision);
  expect(files.length).toBeGreaterThan(10);
  expect(files.filter((path) => !synced.has(join(temporary, relative(revision, path))))).toEqual([]);
});

testTraced('backup writes the copy to disk, and then the mark for doctor', async () => {
  const [dataDir, folder] = [temporaryFolder(), temporaryFolder()];
  await openDatabase(dataDir).close();
  const file = join(folder, 'backup.db');
  const calls = tracedCalls([paths.commands, 'backup', file], { PATH, TZ, DATA_DIR: dataDir });
  expect([...lostIn(dataDir, calls), ...lostIn(folder, calls)]).toEqual([]);
  const names = renames(calls);
  expect(names).toContain(file);
  expect(names.indexOf(backupMark(dataDir))).toBeGreaterThan(names.indexOf(file));
});
