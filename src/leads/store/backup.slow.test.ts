import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreError } from '../../lib/store-error.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { backUp, restore } from './backup.ts';
import type { NewLead } from './lead.ts';
import { type Store, storeIn } from './open-store.ts';
import { databasePath, openDatabase } from './sqlite.ts';
import { addingCommand, listenTo, newLead, plan, receiptsIn } from './testing.ts';

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
  const names = database.prepare('SELECT name FROM lead ORDER BY number').all();
  database.close();
  return names.map(({ name }) => String(name));
}

/** What happens when `work` fails. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
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
    let copied: Promise<number> | undefined;
    const acknowledged: string[] = [];
    const { child, ended } = listenTo(addingCommand(dataDir, 'during', 1_000_000, 4), (said) => {
      if (!('receipt' in said) || copied) return;
      acknowledged.push(said.receipt.receipt);
      if (acknowledged.length < 50) return;
      copied = backUp(dataDir, file).finally(() => child.kill('SIGKILL'));
    });
    child.stdin?.end();
    const added = receiptsIn(await ended);
    const count = await copied;

    const copy = new DatabaseSync(file, { readOnly: true });
    const receipts = new Set(
      copy
        .prepare('SELECT receipt FROM lead')
        .all()
        .map(({ receipt }) => receipt),
    );
    copy.close();
    expect(namesIn(file)).toHaveLength(count ?? 0);
    for (const receipt of acknowledged) expect(receipts).toContain(receipt);
    // Leads came in meanwhile.
    expect(added.size).toBeGreaterThan(acknowledged.length);
  });

  test('is one file that only its owner may read', async () => {
    await keep(dataDir, [{ name: 'Анна' }]);
    expect(await backUp(dataDir, file)).toBe(1);
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(namesIn(file)).toEqual(['Анна']);
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
  });

  test('that fails leaves what was there before, and nothing else', async () => {
    await keep(dataDir, many);
    writeFileSync(file, 'an older backup');
    damage(databasePath(dataDir));
    expect(await failureOf(backUp(dataDir, file))).toMatch(/damaged/);
    expect(readFileSync(file, 'utf8')).toBe('an older backup');
    expect(filesBeside(file)).toEqual(['leads.sqlite']);
    expect(await failureOf(backUp(dataDir, join(file, 'in-a-file')))).toContain('ENOTDIR');
  });
});

/** Overwrites pages in the middle. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 3 * 4096);
  writeFileSync(path, bytes);
}

describe('restoring', () => {
  beforeEach(async () => {
    await keep(dataDir, [{ name: 'Анна' }, { name: 'Борис' }]);
    await backUp(dataDir, file);
    await keep(dataDir, [{ key: 'later', name: 'Вера' }]);
  });

  test('brings back what the backup has, and keeps what was there', async () => {
    const { leads, aside } = await restore(dataDir, file);
    expect(leads).toBe(2);
    expect(namesIn(aside ?? '')).toEqual(['Анна', 'Борис', 'Вера']);
    expect(aside).toMatch(/\/korob-until-\d{4}-\d\d-\d\dT[\d.-]+Z\.sqlite$/);
    expect(filesBeside(databasePath(dataDir))).toEqual([expect.stringContaining('until'), 'korob.sqlite'].sort());
    expect(statSync(databasePath(dataDir)).mode & 0o777).toBe(0o600);
    // It goes on as ever.
    await keep(dataDir, [{ key: 'after', name: 'Глеб' }]);
    expect(namesIn(databasePath(dataDir))).toEqual(['Анна', 'Борис', 'Глеб']);
    expect(namesIn(file)).toEqual(['Анна', 'Борис']);
  });

  test('brings back links, each to its own lead, and none to what came later', async () => {
    const linked = () =>
      withStore(dataDir, async ({ links }) => links.add({ lead: 2, name: 'mail', until: '2099-01-01T00:00:00.000Z' }));
    const kept = await linked();
    await backUp(dataDir, file);
    const later = await linked();
    await restore(dataDir, file);
    await withStore(dataDir, async ({ links }) => {
      expect(await links.find(kept)).toMatchObject({ lead: 2 });
      expect(await links.find(later)).toBeUndefined();
    });
  });

  test('on a new machine needs no database', async () => {
    const empty = temporaryFolder();
    expect(await restore(empty, file)).toEqual({ leads: 2, aside: undefined });
    expect(namesIn(databasePath(empty))).toEqual(['Анна', 'Борис']);
  });

  test('takes what was copied by hand with its log of changes', async () => {
    const source = temporaryFolder();
    const open = openDatabase(source);
    const store = storeIn(open);
    await store.leads.add(newLead({ name: 'Из журнала' }), plan);
    const copied = temporaryFolder();
    for (const rest of ['', '-wal']) {
      writeFileSync(join(copied, `copy${rest}`), readFileSync(databasePath(source) + rest));
    }
    open.close();
    await restore(dataDir, join(copied, 'copy'));
    expect(namesIn(databasePath(dataDir))).toEqual(['Из журнала']);
  });

  test('takes the place of a damaged database, which is kept', async () => {
    writeFileSync(databasePath(dataDir), 'It was a dark and stormy night. '.repeat(500));
    const { aside } = await restore(dataDir, file);
    expect(readFileSync(aside ?? '', 'utf8')).toContain('dark and stormy');
    expect(namesIn(databasePath(dataDir))).toEqual(['Анна', 'Борис']);
  });

  describe('is refused, and everything stays as it was,', () => {
    afterEach(() => {
      expect(namesIn(databasePath(dataDir))).toEqual(['Анна', 'Борис', 'Вера']);
      expect(filesBeside(databasePath(dataDir)).filter((name) => !/^korob\.sqlite(-wal|-shm)?$/.test(name))).toEqual(
        [],
      );
    });

    test('while somebody has the database open', async () => {
      const open = openDatabase(dataDir);
      expect(await failureOf(restore(dataDir, file))).toContain('is in use; stop the server');
      open.close();
    });

    test('when there is no such file', async () => {
      expect(await failureOf(restore(dataDir, `${file}.gone`))).toContain('there is no such file');
      expect(existsSync(`${file}.gone`)).toBe(false);
    });

    test('from what is no database', async () => {
      writeFileSync(file, 'It was a dark and stormy night. '.repeat(500));
      expect(await failureOf(restore(dataDir, file))).toContain('the file is no database');
    });

    test("from somebody else's database", async () => {
      const other = new DatabaseSync(`${file}.other`);
      other.exec('CREATE TABLE lead (a); PRAGMA user_version = 1');
      other.close();
      expect(await failureOf(restore(dataDir, `${file}.other`))).toContain('none of this program');
    });

    test('from a damaged one', async () => {
      const large = temporaryFolder();
      await keep(large, many);
      await backUp(large, file);
      damage(file);
      expect(await failureOf(restore(dataDir, file))).toMatch(/damaged/);
    });
  });
});
