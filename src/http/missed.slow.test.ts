import { describe, expect, test } from '@jest/globals';
import { korob } from '../commands/testing.ts';
import { openDatabase } from '../database/sqlite.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startTestSite } from '../testing/test-site.ts';
import { missedAddresses } from './missed.ts';

/** What is counted of addresses that somebody asks for. */
async function counted(paths: readonly string[], headers: Record<string, string> = {}): Promise<[string, number][]> {
  const site = await startTestSite();
  for (const path of paths) await site.request(path, { headers });
  const { missed } = site.services;
  await missed.flush();
  return (await missed.list()).map(({ path, times }) => [path, times]);
}

describe('an address that no page has', () => {
  test('is counted by its path, however it is spelt, without a query', async () => {
    const paths = [
      '/old/price.html?phone=89161234567',
      '/Old//price.html',
      '/%D1%83%D1%81%D0%BB%D1%83%D0%B3%D0%B8',
      '/rates',
    ];
    expect(await counted(paths)).toEqual([
      ['/old/price.html', 2],
      ['/услуги', 1],
    ]);
  });

  test('is not counted for bots and programs, nor if it is a secret', async () => {
    expect(await counted(['/wp-login.php'], { 'user-agent': 'curl/8.5.0' })).toEqual([]);
    expect(await counted(['/wp-login.php'], { accept: 'application/json' })).toEqual([]);
    expect(await counted(['/take/secret', '/contact/secret'])).toEqual([]);
  });
});

describe('counts', () => {
  function opened() {
    const folder = temporaryFolder();
    const database = openDatabase(folder);
    return { folder, database, missed: missedAddresses(database) };
  }

  test('are kept for an address that is asked for often, whatever is made up meanwhile', async () => {
    const { database, missed } = opened();
    for (let round = 0; round < 12; round += 1) {
      missed.count('/real');
      for (let n = 0; n < 150; n += 1) missed.count(`/made-up/${round}/${n}`);
      missed.count(`/${'long'.repeat(100)}`);
      await missed.flush();
    }
    const [first, ...others] = await missed.list();
    expect(first).toMatchObject({ path: '/real', times: 12 });
    expect(others).toHaveLength(999);
    database.close();
  });

  test('do no harm where they cannot be written', async () => {
    const { database, missed } = opened();
    missed.count('/old');
    database.close();
    await missed.flush();
  });

  test('become lines for the table of redirects', async () => {
    const { folder, database, missed } = opened();
    for (const path of ['/cargoo', '/cargoo', '/zzzzzz', '/tariffs']) missed.count(path);
    await missed.flush();
    database.close();
    await korob(folder, ['publish'], { SITE_URL: 'http://localhost:3000' });
    const { code, stdout } = await korob(folder, ['redirects', 'suggest'], { SITE_URL: 'http://localhost:3000' });
    expect(code).toBe(0);
    expect(stdout.split('\n')).toEqual([
      expect.stringMatching(/^- \{ from: "\/cargoo", to: \/cargo \} # 2×.*\d{4}-\d\d-\d\d: /),
      expect.stringMatching(/^# - \{ from: "\/zzzzzz", to: {2}\} /),
      '',
    ]);
  });
});
