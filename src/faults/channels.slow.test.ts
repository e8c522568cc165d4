import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { closedPort, httpServer, rawServer, sendJson } from '../testing/channels.ts';
import { eventually } from '../testing/eventually.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { ask, deliveryTime, type Event, postQuestion, startPostOffice, startWebhook, storedIn } from './testing.ts';

const start = (env: NodeJS.ProcessEnv) => startServerProcess({ TRUST_PROXY: '1', ...env });

/** A mail that a mail server was sent whole, whether or not it said so. */
type Told = { to: string; messageId: string; at: number };

/** What a mail server does with the first mail to a mailbox; with the second, all are as they should be. */
type Misdeed = (socket: Socket, command: 'RCPT' | 'DATA' | '.') => boolean;

const misdeeds: Record<string, Misdeed> = {
  // Says nothing more, and keeps the connection.
  hangs: (_, command) => command === 'RCPT',
  'hangs-at-the-end': (_, command) => command === '.',
  drips(socket, command) {
    if (command !== 'RCPT') return false;
    const dripping = setInterval(() => socket.write('2'), 200);
    socket.once('close', () => clearInterval(dripping));
    return true;
  },
  closes: (socket, command) => command === 'RCPT' && Boolean(socket.destroy()),
  'is-busy': (socket, command) => command === 'RCPT' && socket.write('451 4.3.2 later\r\n'),
  'is-full': (socket, command) => command === '.' && socket.write('452 4.2.2 mailbox full\r\n'),
  'refuses-the-mailbox': (socket, command) => command === 'RCPT' && socket.write('550 5.1.1 unknown\r\n'),
  'refuses-the-text': (socket, command) => command === '.' && socket.write('554 5.7.1 spam\r\n'),
  'loses-the-final-250': (socket, command) => command === '.' && Boolean(socket.destroy()),
};

/** A mail server whose mailboxes are named for what it does to them. */
async function startMischievousPostOffice() {
  const told: Told[] = [];
  const tried = new Set<string>();
  const server = await rawServer((socket) => {
    let to = '';
    let misdeed: Misdeed | undefined;
    let text: string | undefined;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const hear = (line: string) => {
      if (text !== undefined) {
        if (line !== '.') {
          text += `${line}\n`;
          return;
        }
        told.push({ to, messageId: /^Message-ID: (.*)$/im.exec(text)?.[1] ?? '', at: Date.now() });
        text = undefined;
        if (!misdeed?.(socket, '.')) say('250 kept');
        return;
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'RCPT') {
        to = /<([^@]*)@/.exec(line)?.[1] ?? '';
        if (!tried.has(to)) misdeed = misdeeds[to];
        tried.add(to);
        if (!misdeed?.(socket, 'RCPT')) say('250 ok');
      } else if (command === 'DATA') {
        text = '';
        say('354 go');
      } else if (command === 'QUIT') socket.end('221 bye\r\n');
      else say('250 ok');
    };
    let left = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (left + chunk).split('\r\n');
      left = lines.pop() ?? '';
      for (const line of lines) hear(line);
    });
    say('220 hi');
  });
  const mailboxes = ['is-well', ...Object.keys(misdeeds)].map((name) => `${name}@korob.example`);
  const env = {
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    LEADS_EMAIL_TO: mailboxes.join(','),
    LEADS_EMAIL_FROM: 'site@korob.example',
  };
  return { told, env };
}

const wait = { asked: 7, shortest: 5 };

/** What a receiver of webhooks does with the first delivery of a lead, by its message. */
const answers: Record<string, (res: ServerResponse) => void> = {
  hangs: () => {},
  redirects: (res) => res.writeHead(307, { location: '/elsewhere' }).end(),
  limits: (res) => res.writeHead(429, { 'retry-after': String(wait.asked) }).end(),
  fails: (res) => res.writeHead(500).end('it broke'),
  closes: (res) => res.destroy(),
};

