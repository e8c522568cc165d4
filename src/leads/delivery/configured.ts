import * as z from 'zod';
import { httpUrl, variable } from '../../lib/variable.ts';
import { bitrix24Channel } from './bitrix24.ts';
import type { Channel } from './channel.ts';
import { mailChannel, parseSmtpUrl } from './mail.ts';
import { telegramChannel } from './telegram.ts';
import { webhookChannel } from './webhook.ts';
import type { NotifyingSite } from './wording.ts';

const mailbox = z.email('an address such as info@example.ru');

const smtpUrl = z.string().superRefine((value, context) => {
  try {
    parseSmtpUrl(value);
  } catch (error) {
    context.addIssue(Error.isError(error) ? error.message : 'not an SMTP address');
  }
});

/** Addresses with commas between them; those that differ in case alone are one. */
const mailboxes = z
  .string()
  .transform((value) => [...new Set(value.split(',').map((address) => address.trim().toLowerCase()))].filter(Boolean))
  .pipe(z.array(mailbox).min(1, 'at least one address'));

const webhookSecret = z
  .string()
  .refine((value) => /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value), {
    error: 'whsec_ and Base64 after it',
    abort: true,
  })
  .refine((value) => {
    const { length } = Buffer.from(value.slice('whsec_'.length), 'base64');
    return length >= 24 && length <= 64;
  }, 'whsec_ and 24 to 64 bytes as Base64');

/** The variables of the channels, to be spread into a schema of the environment. */
export const channelVariables = {
  SMTP_URL: variable('Mail: the server that sends it.', { example: 'smtps://user:password@smtp.example.ru' }, smtpUrl),
  LEADS_EMAIL_FROM: variable('Mail: whom it is from.', { example: 'site@example.ru' }, mailbox),
  LEADS_EMAIL_TO: variable(
    'Mail: who gets it; several with commas.',
    { example: 'sales@example.ru,boss@example.ru' },
    mailboxes,
  ),
  LEADS_WEBHOOK_URL: variable(
    'Webhook: where requests are posted.',
    { example: 'https://crm.example.ru/leads' },
    httpUrl,
  ),
  LEADS_WEBHOOK_SECRET: variable(
    'Webhook: what signs them, 24 to 64 bytes as Base64.',
    { example: 'whsec_…' },
    webhookSecret,
  ),
  TELEGRAM_BOT_TOKEN: variable(
    'Telegram: the token of the bot.',
    { example: '123456:AA…' },
    z.string().regex(/^\d+:[A-Za-z0-9_-]{20,}$/, 'a token as @BotFather gives it'),
  ),
  TELEGRAM_CHAT_ID: variable(
    'Telegram: the chat, or @name of a channel.',
    { example: '-1001234567890' },
    z.string().regex(/^(-?\d+|@\w+)$/, 'a number, or @name of a channel'),
  ),
  TELEGRAM_API_BASE: variable('Telegram: where its API is.', { byDefault: 'https://api.telegram.org' }, httpUrl),
  TELEGRAM_PERSONAL_DATA: variable(
    'Telegram: whether names, phones and messages are told there.',
    { byDefault: 'false' },
    z.enum(['true', 'false'], 'true or false'),
  ),
  BITRIX24_WEBHOOK_URL: variable(
    'Bitrix24: an incoming webhook that may call crm.item.add.',
    { example: 'https://example.bitrix24.ru/rest/1/code/' },
    httpUrl.refine(
      (value) => /^\/rest\/\d+\/\w+\/?$/.test(new URL(value).pathname) && new URL(value).search === '',
      'the address of an incoming webhook, https://{company}.bitrix24.ru/rest/{user}/{code}/',
    ),
  ),
};

export type ChannelVariable = keyof typeof channelVariables;

/** Variables that hold a secret, so that no message may repeat their value. */
export const secretVariables: readonly ChannelVariable[] = [
  'SMTP_URL',
  'LEADS_WEBHOOK_URL',
  'LEADS_WEBHOOK_SECRET',
  'TELEGRAM_BOT_TOKEN',
  'BITRIX24_WEBHOOK_URL',
];

/** Which variables make a channel together. */
const together: readonly (readonly ChannelVariable[])[] = [
  ['SMTP_URL', 'LEADS_EMAIL_TO', 'LEADS_EMAIL_FROM'],
  ['LEADS_WEBHOOK_URL', 'LEADS_WEBHOOK_SECRET'],
  ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID'],
];

/** What is missing where a channel is configured by half; an empty variable counts as a missing one. */
export function missingVariables(
  env: Readonly<Record<string, string | undefined>>,
): { name: ChannelVariable; message: string }[] {
  return together.flatMap((names) => {
    const present = names.filter((name) => env[name]);
    const absent = present.length === 0 ? [] : names.filter((name) => !env[name]);
    return absent.map((name) => ({ name, message: `missing, and needed because ${present.join(' and ')} is set` }));
  });
}

/** What channels are made from; a channel without its address or token is absent. */
export type ChannelsConfig = {
  smtpUrl: string | undefined;
  mailTo: readonly string[];
  mailFrom: string | undefined;
  webhookUrl: string | undefined;
  webhookSecret: string | undefined;
  telegramToken: string | undefined;
  telegramChatId: string | undefined;
  /** Without a trailing slash. */
  telegramBase: string;
  telegramPersonalData: boolean;
  bitrix24Url: string | undefined;
};

type Values = z.infer<z.ZodObject<typeof channelVariables>>;

/** Variables, once they are parsed, in the words of the program. */
export function channelsConfig(values: Values): ChannelsConfig {
  return {
    smtpUrl: values.SMTP_URL,
    mailTo: values.LEADS_EMAIL_TO ?? [],
    mailFrom: values.LEADS_EMAIL_FROM,
    webhookUrl: values.LEADS_WEBHOOK_URL,
    webhookSecret: values.LEADS_WEBHOOK_SECRET,
    telegramToken: values.TELEGRAM_BOT_TOKEN,
    telegramChatId: values.TELEGRAM_CHAT_ID,
    telegramBase: (values.TELEGRAM_API_BASE ?? 'https://api.telegram.org').replace(/\/$/, ''),
    telegramPersonalData: values.TELEGRAM_PERSONAL_DATA === 'true',
    bitrix24Url: values.BITRIX24_WEBHOOK_URL,
  };
}

/** Names of the channels that `channels` would make. */
export function channelNames(config: ChannelsConfig): string[] {
  const nowhere = { name: '', url: 'http://localhost', timeZone: 'UTC' };
  return channels(config, nowhere).map(({ name }) => name);
}

/** The configured channels, each under a name of its own: mail first, one for each mailbox. Opens nothing. */
export function channels(config: ChannelsConfig, site: NotifyingSite): Channel[] {
  const { smtpUrl, mailTo, mailFrom, webhookUrl, webhookSecret } = config;
  const { telegramToken, telegramChatId, telegramBase, telegramPersonalData, bitrix24Url } = config;
  const made: Channel[] = [];
  if (smtpUrl && mailFrom) made.push(...mailTo.map((to) => mailChannel({ url: smtpUrl, from: mailFrom, to, site })));
  if (webhookUrl && webhookSecret) made.push(webhookChannel({ url: webhookUrl, secret: webhookSecret }));
  if (telegramToken && telegramChatId) {
    made.push(
      telegramChannel({
        token: telegramToken,
        chatId: telegramChatId,
        base: telegramBase,
        personalData: telegramPersonalData,
        site,
      }),
    );
  }
  if (bitrix24Url) made.push(bitrix24Channel({ url: bitrix24Url, site }));
  return made;
}
