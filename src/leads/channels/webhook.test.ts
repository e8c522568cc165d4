import type { ServerResponse } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import {
  canaries,
  closedPort,
  endless,
  failureOf,
  hostileLead,
  httpServer,
  notificationOf,
  rawServer,
  takeUrl,
} from '../../testing/channels.ts';
import { bill, billLines } from '../../testing/leads.ts';
import { webhookChannel } from './webhook.ts';

const secret = `whsec_${Buffer.from('SecretCanary of thirty-two bytes').toString('base64')}`;
const secrets = [secret, 'PathCanary'];

async function receiver(answer: (res: ServerResponse) => void = (res) => res.writeHead(204).end()) {
  const server = await httpServer(answer);
  return { server, channel: webhookChannel({ url: `${server.url}/PathCanary?key=PathCanary`, secret }) };
}

test('a lead arrives with what a receiver needs, and no more', async () => {
  const { server, channel } = await receiver();
  await channel.deliver([notificationOf({ lead: { calculation: bill } })], endless());
  const [received] = server.received;
  expect(received?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': '0197f3a0-5b1c-7000-8000-000000000001',
  });
  expect(JSON.parse(received?.body ?? '')).toEqual({
    type: 'lead.new',
    timestamp: '2026-11-20T10:05:00.000Z',
    data: {
      number: 12,
      receivedAt: '2026-11-20T10:05:00.000Z',
      preset: 'consultation',
      presetTitle: 'Заказать расчет',
      name: 'Анна',
      phone: '+79161234567',
      phoneTyped: '8 (916) 123-45-67 доб. 12',
      message: 'Добрый день!\nСколько стоит упаковка?',
      calculation: billLines.join('\n'),
      page: '/services/packaging',
      attribution: { utm_source: 'yandex' },
      consent: 'abc',
      takeUrl,
    },
  });
});

test.each(['new', 'untaken', 'test'] as const)('the reason %s is the type of the event', async (reason) => {
  const { server, channel } = await receiver();
  await channel.deliver([notificationOf({ reason })], endless());
  expect(JSON.parse(server.received[0]?.body ?? '').type).toBe(`lead.${reason}`);
});

test('whatever a visitor writes, the signature holds, the headers stay and the words arrive as they were', async () => {
  const { server, channel } = await receiver();
  const verifier = new Webhook(secret);
  await fc.assert(
    fc.asyncProperty(hostileLead, async (lead) => {
      server.received.length = 0;
      const notification = notificationOf({ lead });
      await channel.deliver([notification], endless());
      const [{ headers, body } = { headers: {}, body: '' }] = server.received;
      const event = verifier.verify(body, headers) as { data: Record<string, unknown> };
      for (const field of ['name', 'phone', 'phoneTyped', 'message', 'page', 'attribution'] as const) {
        expect(event.data[field]).toEqual(notification.lead[field]);
      }
      expect(Object.keys(headers).sort()).toEqual([
        'accept',
        'accept-encoding',
        'accept-language',
        'connection',
        'content-length',
        'content-type',
        'host',
        'sec-fetch-mode',
        'user-agent',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
      ]);
    }),
    { numRuns: 100 },
  );
});

test('a receiver with another secret does not take the signature for its own', async () => {
  const { server, channel } = await receiver();
  await channel.deliver([notificationOf()], endless());
  const [{ headers, body } = { headers: {}, body: '' }] = server.received;
  const other = new Webhook(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  expect(() => other.verify(body, headers)).toThrow(/signature/);
});

test('every attempt at a delivery has the same id', async () => {
  const { server, channel } = await receiver();
  await channel.deliver([notificationOf()], endless());
  await channel.deliver([notificationOf()], endless());
  expect(new Set(server.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
});

test.each([
  [301, /redirected/],
  [307, /redirected/],
  [400, /answered 400/],
  [401, /check LEADS_WEBHOOK_SECRET/],
  [404, /check LEADS_WEBHOOK_URL/],
  [500, /answered 500/],
])('the status %d is a failure that says so', async (status, message) => {
  const elsewhere = await receiver();
  const { server, channel } = await receiver((res) => {
    res.writeHead(status, { location: `${elsewhere.server.url}/elsewhere` }).end('Канарейкина');
  });
  const error = await failureOf(channel, { secrets });
  expect(error.message).toMatch(message);
  expect(error.message).toContain(`The webhook at 127.0.0.1:${server.port}`);
  expect(error.pauseMs).toBe(0);
  expect(elsewhere.server.received).toEqual([]);
});

test.each([
  ['some seconds', '7', 7_000, 7_000],
  ['a day', '86400', 3_600_000, 3_600_000],
  ['until a time to come', new Date(Date.now() + 3_000_000).toUTCString(), 1, 3_000_000],
  ['until a time gone by', new Date(Date.now() - 3_000_000).toUTCString(), 0, 0],
  ['less than nothing', '-5', 0, 0],
  ['in words', 'soon', 0, 0],
])('asked to wait %s, it says how long, an hour at most', async (_, header, least, most) => {
  for (const status of [429, 503]) {
    const { channel } = await receiver((res) => res.writeHead(status, { 'retry-after': header }).end());
    const { pauseMs } = await failureOf(channel);
    const usual = status === 429 && most === 0 ? 5_000 : 0;
    expect(pauseMs).toBeGreaterThanOrEqual(least + usual);
    expect(pauseMs).toBeLessThanOrEqual(most + usual);
  }
});

test('a receiver that is not there is a failure that says so', async () => {
  const port = await closedPort();
  const error = await failureOf(webhookChannel({ url: `http://127.0.0.1:${port}/PathCanary`, secret }), { secrets });
  expect(error.message).toBe(
    `The webhook at 127.0.0.1:${port}: the connection was refused; check the address and whether the server runs`,
  );
});

test('a receiver that hangs ends with the signal, and its connection with it', async () => {
  const attempt = new AbortController();
  const { server, channel } = await receiver(() => attempt.abort());
  const error = await failureOf(channel, { signal: attempt.signal, secrets });
  expect(error.message).toMatch(/did not answer in time/);
  await server.closed();
});

test('a signal that has ended sends nothing', async () => {
  const { server, channel } = await receiver();
  const error = await failureOf(channel, { signal: AbortSignal.abort() });
  expect(error.message).toMatch(/did not answer in time/);
  expect(server.received).toEqual([]);
});

test('a receiver that closes without an answer is a failure that says so', async () => {
  const server = await rawServer((socket) => socket.once('data', () => socket.destroy()));
  const error = await failureOf(webhookChannel({ url: `http://127.0.0.1:${server.port}`, secret }));
  expect(error.message).toMatch(/closed the connection without an answer/);
});

test.each([
  [200, 'taken'],
  [500, 'refused'],
])('a status %d with a body that never ends is %s, and the connection is let go', async (status, outcome) => {
  const { server, channel } = await receiver((res) => {
    res.writeHead(status);
    const more = () => {
      while (!res.destroyed && res.write('x'.repeat(16_384)));
    };
    res.on('drain', more);
    more();
  });
  // An answer that nothing holds would be collected some time, and its connection closed with it.
  const answers: Response[] = [];
  const realFetch = globalThis.fetch;
  const watched = jest.spyOn(globalThis, 'fetch').mockImplementation(async (...request) => {
    const answer = await realFetch(...request);
    answers.push(answer);
    return answer;
  });
  const delivered = channel.deliver([notificationOf({ lead: canaries })], endless()).then(
    () => 'taken',
    () => 'refused',
  );
  expect(await delivered).toBe(outcome);
  watched.mockRestore();
  await server.closed();
  expect(answers).toHaveLength(1);
});
