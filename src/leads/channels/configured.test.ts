import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import * as z from 'zod';
import { endless, notificationOf, site } from '../../tests/support/channels.ts';
import { newLead, plan } from '../../tests/support/sample-leads.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { openStore, type Store } from '../store/open-store.ts';
import { orderChannels, planFor, quarantineDigestDay, startEscalation } from './escalation.ts';

const loaded: string[] = [];
for (const name of ['nodemailer', 'nunjucks', './mail-message.ts']) {
  jest.unstable_mockModule(name, () => {
    loaded.push(name);
    return { default: {}, mailMessage: () => {} };
  });
}
const { channelKinds, channels, channelVariables, unnamedChannels } = await import('./configured.ts');
const schema = z.object(channelVariables);

const whole: Record<keyof typeof channelVariables, string> = {
  SMTP_URL: 'smtp://user:password@mail.example:587?requireTLS=true',
  LEADS_EMAIL_TO: 'Sales@korob.example, boss@korob.example,sales@korob.example,',
  LEADS_EMAIL_FROM: 'site@korob.example',
  LEADS_WEBHOOK_URL: 'https://hooks.example/lead',
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  TELEGRAM_BOT_TOKEN: '123456:abcdefghijklmnopqrstuvwxyz-_0123456',
  TELEGRAM_CHAT_ID: '-100123',
  TELEGRAM_API_BASE: 'https://telegram.example/',
  TELEGRAM_PERSONAL_DATA: 'true',
  BITRIX24_WEBHOOK_URL: 'https://korob.bitrix24.ru/rest/1/abc123/',
};

test('the modules that send mail are not loaded before the first mail', async () => {
  const [mail] = channels(schema.parse(whole), site);
  expect(loaded).toEqual([]);
  await expect(mail?.deliver([notificationOf()], endless())).rejects.toThrow();
  expect(loaded).toEqual(expect.arrayContaining(['nodemailer', './mail-message.ts']));
});

