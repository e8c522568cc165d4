import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { dayMs } from '../../lib/durations.ts';
import { paths } from '../../lib/paths.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { keep, korob, withStore } from '../../tests/support/commands.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { act, arrival, bill, newLead, startAdding } from '../../tests/support/sample-leads.ts';
import { startServerProcess } from '../../tests/support/server-process.ts';
import { postgresPassword, sharedPostgres } from '../../tests/support/start-postgres.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { backUp, restore } from './backup.ts';
import { keepErasures } from './erasures.ts';
import { type Store, storeIn } from './open-store.ts';
import { openPostgres } from './postgres.ts';
import { keepConsentText, readClock, storeClock } from './retention.ts';
import { databasePath, openDatabase } from './sqlite.ts';

const testPostgres = testIf({ programs: ['postgres'] });
const newUrl = async () => (await sharedPostgres()).newDatabase();

let dataDir: string;
let file: string;

beforeEach(() => {
  dataDir = temporaryFolder();
  file = join(temporaryFolder(), 'leads.sqlite');
});

/** The output of an operator's command, which never contains the password of the database. */
async function said(args: string[], env: Record<string, string> = {}, folder = dataDir) {
  const { code, stdout, stderr } = await korob(folder, args, env);
  expect(stdout + stderr).not.toContain(postgresPassword);
  return { code, text: stdout + stderr };
}

async function expectRefusal(message: string, ...given: Parameters<typeof said>): Promise<void> {
  expect(await said(...given)).toEqual({ code: 1, text: expect.stringContaining(message) });
}

const namesIn = (folder: string) =>
  withStore(folder, async ({ leads }) => (await Array.fromAsync(leads.all())).map(({ name }) => name));

describe('all data of a server', () => {
  const first = newLead({ message: '"\\ \0 ы', calculation: bill });
  const ever = '2099-01-01T00:00:00.000Z';
  let token: string;

  beforeEach(async () => {
    await withStore(dataDir, async ({ sql, leads, deliveries, links, broadcast }) => {
      const notified = { ...arrival, channels: ['mail', 'webhook'], remindAt: '2026-11-20T10:00:00.000Z' };
      await leads.add(first, notified);
      await leads.add(newLead({ key: 'quarantined' }), { ...arrival, quarantined: true });
      await deliveries.queueQuarantineDigest('2026-11-20', ['mail'], 10);
      await leads.add(newLead({ key: 'waiting' }), notified);
      await leads.add(newLead({ key: 'erased', phone: '+1' }), notified);
      await leads.erase('+1', 'operator');
      await act(leads, 1, 'take');
      await act(leads, 1, 'note', { text: 'Перезвонить' });
      const now = new Date().toISOString();
      const claimed = await deliveries.claim('mail', {
        limit: 2,
        maxSeparateMessages: 0,
        now,
        latest: ever,
        leaseUntil: ever,
      });
      await deliveries.settle([{ id: claimed[0]?.id ?? '', deliveredAt: now }]);
      await deliveries.giveUp(now, { queuedBefore: now, channels: ['mail'] });
      await keepConsentText(sql, { body: { lines: ['Я согласен'] } });
      await storeClock(sql, { seenAt: 3, trustedAt: 2, steadySince: 1 });
      await broadcast.set({ status: true, url: 'https://video.example/live', until: ever });
      token = await links.add({ lead: 2, name: 'mail', until: ever });
    });
  });

  async function allOf({ sql, leads, deliveries, destructions, links, broadcast }: Store) {
    return {
      leads: await Array.fromAsync(leads.all()),
      deliveries: await Promise.all([1, 2, 3].map(deliveries.of)),
      overdue: await deliveries.overdue({ now: ever, latest: ever }, 10),
      destroyed: await destructions.ofPhone('+1'),
      link: await links.find(token),
      broadcast: await broadcast.read(),
      clock: await readClock(sql),
      others: await sql.query('SELECT day, (SELECT text FROM consent_text) AS text FROM digest'),
    };
  }

  const toSqlite = async () => storeIn(openDatabase(temporaryFolder()));
  const toPostgres = async () => storeIn(await openPostgres(await newUrl()));

  describe.each([
    { where: 'SQLite', its: test, open: toSqlite },
    { where: 'PostgreSQL', its: testPostgres, open: toPostgres },
  ])('restored into $where from a backup', ({ its, open }) => {
    its('arrives complete, or not at all when the copy fails midway', async () => {
      const before = await withStore(dataDir, allOf);
      backUp(dataDir, file);
      expect(before.destroyed).toMatchObject([{ lead: 4 }]);
      const target = await open();
      const nothing = await allOf(target);
      const { sql } = target;
      const transact: typeof sql.transact = (work) =>
        sql.transact((query) =>
          work((text, values) => {
            if (text.includes('INSERT INTO delivery')) throw new Error('in the middle');
            return query(text, values);
          }),
        );
      await expect(restore(file, { ...sql, transact })).rejects.toThrow('in the middle');
      expect(await allOf(target)).toEqual(nothing);

      expect(await restore(file, sql)).toBe(3);
      expect(await allOf(target)).toEqual(before);
      // The same form is still the same lead, and the number of an erased lead is not reused.
      expect((await target.leads.add(first, arrival)).receipt).toBe(before.leads[0]?.receipt);
      expect((await target.leads.add(newLead({ key: 'next' }), arrival)).number).toBe(5);
      await target.close();
    });
  });
});

