import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { minuteMs } from '../../lib/durations.ts';
import { within } from '../../lib/within.ts';
import {
  closedPort,
  endless,
  failureOf,
  hostileLead,
  httpServer,
  notificationOf,
  rawServer,
  scriptedMailServer,
  sendJson,
  site,
  smtpLines,
  takeUrl,
} from '../../tests/support/channels.ts';
import { all, parseHtml } from '../../tests/support/html.ts';
import { listen } from '../../tests/support/listen.ts';
import { bill, billLines } from '../../tests/support/sample-leads.ts';
import { makeCertificate } from '../../tests/support/start-nginx.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { messageLines } from '../messages/lead-facts.ts';
import type { Notification } from '../messages/notification.ts';
import type { Lead } from '../store/lead.ts';
import { bitrix24Channel } from './bitrix24.ts';
import { type Channel, maxJoined } from './channel.ts';
import { mailChannel } from './mail.ts';
import { maxApi, maxChannel, max as maxKind, maxMessage } from './max.ts';
import { telegramChannel, telegramText } from './telegram.ts';
import { webhookChannel } from './webhook.ts';

const secret = `whsec_${'SecretCanary'.repeat(3)}`;
const token = '123456:TokenCanary_of-thirty-five_characters';

const maxValues = (base: string, ca?: string) => ({
  ...{ MAX_BOT_TOKEN: 'MaxTokenCanary_of-some-characters', MAX_API_BASE: base },
  ...{ MAX_CA: ca, MAX_PERSONAL_DATA: true },
});
const telegram = (port: number, personalData = true) =>
  telegramChannel({ token, chatId: '-100200300', base: `http://127.0.0.1:${port}`, personalData, site });
const max = (port: number, personalData = true) =>
  maxChannel({ api: maxApi(maxValues(`http://127.0.0.1:${port}`)), chatId: '-70100200300', personalData, site });
const webhook = (port: number) => webhookChannel({ url: `http://127.0.0.1:${port}/hook?key=PathCanary`, secret });
const bitrix24 = (port: number) => bitrix24Channel({ url: `http://127.0.0.1:${port}/rest/1/CodeCanary/`, site });
const mail = (port: number) => {
  const url = `smtp://UserCanary:PasswordCanary@127.0.0.1:${port}`;
  return mailChannel({ url, from: 'site@korob.example', to: 'sales@korob.example', site });
};

/** The first bytes of a server, on connection and in reply. */
const http = { greeting: '', answer: 'HTTP/1.1 200 OK\r\n\r\n{' };
const smtp = { greeting: '220 hi\r\n', answer: '2' };

describe.each([
  ['Telegram', telegram, http],
  ['MAX', max, http],
  ['The webhook', webhook, http],
  ['Bitrix24', bitrix24, http],
  ['The mail server', mail, smtp],
])('%s', (who, at, { greeting, answer }) => {
  test('fails with its address and the reason when the connection is refused', async () => {
    const port = await closedPort();
    expect((await failureOf(at(port))).message).toBe(
      `${who} at 127.0.0.1:${port}: the connection was refused; check the address and whether the server runs`,
    );
  });

  const late = /: it did not answer in time$/;

  test.each<[string, RegExp, (socket: Socket, abort: () => void) => void]>([
    ['closes without an answer', /: it closed the connection without an answer$/, (socket) => socket.destroy()],
    ['speaks another protocol', / at 127\.0\.0\.1:\d+: (it|the connection) /, (socket) => socket.end('SSH-2.0-\r\n')],
    ['hangs until the attempt is aborted', late, (_, abort) => abort()],
    [
      'drips a byte at a time until the attempt is aborted',
      late,
      (socket, abort) => {
        let left = 5;
        // Never closes its side.
        socket.allowHalfOpen = true;
        socket.write(answer);
        const timer = setInterval(() => {
          socket.write('2');
          left -= 1;
          if (left === 0) abort();
        }, 5);
        socket.once('close', () => clearInterval(timer));
      },
    ],
  ])('fails with the reason and closes the connection when the server %s', async (_, message, misbehave) => {
    const attempt = new AbortController();
    const server = await rawServer((socket) => {
      socket.write(greeting);
      socket.once('data', () => misbehave(socket, () => attempt.abort()));
    });
    expect((await failureOf(at(server.port), attempt.signal)).message).toMatch(message);
    await server.closed();
  });
});

/** A channel to a server that always gives this answer. */
async function answered(
  at: (port: number) => Channel,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return at((await httpServer((res) => res.writeHead(status, headers).end(text))).port);
}

