import { beforeEach, describe, expect, test } from '@jest/globals';
import { daysAfter, localTime } from '../../lib/calendar.ts';
import { paths } from '../../lib/paths.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadConfig } from '../config.ts';
import { currentContent } from './content.ts';
import { keep, korob, settleAll, withStore } from './testing.ts';

let folder: string;
const leads = (...args: string[]) => korob(folder, ['leads', ...args], channels);

const mail = 'mail:a@example.ru';
const channels = {
  LEADS_WEBHOOK_URL: 'https://hooks.example/lead',
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  SMTP_URL: 'smtp://mail.example:25',
  LEADS_EMAIL_TO: 'a@example.ru',
  LEADS_EMAIL_FROM: 'site@example.ru',
  LEADS_ESCALATION: mail,
};

const numbersIn = (table: string) => [...table.matchAll(/^(\d+) /gm)].map(([, number]) => Number(number));
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const kept = () =>
  withStore(folder, async (store) => (await store.leads.list({ limit: 9 })).map(({ number }) => number));
const deliveriesOf = (number: number) => withStore(folder, (store) => store.deliveries.of(number));

beforeEach(async () => {
  folder = temporaryFolder();
  await keep(folder, [
    { name: 'Анна' },
    { name: 'Спамер', phone: '+79160000002', quarantined: true, signals: ['honeypot'] },
    { name: 'Борис', phone: '+79160000003', channels: ['webhook', mail] },
    { name: 'Вера', phone: '+79160000004' },
  ]);
  await withStore(folder, (store) => store.leads.take(4, 'webhook'));
});

describe('leads export', () => {
  test('writes what came on some days of the company', async () => {
    const { stdout } = await leads('export', '--json');
    const { workingHours } = (await currentContent(loadConfig({ DATA_DIR: folder }, paths.content))).company;
    const { date } = localTime(new Date(lines(stdout)[0].receivedAt), workingHours.timeZone);
    const numbers = async (...days: string[]) => {
      const { stdout, ...rest } = await leads('export', '--json', ...days);
      expect(rest).toEqual({ code: 0, stderr: '' });
      return stdout === '' ? [] : lines(stdout).map(({ number }) => number);
    };
    for (const days of [
      ['--from', date],
      ['--from', date, '--to', date],
    ]) {
      expect(await numbers(...days)).toEqual([1, 2, 3, 4]);
    }
    expect(await numbers('--to', daysAfter(date, -1))).toEqual([]);
    const { code, stderr } = await leads('export', '--from', date, '--to', daysAfter(date, -1));
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to must be a day such as 2026-11-20')]);
  });
});

describe('leads list', () => {
  test('shows the newest, without quarantine or it alone', async () => {
    const numbers = async (...flags: string[]) => numbersIn((await leads('list', ...flags)).stdout);
    expect(await numbers()).toEqual([4, 3, 1]);
    expect((await leads('list')).stderr).toBe(
      'Some leads are in quarantine: look through them with "leads list --quarantined".\n',
    );
    expect(await numbers('--quarantined')).toEqual([2]);
    expect((await leads('list', '--quarantined')).stdout).toContain('quarantined: honeypot');
    expect(await numbers('--limit', '2')).toEqual([4, 3]);
    expect((await leads('list', '--limit', '2')).stderr).toContain('Only the newest 2 are shown');
  });

  test('says how long a lead has waited that nobody has taken', async () => {
    const { stdout } = await leads('list');
    expect(stdout).toMatch(/^3 .* new for \d+ s /m);
    expect(stdout).toMatch(/^4 .*Z {2}taken by webhook {2,}/m);
  });

  test('shows channels that were given up on', async () => {
    expect((await leads('list')).stdout).not.toContain('not delivered');
    await settleAll(folder, mail, 'dead');
    const { stdout } = await leads('list');
    expect(stdout.split('\n')[0]).toContain('not delivered');
    expect(stdout).toMatch(/^3 .* mail:a@example\.ru /m);
    expect(lines((await leads('list', '--json')).stdout).map(({ undelivered }) => undelivered)).toEqual([
      [],
      [mail],
      [],
    ]);
    await leads('redeliver', '3', '--channel', mail);
    await settleAll(folder, mail, 'delivered');
    expect((await leads('list')).stdout).not.toContain('not delivered');
  });
});

describe('leads show', () => {
  test('tells who was told, when and why not', async () => {
    await settleAll(folder, mail, 'dead');
    const { stdout } = await leads('show', '3');
    expect(stdout).toMatch(/^webhook +new +waiting +0 +\d{4}-\d\d-\d\d \d\d:\d\dZ$/m);
    expect(stdout).toMatch(/^mail:a@example\.ru +new +dead +1 +.*it answered 500$/m);
    expect(lines((await leads('show', '3', '--json')).stdout)).toMatchObject([
      { number: 3, deliveries: [{ channel: 'webhook' }, { state: 'dead', error: 'it answered 500' }] },
    ]);
  });
});

