import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { postJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { httpUrl } from '../../lib/variable.ts';
import { billText } from '../../services/bill.ts';
import { typedOf } from '../store/lead-columns.ts';
import { type Channel, channelKind, type Notification } from './channel.ts';

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

export const webhook = channelKind({
  words: { name: 'Вебхук', taken: 'по ссылке из уведомления' },
  needs: {
    LEADS_WEBHOOK_URL: httpUrl.optional(),
    LEADS_WEBHOOK_SECRET: webhookSecret.optional(),
  },
  may: {},
  make: ({ LEADS_WEBHOOK_URL: url, LEADS_WEBHOOK_SECRET: secret }) => [webhookChannel({ url, secret })],
});

type WebhookOptions = {
  url: string;
  /** `whsec_` and 24 to 64 bytes as Base64. */
  secret: string;
};

/**
 * Posts each notification as JSON, signed as https://www.standardwebhooks.com lays down. A receiver knows a repeated
 * delivery by its `webhook-id`.
 */
export function webhookChannel({ url, secret }: WebhookOptions): Channel {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return {
    kind: 'webhook',
    name: 'webhook',
    parallel: 16,
    async deliver(notification, signal) {
      const body = JSON.stringify(payload(notification));
      const { deliveryId } = notification;
      // Of this attempt: receivers refuse old ones.
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
      const answer = await postJson(url, {
        who: 'The webhook',
        body,
        headers: {
          'webhook-id': deliveryId,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${signature}`,
        },
        signal,
      });
      await answer.discard();
      if (answer.status >= 200 && answer.status < 300) return;
      throw new RemoteError(`The webhook at ${new URL(url).host} ${refusal(answer.status)}`, answer);
    },
  };
}

function payload({ reason, lead, presetTitle, takeUrl }: Notification) {
  const { number, receivedAt, calculation, page, attribution, consent } = lead;
  return {
    type: `lead.${reason}`,
    timestamp: reason === 'new' ? receivedAt : new Date().toISOString(),
    // All that was typed; the rest by name, for the address of the receipt is the visitor's, and notes stay at home.
    data: {
      number,
      receivedAt,
      presetTitle,
      ...typedOf(lead),
      calculation: calculation && billText(calculation),
      page,
      attribution,
      consent,
      takeUrl,
    },
  };
}

function refusal(status: number): string {
  if (status === 401 || status === 403) return `refused the delivery (${status}); check LEADS_WEBHOOK_SECRET`;
  if (status === 404 || status === 410) return `does not know the address (${status}); check LEADS_WEBHOOK_URL`;
  if (status === 429) return 'asked to wait (429)';
  return `answered ${status}`;
}
