import * as z from 'zod';
import { hourMs, minuteMs } from '../../lib/durations.ts';
import { requestJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { httpUrl, withoutSlash } from '../../lib/variable.ts';
import { actionOf, calculationLines, factsOf, messageLines } from '../messages/lead-facts.ts';
import { headline, type Notification, type Sender } from '../messages/notification.ts';
import { type Channel, defineChannel } from './channel.ts';

export const bitrix24 = defineChannel({
  inPolicy: /CRM|Битрикс|Bitrix/i,
  needs: {
    BITRIX24_WEBHOOK_URL: httpUrl
      .refine(
        (value) => /^\/rest\/\d+\/\w+\/?$/.test(new URL(value).pathname) && new URL(value).search === '',
        'the address of an incoming webhook, https://{company}.bitrix24.ru/rest/{user}/{code}/',
      )
      .optional(),
  },
  may: {},
  make: ({ BITRIX24_WEBHOOK_URL: url }, site) => [bitrix24Channel({ url, site })],
});

const leadType = 1;

/** By error code: what to do, and milliseconds to pause. */
const refusals: Readonly<Record<string, { advice: string; pauseMs?: number }>> = {
  INVALID_CREDENTIALS: {
    advice: 'it does not accept the webhook; check BITRIX24_WEBHOOK_URL, and the rights of its user',
  },
  NO_AUTH_FOUND: { advice: 'it does not know the webhook; check BITRIX24_WEBHOOK_URL' },
  insufficient_scope: { advice: 'the webhook lacks the scope crm' },
  ACCESS_DENIED: { advice: 'the plan of the account, or the rights of the webhook’s user, do not allow it' },
  QUERY_LIMIT_EXCEEDED: { advice: 'there were too many requests', pauseMs: 5_000 },
  OPERATION_TIME_LIMIT: { advice: 'requests took too much of its time', pauseMs: minuteMs },
  OVERLOAD_LIMIT: { advice: 'it blocked its REST API; only its support can lift that', pauseMs: hourMs },
};

/** Only codes are kept, because messages may quote the lead or the secret address. */
const errorSchema = z.object({
  error: z.coerce
    .string()
    .transform((code) =>
      Object.hasOwn(refusals, code) || /^(?:[A-Z_]{1,40}|\d{1,3})$/.test(code) ? code : 'without a code',
    ),
});
const foundSchema = z.object({
  result: z.object({
    items: z.array(z.object({ id: z.number(), originatorId: z.string().nullish(), originId: z.string().nullish() })),
  }),
});
const addedSchema = z.object({ result: z.object({ item: z.object({ id: z.number() }) }) });
const commentedSchema = z.object({ result: z.coerce.number() });

/**
 * Looks for the lead by its origin before adding it, so that a retry makes no duplicate. A reminder becomes a comment.
 *
 * @param options.url an incoming webhook with the scope `crm`: `https://{company}.bitrix24.ru/rest/{user}/{code}/`
 */
export function bitrix24Channel({ url, site }: { url: string; site: Sender }): Channel {
  async function call<T>(method: string, params: object, schema: z.ZodType<T>, signal: AbortSignal): Promise<T> {
    const address = `${withoutSlash(url)}/${method}`;
    const { status, body, pauseMs } = await requestJson(address, {
      who: 'Bitrix24',
      body: JSON.stringify(params),
      signal,
    });
    // Errors may come with status 200.
    const refused = errorSchema.safeParse(body).data;
    const { data } = schema.safeParse(body);
    if (data !== undefined && !refused && status === 200) return data;
    const refusal = refusals[refused?.error ?? ''];
    const why = refusal?.advice ?? reasonOf(status, refused !== undefined);
    const code = refused ? `${status}: ${refused.error}` : status;
    throw new RemoteError(`Bitrix24, ${method}: ${why} (${code})`, { pauseMs: pauseMs || refusal?.pauseMs });
  }

  async function notify(notification: Notification, signal: AbortSignal): Promise<void> {
    const origin = originOf(notification, site);
    const search = { entityTypeId: leadType, filter: origin, select: ['id', 'originatorId', 'originId'] };
    const found = await call('crm.item.list', search, foundSchema, signal);
    // Bitrix24 ignores a filter that it does not understand and returns other leads.
    const present = found.result.items.find(
      ({ originatorId, originId }) => originatorId === origin.originatorId && originId === origin.originId,
    );
    if (present === undefined) {
      const fields = { ...leadFields(notification, site), ...origin };
      await call('crm.item.add', { entityTypeId: leadType, fields }, addedSchema, signal);
    } else if (notification.reason !== 'new') {
      const comment = `${headline([notification], site)}\n${takeLine(notification)}`;
      const fields = { ENTITY_ID: present.id, ENTITY_TYPE: 'lead', COMMENT: withoutMarkup(comment) };
      await call('crm.timeline.comment.add', { fields }, commentedSchema, signal);
    }
  }

  return {
    name: 'bitrix24',
    // Bitrix24 allows two requests a second.
    parallel: 2,
    async deliver(notifications, signal) {
      for (const notification of notifications) await notify(notification, signal);
    },
  };
}

function reasonOf(status: number, isRefusal: boolean): string {
  if (status === 429) return 'it asks for a pause';
  if (status >= 500) return 'it has a fault';
  return isRefusal ? 'it refused' : 'what answers is not its API; check BITRIX24_WEBHOOK_URL';
}

/** Identifies the lead across deliveries; each test is separate. */
function originOf({ reason, lead, deliveryId }: Notification, site: Sender) {
  const originId = reason === 'test' ? `test ${deliveryId}` : `${lead.number} ${lead.receivedAt}`;
  return { originatorId: new URL(site.url).host, originId };
}

function leadFields(notification: Notification, site: Sender) {
  const { lead } = notification;
  const calculation = calculationLines(lead);
  const comments = [
    ...messageLines(lead),
    ...factsOf(lead, site).map(({ label, value }) => `${label}: ${value}`),
    ...(calculation.length > 0 ? ['Расчёт:', ...calculation] : []),
    takeLine(notification),
  ].join('\n');
  return {
    title: headline([notification], site),
    ...(lead.name ? { name: lead.name } : {}),
    fm: [{ typeId: 'PHONE', valueType: 'WORK', value: lead.phone }],
    comments: withoutMarkup(comments),
    sourceDescription: withoutMarkup(`Форма на сайте: ${site.name}`),
    ...campaign(lead.attribution),
  };
}

function takeLine({ lead, takeUrl }: Notification): string {
  return `${actionOf(lead)} заявку: ${takeUrl}`;
}

const campaignFields = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmContent: 'utm_content',
  utmTerm: 'utm_term',
};

function campaign(attribution: Readonly<Record<string, string>>): Record<string, string> {
  const filled = Object.entries(campaignFields).map(([field, name]) => [field, attribution[name]]);
  return Object.fromEntries(filled.filter(([, value]) => value));
}

/** Comments are BBCode in the cloud and HTML in older installations; look-alike brackets are safe in both. */
function withoutMarkup(text: string): string {
  const lookAlikes: Record<string, string> = { '[': '［', ']': '］', '<': '＜', '>': '＞' };
  return text.replace(/[[\]<>]/g, (character) => lookAlikes[character] ?? '');
}