describe.each([
  ['Telegram', telegram],
  ['MAX', max],
  ['The webhook', webhook],
  ['Bitrix24', bitrix24],
])('%s', (who, at) => {
  test('fails on a redirect, and sends the lead nowhere else', async () => {
    const elsewhere = await httpServer((res) => sendJson(res, 200, { ok: true }));
    const error = await failureOf(await answered(at, 307, '', { location: elsewhere.url }));
    expect(error.message).toMatch(new RegExp(`^${who} at 127\\.0\\.0\\.1:\\d+: it redirected`));
    expect(elsewhere.received).toEqual([]);
  });

  test('fails without repeating the lead that a refusal quotes', async () => {
    const server = await httpServer((res, { url, body }) => {
      const quotation = `${url} ${JSON.stringify(body)}`;
      sendJson(res, 400, { ok: false, error: url.replace(/\W/g, ''), description: quotation, quotation });
    });
    expect((await failureOf(at(server.port))).message).toMatch(/\(?400\b/);
  });

  test.each([
    [429, '7', 7],
    [503, '7', 7],
    [429, '86400', 3_600],
    [429, '-5', 5],
    [500, '7', 0],
    [503, 'Fri, 01 Jan 2100 00:00:00 GMT', 3_600],
  ])('after a %d with Retry-After «%s» pauses for %d s', async (status, after, seconds) => {
    const { pauseMs } = await failureOf(await answered(at, status, '', { 'retry-after': after }));
    expect(pauseMs).toBe(seconds * 1000);
  });

  test.each([200, 500])('closes the connection after a %d with an endless body', async (status) => {
    const server = await httpServer((res) => {
      res.writeHead(status);
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(16_384)));
      };
      res.on('drain', more);
      more();
    });
    const delivery = at(server.port).deliver([notificationOf()], endless());
    // A receiver of webhooks answers by its status alone.
    if (who === 'The webhook' && status === 200) await delivery;
    else await expect(delivery).rejects.toThrow(String(status));
    // Garbage collection would close an abandoned connection, too, but later than this.
    await within(5_000, server.closed());
  });
});

const kinds = { telegram, max, webhook, bitrix24 };
const none = { result: { items: [] } };
const said = (words: string) => ({ ok: false, description: `Bad Request: ${words}` });

test.each<[keyof typeof kinds, number, unknown, string, number]>([
  ['telegram', 400, said('chat not found'), 'check TELEGRAM_CHAT_ID, and add the bot to the chat', 0],
  ['telegram', 400, { ok: false, parameters: { migrate_to_chat_id: -9 } }, 'set TELEGRAM_CHAT_ID=-9', 0],
  ['telegram', 401, { ok: false }, 'check TELEGRAM_BOT_TOKEN', 0],
  ['telegram', 429, { ok: false, parameters: { retry_after: 7 } }, 'Telegram asks for a pause', 7_000],
  ['telegram', 429, { ok: false, parameters: { retry_after: 90_000 } }, 'Telegram asks for a pause', 3_600_000],
  ['max', 403, { code: 'chat.denied' }, 'add the bot to it', 0],
  ['max', 429, { code: 'too.many.requests' }, 'MAX asks for a pause (429)', 5_000],
  ['max', 200, { success: false, message: 'denied' }, 'MAX refused the request (200); check MAX_CHAT_ID', 0],
  ['webhook', 401, '', 'check LEADS_WEBHOOK_SECRET, and whom the receiver admits', 0],
  ['bitrix24', 200, { ...none, error: 'QUERY_LIMIT_EXCEEDED' }, 'there were too many requests (200: ', 5_000],
  ['bitrix24', 503, { error: 'OPERATION_TIME_LIMIT' }, 'too much of its time', 60_000],
  ['bitrix24', 403, { error: 'insufficient_scope' }, 'lacks the scope crm (403: insufficient_scope)', 0],
])('a delivery by %s that gets %d %j fails with the reason', async (kind, status, body, message, pauseMs) => {
  const error = await failureOf(await answered(kinds[kind], status, body));
  expect(error.message).toContain(message);
  expect(error.pauseMs).toBe(pauseMs);
});