/** Overwrites pages in the middle of a file. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 3 * 4096);
  writeFileSync(path, bytes);
}

const many = Array.from({ length: 150 }, (_, n) => ({ name: `Имя ${n}`, message: 'ы'.repeat(4_000) }));

describe('backup', () => {
  test('writes one file with mode 600, which can be restored into a store that a server has open', async () => {
    await keep(dataDir, [{ name: 'Анна' }, { name: 'Борис' }]);
    const { code, text } = await said(['backup', file]);
    expect([code, text]).toEqual([0, expect.stringContaining(`2 leads in ${file}. It holds personal data`)]);
    expect(readdirSync(dirname(file))).toEqual(['leads.sqlite']);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const folder = temporaryFolder();
    await withStore(folder, async ({ leads }) => {
      const restored = await said(['restore', file], {}, folder);
      expect(restored).toEqual({ code: 0, text: expect.stringContaining('Repeat every revocation of links') });
      expect(await leads.list({ limit: 9 })).toMatchObject([{ name: 'Борис' }, { name: 'Анна' }]);
    });
  });

  test('holds every lead that was acknowledged before it, while another process adds more', async () => {
    const { go, kill, receipts, ended } = startAdding(dataDir, 'during', 1_000_000);
    go();
    await eventually(() => receipts.size >= 50);
    const acknowledged = [...receipts.values()];
    const count = backUp(dataDir, file);
    kill();
    await ended;
    await withStore(temporaryFolder(), async ({ sql, leads }) => {
      expect(await restore(file, sql)).toBe(count);
      expect((await Array.fromAsync(leads.all())).slice(0, acknowledged.length)).toEqual(acknowledged);
    });
  });

  test.each([
    ['of a damaged database', () => damage(databasePath(dataDir)), /was not written: it is damaged/],
    ['without disk space', () => {}, /was not written: the disk (is full|reported an error)/],
  ])('%s keeps the previous file and leaves no other', async (_, spoil, message) => {
    await keep(dataDir, many);
    spoil();
    writeFileSync(file, 'an older backup');
    const line = ['-c', 'ulimit -f 512; exec "$@"', '-', process.execPath, paths.commands, 'backup', file];
    const stderr = await new Promise((resolve) => {
      execFile('bash', line, { env: { ...process.env, DATA_DIR: dataDir } }, (...[, , stderr]) => resolve(stderr));
    });
    expect(stderr).toMatch(message);
    expect(readFileSync(file, 'utf8')).toBe('an older backup');
    expect(readdirSync(dirname(file))).toEqual(['leads.sqlite']);
  });

  test('onto the database itself is refused, even through a symbolic link', async () => {
    await keep(dataDir, [{ name: 'Анна' }]);
    symlinkSync(databasePath(dataDir), file);
    for (const to of [databasePath(dataDir), file])
      await expectRefusal('is the database itself; name another file', ['backup', to]);
    expect(await namesIn(dataDir)).toEqual(['Анна']);
  });
});

describe('restore', () => {
  beforeEach(async () => {
    await keep(dataDir, [{ name: 'Анна' }, { name: 'Борис' }]);
    backUp(dataDir, file);
  });

  /** Changes even what SQLite refuses to write by default. */
  function corrupt(text: string): void {
    using database = new DatabaseSync(file, { defensive: false });
    database.exec(`PRAGMA writable_schema = ON; ${text}`);
  }

  test('brings along no trigger, index or view of any name', async () => {
    const objects = (folder: string) => {
      using database = new DatabaseSync(databasePath(folder));
      return database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
    };
    const folder = temporaryFolder();
    await withStore(folder, async ({ sql, leads }) => {
      const fresh = objects(folder);
      corrupt(`CREATE TRIGGER t AFTER INSERT ON lead BEGIN UPDATE lead SET phone = '+7900'; END;
        CREATE UNIQUE INDEX i ON lead (receipt); CREATE VIEW v AS SELECT 1; CREATE TABLE more (a);
        UPDATE sqlite_schema SET name = 'sqlite_' || name, sql = replace(sql, ' t ', ' sqlite_t ') WHERE name = 't';
        UPDATE sqlite_schema SET name = 'sqlite_' || name, sql = replace(sql, ' i ', ' sqlite_i ') WHERE name = 'i'`);
      await restore(file, sql);
      await leads.add(newLead(), arrival);
      const taken = await Promise.all([1, 2, 3].map((n) => act(leads, n, 'take')));
      expect(taken.map((one) => one?.lead.phone)).toEqual(Array(3).fill(newLead().phone));
      expect(objects(folder)).toEqual(fresh);
    });
  });

  type Refused = [what: string, spoil: () => unknown, into: () => string, message: string, left: string[]];

  test.each<Refused>([
    [
      'over existing leads',
      () => keep(dataDir, []),
      () => dataDir,
      'the store holds 2 leads already',
      ['Анна', 'Борис'],
    ],
    ['of a missing file', () => rmSync(file), temporaryFolder, 'there is no such file', []],
    [
      'of a foreign database',
      () => {
        rmSync(file);
        new DatabaseSync(file).exec('CREATE TABLE lead (a); PRAGMA user_version = 1');
      },
      temporaryFolder,
      'its tables are not those that "backup" writes',
      [],
    ],
    [
      'of a file that is not a database',
      () => writeFileSync(file, 'It was a dark and stormy night. '.repeat(200)),
      temporaryFolder,
      `leads.sqlite cannot be restored: it is no database; name a file that "backup" has written`,
      [],
    ],
    [
      'of a backup by a newer release',
      () => corrupt('PRAGMA user_version = 99'),
      temporaryFolder,
      'it was made by a newer release',
      [],
    ],
    [
      'of a backup with an extra column',
      () => corrupt('ALTER TABLE lead ADD COLUMN more text'),
      temporaryFolder,
      'its tables are not those that "backup" writes',
      [],
    ],
    [
      'of a backup that leaves no number for another lead',
      () => corrupt(`UPDATE sqlite_sequence SET seq = 9007199254740991 WHERE name = 'lead'`),
      temporaryFolder,
      'its leads have no more numbers',
      [],
    ],
    [
      'of a damaged backup',
      async () => {
        await keep(dataDir, many);
        backUp(dataDir, file);
        damage(file);
      },
      temporaryFolder,
      'it is damaged',
      [],
    ],
  ])('%s is refused and changes nothing', async (_, spoil, into, message, left) => {
    await spoil();
    const folder = into();
    await expectRefusal(message, ['restore', file], {}, folder);
    expect(await namesIn(folder)).toEqual(left);
  });
});

