import { beforeEach, expect, test } from '@jest/globals';
import { daysAfter, localTime } from '../../lib/calendar.ts';
import { keep, korob, withStore } from '../../testing/commands.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { loadConfig } from '../config.ts';
import { currentContent } from './content.ts';

let folder: string;

const channels = {
  LEADS_WEBHOOK_URL: 'https://hooks.example/lead',
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  SMTP_URL: 'smtp://mail.example:25',
  LEADS_EMAIL_TO: 'a@example.ru',
  LEADS_EMAIL_FROM: 'site@example.ru',
  LEADS_ESCALATION: 'mail:a@example.ru',
};

const leads = (args: string[], env: Record<string, string> = channels) => korob(folder, ['leads', ...args], env);
const kept = () =>
  withStore(folder, async (store) => (await store.leads.list({ limit: 9 })).map(({ number }) => number));

beforeEach(async () => {
  folder = temporaryFolder();
  await keep(folder, [
    { name: 'Анна' },
    { name: 'Спамер', phone: '+79160000002', quarantined: true, signals: ['honeypot'] },
    { name: '\u001b[2J\u009b1m\u202e', channels: ['webhook'] },
  ]);
});

test('leads list shows the newest, or quarantine alone, and gives the terminal no orders', async () => {
  const numbers = async (...flags: string[]) =>
    [...(await leads(['list', ...flags])).stdout.matchAll(/^(\d+)\t/gm)].map(([, number]) => Number(number));
  expect(await numbers()).toEqual([3, 2, 1]);
  expect((await leads(['list'])).stdout.split('\n')[2]).toMatch(/^1\t\S+Z\tnew\t\+79161234567\tАнна$/);
  expect(await numbers('--quarantined')).toEqual([2]);
  expect(await numbers('--limit', '2')).toEqual([3, 2]);
  expect((await leads(['list'])).stdout).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
});

test('that there is none is told on standard error', async () => {
  await leads(['erase', '+79160000002']);
  expect(await leads(['list', '--quarantined'])).toEqual({ code: 0, stdout: '', stderr: 'There are none.\n' });
  const stderr = 'There is no lead 2; "leads list" shows which there are.\n';
  expect(await leads(['show', '2'])).toEqual({ code: 1, stdout: '', stderr });
});

test('leads show tells all that is known, who was told of it, and what was done at the desk', async () => {
  await withStore(folder, async (store) => {
    await store.leads.take(3, 'desk:Анна');
    await store.leads.note(3, { key: 'key-of-a-note', by: 'Анна', text: 'Не берёт трубку.\nЗавтра' });
  });
  expect(JSON.parse((await leads(['show', '3'])).stdout)).toMatchObject({
    number: 3,
    takenBy: 'desk:Анна',
    notes: [{ by: 'Анна' }],
    deliveries: [{ channel: 'webhook', state: 'waiting' }],
  });
});

test('leads export writes what came on some days of the company', async () => {
  const { timeZone } = currentContent(loadConfig({ DATA_DIR: folder })).company.workingHours;
  const first = await withStore(folder, (store) => store.leads.find(1));
  const { date } = localTime(new Date(first?.receivedAt ?? ''), timeZone);
  const before = daysAfter(date, -1);
  const names = async (...flags: string[]) => (await leads(['export', ...flags])).stdout.match(/Анна|Спамер/g);
  expect(await names('--from', date)).toEqual(['Анна', 'Спамер']);
  expect(await names('--json', '--to', before)).toBeNull();
  const { code, stderr } = await leads(['export', '--from', date, '--to', before]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('--to must be a day such as 2026-11-20')]);
});

test('leads release tells those who are told at once, and goes on after one that cannot be released', async () => {
  expect(await leads(['release', '9', '1', '2'])).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Lead 2 is out of quarantine; it goes to webhook.\nNot in quarantine: 9, 1.\n',
  });
  await withStore(folder, async ({ deliveries }) => {
    expect(await deliveries.of(2)).toMatchObject([{ channel: 'webhook', reason: 'new', state: 'waiting' }]);
    expect(await deliveries.untaken('9999', 10)).toMatchObject([{ lead: { number: 2 } }]);
  });
});

test('leads erase finds the phone in any spelling, and removes several leads only when told to', async () => {
  const erase = (...args: string[]) => leads(['erase', ...args]);
  expect(await erase('8 (916) 000-00-02')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('1 lead of +79160000002 erased.\n'),
  });
  expect(await erase('+79161234567')).toMatchObject({
    code: 1,
    stderr: 'There are 2 leads of +79161234567; to erase them all, add --yes.\n',
  });
  expect(await kept()).toEqual([3, 1]);
  expect(await erase('+79161234567', '--yes')).toMatchObject({ code: 0 });
  expect(await kept()).toEqual([]);
});