test('any other answer fails the delivery without the words of the lead or a secret, and pauses for an hour at most', async () => {
  let answer = { status: 200, body: '', headers: {} };
  const { port } = await httpServer((res) => res.writeHead(answer.status, answer.headers).end(answer.body));
  const body = fc.oneof(
    fc.json(),
    fc.string(),
    fc
      .record({ ok: fc.constant(false), error: fc.string(), parameters: fc.record({ retry_after: fc.integer() }) })
      .map((fields) => JSON.stringify(fields)),
  );
  const headers = fc.record({ 'retry-after': fc.oneof(fc.integer().map(String), fc.constant('soon')) });
  const answers = fc.record({ status: fc.constantFrom(302, 400, 401, 403, 404, 429, 500, 503), body, headers });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.values(kinds)), answers, async (at, given) => {
      answer = given;
      const { pauseMs } = await failureOf(at(port));
      expect(pauseMs).toBeGreaterThanOrEqual(0);
      expect(pauseMs).toBeLessThanOrEqual(60 * minuteMs);
    }),
  );
  answer = { status: 200, body: '<html>', headers: {} };
  for (const at of [telegram, max, bitrix24])
    expect((await failureOf(at(port))).message).toContain('what answers is not');
});

test.each([
  ['Telegram', telegram],
  ['MAX', max],
])('a message of %s holds no personal data by default, and a link to each lead', async (_, at) => {
  const server = await httpServer((res) => sendJson(res, 200, { ok: true, message: {} }));
  await at(server.port, false).deliver([notificationOf({ lead: { attribution: {} } })], endless());
  const [{ body = '' } = {}] = server.received;
  expect(body).toContain(`"url":"${takeUrl}"`);
  expect(body).not.toMatch(/Анна|916|упаковка|packaging/);
});

test('an invalid address of Telegram fails without revealing the token', async () => {
  const base = 'http://user:PasswordCanary@';
  await failureOf(telegramChannel({ token, chatId: '1', base, personalData: true, site }));
});

test('a message of MAX has a row for the button of each lead, up to the 30 rows that MAX shows', () => {
  const notifications = Array.from({ length: maxJoined }, (_, n) => notificationOf({ lead: { number: 99_980 + n } }));
  const [keyboard] = maxMessage(notifications, true, site).attachments;
  const labels = notifications.map(({ lead }) => [`Взять № ${lead.number}`]);
  expect(keyboard?.payload.buttons.map((row) => row.map(({ text }) => text))).toEqual(labels);
  expect(labels).toHaveLength(30);
});

describe('the chats of a bot of MAX', () => {
  const find = (base: string) => maxKind.lookUp?.find(maxValues(base), endless());

  test('are those of its latest events, each once', async () => {
    const updates = [
      { update_type: 'bot_added', chat_id: -70100200300 },
      { update_type: 'message_created', message: { recipient: { chat_id: 5, chat_type: 'dialog' } } },
      { update_type: 'message_created', message: { recipient: { chat_id: -70100200300 } } },
      { update_type: 'message_created', message: { recipient: { chat_id: null, user_id: 7 } } },
      { update_type: 'novelty', chat_id: 'chat' },
      null,
    ];
    const server = await httpServer((res) => sendJson(res, 200, { updates, marker: 8 }));
    expect(await find(server.url)).toEqual(['-70100200300', '5']);
    expect(server.received).toMatchObject([{ url: '/updates?timeout=0&limit=100', body: '' }]);
  });
});

testIf({ programs: ['openssl'] })('MAX is trusted only with the authority that signed its certificate', async () => {
  const folder = join(temporaryFolder(), 'tls');
  makeCertificate(folder, 'localhost');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const server = createServer({ key: read('privkey.pem'), cert: read('fullchain.pem') }, (_, res) =>
    sendJson(res, 200, { message: {} }),
  );
  const base = `https://localhost:${await listen(server)}`;
  const at = (ca?: string) => maxChannel({ api: maxApi(maxValues(base, ca)), chatId: '1', personalData: true, site });
  await at(read('fullchain.pem')).deliver([notificationOf()], endless());
  for (const ca of [undefined, rootCertificates[0]]) {
    expect((await failureOf(at(ca))).message).toMatch(/^MAX at localhost:\d+: its certificate is not trusted/);
  }
});

/** The event of a webhook. Expects the signature that https://www.standardwebhooks.com defines, made now. */
function verified({ headers, body }: Awaited<ReturnType<typeof httpServer>>['received'][number]): unknown {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  expect(signature).toBe(`v1,${hash}`);
  expect(Math.abs(Date.now() - Number(timestamp) * 1_000)).toBeLessThan(minuteMs);
  return JSON.parse(body);
}

