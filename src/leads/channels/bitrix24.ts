import * as z from 'zod';
import { hourMs, minuteMs } from '../../lib/calendar.ts';
import { clampWait, postJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { tidyLine } from '../../lib/tidy.ts';
import { httpUrl } from '../../lib/variable.ts';
import { type Channel, channelKind, type Notification, type Sender } from './channel.ts';
import { remark } from './remark.ts';
import { calculationLines, facts, headline, messageLines } from './wording.ts';

export const bitrix24 = channelKind({
  words: { name: 'Битрикс24', taken: 'по ссылке из Битрикс24' },
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

type Bitrix24Options = {
  /** Of an incoming webhook with the scope `crm`: `https://{company}.bitrix24.ru/rest/{user}/{code}/`. */
  url: string;
  site: Sender;
};

const leadType = 1;

/** Milliseconds to wait after an error of this code. */
const waits: Record<string, number> = {
  QUERY_LIMIT_EXCEEDED: 5_000,
  OPERATION_TIME_LIMIT: minuteMs,
  OVERLOAD_LIMIT: hourMs,
};

const advice: Record<string, string> = {
  INVALID_CREDENTIALS: 'it does not know the webhook; check BITRIX24_WEBHOOK_URL',
  NO_AUTH_FOUND: 'it does not know the webhook; check BITRIX24_WEBHOOK_URL',
  ERROR_METHOD_NOT_FOUND: 'the webhook lacks the scope crm',
  insufficient_scope: 'the webhook lacks the scope crm',
  INVALID_REQUEST: 'BITRIX24_WEBHOOK_URL must begin with https',
  ACCESS_DENIED: 'the plan of the account, or the rights of the webhook’s user, do not allow it',
  QUERY_LIMIT_EXCEEDED: 'it asked to wait, there were too many requests',
  OPERATION_TIME_LIMIT: 'it asked to wait, requests took too much of its time',
  OVERLOAD_LIMIT: 'it blocked its REST API; only its support can lift that',
};

const errorSchema = z.object({ error: z.coerce.string(), error_description: z.string().catch('') });
const foundSchema = z.object({
  result: z.object({
    items: z.array(z.object({ id: z.number(), originatorId: z.string().nullish(), originId: z.string().nullish() })),
  }),
});
const addedSchema = z.object({ result: z.object({ item: z.object({ id: z.number() }) }) });
const commentedSchema = z.object({ result: z.coerce.number() });

/**
 * Adds each lead to the CRM once: it carries an origin, by which it is looked for before it is added, so that an
 * attempt whose answer was lost makes no second one. An untaken lead that is there gets a comment.
 */
export function bitrix24Channel({ url, site }: Bitrix24Options): Channel {
  const base = url.replace(/\/$/, '');
  const secrets = [base.slice(base.lastIndexOf('/') + 1)];

  return {
    kind: 'bitrix24',
    name: 'bitrix24',
    // The portal allows two requests a second.
    parallel: 2,
    async deliver(notification, signal) {
      const call = async <T>(method: string, params: object, schema: z.ZodType<T>): Promise<T> => {
        const answer = await postJson(`${base}/${method}`, { who: 'Bitrix24', body: JSON.stringify(params), signal });
        const said = await answer.json();
        // Errors come under any status, 200 as well, and the code may be empty.
        const { data: refused } = errorSchema.safeParse(said);
        const { data } = schema.safeParse(said);
        if (data !== undefined && !refused && answer.status === 200) return data;
        const code = refused?.error ?? '';
        const why = refused
          ? `${advice[code] ?? 'it refused'} (${answer.status}${remark(code, [notification], secrets)})${remark(refused.error_description, [notification], secrets)}`
          : `it answered ${answer.status} and nothing that could be understood`;
        throw new RemoteError(`Bitrix24, ${method}: ${why}`, {
          retryAfterMs: clampWait(answer.retryAfterMs || (waits[code] ?? 0)),
          tooMany: answer.tooMany || code in waits,
        });
      };

      const origin = originOf(notification, site);
      const found = await call(
        'crm.item.list',
        { entityTypeId: leadType, filter: origin, select: ['id', 'originatorId', 'originId'] },
        foundSchema,
      );
      // A filter that is not understood is ignored, and then others' leads come back.
      const known = found.result.items.find(
        ({ originatorId, originId }) => originatorId === origin.originatorId && originId === origin.originId,
      );
      if (known === undefined) {
        const fields = { ...leadFields(notification, site), ...origin };
        await call('crm.item.add', { entityTypeId: leadType, fields }, addedSchema);
      } else if (notification.reason === 'untaken') {
        const fields = { ENTITY_ID: known.id, ENTITY_TYPE: 'lead', COMMENT: untakenComment(notification) };
        await call('crm.timeline.comment.add', { fields }, commentedSchema);
      }
    },
  };
}

/** Of the lead, not of the delivery, so that a lead that the CRM is told of twice stays one; tests are told apart. */
function originOf({ reason, lead, deliveryId }: Notification, site: Sender) {
  const originId = reason === 'test' ? `test ${deliveryId}` : `${lead.number} ${lead.receivedAt}`;
  return { originatorId: new URL(site.url).host, originId };
}

function leadFields(notification: Notification, site: Sender) {
  const { lead, takeUrl } = notification;
  const comments = [
    ...messageLines(notification),
    ...facts(notification, site).map(({ label, value }) => `${label}: ${value}`),
    ...headed('Расчёт:', calculationLines(notification)),
    `Взять заявку: ${takeUrl}`,
  ].join('\n');
  const name = tidyLine(lead.name ?? '');
  return {
    title: headline(notification),
    ...(name ? { name } : {}),
    fm: [{ typeId: 'PHONE', valueType: 'WORK', value: lead.phone }],
    comments: withoutMarkup(comments),
    sourceDescription: withoutMarkup(`Форма на сайте: ${site.name}`),
    ...campaign(lead.attribution),
  };
}

function headed(heading: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

const campaignFields = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmContent: 'utm_content',
  utmTerm: 'utm_term',
};

/** The CRM's own fields of a campaign; the other parameters stand in the comments. */
function campaign(attribution: Readonly<Record<string, string>>): Record<string, string> {
  const filled = Object.entries(campaignFields).map(([field, name]) => [field, tidyLine(attribution[name] ?? '')]);
  return Object.fromEntries(filled.filter(([, value]) => value !== ''));
}

function untakenComment(notification: Notification): string {
  return withoutMarkup(`${headline(notification)}\nВзять заявку: ${notification.takeUrl}`);
}

/** Comments are BBCode in the cloud and HTML in older installations; look-alikes give orders in neither. */
function withoutMarkup(text: string): string {
  const lookAlikes: Record<string, string> = { '[': '［', ']': '］', '<': '＜', '>': '＞' };
  return text.replace(/[[\]<>]/g, (character) => lookAlikes[character] ?? '');
}
