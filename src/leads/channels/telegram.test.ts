import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
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
import { joinedAtMost, type Notification } from './channel.ts';
import { telegramChannel, telegramText } from './telegram.ts';

const token = '123456:TokenCanary_of-thirty-five_characters';
const secrets = [token, 'TokenCanary'];

async function bot(
  answer: (res: ServerResponse, received: Received) => void = (res) => sendJson(res, 200, { ok: true, result: {} }),
  personalData = false,
) {
  const server = await httpServer(answer);
  return { server, channel: telegramChannel({ token, chatId: '-100200300', base: server.url, personalData, site }) };
}

test('by default the chat learns of a lead, and nothing personal', async () => {
  const { server, channel } = await bot();
  await channel.deliver([notificationOf()], endless());
  const [received] = server.received;
  expect(received?.url).toBe(`/bot${token}/sendMessage`);
  expect(JSON.parse(received?.body ?? '')).toEqual({
    chat_id: '-100200300',
    text: [
      'Заявка № 12: Заказать расчет',
      'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.',
      'Взять № 12: Заказать расчет',
    ].join('\n'),
    entities: [{ type: 'text_link', offset: 91, length: 'Взять № 12'.length, url: takeUrl }],
    link_preview_options: { is_disabled: true },
  });
});

describe('a message about several leads', () => {
  const takeUrlOf = (number: number) => `https://korob.example/take/${'x'.repeat(84)}${number}`;
  const joined = (reason: Notification['reason'], ...leads: Partial<Notification['lead']>[]) =>
    leads.map((lead, n) => {
      const number = lead.number ?? n + 1;
      return notificationOf({ reason, takeUrl: takeUrlOf(number), lead: { ...lead, number } });
    });
  const markedIn = ({ text, entities }: ReturnType<typeof telegramText>) =>
    entities.map(({ type, offset, length, url }) => [type, text.slice(offset, offset + length), ...(url ? [url] : [])]);

  test('has a line for each, whose number is the link', async () => {
    const { server, channel } = await bot(undefined, true);
    const doubtful = { signals: ['off-topic', 'link'] as const, phone: '+375291234567', message: null };
    await channel.deliver(joined('new', {}, doubtful), endless());
    const sent = JSON.parse(server.received[0]?.body ?? '');
    expect(sent.text.split('\n')).toEqual([
      '2 новые заявки',
      'Возьмите заявки, чтобы все видели, что они ваши, и позвоните.',
      'Взять № 1: Заказать расчет, +7 916 123-45-67: Добрый день! Сколько стоит упаковка?',
      'Взять № 2: Заказать расчет, +375 29 123 45 67, похоже на спам',
    ]);
    expect(markedIn(sent)).toEqual([
      ['text_link', 'Взять № 1', takeUrlOf(1)],
      ['code', 'Добрый день! Сколько стоит упаковка?'],
      ['text_link', 'Взять № 2', takeUrlOf(2)],
    ]);
    expect(sent).toMatchObject({ chat_id: '-100200300', link_preview_options: { is_disabled: true } });
  });

  test('of what is in quarantine says why, and ends with the command that lets it out', () => {
    const said = telegramText(joined('digest', { signals: ['topic', 'crowd'] }, { signals: ['probe'] }), false, site);
    expect(said.text.split('\n')).toEqual([
      'В карантине 2 заявки за 20 ноября',
      'Похоже на спам, поэтому о них никому не сообщали. Если пишет человек, возьмите заявку и позвоните.',
      'Взять № 1: Заказать расчет, реклама услуг, много заявок с одного адреса',
      'Взять № 2: Заказать расчет, попытка взлома',
      'Выпустить из карантина: leads release 1 2',
    ]);
    expect(markedIn(said).at(-1)).toEqual(['code', 'leads release 1 2']);
  });

  const reasons = fc.constantFrom<Notification['reason']>('new', 'untaken', 'digest');

  test('has room for every lead with its link, title and number, whatever visitors write', () => {
    const leads = fc.array(hostileLead, { minLength: 1, maxLength: joinedAtMost });
    fc.assert(
      fc.property(leads, reasons, fc.boolean(), (about, reason, personalData) => {
        const told = joined(reason, ...about.map((lead, n) => ({ ...lead, number: 2_000_000_000 + n })));
        const said = telegramText(told, personalData, site);
        expect(said.text.length).toBeLessThanOrEqual(4096);
        expect(said.text.isWellFormed()).toBe(true);
        // Telegram looks at a hundred.
        expect(said.entities.length).toBeLessThan(100);
        const lines = said.text.split('\n');
        expect(lines).toHaveLength(2 + told.length + (reason === 'digest' ? 1 : 0));
        told.forEach(({ lead: { number }, takeUrl }, n) => {
          expect(lines[n + 2]).toMatch(new RegExp(`^Взять № ${number}: Заказать расчет`));
          expect(markedIn(said)).toContainEqual(['text_link', `Взять № ${number}`, takeUrl]);
        });
      }),
    );
  });

  test('of as many as there may be has the phone of each', () => {
    const lead = { message: 'я'.repeat(500), signals: ['off-topic', 'link'] as const };
    const told = joined('new', ...Array.from({ length: joinedAtMost }, () => lead));
    const title = 'Задайте интересующий вас вопрос о доставке';
    const { text } = telegramText(
      told.map((one) => ({ ...one, presetTitle: title })),
      true,
      site,
    );
    expect(
      text.match(/: Задайте интересующий вас вопрос…, \+7 916 123-45-67, похоже на спам(: яя+…)?$/gm),
    ).toHaveLength(joinedAtMost);
  });

  test('tells nothing that a visitor writes by default, and else marks it as code', () => {
    fc.assert(
      fc.property(hostileLead, reasons, (lead, reason) => {
        const told = joined(reason, lead, lead);
        expect(telegramText(told, false, site)).toEqual(telegramText(joined(reason, {}, {}), false, site));
        const { text, entities } = telegramText(joined(reason, lead), true, site);
        const plain = entities.reduceRight(
          (rest, { type, offset, length }) =>
            type === 'code' ? `${rest.slice(0, offset)}…${rest.slice(offset + length)}` : rest,
          text,
        );
        expect(plain.split('\n')[2]).toMatch(/^Взять № 1: Заказать расчет, \+7 916 123-45-67(: …)?$/);
      }),
    );
  });

  test('that is refused quotes none of them', async () => {
    const { channel } = await bot((res, { body }) => sendJson(res, 400, { ok: false, description: body.slice(-900) }));
    const told = joined('new', {}, { message: 'Чижик' });
    await expect(channel.deliver(told, endless())).rejects.toThrow(
      /^Telegram refused the message \(400\); check TELEGRAM_CHAT_ID$/,
    );
  });
});