describe('what goes wrong once is made good, and told of in words', () => {
  let server: ServerProcess;
  let postOffice: Awaited<ReturnType<typeof startMischievousPostOffice>>;
  let webhook: Awaited<ReturnType<typeof startWebhook>>;
  const arrivals: { path: string; at: number; event: Event }[] = [];
  const chats: { text: string; links: string[]; at: number }[] = [];
  const numbers = new Map<string, number>();

  beforeAll(async () => {
    postOffice = await startMischievousPostOffice();
    const seen = new Set<string>();
    webhook = await startWebhook((res, event) => {
      const { message } = event.data;
      arrivals.push({ path: webhook.requests.at(-1)?.url ?? '', at: Date.now(), event });
      const misdeed = seen.has(event.id) ? undefined : answers[message ?? ''];
      seen.add(event.id);
      if (misdeed) misdeed(res);
      else res.writeHead(204).end();
    });
    const telegram = await httpServer((res, { body }) => {
      const { text, entities }: { text: string; entities: { url?: string }[] } = JSON.parse(body);
      chats.push({ text, links: entities.flatMap(({ url }) => url ?? []), at: Date.now() });
      if (chats.length > 1) return sendJson(res, 200, { ok: true });
      sendJson(res, 429, { ok: false, description: 'Too Many Requests', parameters: { retry_after: wait.asked } });
    });
    server = await start({
      ...postOffice.env,
      ...webhook.env,
      TELEGRAM_BOT_TOKEN: '1:TokenCanaryTokenCanary',
      TELEGRAM_CHAT_ID: '-100',
      TELEGRAM_API_BASE: telegram.url,
    });
    for (const message of Object.keys(answers)) {
      const { status, headers } = await postQuestion(server.port, message);
      expect(status).toBe(303);
      numbers.set(message, storedIn(server.dataDir).leads.get(headers.location ?? '')?.number ?? 0);
    }
    const waiting = () => storedIn(server.dataDir).deliveries.filter(({ state }) => state !== 'delivered');
    await eventually(() => waiting().length === 0, true, 'every delivery', deliveryTime);
  }, 90_000);

  const toldTo = (mailbox: string) => postOffice.told.filter(({ to }) => to === mailbox);
  const logged = (channel: string): { reason: string; attempts: number; lead: number }[] =>
    server
      .output()
      .split('\n')
      .filter((line) => line.includes('it is tried again') && line.includes(`"channel":"${channel}"`))
      .map((line) => JSON.parse(line));

  test.each([
    ['hangs', 0, 'it did not answer in time'],
    ['hangs-at-the-end', 1, 'it did not answer in time'],
    ['drips', 0, 'it did not answer in time'],
    ['closes', 0, 'it closed the connection without an answer'],
    ['is-busy', 0, '451 4.3.2'],
    ['is-full', 1, '452 4.2.2'],
    ['refuses-the-mailbox', 0, '550 5.1.1'],
    ['refuses-the-text', 1, '554 5.7.1'],
    ['loses-the-final-250', 1, 'it closed the connection without an answer'],
  ])('by a mail server that %s', (mailbox, lost, reason) => {
    const told = toldTo(mailbox);
    const ids = told.map(({ messageId }) => messageId);
    // Who took the text and did not say so gets it again, as the same mail.
    expect(told.length).toBe(new Set(ids).size + lost);
    for (const id of ids) expect(id).toMatch(/^<[0-9a-f]{32}@localhost>$/);
    expect(logged('mail').map((line) => line.reason)).toContainEqual(expect.stringContaining(reason));
  });

  test('by a mail server, and nobody else’s mailbox notices', () => {
    const ids = toldTo('is-well').map(({ messageId }) => messageId);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test.each([
    ['hangs', /did not answer in time|no answer within 10 s/],
    ['redirects', /redirected/],
    ['limits', /answered 429/],
    ['fails', /answered 500/],
    ['closes', /closed the connection/],
  ])('by a receiver of webhooks that %s', (message, reason) => {
    const number = numbers.get(message) ?? 0;
    const [first, second, ...more] = arrivals.filter(({ event }) => event.data.number === number);
    expect(more).toEqual([]);
    expect(second?.event.id).toBe(first?.event.id);
    expect([first?.path, second?.path]).toEqual(['/leads', '/leads']);
    const pause = (second?.at ?? 0) - (first?.at ?? 0);
    expect(pause).toBeGreaterThanOrEqual((message === 'limits' ? wait.asked : wait.shortest) * 1_000 - 50);
    expect(logged('webhook')).toContainEqual(
      expect.objectContaining({ lead: number, attempts: 1, reason: expect.stringMatching(reason) }),
    );
  });

  test('by a chat that limits, after as long as it asks, in one message, and without a word of the visitor', () => {
    const [refused, joined, ...more] = chats;
    expect(more).toEqual([]);
    expect((joined?.at ?? 0) - (refused?.at ?? 0)).toBeGreaterThanOrEqual(wait.asked * 1_000 - 50);
    const all = [...numbers.values()];
    expect(joined?.text.split('\n')).toEqual([
      `${all.length} новых заявок`,
      expect.stringMatching(/^Возьмите/),
      ...all.map((number) => expect.stringMatching(new RegExp(`^Взять № ${number}: [а-я ]+$`, 'i'))),
    ]);
    const link = /http:\/\/localhost:3000\/take\/[\w.-]+$/;
    expect(joined?.links).toEqual(all.map(() => expect.stringMatching(link)));
    expect(logged('telegram').map(({ reason }) => reason)).toEqual([expect.stringContaining('answered 429')]);
  });

  test('while the others hang, those that are well are told first', () => {
    const lastOf = (times: number[]) => Math.max(...times);
    const firstGivenUp = Math.min(
      ...server
        .output()
        .split('\n')
        .filter((line) => /did not answer in time|no answer within/.test(line))
        .map((line) => Date.parse(JSON.parse(line).time)),
    );
    expect(lastOf(toldTo('is-well').map(({ at }) => at))).toBeLessThan(firstGivenUp);
    const firsts = [...numbers.values()].map((number) => arrivals.find(({ event }) => event.data.number === number));
    // One that waited for a channel that hangs would be told of several seconds later.
    const moment = 1_000;
    expect(lastOf(firsts.map((one) => one?.at ?? 0))).toBeLessThan(firstGivenUp + moment);
  });

  test('and none of it tells the log a word of the visitor, or a secret', () => {
    expect(server.output()).not.toMatch(/Анна|9161234567|TokenCanary|whsec_|\/take\//);
  });
});

test('a mail server that is not there yet gets the mail when it is', async () => {
  const port = await closedPort();
  const server = await start({
    SMTP_URL: `smtp://127.0.0.1:${port}`,
    LEADS_EMAIL_TO: 'sales@korob.example',
    LEADS_EMAIL_FROM: 'site@korob.example',
  });
  expect((await postQuestion(server.port, 'early')).status).toBe(303);
  await eventually(() => server.output().includes('the connection was refused'), true, 'a refused connection');
  const postOffice = await startPostOffice(['sales@korob.example'], {}, port);
  await eventually(() => postOffice.mails.length === 1, true, 'the mail', deliveryTime);
}, 60_000);

test('while every channel hangs, requests are taken as ever', async () => {
  let reached = 0;
  const held = new Set<Socket>();
  const hang = await rawServer((socket) => {
    held.add(socket);
    socket.once('data', () => {
      reached += 1;
    });
    socket.once('close', () => held.delete(socket));
  });
  const mute = await rawServer((socket) => {
    held.add(socket);
    reached += 1;
    socket.once('close', () => held.delete(socket));
  });
  const base = `http://127.0.0.1:${hang.port}`;
  const server = await start({
    SMTP_URL: `smtp://127.0.0.1:${mute.port}`,
    LEADS_EMAIL_TO: 'sales@korob.example,boss@korob.example',
    LEADS_EMAIL_FROM: 'site@korob.example',
    LEADS_WEBHOOK_URL: base,
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}`,
    TELEGRAM_BOT_TOKEN: '1:TokenCanaryTokenCanary',
    TELEGRAM_CHAT_ID: '-100',
    TELEGRAM_API_BASE: base,
    BITRIX24_WEBHOOK_URL: `${base}/rest/1/code/`,
  });
  expect((await postQuestion(server.port, 'first')).status).toBe(303);
  await eventually(() => reached >= 5, true, 'a connection from every channel');
  // Fewer than would need a turn of their own in any channel; none has given up yet.
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, count) => postQuestion(server.port, `while ${count}`)),
  );
  expect(server.output()).not.toContain('not delivered');
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 303));
  expect((await ask(server.port, '/readyz')).status).toBe(200);
  expect(storedIn(server.dataDir).deliveries.filter(({ state }) => state !== 'waiting')).toEqual([]);
}, 30_000);
