import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import * as z from 'zod';
import { ConfigError, loadConfig } from '../../operator/config.ts';
import { site } from '../../testing/channels.ts';
import { channelKinds, channels, channelVariables, together } from './configured.ts';

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

const named = (env: Record<string, string>) =>
  channels(loadConfig(env).channels, site).map(({ kind, name }) => [kind, name]);

test('each mailbox is a channel, once, and each other way out is one', () => {
  expect(named(whole)).toEqual([
    ['mail', 'mail:sales@korob.example'],
    ['mail', 'mail:boss@korob.example'],
    ['webhook', 'webhook'],
    ['telegram', 'telegram'],
    ['bitrix24', 'bitrix24'],
  ]);
});

test('without variables, or with empty ones, there is no channel and nothing is missing', () => {
  const empty = Object.fromEntries(Object.keys(whole).map((name) => [name, '']));
  for (const env of [{}, empty]) expect(named(env)).toEqual([]);
});

test('Telegram’s own address and silence about people are the defaults', () => {
  expect(schema.parse({})).toMatchObject({
    TELEGRAM_API_BASE: 'https://api.telegram.org',
    TELEGRAM_PERSONAL_DATA: false,
  });
  expect(schema.parse(whole)).toMatchObject({
    TELEGRAM_API_BASE: 'https://telegram.example',
    TELEGRAM_PERSONAL_DATA: true,
  });
});

test.each([
  ['SMTP_URL', ['LEADS_EMAIL_FROM', 'LEADS_EMAIL_TO']],
  ['LEADS_EMAIL_TO', ['SMTP_URL', 'LEADS_EMAIL_FROM']],
  ['LEADS_WEBHOOK_URL', ['LEADS_WEBHOOK_SECRET']],
  ['LEADS_WEBHOOK_SECRET', ['LEADS_WEBHOOK_URL']],
  ['TELEGRAM_BOT_TOKEN', ['TELEGRAM_CHAT_ID']],
  ['TELEGRAM_CHAT_ID', ['TELEGRAM_BOT_TOKEN']],
] as const)('%s alone is half a channel, and what is missing is named', (name, missing) => {
  const lines = missing.map((other) => `  ${other}: missing, and needed because of ${name}\n`);
  expect(() => loadConfig({ [name]: whole[name] })).toThrow(ConfigError);
  expect(() => loadConfig({ [name]: whole[name] })).toThrow(`cannot be used:\n${lines.join('')}Mend them`);
});

test.each([
  ['SMTP_URL', 'https://user:SecretCanary@mail.example'],
  ['LEADS_EMAIL_TO', 'sales@korob.example;boss@korob.example'],
  ['LEADS_EMAIL_TO', 'group: a@b.example;'],
  ['LEADS_EMAIL_TO', 'Sales <sales@korob.example>'],
  ['LEADS_EMAIL_TO', ' , '],
  ['LEADS_EMAIL_FROM', 'Короб'],
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
] as const)('%s=%s is refused, and the reason does not repeat it', (name, value) => {
  const { error } = schema.safeParse({ ...whole, [name]: value });
  expect(error?.issues.map(({ path }) => path[0])).toEqual([name]);
  expect(JSON.stringify(error?.issues.map(({ message }) => message))).not.toContain('SecretCanary');
});

test('the operators’ page tells of every channel and its variables', () => {
  const readme = readFileSync(new URL('../../../scripts/deploy/README.md', import.meta.url), 'utf8');
  const rows = readme.match(/(?<=\| channel \|.*\n\|-.*\n)(?:\|.*\n)+/)?.[0].split('\n') ?? [];
  const told = rows.flatMap((row) => /^\| `(\w+)/.exec(row)?.[1] ?? []);
  expect(told.toSorted()).toEqual(channelKinds.toSorted());
  const names = rows.join().match(/\b[A-Z0-9]+_[A-Z0-9_]+/g);
  expect(names?.toSorted()).toEqual(Object.keys(channelVariables).toSorted());
});

test('a variable without which there is no channel is one of the environment', () => {
  expect(Object.keys(channelVariables)).toEqual(expect.arrayContaining(together.flat()));
});

test('what mail is sent with is not loaded before the first mail', async () => {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { channels } = await import(${JSON.stringify(new URL('configured.ts', import.meta.url).href)});
    const values = { SMTP_URL: 'smtp://mail.example', LEADS_EMAIL_FROM: 'a@b.example', LEADS_EMAIL_TO: ['a@b.example'] };
    const made = channels(values, {});
    console.log(JSON.stringify({ made: made.length, loaded }));
  `;
  const run = promisify(execFile);
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  const { made, loaded }: { made: number; loaded: string[] } = JSON.parse(stdout);
  expect(made).toBe(1);
  expect(loaded.filter((url) => url.endsWith('/mail.ts'))).toHaveLength(1);
  expect(loaded.filter((url) => /nodemailer|nunjucks|mail-message/.test(url))).toEqual([]);
});
