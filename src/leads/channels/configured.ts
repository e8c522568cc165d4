import * as z from 'zod';
import { bitrix24Channel } from './bitrix24.ts';
import type { Channel } from './channel.ts';
import { mailChannel, parseSmtpUrl } from './mail.ts';
import { telegramChannel } from './telegram.ts';
import { webhookChannel } from './webhook.ts';
import type { NotifyingSite } from './wording.ts';

/** An empty variable means what an absent one means: compose files write `NAME=`. */
export const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** Without a user in it: `fetch` takes none. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an address that begins with https://', abort: true })
  .refine((value) => new URL(value).username === '', 'an address without a user and a password');

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
  SMTP_URL: optional(smtpUrl),
  LEADS_EMAIL_TO: optional(mailboxes),
  LEADS_EMAIL_FROM: optional(mailbox),
  LEADS_WEBHOOK_URL: optional(httpUrl),
  LEADS_WEBHOOK_SECRET: optional(webhookSecret),
  TELEGRAM_BOT_TOKEN: optional(z.string().regex(/^\d+:[A-Za-z0-9_-]{20,}$/, 'a token as @BotFather gives it')),
  TELEGRAM_CHAT_ID: optional(z.string().regex(/^(-?\d+|@\w+)$/, 'a number, or @name of a channel')),
  TELEGRAM_API_BASE: optional(httpUrl),
  TELEGRAM_PERSONAL_DATA: optional(z.enum(['true', 'false'], 'true or false')),
  BITRIX24_WEBHOOK_URL: optional(
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