test('what was done and written at the desk is shown with its name', async () => {
  await withStore(folder, async (store) => {
    await store.leads.take(3, 'desk:Анна');
    await store.leads.note(3, { key: 'key-of-a-note', by: 'Анна', text: 'Не берёт трубку.\nЗавтра' });
  });
  expect((await leads('list')).stdout).toMatch(/^3 .* taken by desk:Анна /m);
  const { stdout } = await leads('show', '3');
  expect(stdout).toMatch(/^takenBy +desk:Анна$/m);
  expect(stdout).toMatch(/^notes\n {2}\d{4}-\d\d-\d\d \d\d:\d\dZ Анна: Не берёт трубку\.\n {2}Завтра$/m);
  expect(lines((await leads('show', '3', '--json')).stdout)).toMatchObject([{ notes: [{ by: 'Анна' }] }]);
});

describe('leads release', () => {
  test('lets leads out of quarantine and tells those who are told at once', async () => {
    const { code, stderr } = await leads('release', '2');
    expect([code, stderr]).toEqual([0, 'Lead 2 is out of quarantine; it goes to webhook.\n']);
    expect(await deliveriesOf(2)).toMatchObject([{ channel: 'webhook', reason: 'new', state: 'waiting' }]);
    const untaken = await withStore(folder, (store) => store.deliveries.untaken('9999', 10));
    expect(untaken.map(({ lead }) => lead.number)).toEqual([2]);
  });

  test('goes on after one that cannot be released', async () => {
    const { code, stderr } = await leads('release', '9', '1', '2');
    expect(code).toBe(1);
    expect(stderr).toContain('Lead 2 is out of quarantine');
    expect(stderr).toContain('There is no lead 9');
    expect(stderr).toContain('Lead 1 is not in quarantine: it is new.');
  });

  test('says so when nobody can be told', async () => {
    const { stderr } = await korob(folder, ['leads', 'release', '2']);
    expect(stderr).toContain('no channel is configured to tell anybody');
  });
});

describe('leads redeliver', () => {
  test('tells those who are told at once, or the one that is named', async () => {
    expect((await leads('redeliver', '1', '4')).stderr).toBe('Lead 1 goes to webhook.\nLead 4 goes to webhook.\n');
    expect((await leads('redeliver', '1', '--channel', mail)).code).toBe(0);
    expect((await deliveriesOf(1)).map(({ channel }) => channel)).toEqual(['webhook', mail]);
    expect((await deliveriesOf(4)).map(({ channel }) => channel)).toEqual(['webhook']);
  });

  test('tells nobody who is not configured', async () => {
    const { code, stderr } = await leads('redeliver', '1', '--channel', 'telegram');
    expect([code, stderr]).toEqual([
      1,
      '"telegram" is no configured channel; there are: mail:a@example.ru, webhook.\n',
    ]);
    expect((await korob(folder, ['leads', 'redeliver', '1'])).stderr).toBe(
      'No channel is configured, so nobody can be told.\n',
    );
    expect(await deliveriesOf(1)).toEqual([]);
    expect((await leads('redeliver', '9')).code).toBe(1);
  });
});

describe('leads erase', () => {
  test('finds the phone in any spelling and says how many leads went', async () => {
    const { code, stderr } = await leads('erase', '8 (916) 000-00-03');
    expect(code).toBe(0);
    expect(stderr).toContain('1 lead of +79160000003 erased.\n');
    expect(await kept()).toEqual([4, 2, 1]);
    expect(await deliveriesOf(3)).toEqual([]);
    expect((await leads('erase', '8 (916) 000-00-03')).stderr).toBe('There is no lead of +79160000003.\n');
  });

  test('removes several only when told to', async () => {
    await keep(folder, [{ name: 'Анна ещё раз' }]);
    const asked = await leads('erase', '+79161234567');
    expect([asked.code, asked.stderr]).toEqual([
      1,
      'There are 2 leads of +79161234567; to erase them all, add --yes.\n',
    ]);
    expect(await kept()).toHaveLength(5);
    expect((await leads('erase', '+79161234567', '--yes')).stderr).toContain('2 leads of +79161234567 erased.');
    expect(await kept()).toEqual([4, 3, 2]);
  });

  test('refuses what is no phone', async () => {
    expect((await leads('erase', '12')).code).toBe(2);
  });
});
