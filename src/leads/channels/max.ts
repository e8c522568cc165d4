import * as z from 'zod';
import { agentTrusting, type RemoteAnswer, requestJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { certificates, httpUrl, withoutSlash, yesOrNo } from '../../lib/variable.ts';
import { actionOf } from '../messages/lead-facts.ts';
import { chatText, type Notification, type Sender } from '../messages/notification.ts';
import { type Channel, defineChannel } from './channel.ts';

export const max = defineChannel({
  inPolicy: /\bMAX\b/,
  needs: {
    MAX_BOT_TOKEN: z
      .string()
      .regex(/^[!-~]{20,}$/, 'a token as business.max.ru shows it, of 20 or more characters without spaces')
      .optional(),
    MAX_CHAT_ID: z
      .string()
      .regex(/^-?\d{1,19}$/, 'a number')
      .optional(),
  },
  may: {
    MAX_API_BASE: httpUrl.transform(withoutSlash).default('https://platform-api2.max.ru'),
    MAX_CA: certificates.optional(),
    MAX_PERSONAL_DATA: yesOrNo.default(false),
  },
  make: (values, site) => [
    maxChannel({
      api: maxApi(values),
      chatId: values.MAX_CHAT_ID,
      personalData: values.MAX_PERSONAL_DATA,
      site,
    }),
  ],
  lookUp: {
    variable: 'MAX_CHAT_ID',
    advice: 'make the bot an administrator of the chat that staff read, write there, and run this again',
    find: (values, signal) => findChats(maxApi(values), signal),
  },
});

/** One request; without a body, a `GET`. */
type MaxApi = (path: string, signal: AbortSignal, body?: object) => Promise<RemoteAnswer>;

type ApiValues = {
  MAX_BOT_TOKEN: string;
  MAX_API_BASE: string;
  /** The national authority of Russia signs the certificate of MAX. */
  MAX_CA: string | undefined;
};

export function maxApi({ MAX_BOT_TOKEN: token, MAX_API_BASE: base, MAX_CA: ca }: ApiValues): MaxApi {
  const agent = ca === undefined ? undefined : agentTrusting(ca);
  return (path, signal, body) =>
    requestJson(`${base}${path}`, {
      who: 'MAX',
      headers: { authorization: token },
      ...(body && { body: JSON.stringify(body) }),
      agent,
      signal,
    });
}

type MaxOptions = {
  api: MaxApi;
  chatId: string;
  /** Includes the phone number and first words, which MAX would store. */
  personalData: boolean;
  site: Pick<Sender, 'timeZone'>;
};

const sentSchema = z.object({ message: z.object({}) });
const refusedSchema = z.object({ code: z.string() }).or(z.object({ success: z.literal(false) }));

/** MAX cannot recognize repeats, so a message whose response was lost arrives twice. */
export function maxChannel({ api, chatId, personalData, site }: MaxOptions): Channel {
  async function deliver(notifications: readonly Notification[], signal: AbortSignal): Promise<void> {
    // For a preview, MAX would open the link.
    const path = `/messages?chat_id=${chatId}&disable_link_preview=true`;
    const { status, body, pauseMs } = await api(path, signal, maxMessage(notifications, personalData, site));
    if (status === 200 && sentSchema.safeParse(body).success) return;
    throw new RemoteError(refusal(status, body, '; check MAX_CHAT_ID'), { pauseMs });
  }

  return {
    name: 'max',
    impersonal: !personalData,
    // A bot may send two messages a second to a chat.
    parallel: 1,
    joins: true,
    deliver,
  };
}

/** In UTF-16 units. */
const maxTextLength = 4000;

type Button = { type: 'link'; text: string; url: string };

/** Without a format, MAX shows markup as text. A button that has a row to itself has room for 20 characters. */
export function maxMessage(
  notifications: readonly Notification[],
  personalData: boolean,
  site: MaxOptions['site'],
): { text: string; attachments: { type: 'inline_keyboard'; payload: { buttons: Button[][] } }[] } {
  const { text } = chatText(notifications, { site, personalData, maxTextLength, label: ({ number }) => `№ ${number}` });
  const buttons = notifications.map(({ lead, takeUrl: url }): Button[] => {
    return [{ type: 'link', text: `${actionOf(lead)} № ${lead.number}`, url }];
  });
  return { text, attachments: [{ type: 'inline_keyboard', payload: { buttons } }] };
}

const updatesSchema = z.object({ updates: z.array(z.unknown()) });
/** The chat of an event, such as `bot_added`, or of a message. */
const chatSchema = z.union([
  z.object({ chat_id: z.int() }).transform((update) => update.chat_id),
  z
    .object({ message: z.object({ recipient: z.object({ chat_id: z.int() }) }) })
    .transform((update) => update.message.recipient.chat_id),
]);

/** The chats of the latest events. MAX has no list of the chats of a bot. */
async function findChats(api: MaxApi, signal: AbortSignal): Promise<string[]> {
  const { status, body } = await api('/updates?timeout=0&limit=100', signal);
  const { data } = updatesSchema.safeParse(body);
  if (status !== 200 || !data) throw new RemoteError(refusal(status, body));
  const chats = data.updates.flatMap((update) => chatSchema.safeParse(update).data ?? []);
  return [...new Set(chats)].map(String);
}

function refusal(status: number, body: unknown, remedy = ''): string {
  if (status === 429) return 'MAX asks for a pause (429)';
  if (status >= 500) return `MAX has a fault (${status})`;
  if (status === 401) return 'MAX does not know the bot (401); check MAX_BOT_TOKEN';
  if (!refusedSchema.safeParse(body).success)
    return `what answers is not the API of MAX (${status}); check MAX_API_BASE`;
  if (status === 403) return 'MAX does not let the bot into the chat (403); add the bot to it';
  return `MAX refused the request (${status})${remedy}`;
}
