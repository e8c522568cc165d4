import * as z from 'zod';
import { clampWait, postJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { cut, shorten, tidyLine } from '../../lib/tidy.ts';
import { httpUrl, withoutSlash, yesOrNo } from '../../lib/variable.ts';
import { type Channel, channelKind, type Notification, type Sender } from './channel.ts';
import { remark } from './remark.ts';
import {
  calculationLines,
  entryOf,
  headline,
  joinedAppeal,
  joinedHeadline,
  messageLines,
  phoneAsTyped,
  readablePhone,
  releaseCommand,
} from './wording.ts';

export const telegram = channelKind({
  words: { name: 'Telegram', taken: 'по ссылке из Telegram' },
  needs: {
    TELEGRAM_BOT_TOKEN: z
      .string()
      .regex(/^\d+:[A-Za-z0-9_-]{20,}$/, 'a token as @BotFather gives it')
      .optional(),
    TELEGRAM_CHAT_ID: z
      .string()
      .regex(/^(-?\d+|@\w+)$/, 'a number, or @name of a channel')
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
  /** Whether the name, the phone number and the message are told; they would lie at Telegram. */
  personalData: boolean;
  site: Pick<Sender, 'timeZone'>;
};

/** Of a message, in UTF-16 units. */
const textLimit = 4096;

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});

/** A part of a text that is marked, in UTF-16 units. */
type Entity = { type: 'code' | 'pre' | 'text_link'; offset: number; length: number; url?: string };
type Text = { text: string; entities: Entity[] };

/**
 * Sends notifications to one chat. By default it tells a lead's number, what it is about, and the link.
 * Telegram cannot recognise a repeated delivery, so one whose answer was lost arrives twice.
 */
export function telegramChannel({ token, chatId, base, personalData, site }: TelegramOptions): Channel {
  async function send(text: Text, told: readonly Notification[], signal: AbortSignal): Promise<void> {
    const answer = await postJson(`${base}/bot${token}/sendMessage`, {
      who: 'Telegram',
      body: JSON.stringify({
        chat_id: chatId,
        ...text,
        // A preview would make Telegram open the link.
        link_preview_options: { is_disabled: true },
      }),
      signal,
    });
    const { data } = answerSchema.safeParse(await answer.json());
    if (answer.status === 200 && data?.ok) return;
    const said = remark(data?.description ?? '', told, [token]);
    throw new RemoteError(`${refusal(answer.status, data?.parameters?.migrate_to_chat_id)}${said}`, {
      retryAfterMs: clampWait((data?.parameters?.retry_after ?? 0) * 1000) || answer.retryAfterMs,
      tooMany: answer.tooMany,
    });
  }

  return {
    kind: 'telegram',
    name: 'telegram',
    // A bot may write about one message a second to a chat, and twenty a minute to a group.
    parallel: 1,
    deliver: (notification, signal) => send(telegramText(notification, personalData), [notification], signal),
    join: (joined, signal) => send(joinedText(joined, personalData, site), joined, signal),
  };
}

/**
 * The text and which of its parts are code. There is no markup to break out of: what the visitor wrote is marked by
 * place, and in code Telegram looks for neither links nor names to mention.
 */
export function telegramText(notification: Notification, personalData: boolean): Text {
  const { lead, takeUrl } = notification;
  const link = `\nВзять заявку: ${takeUrl}`;
  const entities: Entity[] = [];
  let text = headline(notification);
  const quote = (type: 'code' | 'pre', label: string, words: string) => {
    if (words === '') return;
    text += `\n${label}:${type === 'pre' ? '\n' : ' '}`;
    entities.push({ type, offset: text.length, length: words.length });
    text += words;
  };
  if (personalData) {
    quote('code', 'Имя', cut(tidyLine(lead.name ?? ''), 100));
    text += `\nТелефон: ${readablePhone(lead.phone)}`;
    quote('code', 'Телефон дословно', cut(phoneAsTyped(lead), 100));
    // What the visitor wrote goes first: the calculation can be read behind the link.
    for (const [label, lines] of [
      ['Сообщение', messageLines(notification)],
      ['Расчёт', calculationLines(notification)],
    ] as const) {
      const room = textLimit - text.length - link.length - `\n${label}:\n`.length;
      if (room > 0) quote('pre', label, shorten(lines.join('\n'), room));
    }
  }
  return { text: text + link, entities };
}

/** UTF-16 units of the parts of a line, so that all but the visitor's words fit into one of `joinedAtMost`. */
const partsAtMost = { about: 32, phone: 24 };
/** Fewer units of words say nothing. */
const wordsAtLeast = 8;

/** As `telegramText`, a line for each lead, which ends where its share of the room does. The number is the link. */
export function joinedText(
  joined: readonly Notification[],
  personalData: boolean,
  site: Pick<Sender, 'timeZone'>,
): Text {
  const entities: Entity[] = [];
  let text = `${joinedHeadline(joined, site)}\n${joinedAppeal(joined)}`;
  const command = releaseCommand(joined);
  const end = command && `\nВыпустить из карантина: ${command}`;
  const room = Math.floor((textLimit - text.length - end.length) / joined.length);
  for (const { number, about, phone, doubt, words, takeUrl } of joined.map(entryOf)) {
    const link = `Взять № ${number}`;
    entities.push({ type: 'text_link', offset: text.length + 1, length: link.length, url: takeUrl });
    const whom = personalData ? shorten(phone.value, partsAtMost.phone) : '';
    const parts = [shorten(about, partsAtMost.about), whom, doubt].filter((part) => part !== '');
    const line = shorten(`\n${link}: ${parts.join(', ')}`, room);
    text += line;
    const left = room - line.length - 2;
    if (personalData && words !== '' && left >= wordsAtLeast) {
      const quoted = shorten(words, left);
      entities.push({ type: 'code', offset: text.length + 2, length: quoted.length });
      text += `: ${quoted}`;
    }
  }
  if (command)
    entities.push({ type: 'code', offset: text.length + end.length - command.length, length: command.length });
  return { text: text + end, entities };
}

function refusal(status: number, newChatId: number | undefined): string {
  if (newChatId !== undefined) return `Telegram moved the chat; set TELEGRAM_CHAT_ID=${newChatId}`;
  if (status === 401 || status === 404) return `Telegram does not know the bot (${status}); check TELEGRAM_BOT_TOKEN`;
  if (status === 403) return 'Telegram does not let the bot write to the chat (403); add the bot to it';
  if (status === 400) return 'Telegram refused the message (400); check TELEGRAM_CHAT_ID';
  if (status === 429) return 'Telegram asked to wait (429)';
  return `Telegram answered ${status}`;
}
