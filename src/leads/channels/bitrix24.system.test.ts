import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  closedPort,
  endless,
  failureOf,
  hostileLead,
  httpServer,
  notificationOf,
  type Received,
  sendJson,
  site,
  takeUrl,
} from '../../testing/channels.ts';
import { bill, billLines } from '../../testing/leads.ts';
import { bitrix24Channel } from './bitrix24.ts';

const secrets = ['CodeCanary'];

type Item = Record<string, unknown> & { id: number };

/** As much of a CRM as the channel speaks with; `before` may answer in its place. */
async function crm(before: (method: string, res: ServerResponse, received: Received) => boolean = () => false) {
  const items: Item[] = [];
  const comments: Record<string, unknown>[] = [];
  let losing = false;
  const server = await httpServer((res, received) => {
    const method = received.url.replace('/rest/1/CodeCanary/', '');
    const params = JSON.parse(received.body);
    const add = () => {
      const item = { id: items.length + 1, ...params.fields };
      items.push(item);
      return item;
    };
    if (method === 'crm.item.add' && losing) {
      losing = false;
      add();
      res.destroy();
      return;
    }
    if (before(method, res, received)) return;
    if (method === 'crm.item.list') {
      const { originatorId, originId } = params.filter;
      const found = items.filter((item) => item.originatorId === originatorId && item.originId === originId);
      return sendJson(res, 200, { result: { items: found } });
    }
    if (method === 'crm.item.add') return sendJson(res, 200, { result: { item: add() } });
    if (method === 'crm.timeline.comment.add') return sendJson(res, 200, { result: comments.push(params.fields) });
    sendJson(res, 404, { error: 'ERROR_METHOD_NOT_FOUND', error_description: 'Method not found!' });
  });
  const channel = bitrix24Channel({ url: `${server.url}/rest/1/CodeCanary/`, site });
  return {
    server,
    channel,
    items,
    comments,
    loseAnswer: () => {
      losing = true;
    },
  };
}

test('a lead is added with its name, phone, origin and campaign, and with all that was said', async () => {
  const { server, channel, items } = await crm();
  await channel.deliver([notificationOf({ lead: { calculation: bill } })], endless());
  expect(items).toEqual([
    {
      id: 1,
      title: 'Заявка № 12: Заказать расчет',
      name: 'Анна',
      fm: [{ typeId: 'PHONE', valueType: 'WORK', value: '+79161234567' }],
      comments: [
        'Добрый день!',
        'Сколько стоит упаковка?',
        'Имя: Анна',
        'Телефон: +7 916 123-45-67',
        'Телефон дословно: 8 (916) 123-45-67 доб. 12',
        'Страница: https://korob.example/services/packaging',
        'Когда пришла: 20 ноября 2026 г. в 13:05',
        'Реклама: utm_source: yandex',
        'Расчёт:',
        ...billLines,
        `Взять заявку: ${takeUrl}`,
      ].join('\n'),
      sourceDescription: 'Форма на сайте: Короб',
      utmSource: 'yandex',
      originatorId: 'korob.example',
      originId: '12 2026-11-20T10:05:00.000Z',
    },
  ]);
  expect(server.received.map(({ body }) => JSON.parse(body).entityTypeId)).toEqual([1, 1]);
});

test('an attempt whose answer was lost makes no second lead', async () => {
  const { channel, items, loseAnswer } = await crm();
  loseAnswer();
  expect((await failureOf(channel, { notification: notificationOf(), secrets })).message).toMatch(
    /closed the connection/,
  );
  await channel.deliver([notificationOf()], endless());
  expect(items).toHaveLength(1);
});

test('a lead that nobody took gets a comment if it is there, and is added if it is not', async () => {
  const { channel, items, comments } = await crm();
  await channel.deliver([notificationOf({ reason: 'untaken' })], endless());
  expect(items.map(({ title }) => title)).toEqual(['Заявку № 12 никто не взял: Заказать расчет']);
  expect(comments).toEqual([]);
  await channel.deliver([notificationOf({ reason: 'untaken', deliveryId: 'another' })], endless());
  expect(items).toHaveLength(1);
  expect(comments).toEqual([
    {
      ENTITY_ID: 1,
      ENTITY_TYPE: 'lead',
      COMMENT: `Заявку № 12 никто не взял: Заказать расчет\nВзять заявку: ${takeUrl}`,
    },
  ]);
});