test.each([
  [400, { description: 'Bad Request: chat not found' }, /check TELEGRAM_CHAT_ID$/],
  [400, { parameters: { migrate_to_chat_id: -100999 } }, /set TELEGRAM_CHAT_ID=-100999/],
  [401, { description: 'Unauthorized' }, /check TELEGRAM_BOT_TOKEN$/],
  [403, { description: 'Forbidden: bot was kicked' }, /add the bot to it$/],
  [500, { description: `Internal error of ${token}` }, /^Telegram answered 500$/],
  [200, { description: 'no' }, /^Telegram answered 200$/],
])('an answer %d that is no success says why: %j', async (status, about, message) => {
  const { channel } = await bot((res) => sendJson(res, status, { ok: false, ...about }));
  expect((await failureOf(channel, { secrets })).message).toMatch(message);
});

test('a refusal that quotes the lead is told without the quotation', async () => {
  const quote = (res: ServerResponse, { body }: Received) =>
    sendJson(res, 400, { ok: false, description: `Bad Request: can't parse ${body}` });
  const { channel } = await bot(quote, true);
  expect((await failureOf(channel, { secrets })).message).toBe(
    'Telegram refused the message (400); check TELEGRAM_CHAT_ID',
  );
});

test.each([
  [7, 7_000],
  [90_000, 3_600_000],
  [-1, 5_000],
])('a limit with retry_after %d asks for a wait of %d ms', async (seconds, wait) => {
  const { channel } = await bot((res) => {
    sendJson(res, 429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: seconds } });
  });
  const error = await failureOf(channel, { secrets });
  expect(error.pauseMs).toBe(wait);
  expect(error.message).toBe('Telegram answered 429');
});

test.each([
  ['no JSON', (res: ServerResponse) => res.end('<html>')],
  ['JSON without end', (res: ServerResponse) => res.end(`{"ok":true,"x":"${'x'.repeat(100_000)}"}`)],
])('an answer of %s is no success', async (_, answer) => {
  const { channel } = await bot(answer);
  expect((await failureOf(channel, { secrets })).message).toBe('Telegram answered 200');
});

test('an answer whose body does not come ends with the signal, and its connection with it', async () => {
  const attempt = new AbortController();
  const { server, channel } = await bot((res) => {
    res.writeHead(200).write('{"ok":');
    setImmediate(() => attempt.abort());
  });
  expect((await failureOf(channel, { signal: attempt.signal, secrets })).message).toMatch(/did not answer in time/);
  await server.closed();
});

test('an address that cannot be reached, or is none, does not give the token away', async () => {
  const refused = telegramChannel({
    token,
    chatId: '1',
    base: `http://127.0.0.1:${await closedPort()}`,
    personalData: false,
    site,
  });
  expect((await failureOf(refused, { secrets })).message).toMatch(/the connection was refused/);
  const none = telegramChannel({ token, chatId: '1', base: 'http://user:TokenCanary@', personalData: false, site });
  expect((await failureOf(none, { secrets })).message).toMatch(/connection failed/);
});