describe('an erasure after a backup', () => {
  const anna = { name: 'Анна', phone: '+79160000001', message: 'erase-me' };
  const boris = { name: 'Борис', phone: '+79160000002' };

  beforeEach(async () => {
    await keep(dataDir, [anna, boris, anna]);
    backUp(dataDir, file);
  });

  const erase = (phone = anna.phone) => said(['leads', 'erase', phone, '--yes']);
  /** The list of erasures in DATA_DIR, which exists once something was erased. */
  const listPath = (folder = dataDir) => {
    const [name = ''] = readdirSync(folder).filter((name) => /^erasures-[0-9a-f]{8}\.jsonl$/.test(name));
    return join(folder, name);
  };

  /** Replaces the database by a backup, as the operators' page says. */
  async function restoreAs(from = file, env: Record<string, string> = {}) {
    moveAway();
    return said(['restore', from], env);
  }

  function moveAway(): void {
    for (const name of readdirSync(dataDir)) if (name.startsWith('korob.sqlite')) rmSync(join(dataDir, name));
  }

  /** The text of the database and its log. */
  const bytesOf = (folder: string) =>
    ['', '-wal'].map((rest) => readFileSync(databasePath(folder) + rest, { encoding: 'latin1', flag: 'a+' })).join('');

  const destroyed = (phone: string) => withStore(dataDir, ({ destructions }) => destructions.ofPhone(phone));

  test('is repeated by restore, which says so, records it, and leaves nothing in the bytes of the database', async () => {
    await erase();
    for (const _ of ['once', 'and once more']) {
      moveAway();
      // Keeps the log of the database, which its last connection would remove.
      const server = openDatabase(dataDir);
      const { code, text } = await said(['restore', file]);
      const words = '2 of them were erased after this backup; that was repeated.\n';
      expect([code, text]).toEqual([0, expect.stringContaining(`3 leads restored from ${file}.\n${words}`)]);
      expect(await namesIn(dataDir)).toEqual(['Борис']);
      expect(bytesOf(dataDir).includes('erase-me')).toBe(false);
      await server.close();
      const [withdrawal, restored] = ['withdrawal', 'restored'].map((reason) => ({ reason, by: userInfo().username }));
      expect((await destroyed(anna.phone)).map(({ reason, by }) => ({ reason, by }))).toEqual([
        ...[withdrawal, withdrawal, restored, restored],
      ]);
    }
  });

  testPostgres('is repeated by a restore into PostgreSQL', async () => {
    await erase();
    const env = { DATABASE_URL: await newUrl() };
    expect((await restoreAs(file, env)).text).toContain('2 of them were erased after this backup');
    expect((await said(['leads', 'list'], env)).text).toMatch(/^2\t.*\tБорис\n$/);
  });

  test('does not affect another number, nor a lead that its owner sent afterwards', async () => {
    await erase();
    await keep(dataDir, [{ ...anna, name: 'Анна снова' }]);
    const later = join(dirname(file), 'later.sqlite');
    backUp(dataDir, later);
    await restoreAs();
    expect((await restoreAs(later)).text).toContain('no restored lead was erased after this backup');
    expect(await namesIn(dataDir)).toEqual(['Борис', 'Анна снова']);
  });

  test('is repeated at the next start of a server when the database was replaced by other means', async () => {
    await erase();
    for (const rest of ['-wal', '-shm']) rmSync(databasePath(dataDir) + rest, { force: true });
    copyFileSync(file, databasePath(dataDir));
    await keep(dataDir, [{ ...anna, name: 'Анна снова', message: null }]);
    const server = await startServerProcess({ DATA_DIR: dataDir });
    await eventually(async () => server.output().includes('they were erased again'));
    expect(await namesIn(dataDir)).toEqual(['Борис', 'Анна снова']);
    await eventually(() => !bytesOf(dataDir).includes('erase-me'));
  });

  test('is repeated for a lead that was received under a clock that was ahead', async () => {
    const future = join(dirname(file), 'future.sqlite');
    await atMoment(Date.now() + 900 * dayMs, () => keep(dataDir, [{ name: 'Вера', phone: '+79160000003' }]));
    backUp(dataDir, future);
    await erase('+79160000003');
    expect((await restoreAs(future)).text).toContain('1 of them was erased after this backup; that was');
    expect(await namesIn(dataDir)).toEqual(['Анна', 'Борис', 'Анна']);
  });

  test('is unknown without the list of the same database, and restore says so', async () => {
    const words = `jsonl: repeat every erasure that was made after this backup.\n`;
    expect((await restoreAs()).text).toContain(words);
    // The list of another company's database.
    const other = temporaryFolder();
    await keep(other, [anna]);
    await said(['leads', 'erase', anna.phone], {}, other);
    rmSync(databasePath(other));
    expect((await said(['restore', file], {}, other)).text).toContain(words);
    expect(await namesIn(other)).toEqual(['Анна', 'Борис', 'Анна']);
  });

  test('is listed in a file that only its owner can read, without the phone', async () => {
    await erase();
    expect(statSync(listPath()).mode & 0o777).toBe(0o600);
    const lines = readFileSync(listPath(), 'utf8').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(await destroyed(anna.phone));
    expect(lines.join()).not.toMatch(/9160000001|Анна/);
  });

  test('stays undone when its list is damaged, and restore says what to do', async () => {
    await erase();
    writeFileSync(listPath(), readFileSync(listPath(), 'utf8').slice(0, -9));
    const { code, text } = await restoreAs();
    expect([code, text]).toEqual([1, expect.stringContaining(`${listPath()} is damaged: put its copy there, or move`)]);
    expect(await namesIn(dataDir)).toEqual(['Анна', 'Борис', 'Анна']);
  });

  test('is listed by the next run of retention after a crash, and once only', async () => {
    await withStore(dataDir, async ({ sql, leads }) => {
      await leads.erase(anna.phone, 'anna');
      expect((await keepErasures(sql, dataDir, 'retention')).known).toBe(false);
      const before = statSync(listPath());
      expect(await keepErasures(sql, dataDir, 'retention')).toEqual({ file: listPath(), known: true, erased: 0 });
      expect(statSync(listPath()).ino).toBe(before.ino);
    });
    expect(readFileSync(listPath(), 'utf8').trim().split('\n')).toHaveLength(2);
  });
});
