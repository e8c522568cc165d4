import { beforeEach, describe, expect, test } from '@jest/globals';
import { daysAfter, localTime } from '../../lib/calendar.ts';
import { keep, korob, settleAll, withStore } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadConfig } from '../config.ts';
import { currentContent } from './content.ts';

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

const numbersIn = (text: string) => [...text.matchAll(/^(\d+)\t/gm)].map(([, number]) => Number(number));
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
    const { workingHours } = currentContent(loadConfig({ DATA_DIR: folder })).company;
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
  test('shows the newest, or quarantine alone, and gives the terminal no orders', async () => {
    await keep(folder, [{ name: '\u001b[2J\u009b1m\u202e' }]);
    const numbers = async (...flags: string[]) => numbersIn((await leads('list', ...flags)).stdout);
    expect(await numbers()).toEqual([5, 4, 3, 2, 1]);
    expect(await numbers('--quarantined')).toEqual([2]);
    expect(await numbers('--limit', '2')).toEqual([5, 4]);
    expect((await leads('list')).stdout).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
  });
});

test('leads show tells who was told and why not, and what was done at the desk', async () => {
  await settleAll(folder, mail, 'dead');
  await withStore(folder, async (store) => {
    await store.leads.take(3, 'desk:Анна');
    await store.leads.note(3, { key: 'key-of-a-note', by: 'Анна', text: 'Не берёт трубку.\nЗавтра' });
  });
  expect(JSON.parse((await leads('show', '3')).stdout)).toMatchObject({
    number: 3,
    takenBy: 'desk:Анна',
    notes: [{ by: 'Анна' }],
    deliveries: [{ channel: 'webhook' }, { state: 'dead', error: 'it answered 500' }],
  });
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
    expect(stderr).toContain('Not in quarantine: 9, 1.');
  });

  test('says so when nobody can be told', async () => {
    const { stderr } = await korob(folder, ['leads', 'release', '2']);
    expect(stderr).toContain('it goes to nobody, because no channel is configured');
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
