import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { databasePath } from '../../leads/store/sqlite.ts';
import { keep, korob, withStore } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

let folder: string;
const desk = (...args: string[]) => korob(folder, ['desk', ...args], { SITE_URL: 'https://korob.example' });

beforeEach(async () => {
  folder = temporaryFolder();
  await keep(folder, []);
});

/** Makes a link. @returns its secret */
async function made(...args: string[]): Promise<string> {
  const { code, stdout } = await desk('link', ...args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^https:\/\/korob\.example\/desk\/link\/[\w-]{43}\n$/)]);
  return stdout.trim().split('/').at(-1) ?? '';
}

const linkOf = (secret: string) => withStore(folder, ({ links }) => links.find(secret));
const daysUntil = (until = '') => Math.round((Date.parse(until) - Date.now()) / (24 * 3_600_000));

describe('desk link', () => {
  test('is printed, and kept as a hash alone', async () => {
    const secret = await made('Анна');
    expect(await linkOf(secret)).toMatchObject({ name: 'Анна' });
    const connection = new DatabaseSync(databasePath(folder));
    expect(JSON.stringify(connection.prepare('SELECT * FROM link').all())).not.toContain(secret);
    connection.close();
  });

  test('holds for a week, or the days that are named', async () => {
    expect(daysUntil((await linkOf(await made('Анна')))?.until)).toBe(7);
    expect(daysUntil((await linkOf(await made('Анна', '--days', '30')))?.until)).toBe(30);
    expect((await desk('link', 'Анна')).stderr).toMatch(/^Until \d{4}-\d\d-\d\dT.*Z, whoever has it sees all leads; /);
  });

  test.each([
    [['Анна', '--days', '93'], '--days must be 92 at most.'],
    [['Анна', '--days', '0'], '--days must be a whole number from 1.'],
    [[], 'NAME is missing.'],
    ...['', '  ', 'desk:Анна', '<b>', 'ы'.repeat(41), '-Анна'].map((name) => [['--', name], 'NAME must be up to 40']),
  ] as [string[], string][])('%j is not understood', async (args, words) => {
    const { code, stdout, stderr } = await desk('link', ...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
  });

  test.each(['Анна', 'Анна Мария', "О'Нил", 'Склад-2', 'А. Б.'])('%s is a name', async (name) => {
    expect(await linkOf(await made(`  ${name} `))).toMatchObject({ name });
  });
});

describe('desk revoke', () => {
  test('ends the links of a name, and says so when there is none', async () => {
    const [anna, boris] = [await made('Анна'), await made('Борис')];
    expect(await desk('revoke', 'Анна')).toEqual({
      ...{ code: 0, stdout: '' },
      stderr: 'The links to the desk for Анна have ended.\n',
    });
    expect(await linkOf(anna)).toBeUndefined();
    expect(await linkOf(boris)).toMatchObject({ name: 'Борис' });
    expect(await desk('revoke', 'Анна')).toMatchObject({
      ...{ code: 1, stderr: 'There is no link to the desk for Анна.\n' },
    });
  });

  test('with --all ends every link, those in messages too', async () => {
    const anna = await made('Анна');
    await keep(folder, [{ name: 'Борис' }]);
    const until = new Date(Date.now() + 60_000).toISOString();
    const taking = await withStore(folder, ({ links }) => links.add({ lead: 1, name: 'mail', until }));
    expect((await desk('revoke')).code).toBe(2);
    expect((await desk('revoke', 'Анна', '--all')).code).toBe(2);
    expect(await linkOf(taking)).toMatchObject({ lead: 1 });
    const { code, stderr } = await desk('revoke', '--all');
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^All links .* have ended/)]);
    expect([await linkOf(anna), await linkOf(taking)]).toEqual([undefined, undefined]);
  });
});
