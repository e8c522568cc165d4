import * as z from 'zod';
import { clampPause, requestJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { httpUrl, withoutSlash, yesOrNo } from '../../lib/variable.ts';
import { actionOf } from '../messages/lead-facts.ts';
import { chatText, type Notification, type Sender } from '../messages/notification.ts';
import type { Lead } from '../store/lead.ts';
import { type Channel, defineChannel } from './channel.ts';

export const telegram = defineChannel({
  inPolicy: /Telegram|Телеграм/i,
  needs: {
    TELEGRAM_BOT_TOKEN: z
      .string()
      .regex(
        /^\d+:[A-Za-z0-9_-]{20,}$/,
        'a token as @BotFather gives it, a number and a code of 20 or more characters with a colon between',
      )
      .optional(),
    TELEGRAM_CHAT_ID: z
      .string()
      .regex(/^(-?\d+|@\w+)$/, 'a number such as -1001234567890, or @name of a public group or channel')
      .optional(),
  },
  may: {
    TELEGRAM_API_BASE: httpUrl.transform(withoutSlash).default('https://api.telegram.org'),
    TELEGRAM_PERSONAL_DATA: yesOrNo.default(false),
  },
  make: (values, site) => [
    telegramChannel({
      token: values.TELEGRAM_BOT_TOKEN,
      chatId: values.TELEGRAM_CHAT_ID,
      base: values.TELEGRAM_API_BASE,
      personalData: values.TELEGRAM_PERSONAL_DATA,
      site,
    }),
  ],
});

type TelegramOptions = {
  token: string;
  /** A number, or `@name` of a channel. */
  chatId: string;
  /** Of the Bot API, without a trailing slash. */
  base: string;
  /** Includes the phone number and first words, which Telegram would store. */
  personalData: boolean;
  site: Pick<Sender, 'timeZone'>;
};

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().default(''),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});

/** Telegram cannot recognize repeats, so a message whose response was lost arrives twice. */
export function telegramChannel({ token, chatId, base, personalData, site }: TelegramOptions): Channel {
  async function deliver(notifications: readonly Notification[], signal: AbortSignal): Promise<void> {
    const answer = await requestJson(`${base}/bot${token}/sendMessage`, {
      who: 'Telegram',
      body: JSON.stringify({
        chat_id: chatId,
        ...telegramText(notifications, personalData, site),
        // For a preview, Telegram would open the link.
        link_preview_options: { is_disabled: true },
      }),
      signal,
    });
    const { data } = answerSchema.safeParse(answer.body);
    if (answer.status === 200 && data?.ok) return;
    const seconds = data?.parameters?.retry_after ?? 0;
    throw new RemoteError(refusal(answer.status, data), { pauseMs: clampPause(seconds * 1000) || answer.pauseMs });
  }

  return {
    name: 'telegram',
    // A bot may send about one message a second to a chat, and twenty a minute to a group.
    parallel: 1,
    joins: true,
    impersonal: !personalData,
    deliver,
  };
}

/** In UTF-16 units. */
const maxTextLength = 4096;

type Entity = { type: 'code' | 'text_link'; offset: number; length: number; url?: string };

/** Entities, unlike markup, cannot be broken by what visitors type, and Telegram finds no links or mentions in code. */
export function telegramText(
  notifications: readonly Notification[],
  personalData: boolean,
  site: TelegramOptions['site'],
): { text: string; entities: Entity[] } {
  const label = (lead: Lead) => `${actionOf(lead)} № ${lead.number}`;
  const { text, spans } = chatText(notifications, { site, personalData, maxTextLength, label });
  const entities = spans.map(({ takeUrl: url, ...span }): Entity => {
    return url === undefined ? { type: 'code', ...span } : { type: 'text_link', ...span, url };
  });
  return { text, entities };
}

/** By the words of Telegram, which are not repeated, because others may quote the lead. */
const refusals: readonly [words: RegExp, advice: string][] = [
  [
    /chat not found/,
    'Telegram knows no such chat of the bot (400); check TELEGRAM_CHAT_ID, and add the bot to the chat',
  ],
  [/TOPIC_CLOSED/, 'the General topic of the group is closed (400); open it, or set TELEGRAM_CHAT_ID to another chat'],
  [
    /rights|FORBIDDEN|ADMIN/,
    'Telegram does not let the bot write to the chat (400); give it the right to send messages',
  ],
];

function refusal(status: number, answer: z.output<typeof answerSchema> | undefined): string {
  const newChatId = answer?.parameters?.migrate_to_chat_id;
  if (newChatId !== undefined) return `Telegram moved the chat; set TELEGRAM_CHAT_ID=${newChatId}`;
  if (status === 429) return 'Telegram asks for a pause (429)';
  if (status >= 500) return `Telegram has a fault (${status})`;
  if (answer === undefined) return `what answers is not the API of Telegram (${status}); check TELEGRAM_API_BASE`;
  if (status === 401 || status === 404) return `Telegram does not know the bot (${status}); check TELEGRAM_BOT_TOKEN`;
  if (status === 403) {
    return 'Telegram does not let the bot write to the chat (403); add the bot to it, or write to the bot first if it is a person';
  }
  const known = refusals.find(([words]) => words.test(answer.description));
  return known?.[1] ?? `Telegram refused the message (${status}); see whether the bot may write to TELEGRAM_CHAT_ID`;
}
