import { Webhook } from 'standardwebhooks';
import * as z from 'zod';
import { requestJson } from '../../lib/http-client.ts';
import { RemoteError } from '../../lib/remote-error.ts';
import { httpUrl } from '../../lib/variable.ts';
import { billText } from '../../pricing/bill.ts';
import type { Notification } from '../messages/notification.ts';
import { type Channel, defineChannel } from './channel.ts';

const webhookSecret = z.string().refine((value) => {
  const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  return bytes.length >= 24 && bytes.length <= 64 && bytes.toString('base64') === encoded;
}, 'whsec_ and 24 to 64 bytes as Base64');

export const webhook = defineChannel({
  inPolicy: /CRM|вебхук|webhook/i,
  needs: {
    LEADS_WEBHOOK_URL: httpUrl.optional(),
    LEADS_WEBHOOK_SECRET: webhookSecret.optional(),
  },
  may: {},
  make: ({ LEADS_WEBHOOK_URL: url, LEADS_WEBHOOK_SECRET: secret }) => [webhookChannel({ url, secret })],
});

/**
 * Signs requests as https://www.standardwebhooks.com specifies; receivers recognize repeats by `webhook-id`.
 *
 * @param options.secret `whsec_` and 24 to 64 bytes as Base64
 */
export function webhookChannel({ url, secret }: { url: string; secret: string }): Channel {
  const signer = new Webhook(secret);

  async function post(notification: Notification, signal: AbortSignal): Promise<void> {
    const { deliveryId } = notification;
    const body = JSON.stringify(payload(notification));
    // Receivers refuse old timestamps.
    const now = new Date();
    const { status, pauseMs } = await requestJson(url, {
      who: 'The webhook',
      body,
      headers: {
        'webhook-id': deliveryId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': signer.sign(deliveryId, now, body),
      },
      signal,
    });
    if (status >= 200 && status < 300) return;
    throw new RemoteError(`The webhook at ${new URL(url).host} ${refusal(status)}`, { pauseMs });
  }

  return {
    name: 'webhook',
    parallel: 16,
    async deliver(notifications, signal) {
      for (const notification of notifications) await post(notification, signal);
    },
  };
}

function payload({ reason, lead, presetTitle, takeUrl }: Notification) {
  // Omits the visitor's secret receipt and internal data.
  const { receipt, state, since, takenAt, takenBy, events, signals, calculation, ...sent } = lead;
  return {
    type: `lead.${reason}`,
    timestamp: reason === 'new' ? lead.receivedAt : new Date().toISOString(),
    data: { ...sent, presetTitle, calculation: calculation && billText(calculation), takeUrl },
  };
}

function refusal(status: number): string {
  if (status === 429) return 'asks for a pause (429)';
  if (status === 401 || status === 403)
    return `refused the delivery (${status}); check LEADS_WEBHOOK_SECRET, and whom the receiver admits`;
  if (status === 404 || status === 405 || status === 410)
    return `takes no delivery at this address (${status}); check LEADS_WEBHOOK_URL`;
  if (status >= 500) return `has a fault (${status}); read its log`;
  return `refused the delivery (${status}); read its log`;
}