describe('the environment', () => {
  test('makes one channel for each distinct mailbox and one for each other service', () => {
    expect(channels(schema.parse(whole), site).map(({ kind, name }) => [kind, name])).toEqual([
      ['mail', 'mail:sales@korob.example'],
      ['mail', 'mail:boss@korob.example'],
      ['webhook', 'webhook'],
      ['telegram', 'telegram'],
      ['bitrix24', 'bitrix24'],
    ]);
  });

  test('makes no channel when it is empty, and has defaults for two variables of Telegram', () => {
    const defaults = { TELEGRAM_API_BASE: 'https://api.telegram.org', TELEGRAM_PERSONAL_DATA: false };
    expect(schema.parse({})).toEqual(defaults);
    expect(channels(schema.parse({}), site)).toEqual([]);
    expect(schema.parse(whole)).toMatchObject({
      TELEGRAM_API_BASE: 'https://telegram.example',
      TELEGRAM_PERSONAL_DATA: true,
    });
  });

  test.each([
    ['SMTP_URL', 'https://user:SecretCanary@mail.example'],
    ['LEADS_EMAIL_TO', 'sales@korob.example;boss@korob.example'],
    ['LEADS_EMAIL_TO', 'group: a@b.example;'],
    ['LEADS_EMAIL_TO', 'Sales <sales@korob.example>'],
    ['LEADS_EMAIL_TO', ' , '],
    ['LEADS_EMAIL_FROM', 'a@b.example\r\nBcc: c@d.example'],
    ['LEADS_WEBHOOK_URL', 'ftp://hooks.example/SecretCanary'],
    ['LEADS_WEBHOOK_URL', 'https://user:SecretCanary@hooks.example'],
    ['LEADS_WEBHOOK_SECRET', 'SecretCanarySecretCanarySecretCanary'],
    ['LEADS_WEBHOOK_SECRET', 'whsec_SecretCanary!'],
    ['LEADS_WEBHOOK_SECRET', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['LEADS_WEBHOOK_SECRET', `whsec_${Buffer.alloc(65).toString('base64')}`],
    ['TELEGRAM_BOT_TOKEN', 'bot123:SecretCanary'],
    ['TELEGRAM_BOT_TOKEN', '123:SecretCanarySecretCanary/../x'],
    ['TELEGRAM_CHAT_ID', 'sales'],
    ['TELEGRAM_API_BASE', 'telegram.example'],
    ['TELEGRAM_PERSONAL_DATA', 'yes please'],
    ['BITRIX24_WEBHOOK_URL', 'https://korob.bitrix24.ru/SecretCanary'],
    ['BITRIX24_WEBHOOK_URL', 'https://korob.bitrix24.ru/rest/1/SecretCanary/crm.item.add.json'],
    ['BITRIX24_WEBHOOK_URL', 'https://korob.bitrix24.ru/rest/1/SecretCanary/?auth=x'],
  ] as const)('with %s=%s is refused, and the reason does not repeat the value', (name, value) => {
    const { error } = schema.safeParse({ ...whole, [name]: value });
    expect(error?.issues.map(({ path }) => path[0])).toEqual([name]);
    expect(JSON.stringify(error?.issues.map(({ message }) => message))).not.toContain('SecretCanary');
  });

  test.each([
    ['LEADS_EMAIL_TO', ['SMTP_URL', 'LEADS_EMAIL_FROM']],
    ['LEADS_WEBHOOK_URL', ['LEADS_WEBHOOK_SECRET']],
    ['TELEGRAM_BOT_TOKEN', ['TELEGRAM_CHAT_ID']],
    ['TELEGRAM_CHAT_ID', ['TELEGRAM_BOT_TOKEN']],
  ] as const)('with %s alone is refused, and the error names the missing variables', async (name, missing) => {
    const { loadConfig } = await import('../../config.ts');
    const empty = Object.fromEntries(Object.keys(whole).map((name) => [name, '']));
    expect(channels(loadConfig(empty).channels, site)).toEqual([]);
    const lines = missing.map((other) => `  ${other}: missing, and needed because of ${name}\n`);
    const load = () => loadConfig({ ...empty, [name]: whole[name] });
    expect(load).toThrow(`cannot be used:\n${lines.join('')}Fix these variables`);
  });

  const named = (policy: string, more: Partial<typeof whole> = {}) =>
    unnamedChannels(policy, channels(schema.parse({ ...whole, ...more }), site));

  test('has channels that the policy must name if they receive personal data', () => {
    const [sales, boss] = ['mail:sales@korob.example', 'mail:boss@korob.example'];
    expect(named('')).toEqual([sales, boss, 'webhook', 'telegram', 'bitrix24']);
    expect(named('', { TELEGRAM_PERSONAL_DATA: 'false' })).toEqual([sales, boss, 'webhook', 'bitrix24']);
    expect(named('Держит для нас почту')).toEqual(['webhook', 'telegram', 'bitrix24']);
    expect(named('Почта, система учёта (CRM)')).toEqual(['telegram']);
    expect(named('Почта, вебхук, Битрикс24 и Телеграм')).toEqual([]);
  });

  test('is documented in the operators’ page, with every channel and its variables', () => {
    const readme = readFileSync(new URL('../../../scripts/deploy/README.md', import.meta.url), 'utf8');
    const rows = readme.match(/(?<=\| channel \|.*\n\|-.*\n)(?:\|.*\n)+/)?.[0].split('\n') ?? [];
    const documented = rows.flatMap((row) => /^\| `(\w+)/.exec(row)?.[1] ?? []);
    expect(documented.toSorted()).toEqual(channelKinds.toSorted());
    const names = rows.join().match(/\b[A-Z0-9]+_[A-Z0-9_]+/g);
    expect(names?.toSorted()).toEqual(Object.keys(channelVariables).toSorted());
  });
});

const shift: [string, string] = ['09:00', '20:00'];
const hours = {
  timeZone: 'Europe/Moscow',
  text: '',
  week: [shift, shift, shift, shift, shift, null, null],
  holidays: ['2026-11-19'],
};

describe('the plan for a lead', () => {
  test('notifies and escalates to every channel, unless some are reserved for escalation', () => {
    expect(orderChannels(['mail', 'chat'], [])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['mail', 'chat'] });
    expect(orderChannels(['mail', 'chat', 'boss'], ['boss'])).toEqual({ atOnce: ['mail', 'chat'], inTurn: ['boss'] });
  });

  // Friday; the shift ends at 17:00Z, and begins again on Monday at 06:00Z.
  test.each([
    ['when the promised call is still due today', ['mail'], '16:49:59', '2026-11-20T16:52:59.000Z'],
    ['when the call is promised for Monday', ['mail'], '16:50:00', '2026-11-23T06:03:00.000Z'],
    ['never when there is no channel', [], '09:00:00', null],
  ])('escalates three minutes after the visitor begins to wait for a call: %s', (_, names, time, escalateAt) => {
    const at = new Date(`2026-11-20T${time}Z`);
    const plan = planFor(at, false, orderChannels(names, []), hours);
    expect(plan).toEqual({ quarantined: false, channels: names, notifyAt: at.toISOString(), escalateAt });
  });
});

test.each([
  ['2026-11-20T05:59:59Z', undefined],
  ['2026-11-20T06:00:00Z', '2026-11-20'],
  ['2026-11-20T16:59:59Z', '2026-11-20'],
  ['2026-11-20T17:00:00Z', undefined],
  // A day off and a holiday.
  ['2026-11-21T09:00:00Z', undefined],
  ['2026-11-19T09:00:00Z', undefined],
])('at %s the day of the due digest is %s', (at, day) => {
  expect(quarantineDigestDay(hours, new Date(at))).toBe(day);
});

test('the day of a digest follows the time zone of the company', () => {
  expect(quarantineDigestDay({ ...hours, timeZone: 'Asia/Vladivostok' }, new Date('2026-11-19T23:00:00Z'))).toBe(
    '2026-11-20',
  );
});

describe('the escalation', () => {
  let store: Store;
  let wakes = 0;
  const begun = Date.parse('2026-11-20T09:00:00Z');

  beforeEach(async () => {
    jest.useFakeTimers({ now: begun, doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'performance'] });
    wakes = 0;
    store = await openStore({ dataDir: temporaryFolder(), databaseUrl: undefined });
  });
  afterEach(async () => {
    jest.useRealTimers();
    await store.close();
  });

  const startOne = () =>
    startEscalation({
      deliveries: store.deliveries,
      channelOrder: { atOnce: ['chat'], inTurn: ['chat', 'boss'] },
      digestChannels: ['chat', 'boss'],
      hours: () => hours,
      logger: pino({ level: 'silent' }),
      wake: () => {
        wakes += 1;
      },
    });

  const listNotified = async (number: number) =>
    (await store.deliveries.of(number)).map(({ channel, reason }) => `${reason} ${channel}`);

  test('notifies one channel after another, three times, three minutes apart, and only once when two processes run', async () => {
    const escalateAt = new Date(begun + 180_000).toISOString();
    const { number } = await store.leads.add(newLead(), { ...plan, channels: ['chat'], escalateAt });
    const running = [startOne(), startOne()];
    const counts: number[] = [];
    for (let minutes = 0; minutes < 15; minutes += 1) {
      await jest.advanceTimersByTimeAsync(60_000);
      counts.push(wakes);
    }
    for (const escalation of running) await escalation.stop();
    expect(counts).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3]);
    expect(await listNotified(number)).toEqual(['new chat', 'untaken chat', 'untaken boss', 'untaken chat']);
  });

  test('delays a reminder that falls due after closing time until the next working day', async () => {
    const escalateAt = '2026-11-20T16:59:00.000Z';
    jest.setSystemTime(new Date(escalateAt));
    const { number } = await store.leads.add(newLead(), { ...plan, channels: ['chat'], escalateAt });
    const escalation = startOne();
    await jest.advanceTimersByTimeAsync(3_600_000);
    await escalation.stop();
    expect(await listNotified(number)).toEqual(['new chat', 'untaken chat']);
  });

  test('sends one digest a day about the leads that are in quarantine at that time', async () => {
    const { number } = await store.leads.add(newLead(), { ...plan, quarantined: true });
    const escalation = startOne();
    await jest.advanceTimersByTimeAsync(0);
    const later = await store.leads.add(newLead({ key: 'later-that-day' }), { ...plan, quarantined: true });
    await jest.advanceTimersByTimeAsync(60_000);
    await escalation.stop();
    expect(wakes).toBe(1);
    expect(await listNotified(number)).toEqual(['digest chat', 'digest boss']);
    expect(await listNotified(later.number)).toEqual([]);
  });
});
