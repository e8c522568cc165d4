import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import PostalMime, { type Email } from 'postal-mime';
import {
  canaries,
  closedPort,
  endless,
  failureOf,
  hostileLead,
  notificationOf,
  rawServer,
  site,
  startMailServer,
  type TestServer,
  takeUrl,
} from '../../testing/channels.ts';
import { bill, billLines } from '../../testing/leads.ts';
import type { Notification } from './channel.ts';
import { mailChannel } from './mail.ts';
import { mailMessage } from './mail-message.ts';
import { facts, messageLines } from './wording.ts';

const secrets = ['PasswordCanary', 'UserCanary'];

function channelAt(port: number, query = '', user = '') {
  const url = `smtp://${user}127.0.0.1:${port}${query}`;
  return mailChannel({ url, from: 'site@korob.example', to: 'sales@korob.example', site });
}

/**
 * A server that speaks the given lines, one in answer to each line of the client and to its text; after the last it
 * does `then`. `heard` is told what a client said, once it has gone.
 */
async function scripted(
  lines: readonly string[],
  then: (socket: Socket) => void = () => {},
  heard: (said: string) => void = () => {},
): Promise<TestServer> {
  const server = await rawServer((socket) => {
    const left = [...lines];
    let said = '';
    const next = () => {
      const line = left.shift();
      if (line !== undefined) socket.write(`${line}\r\n`);
      if (left.length === 0) then(socket);
    };
    socket.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (/\r\nDATA\r\n./s.test(said) ? said.endsWith('\r\n.\r\n') : said.endsWith('\r\n')) next();
    });
    socket.once('close', () => heard(said));
    next();
  });
  return server;
}

describe('a mail', () => {
  test('goes from the site to one mailbox, and answers to it come from no machine', async () => {
    const { sent, port } = await startMailServer();
    await channelAt(port).deliver([notificationOf()], endless());
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ from: 'site@korob.example', to: ['sales@korob.example'] });
    expect(sent[0]?.mail).toMatchObject({
      from: { name: 'Короб', address: 'site@korob.example' },
      to: [{ name: '', address: 'sales@korob.example' }],
      subject: 'Заявка № 12: Заказать расчет',
      messageId: expect.stringMatching(/^<\w{32}@korob\.example>$/),
    });
    expect(sent[0]?.mail.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    );
  });

  test('says in plain text what a person on duty needs', async () => {
    const { sent, port } = await startMailServer();
    await channelAt(port).deliver([notificationOf()], endless());
    expect(sent[0]?.mail.text?.trimEnd()).toBe(
      `Заявка № 12: Заказать расчет

Возьмите заявку, чтобы все видели, что она ваша, и позвоните.

Взять заявку: ${takeUrl}

Имя: Анна
Телефон: +7 916 123-45-67
Телефон дословно: 8 (916) 123-45-67 доб. 12
Страница: https://korob.example/services/packaging
Когда пришла: 20 ноября 2026 г. в 13:05
Реклама: utm_source: yandex

Сообщение:
> Добрый день!
> Сколько стоит упаковка?

-- 
Короб, https://korob.example`,
    );
  });

  test('says the same in markup, where the number can be pressed', async () => {
    const { sent, port } = await startMailServer();
    await channelAt(port).deliver([notificationOf()], endless());
    const html = sent[0]?.mail.html ?? '';
    expect(html).toContain(`<a href="${takeUrl}">Взять заявку</a>`);
    expect(html).toContain('<a href="tel:+79161234567">+7\u00A0916\u00A0123-45-67</a>');
    expect(html).toContain('<h1>Заявка №\u202F12: Заказать расчет</h1>');
    expect(html).toContain('Добрый день!<br>\nСколько стоит упаковка?<br>');
    expect(html).not.toContain('style=');
  });

  test('has the calculation in both forms', async () => {
    const { sent, port } = await startMailServer();
    const [order, row] = ['<Ozon>, FBO', billLines[1]];
    await channelAt(port).deliver([notificationOf({ lead: { calculation: { ...bill, order } } })], endless());
    expect(sent[0]?.mail.text).toContain(`\nРасчёт:\n> ${order}\n> ${row}\n`);
    expect(sent[0]?.mail.html).toMatch(
      /<p>Расчёт:<\/p>\n<blockquote>\n&lt;Ozon&gt;, FBO<br>\nУпаковка: 130.₽ \(.*\)<br>/,
    );
  });

  test('without a message has no place for one', async () => {
    const { sent, port } = await startMailServer();
    await channelAt(port).deliver([notificationOf({ lead: { message: null } })], endless());
    expect(sent[0]?.mail.text).not.toContain('Сообщение');
    expect(sent[0]?.mail.html).not.toContain('Сообщение');
  });

  test('that is repeated has the same id, and is dated anew', async () => {
    const { sent, port } = await startMailServer();
    const channel = channelAt(port);
    await channel.deliver([notificationOf({ lead: { receivedAt: '2020-01-01T00:00:00.000Z' } })], endless());
    await channel.deliver([notificationOf({ lead: { receivedAt: '2020-01-01T00:00:00.000Z' } })], endless());
    expect(sent[1]?.mail.messageId).toBe(sent[0]?.mail.messageId);
    expect(new Date(sent[0]?.mail.date ?? '').getFullYear()).toBeGreaterThan(2020);
  });

  test('is the same but for the words, whatever a visitor writes', async () => {
    const heard: string[] = [];
    const lines = ['220 hi', '250 hi', '250 ok', '250 ok', '354 go', '250 ok'];
    const server = await scripted(lines, undefined, (said) => heard.push(said));
    const channel = channelAt(server.port);
    const send = async (notification: Notification) => {
      heard.length = 0;
      await channel.deliver([notification], endless());
      await server.closed();
      expect(heard).toHaveLength(1);
      const [commands = '', source = ''] = (heard[0] ?? '').replace(/\r\n\.\r\n$/, '').split('\r\nDATA\r\n');
      return { commands, source, mail: await PostalMime.parse(source.replace(/^\.\./gm, '.')) };
    };
    const expected = shape(await send(notificationOf()));
    expect(expected.commands).toMatch(
      /^EHLO \S+\r\nMAIL FROM:<site@korob\.example>\r\nRCPT TO:<sales@korob\.example>$/,
    );
    await fc.assert(
      fc.asyncProperty(hostileLead, async (lead) => {
        const notification = notificationOf({ lead });
        const sent = await send(notification);
        expect(shape(sent)).toEqual(expected);
        expectOwnElements(sent.mail.html ?? '', notification);
        expectOwnLines(sent.mail.text ?? '');
      }),
      { numRuns: 200 },
    );
  });
});

