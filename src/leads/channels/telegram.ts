import * as z from 'zod';
import { cut, tidyLine } from '../tidy.ts';
import { type Channel, DeliveryError, type Notification } from './channel.ts';
import { remark } from './explain.ts';
import { clampWait, postJson } from './http.ts';
import { calculationLines, headline, messageLines, phoneAsTyped, readablePhone } from './wording.ts';

export type TelegramOptions = {
  token: string;
  /** A number, or `@name` of a channel. */
  chatId: string;
  /** Of the Bot API, without a trailing slash. */
  base: string;
  /** Whether the name, the phone number and the message are told; they would lie at Telegram. */
  personalData: boolean;
};

/** Of a message, in UTF-16 units. */
const textLimit = 4096;

const answerSchema = z.object({
  ok: z.boolean(),
  description: z.string().optional(),
  parameters: z.object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() }).optional(),
});

/**
 * Sends each notification to one chat. By default it tells the lead's number, what it is about, and the link.
 * Telegram cannot recognise a repeated delivery, so one whose answer was lost arrives twice.
 */
export function telegramChannel({ token, chatId, base, personalData }: TelegramOptions): Channel {
  return {
    kind: 'telegram',
    name: 'telegram',
    // A bot may write about one message a second to a chat.
    parallel: 1,
    async deliver(notification, signal) {
      const answer = await postJson(`${base}/bot${token}/sendMessage`, {
        who: 'Telegram',
        body: JSON.stringify({
          chat_id: chatId,
          ...telegramText(notification, personalData),
          // A preview would make Telegram open the link.
          link_preview_options: { is_disabled: true },
        }),
        signal,
      });
      const { data } = answerSchema.safeParse(await answer.json());
      if (answer.status === 200 && data?.ok) return;
      const said = remark(data?.description ?? '', notification, [token]);
      throw new DeliveryError(`${refusal(answer.status, data?.parameters?.migrate_to_chat_id)}${said}`, {
        retryAfterMs: clampWait((data?.parameters?.retry_after ?? 0) * 1000) || answer.retryAfterMs,
        tooMany: answer.tooMany,
      });
    },
  };
}

/**
 * The text and which of its parts are code. There is no markup to break out of: what the visitor wrote is marked by
 * place, and in code Telegram looks for neither links nor names to mention.
 */
export function telegramText(notification: Notification, personalData: boolean) {
  const { lead, takeUrl } = notification;
  const link = `\nВзять заявку: ${takeUrl}`;
  const entities: { type: 'code' | 'pre'; offset: number; length: number }[] = [];
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
    quote('code', 'В поле телефона', cut(phoneAsTyped(lead), 100));
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

/** At most `units` UTF-16 units, never half a character. */
function shorten(text: string, units: number): string {
  if (text.length <= units) return text;
  const end = text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '');
  return `${end.trimEnd()}…`;
}

function refusal(status: number, newChatId: number | undefined): string {
  if (newChatId !== undefined) return `Telegram moved the chat; set TELEGRAM_CHAT_ID=${newChatId}`;
  if (status === 401 || status === 404) return `Telegram does not know the bot (${status}); check TELEGRAM_BOT_TOKEN`;
  if (status === 403) return 'Telegram does not let the bot write to the chat (403); add the bot to it';
  if (status === 400) return 'Telegram refused the message (400); check TELEGRAM_CHAT_ID';
  if (status === 429) return 'Telegram asked to wait (429)';
  return `Telegram answered ${status}`;
}