test('a webhook event is signed, and holds only the fields that a receiver needs', async () => {
  const server = await httpServer((res) => res.writeHead(204).end());
  await webhook(server.port).deliver([notificationOf({ reason: 'reminder' })], endless());
  await webhook(server.port).deliver([notificationOf({ lead: { calculation: bill } })], endless());
  const [reminder, event] = server.received.map(verified);
  expect(reminder).toMatchObject({ type: 'lead.reminder' });
  const { timestamp } = reminder as { timestamp: string };
  expect(Date.now() - Date.parse(timestamp)).toBeLessThan(minuteMs);
  expect(event).toEqual({
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
  expect(server.received[1]?.headers).toMatchObject({
    'content-type': 'application/json',
    'webhook-id': '0197f3a0-5b1c-7000-8000-000000000001',
  });
});

describe('Bitrix24', () => {
  type Item = Record<string, unknown>;

  /** The part of a CRM that the channel uses. It ignores filters, and holds leads of others. @param losing drops the answer to the first addition */
  async function crm(losing = false) {
    const items: Item[] = [
      { id: 1, originatorId: null },
      { id: 2, originatorId: 'korob.example', originId: '11 2026' },
      // Another site that uses the same CRM has a lead of the same number and time.
      { id: 3, originatorId: 'other.example', originId: '12 2026-11-20T10:05:00.000Z' },
    ];
    const comments: Item[] = [];
    let lost = !losing;
    const server = await httpServer((res, { url, body }) => {
      const { fields } = JSON.parse(body);
      const method = url.replace('/rest/1/CodeCanary/', '');
      if (method === 'crm.item.list') return sendJson(res, 200, { result: { items } });
      if (method === 'crm.timeline.comment.add') return sendJson(res, 200, { result: comments.push(fields) });
      const item = { id: items.length + 1, ...fields };
      items.push(item);
      if (lost) return sendJson(res, 200, { result: { item } });
      lost = true;
      res.destroy();
    });
    const notify = (about: Parameters<typeof notificationOf>[0] = {}) =>
      bitrix24(server.port).deliver([notificationOf(about)], endless());
    return { notify, added: () => items.slice(3), comments, received: server.received };
  }

  test('gets a lead with its name, phone, origin and campaign, and with all its facts as a comment', async () => {
    const { notify, added, received } = await crm();
    await notify({ lead: { calculation: bill } });
    const origin = { originatorId: 'korob.example', originId: '12 2026-11-20T10:05:00.000Z' };
    expect(added()).toEqual([
      {
        id: 4,
        title: 'Заявка № 12: Заказать расчет',
        name: 'Анна',
        fm: [{ typeId: 'PHONE', valueType: 'WORK', value: '+79161234567' }],
        comments: expect.stringMatching(
          new RegExp(
            `^Добрый день!\\nСколько стоит упаковка\\?\\n(.+: .+\\n){6}Расчёт:\\n${RegExp.escape(billLines.join('\n'))}\\n.*take`,
          ),
        ),
        sourceDescription: 'Форма на сайте: Короб',
        utmSource: 'yandex',
        ...origin,
      },
    ]);
    const [search, addition] = received.map(({ body }) => JSON.parse(body));
    expect(search).toEqual({ entityTypeId: 1, filter: origin, select: ['id', 'originatorId', 'originId'] });
    expect(addition.entityTypeId).toBe(1);
  });

  test('gets no second lead when the answer to the addition was lost', async () => {
    const { notify, added } = await crm(true);
    await expect(notify()).rejects.toThrow(/closed the connection/);
    await notify();
    expect(added()).toHaveLength(1);
  });

  test('gets a reminder as a comment on the lead, or as a new lead when it does not have that lead', async () => {
    const { notify, added, comments } = await crm();
    await notify({ reason: 'reminder' });
    expect(added().map(({ title }) => title)).toEqual(['Заявку № 12 никто не взял: Заказать расчет']);
    expect(comments).toEqual([]);
    await notify({ reason: 'reminder', deliveryId: 'another' });
    expect(added()).toHaveLength(1);
    const comment = `Заявку № 12 никто не взял: Заказать расчет\nВзять заявку: ${takeUrl}`;
    expect(comments).toEqual([{ ENTITY_ID: 4, ENTITY_TYPE: 'lead', COMMENT: comment }]);
  });

  test('gets a new lead for each test message', async () => {
    const { notify, added } = await crm();
    await notify();
    for (const deliveryId of ['first', 'second']) await notify({ reason: 'test', deliveryId });
    expect(added().map(({ title }) => String(title).slice(0, 8))).toEqual(['Заявка №', 'Проверка', 'Проверка']);
  });
});

type Chat = ReturnType<typeof telegramText> & Record<string, unknown>;
type Event = { type: string; data: object };

/** The same lead in harmless words, with the same fields left out and as many lines. */
function harmless({ name, phoneTyped, message, attribution = {} }: Partial<Lead>): Partial<Lead> {
  return {
    name: name && 'Анна',
    phoneTyped: phoneTyped && 'добавочный',
    message: message?.replace(/[^\n]+/g, 'Слово') ?? null,
    page: '/rates',
    attribution: Object.keys(attribution).length > 0 ? { utm_source: 'yandex' } : {},
  };
}

test('any words of a visitor appear as text in every channel, and change nothing else in its messages', async () => {
  let heard: string[] = [];
  const post = await scriptedMailServer([...smtpLines, '250 ok'], { heard: (said) => heard.push(said) });
  const web = await httpServer((res) =>
    sendJson(res, 200, { ok: true, message: {}, result: { items: [], item: { id: 1 } } }),
  );
  const channels = [mail(post.port), ...[telegram, max, webhook, bitrix24].map((at) => at(web.port))];
  const sentTo = (path: string) => web.received.filter(({ url }) => url.includes(path));
  const withoutWords = (lines: readonly string[]) =>
    lines.map((line) => line.replace(/^(>|Имя:|Телефон дословно:|Страница:|Реклама:).*/, '$1'));

  /** Everything that the channels send about the leads, without the words of the visitors. */
  async function notify(leads: readonly Partial<Lead>[]) {
    heard = [];
    web.received.length = 0;
    const notifications = leads.map((lead, n) => notificationOf({ lead: { ...lead, number: n + 1 } }));
    await Promise.all(channels.map((channel) => channel.deliver(notifications, endless())));
    await post.closed();
    const mails = heard.map(async (said) => {
      const [commands, source = ''] = said.split('\r\nDATA\r\n');
      const mail = await PostalMime.parse(source.replace(/\r\n\.\r\n$/, '').replace(/^\.\./gm, '.'));
      return {
        commands,
        addresses: [mail.from, mail.to, mail.cc, mail.bcc, mail.replyTo],
        headers: mail.headers.map(({ key }) => key),
        subject: mail.subject,
        attachments: mail.attachments,
        text: withoutWords((mail.text ?? '').trimEnd().split('\n')),
        elements: all(parseHtml(mail.html ?? ''), '*').map(({ localName, attrs }) => ({
          ...{ localName, ...attrs },
          href: /^(https:\/\/korob\.example(\/|$)|tel:)/.exec(attrs.href ?? '')?.[0],
        })),
      };
    });
    const chats = sentTo('/bot').map(({ body }) => {
      const { text, entities, ...others }: Chat = JSON.parse(body);
      const words = entities.filter(({ type }) => type === 'code');
      const cut = (rest: string, { offset, length }: (typeof words)[number]) =>
        rest.slice(0, offset) + rest.slice(offset + length);
      const links = entities.flatMap(({ url }) => url ?? []);
      return { ...others, links, text: words.reduceRight(cut, text).replace(/: $/gm, '') };
    });
    const [{ text, ...buttons }, ...more] = sentTo('/messages').map(({ body }) => JSON.parse(body));
    expect(text.split('\n')).toHaveLength(2 + leads.length);
    const events = sentTo('/hook').map((sent) => verified(sent) as Event);
    expect(events).toMatchObject(leads.map((data) => ({ data })));
    const items = sentTo('/crm.item.add').map(({ body }, n) => {
      const { name, comments, ...fields }: Record<string, string> = JSON.parse(body).fields;
      expect(comments).not.toMatch(/[[\]<>]/);
      const after = messageLines((notifications[n] as Notification).lead).length;
      const own = Object.entries(fields).filter(([field]) => !field.startsWith('utm'));
      return { own, comments: withoutWords((comments ?? '').split('\n').slice(after)) };
    });
    expect([heard.length, chats.length, more.length, items.length]).toEqual([1, 1, 0, leads.length]);
    return {
      ...{ mails: await Promise.all(mails), chats, buttons, items },
      headers: web.received.map(({ headers }) => Object.keys(headers).toSorted()),
      events: events.map(({ type, data }) => [type, Object.keys(data)]),
      discreet: telegramText(notifications, false, site),
    };
  }

  await fc.assert(
    fc.asyncProperty(fc.array(hostileLead, { minLength: 1, maxLength: 2 }), async (leads) => {
      expect(await notify(leads)).toEqual(await notify(leads.map(harmless)));
    }),
    { numRuns: 50 },
  );
});