describe('a mail about several leads', () => {
  const joined = (reason: Notification['reason'], ...leads: Partial<Notification['lead']>[]) =>
    leads.map((lead, n) =>
      notificationOf({
        reason,
        deliveryId: `msg_${n + 1}`,
        takeUrl: `${takeUrl}${n + 1}`,
        lead: { ...lead, number: n + 1 },
      }),
    );
  const sentAbout = async (...told: readonly Notification[]) => {
    const { sent, port } = await startMailServer();
    await channelAt(port).deliver(told, endless());
    expect(sent).toHaveLength(1);
    return sent[0]?.mail;
  };

  test('says of each what a mail about it alone would, and why it is in quarantine', async () => {
    const signals = ['topic', 'crowd'] as const;
    const mail = await sentAbout(...joined('digest', { signals }, { signals: ['probe'], message: null }));
    expect(mail?.subject).toBe('В карантине 2 заявки за 20 ноября');
    const facts = `Имя: Анна
Телефон: +7 916 123-45-67
Телефон дословно: 8 (916) 123-45-67 доб. 12
Страница: https://korob.example/services/packaging
Когда пришла: 20 ноября 2026 г. в 13:05
Реклама: utm_source: yandex
`;
    expect(mail?.text?.trimEnd()).toBe(
      `В карантине 2 заявки за 20 ноября

Похоже на спам, поэтому о них никому не сообщали. Если пишет человек, возьмите заявку и позвоните.

Выпустить из карантина и сообщить всем: leads release 1 2

№ 1: Заказать расчет (реклама услуг, много заявок с одного адреса)
Взять заявку: ${takeUrl}1

${facts}
Сообщение:
> Добрый день!
> Сколько стоит упаковка?

№ 2: Заказать расчет (попытка взлома)
Взять заявку: ${takeUrl}2

${facts}
-- 
Короб, https://korob.example`,
    );
    expect(mail?.html).toContain('<h2>№ 2: Заказать расчет (попытка взлома)</h2>');
    expect(mail?.html).toContain(`<p><a href="${takeUrl}2">Взять заявку</a></p>`);
    expect(mail?.html).toContain('<code>leads release 1 2</code>');
  });

  test('has an id of its own, the same whenever it is about the same', async () => {
    const all = joined('new', {}, {}, {});
    const ids = await Promise.all(
      [all, all.toReversed(), all.slice(0, 2)].map(async (told) => (await sentAbout(...told))?.messageId),
    );
    expect(ids[0]).toMatch(/^<\w{32}@korob\.example>$/);
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('has lines and elements of its own, whatever visitors write', async () => {
    await fc.assert(
      fc.property(hostileLead, hostileLead, (one, other) => {
        const { subject, text, html } = mailMessage(joined('new', one, other), site);
        expect(subject).toBe('2 новые заявки');
        for (const line of text.trimEnd().split('\n').slice(4, -3)) {
          expect(line).toMatch(
            /^($|> |№ [12]: Заказать расчет( \(похоже на спам\))?$|Взять заявку: https:\/\/korob\.example\/|(Имя|Телефон|Телефон дословно|Страница|Когда пришла|Реклама): |Сообщение:$)/,
          );
        }
        for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
          expect(href).toMatch(/^(https:\/\/korob\.example($|\/)|tel:\+\d+$)/);
        }
      }),
    );
  });
});

/** What no visitor may change. */
function shape({ commands, source, mail }: { commands: string; source: string; mail: Email }) {
  return {
    commands,
    headers: mail.headers.map(({ key }) => key),
    subject: mail.subject,
    addresses: [mail.from, mail.to, mail.cc, mail.bcc, mail.replyTo],
    parts: typesOfParts(source),
    attachments: mail.attachments.length,
  };
}

/** Elements that the template has, as often as the facts need them, and links of the site alone. */
function expectOwnElements(html: string, notification: Notification): void {
  const told = facts(notification, site);
  const counts: Record<string, number> = {};
  for (const [, name = ''] of html.matchAll(/<([a-z!][^\s>/]*)/gi)) counts[name] = (counts[name] ?? 0) + 1;
  const { p, blockquote, br, ...others } = counts;
  const lines = messageLines(notification).length;
  expect({ blockquote, br }).toEqual(lines > 0 ? { blockquote: 1, br: lines } : {});
  expect(p).toBe(lines > 0 ? 4 : 3);
  expect(others).toEqual({
    ...{ '!doctype': 1, html: 1, head: 1, meta: 1, title: 1, body: 1, h1: 1, table: 1 },
    ...{ tr: told.length, th: told.length, td: told.length },
    a: 2 + told.filter(({ href }) => href !== undefined).length,
  });
  for (const [, href] of html.matchAll(/href="([^"]*)"/g)) {
    expect(href).toMatch(/^(https:\/\/korob\.example($|\/)|tel:\+\d+$)/);
  }
}