test('a test adds something each time it is asked for, and says that it is a test', async () => {
  const { channel, items } = await crm();
  await channel.deliver([notificationOf()], endless());
  await channel.deliver([notificationOf({ reason: 'test', deliveryId: 'first' })], endless());
  await channel.deliver([notificationOf({ reason: 'test', deliveryId: 'second' })], endless());
  expect(items).toHaveLength(3);
  expect(items.at(-1)?.title).toMatch(/^Проверка/);
});

test('a CRM that ignores the filter does not make others’ leads pass for this one', async () => {
  const { channel, items } = await crm((method, res) => {
    if (method !== 'crm.item.list') return false;
    sendJson(res, 200, {
      result: {
        items: [
          { id: 7, originatorId: null, originId: null },
          { id: 8, originatorId: 'korob.example', originId: '11 2026' },
        ],
      },
    });
    return true;
  });
  await channel.deliver([notificationOf()], endless());
  expect(items).toHaveLength(1);
});

test('whatever a visitor writes stays words: no field but its own, no markup', async () => {
  const { channel, items } = await crm();
  await fc.assert(
    fc.asyncProperty(hostileLead, async (lead) => {
      items.length = 0;
      await channel.deliver([notificationOf({ lead })], endless());
      const { id: _, name, ...item }: Item = items[0] ?? { id: 0 };
      expect(Object.keys(item).filter((field) => !field.startsWith('utm'))).toEqual([
        'title',
        'fm',
        'comments',
        'sourceDescription',
        'originatorId',
        'originId',
      ]);
      expect(item.title).toBe('Заявка № 12: Заказать расчет');
      expect(String(name ?? '')).not.toMatch(/\p{Cc}/u);
      expect(String(item.comments)).not.toMatch(/[[\]<>]/);
      expect(String(item.comments).split('\n').at(-1)).toBe(`Взять заявку: ${takeUrl}`);
    }),
    { numRuns: 100 },
  );
});

test.each([
  [503, 'QUERY_LIMIT_EXCEEDED', 5_000, /too many requests/],
  [200, 'QUERY_LIMIT_EXCEEDED', 5_000, /too many requests/],
  [429, 'OPERATION_TIME_LIMIT', 5_000, /too much of its time/],
  [401, 'INVALID_CREDENTIALS', 0, /check BITRIX24_WEBHOOK_URL/],
  [403, 'insufficient_scope', 0, /lacks the scope crm/],
  [400, '', 0, /it refused \(400: without a code\)$/],
  [400, 100, 0, /it refused \(400: 100\)$/],
  [200, 'SOMETHING_NEW', 0, /it refused \(200: SOMETHING_NEW\)$/],
])('an answer %d with the error «%s» is a failure that says why', async (status, error, wait, message) => {
  const { channel, items } = await crm((method, res) => {
    if (method !== 'crm.item.add') return false;
    sendJson(res, status, { error, error_description: 'Field is required' });
    return true;
  });
  const failure = await failureOf(channel, { secrets });
  expect(failure.message).toMatch(message);
  expect(failure.message).toContain('Bitrix24, crm.item.add');
  expect(failure.pauseMs).toBe(wait);
  expect(items).toEqual([]);
});

test('a refusal that quotes the lead or the address is told without the quotation', async () => {
  const { channel } = await crm((method, res, { body, url }) => {
    if (method !== 'crm.item.add') return false;
    sendJson(res, 400, { error: url.replace(/\W/g, ''), error_description: `Wrong value ${body}` });
    return true;
  });
  expect((await failureOf(channel, { secrets })).message).toBe(
    'Bitrix24, crm.item.add: it refused (400: without a code)',
  );
});

test.each([
  [200, {}],
  [200, { result: { item: null } }],
  [502, { result: { item: { id: 1 } } }],
])('an answer %d of %j is no success', async (status, body) => {
  const { channel } = await crm((method, res) => {
    if (method !== 'crm.item.add') return false;
    sendJson(res, status, body);
    return true;
  });
  expect((await failureOf(channel, { secrets })).message).toMatch(/nothing that could be understood/);
});

test('a CRM that hangs ends with the signal, and its connection with it', async () => {
  const attempt = new AbortController();
  const { server, channel } = await crm((method) => {
    if (method !== 'crm.item.add') return false;
    attempt.abort();
    return true;
  });
  expect((await failureOf(channel, { signal: attempt.signal, secrets })).message).toMatch(/did not answer in time/);
  await server.closed();
});

test('a CRM that is not there does not give the address away', async () => {
  const channel = bitrix24Channel({ url: `http://127.0.0.1:${await closedPort()}/rest/1/CodeCanary/`, site });
  expect((await failureOf(channel, { secrets })).message).toMatch(/the connection was refused/);
});
