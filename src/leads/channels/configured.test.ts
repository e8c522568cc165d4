import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import * as z from 'zod';
import { loadConfig } from '../../config.ts';
import { site } from '../../tests/support/channels.ts';
import { channels, channelTypes, channelVariables, unnamedChannels } from './configured.ts';

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
  MAX_BOT_TOKEN: 'f9LHodD0cOL_abcdefghijklmnopqrstuvwxyz-0123456',
  MAX_CHAT_ID: '-70123456789012',
  MAX_API_BASE: 'https://max.example/',
  MAX_CA: rootCertificates.slice(0, 2).join('\n'),
  MAX_PERSONAL_DATA: 'true',
  BITRIX24_WEBHOOK_URL: 'https://korob.bitrix24.ru/rest/1/abc123/',
};

describe('the environment', () => {
  test('makes one channel for each distinct mailbox and one for each other service', () => {
    expect(channels(schema.parse(whole), site).map(({ name }) => name)).toEqual([
      'mail:sales@korob.example',
      'mail:boss@korob.example',
      ...['webhook', 'telegram', 'max', 'bitrix24'],
    ]);
  });

  test('makes no channel when it is empty, and has defaults for the addresses and the discretion of messengers', () => {
    const defaults = {
      ...{ TELEGRAM_API_BASE: 'https://api.telegram.org', TELEGRAM_PERSONAL_DATA: false },
      ...{ MAX_API_BASE: 'https://platform-api2.max.ru', MAX_PERSONAL_DATA: false },
    };
    expect(schema.parse({})).toEqual(defaults);
    expect(channels(schema.parse({}), site)).toEqual([]);
    expect(schema.parse(whole)).toMatchObject({
      TELEGRAM_API_BASE: 'https://telegram.example',
      TELEGRAM_PERSONAL_DATA: true,
      MAX_API_BASE: 'https://max.example',
      MAX_PERSONAL_DATA: true,
    });
  });

  test.each([
    ['SMTP_URL', 'https://user:SecretCanary@mail.example'],
    ['SMTP_URL', 'smtp://mail.example:465'],
    ['LEADS_EMAIL_TO', 'sales@korob.example;boss@korob.example'],
    ['LEADS_EMAIL_TO', ' , '],
    ['LEADS_EMAIL_FROM', 'a@b.example\r\nBcc: c@d.example'],
    ['LEADS_WEBHOOK_URL', 'ftp://hooks.example/SecretCanary'],
    ['LEADS_WEBHOOK_SECRET', 'whsec_SecretCanary!'],
    ['LEADS_WEBHOOK_SECRET', `whsec_${Buffer.alloc(23).toString('base64')}`],
    ['TELEGRAM_BOT_TOKEN', '123:SecretCanarySecretCanary/../x'],
    ['TELEGRAM_CHAT_ID', 'sales'],
    ['MAX_BOT_TOKEN', 'SecretCanarySecretCanary\r\nHost: evil.example'],
    ['MAX_CHAT_ID', '1&user_id=2'],
    ['MAX_API_BASE', 'max.example'],
    ['MAX_CA', `${rootCertificates[0]}\n-----BEGIN CERTIFICATE-----\nSecretCanary\n-----END CERTIFICATE-----`],
    ['MAX_PERSONAL_DATA', 'yes please'],
    ['BITRIX24_WEBHOOK_URL', 'https://korob.bitrix24.ru/rest/1/SecretCanary/crm.item.add.json'],
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
    ['MAX_CHAT_ID', ['MAX_BOT_TOKEN']],
  ] as const)('with %s alone is refused, and the error names the missing variables', (name, missing) => {
    const empty = Object.fromEntries(Object.keys(whole).map((name) => [name, '']));
    expect(channels(loadConfig(empty).channels, site)).toEqual([]);
    const lines = missing.map((other) => `  ${other}: missing, and needed because of ${name}\n`);
    const load = () => loadConfig({ ...empty, [name]: whole[name] });
    expect(load).toThrow(`cannot be used:\n${lines.join('')}Fix these variables`);
  });

  test('with the token of MAX alone makes no channel, and says that its chat is missing', () => {
    const { channels: values, doubtful } = loadConfig({ MAX_BOT_TOKEN: whole.MAX_BOT_TOKEN });
    expect(channels(values, site)).toEqual([]);
    expect(doubtful).toEqual(['MAX_CHAT_ID: missing, so max gets no leads; "doctor" looks for its value']);
    expect(loadConfig(whole).doubtful).toEqual([]);
  });

  const named = (policy: string, more: Partial<typeof whole> = {}) =>
    unnamedChannels(policy, channels(schema.parse({ ...whole, ...more }), site));

  test('has channels that the policy must name if they receive personal data', () => {
    const [sales, boss] = ['mail:sales@korob.example', 'mail:boss@korob.example'];
    expect(named('')).toEqual([sales, boss, 'webhook', 'telegram', 'max', 'bitrix24']);
    const impersonal = { TELEGRAM_PERSONAL_DATA: 'false', MAX_PERSONAL_DATA: 'false' };
    expect(named('', impersonal)).toEqual([sales, boss, 'webhook', 'bitrix24']);
    expect(named('Держит для нас почту')).toEqual(['webhook', 'telegram', 'max', 'bitrix24']);
    expect(named('Почта, система учёта (CRM)')).toEqual(['telegram', 'max']);
    expect(named('Почта, вебхук, Битрикс24, MAX и Телеграм')).toEqual([]);
  });

  test('is documented in the operators’ page, with every channel and its variables', () => {
    const readme = readFileSync(new URL('../../../scripts/deploy/README.md', import.meta.url), 'utf8');
    const rows = readme.match(/(?<=\| channel \|.*\n\|-.*\n)(?:\|.*\n)+/)?.[0].split('\n') ?? [];
    const documented = rows.flatMap((row) => /^\| `(\w+)/.exec(row)?.[1] ?? []);
    expect(documented.toSorted()).toEqual(channelTypes.toSorted());
    const names = rows.join().match(/\b[A-Z0-9]+_[A-Z0-9_]+/g);
    expect(names?.toSorted()).toEqual(Object.keys(channelVariables).toSorted());
  });
});
