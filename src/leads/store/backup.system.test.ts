import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { addingCommand, listenTo, newLead, plan } from '../../testing/leads.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { backUp, restore } from './backup.ts';
import type { NewLead } from './lead.ts';
import { type Store, storeIn } from './open-store.ts';
import { databasePath, openDatabase } from './sqlite.ts';

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = temporaryFolder();
  file = join(temporaryFolder(), 'leads.sqlite');
});

async function withStore<T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = storeIn(openDatabase(folder));
  const result = await work(store);
  await store.close();
  return result;
}

async function keep(folder: string, leads: readonly Partial<NewLead>[]): Promise<void> {
  await withStore(folder, (store) =>
    Promise.all(leads.map((lead, n) => store.leads.add(newLead({ key: `kept-${n}`, ...lead }), plan))),
  );
}

/** Names by the number of the lead; looks at the file without changing it. */
function namesIn(path: string): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  expect(database.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  const leads = database.prepare('SELECT details FROM lead ORDER BY number').all();
  database.close();
  return leads.map(({ details }) => JSON.parse(String(details)).name);
}

/** What happens when `work` fails. */
async function failureOf(work: () => Promise<unknown>): Promise<string> {
  const error = await work().then(
    () => new Error('nothing failed'),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(StoreError);
  return String(error);
}

const filesBeside = (path: string) => readdirSync(join(path, '..')).sort();
/** Enough for several portions. */
const many = Array.from({ length: 1_500 }, (_, n) => ({ name: `Имя ${n}`, message: 'ы'.repeat(2_000) }));

describe('a backup', () => {
  test('while another process adds leads has every lead that was acknowledged before it began', async () => {
    await keep(dataDir, many);
    let copied: number | undefined;
    const acknowledged: string[] = [];
    const { child, ended } = listenTo(addingCommand(dataDir, 'during', 1_000_000, 4), (said) => {
      if (!('receipt' in said) || copied !== undefined) return;
      acknowledged.push(said.receipt.receipt);
      if (acknowledged.length < 50) return;
      copied = backUp(dataDir, file);
      child.kill('SIGKILL');
    });
    child.stdin?.end();
    await ended;

    const copy = new DatabaseSync(file, { readOnly: true });
    const receipts = new Set(
      copy
        .prepare('SELECT receipt FROM lead')
        .all()
        .map(({ receipt }) => receipt),
    );
    copy.close();
    expect(namesIn(file)).toHaveLength(copied ?? 0);
    for (const receipt of acknowledged) expect(receipts).toContain(receipt);
  });

  test('is one file that only its owner may read', async () => {
    await keep(dataDir, [{ name: 'Анна' }]);
    expect(backUp(dataDir, file)).toBe(1);
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(namesIn(file)).toEqual(['Анна']);
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
  });

  test('that fails leaves what was there before, and nothing else', async () => {
    await keep(dataDir, many);
    writeFileSync(file, 'an older backup');
    damage(databasePath(dataDir));
    expect(await failureOf(async () => backUp(dataDir, file))).toMatch(/damaged/);
    expect(readFileSync(file, 'utf8')).toBe('an older backup');
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
    expect(await failureOf(async () => backUp(dataDir, join(file, 'in-a-file')))).toContain('ENOTDIR');
  });
});

/** Overwrites pages in the middle. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 3 * 4096);
  writeFileSync(path, bytes);
}

/** Restores into a folder of its own. */
async function restored(from: string): Promise<string> {
  const folder = temporaryFolder();
  await withStore(folder, (store) => restore(from, store.sql));
  return folder;
}

describe('restoring', () => {
  beforeEach(async () => {
    await keep(dataDir, [{ name: 'Анна' }, { name: 'Борис' }]);
    backUp(dataDir, file);
  });

  test('brings back what the backup has, and goes on as ever', async () => {
    const folder = await restored(file);
    await keep(folder, [{ key: 'after', name: 'Глеб' }]);
    expect(namesIn(databasePath(folder))).toEqual(['Анна', 'Борис', 'Глеб']);
    expect(namesIn(file)).toEqual(['Анна', 'Борис']);
  });

  test('gives the number of an erased lead to nobody', async () => {
    await withStore(dataDir, async ({ leads }) => {
      await leads.add(newLead({ key: 'erased', phone: '+79160000000' }), plan);
      await leads.erase('+79160000000');
    });
    backUp(dataDir, file);
    const { number } = await withStore(await restored(file), ({ leads }) =>
      leads.add(newLead({ key: 'the-next-one' }), plan),
    );
    expect(number).toBe(4);
  });

  test('brings back links, each to its own lead', async () => {
    const link = { lead: 2, name: 'mail', until: '2099-01-01T00:00:00.000Z' };
    const token = await withStore(dataDir, ({ links }) => links.add(link));
    backUp(dataDir, file);
    await withStore(await restored(file), async ({ links }) => expect(await links.find(token)).toEqual(link));
  });

  test('brings no trigger along, and no index', async () => {
    const hostile = new DatabaseSync(file);
    hostile.exec(`CREATE TRIGGER t AFTER INSERT ON lead BEGIN UPDATE lead SET phone = '+7900'; END;
      CREATE UNIQUE INDEX i ON lead (taken_by)`);
    hostile.close();
    const folder = await restored(file);
    await keep(folder, [{ key: 'after', name: 'Глеб' }]);
    const taken = await withStore(folder, ({ leads }) => Promise.all([1, 2, 3].map((n) => leads.take(n, 'mail'))));
    expect(taken.map((one) => one?.lead.phone)).toEqual(Array(3).fill(newLead().phone));
  });

  test('takes what was copied by hand with its log of changes', async () => {
    const open = openDatabase(dataDir);
    await storeIn(open).leads.add(newLead({ key: 'in-the-log', name: 'Из журнала' }), plan);
    const copied = temporaryFolder();
    for (const rest of ['', '-wal']) {
      writeFileSync(join(copied, `copy${rest}`), readFileSync(databasePath(dataDir) + rest));
    }
    await open.close();
    expect(namesIn(databasePath(await restored(join(copied, 'copy'))))).toEqual(['Анна', 'Борис', 'Из журнала']);
  });

  describe('is refused, and everything stays as it was,', () => {
    const into = (folder: string, from: string) =>
      failureOf(() => withStore(folder, (store) => restore(from, store.sql).finally(store.close)));

    test('where there are leads', async () => {
      expect(await into(dataDir, file)).toContain('the store holds 2 leads already');
      expect(namesIn(databasePath(dataDir))).toEqual(['Анна', 'Борис']);
    });

    test.each([
      ['when there is no such file', () => {}, 'there is no such file'],
      [
        'from what is no database',
        (path: string) => writeFileSync(path, 'It was a dark and stormy night. '.repeat(500)),
        'the file is no database',
      ],
      [
        "from somebody else's database",
        (path: string) => new DatabaseSync(path).exec('CREATE TABLE lead (a); PRAGMA user_version = 1'),
        'no such table: delivery',
      ],
    ])('%s', async (_, make, message) => {
      make(`${file}.other`);
      const folder = temporaryFolder();
      expect(await into(folder, `${file}.other`)).toContain(message);
      expect(namesIn(databasePath(folder))).toEqual([]);
    });

    test('from a damaged one', async () => {
      const large = temporaryFolder();
      await keep(large, many);
      backUp(large, file);
      damage(file);
      const folder = temporaryFolder();
      expect(await into(folder, file)).toMatch(/damaged/);
      expect(namesIn(databasePath(folder))).toEqual([]);
    });
  });
});