function expectOwnLines(text: string): void {
  const lines = text.trimEnd().split('\n');
  expect(lines.slice(0, 6)).toEqual([
    'Заявка № 12: Заказать расчет',
    '',
    'Возьмите заявку, чтобы все видели, что она ваша, и позвоните.',
    '',
    `Взять заявку: ${takeUrl}`,
    '',
  ]);
  expect(lines.slice(-3)).toEqual(['', '-- ', 'Короб, https://korob.example']);
  const labels = lines.slice(6, -3).flatMap((line) => (/^(>|$)/.test(line) ? [] : [line.replace(/:.*$/u, '')]));
  const possible = ['Имя', 'Телефон', 'Телефон дословно', 'Страница', 'Когда пришла', 'Реклама', 'Сообщение'];
  expect(labels).toEqual(possible.filter((label) => labels.includes(label)));
}

function typesOfParts(source: string): string[] {
  const boundary = /boundary="([^"]+)"/.exec(source)?.[1];
  return source.split(`\r\n--${boundary}`).map((part) => /^Content-Type: ([^;\r\n]+)/m.exec(part)?.[1] ?? part.trim());
}

describe('a mail server that', () => {
  test('is not there is a failure that says so', async () => {
    const port = await closedPort();
    expect((await failureOf(channelAt(port, '', 'UserCanary:PasswordCanary@'), { secrets })).message).toBe(
      `The mail server at 127.0.0.1:${port}: the connection was refused; check the address and whether the server runs`,
    );
  });

  test('has no such name is a failure that says so', async () => {
    const channel = mailChannel({ url: 'smtp://mail.invalid', from: 'a@b.example', to: 'c@d.example', site });
    expect((await failureOf(channel)).message).toMatch(/^The mail server at mail\.invalid: its name/);
  });

  test.each([
    ['after the connection', []],
    ['after its greeting', ['220 hi']],
    ['with the mail in its hands', ['220 hi', '250 hi', '250 ok', '250 ok', '354 go']],
  ])('hangs %s ends with the signal, and its connection with it', async (_, lines) => {
    const attempt = new AbortController();
    const server = await scripted(lines, () => attempt.abort());
    expect((await failureOf(channelAt(server.port), { signal: attempt.signal })).message).toMatch(
      /did not answer in time$/,
    );
    await server.closed();
  });

  test('hangs is left alone even if no signal ends the attempt', async () => {
    const servers = await Promise.all([scripted([]), scripted(['220 hi'])]);
    const errors = await Promise.all(servers.map(({ port }) => failureOf(channelAt(port))));
    for (const { message } of errors) expect(message).toMatch(/did not answer in time$/);
    await Promise.all(servers.map((server) => server.closed()));
  });

  test('drips a byte at a time ends with the signal, and its connection with it', async () => {
    const attempt = new AbortController();
    const drip = (socket: Socket) => {
      let bytes = 0;
      socket.write('220 hi\r\n');
      const timer = setInterval(() => {
        socket.write('2');
        bytes += 1;
        if (bytes === 5) attempt.abort();
      }, 10);
      socket.resume().once('close', () => clearInterval(timer));
    };
    const server = await rawServer(drip, { stubborn: true });
    expect((await failureOf(channelAt(server.port), { signal: attempt.signal })).message).toMatch(
      /did not answer in time$/,
    );
    await server.closed();
  });

  test.each([
    ['greets with 421', ['421 4.3.2 too busy'], 'it did not take the mail for now: 421 4.3.2'],
    ['greets with 554', ['554 5.7.1 go away'], 'it refused the mail: 554 5.7.1'],
    ['speaks something else', ['SSH-2.0-OpenSSH_10'], 'it does not speak SMTP'],
    ['refuses the sender', ['220 hi', '250 hi', '550 5.7.1 not from you'], 'it refused the mail: 550 5.7.1'],
    [
      'does not know the mailbox',
      ['220 hi', '250 hi', '250 ok', '550 5.1.1 <sales@korob.example> unknown'],
      'it refused the mail: 550 5.1.1',
    ],
    [
      'has a full mailbox',
      ['220 hi', '250 hi', '250 ok', '452 4.2.2 mailbox full'],
      'it did not take the mail for now: 452 4.2.2',
    ],
    [
      'takes the text for spam',
      ['220 hi', '250 hi', '250 ok', '250 ok', '354 go', '550 5.7.1 spam'],
      'it refused the mail: 550 5.7.1',
    ],
    [
      'quotes the text that it refuses',
      ['220 hi', '250 hi', '250 ok', '250 ok', '354 go', '550 5.7.1 spam: Чижик сидит'],
      'it refused the mail: 550 5.7.1',
    ],
  ])('%s is a failure that says so', async (_, lines, message) => {
    const server = await scripted(lines);
    const error = await failureOf(channelAt(server.port));
    expect(error.message.replace(/^The mail server at 127\.0\.0\.1:\d+: /, '')).toBe(message);
    await server.closed();
  });

  test('loses the final 250 leaves the delivery undone', async () => {
    const server = await scripted(['220 hi', '250 hi', '250 ok', '250 ok', '354 go', ''], (socket) => socket.destroy());
    expect((await failureOf(channelAt(server.port))).message).toMatch(/it closed the connection without an answer$/);
    await server.closed();
  });

  test('refuses the password is a failure that says so, and does not repeat it', async () => {
    const { port } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => done(new Error(`no ${username} ${password}`)),
    });
    const channel = channelAt(port, '', 'UserCanary:Password%43anary@');
    expect((await failureOf(channel, { secrets })).message).toMatch(
      /it refused the user or the password; check SMTP_URL$/,
    );
  });

  test('knows the percent-encoded password takes the mail', async () => {
    const { sent, port } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) =>
        done(null, username === 'a@b.example' && password === 'p:/@%' ? { user: 'a' } : {}),
    });
    await channelAt(port, '', 'a%40b.example:p%3A%2F%40%25@').deliver([notificationOf()], endless());
    expect(sent).toHaveLength(1);
  });

  test('has a certificate of its own making is not trusted, unless it is to be', async () => {
    const { sent, port } = await startMailServer({ hideSTARTTLS: false, logger: false });
    expect((await failureOf(channelAt(port))).message).toMatch(/its certificate is not trusted/);
    await channelAt(port, '?tls.rejectUnauthorized=false').deliver([notificationOf({ lead: canaries })], endless());
    expect(sent).toHaveLength(1);
  });

  test('offers no encryption gets nothing where it is required', async () => {
    const { sent, port } = await startMailServer({ disabledCommands: ['STARTTLS'] });
    expect((await failureOf(channelAt(port, '?requireTLS=true'))).message).toMatch(/no encrypted connection/);
    expect(sent).toEqual([]);
  });
});
