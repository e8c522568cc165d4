import { describe, expect, test } from '@jest/globals';
import type { Email } from 'postal-mime';
import {
  endless,
  failureOf,
  notificationOf,
  scriptedMailServer,
  site,
  smtpLines,
  startMailServer,
  takeUrl,
} from '../../tests/support/channels.ts';
import { all, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { bill } from '../../tests/support/sample-leads.ts';
import type { Notification } from '../messages/notification.ts';
import { mailChannel } from './mail.ts';

function channelAt(port: number, query = '', user = '') {
  const url = `smtp://${user}127.0.0.1:${port}${query}`;
  return mailChannel({ url, from: 'site@korob.example', to: 'sales@korob.example', site });
}

const post = await startMailServer();

async function mailAbout(...notifications: readonly Notification[]): Promise<Email> {
  post.sent.length = 0;
  await channelAt(post.port).deliver(notifications, endless());
  expect(post.sent).toMatchObject([{ from: 'site@korob.example', to: ['sales@korob.example'] }]);
  return post.sent[0]?.mail as Email;
}

const factsOfLead = `Имя: Анна
Телефон: +7 916 123-45-67
Телефон дословно: 8 (916) 123-45-67 доб. 12
Страница: https://korob.example/services/packaging
Когда пришла: 20 ноября 2026 г. в 13:05
Реклама: utm_source: yandex
`;

describe('a mail', () => {
  test('goes from the site to one mailbox, and has Auto-Submitted so that no machine answers it', async () => {
    const mail = await mailAbout(notificationOf());
    expect(mail).toMatchObject({
      from: { name: 'Короб', address: 'site@korob.example' },
      to: [{ name: '', address: 'sales@korob.example' }],
      subject: 'Заявка № 12: Заказать расчет',
    });
    expect(mail.headers).toContainEqual(expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }));
  });

  test('holds all that staff need to call, in plain text and in HTML with links', async () => {
    const { text, html } = await mailAbout(notificationOf({ lead: { calculation: { ...bill, order: '<Ozon>' } } }));
    expect(text?.trimEnd()).toBe(
      `Заявка № 12: Заказать расчет

Возьмите заявку, чтобы все видели, что она ваша, и позвоните.

Взять заявку: ${takeUrl}

${factsOfLead}
Сообщение:
> Добрый день!
> Сколько стоит упаковка?

Расчёт:
> <Ozon>
> Упаковка: 130 ₽ (10 шт. × 13 ₽)
> Итого: 130 ₽
> Цены с 1 ноября 2026 г., https://korob.example/rates/calc?units=10

-- 
Короб, https://korob.example`,
    );
    const page = parseHtml(html ?? '');
    expect(one(page, 'h1').text).toBe('Заявка №\u202F12: Заказать расчет');
    expect(textOf(one(page, `a[href="${takeUrl}"]`))).toBe('Взять заявку');
    expect(one(page, 'a[href="tel:+79161234567"]').text).toBe('+7\u00A0916\u00A0123-45-67');
    expect(all(page, 'blockquote').map(textOf)).toEqual([
      'Добрый день! Сколько стоит упаковка?',
      expect.stringMatching(/^<Ozon> Упаковка: 130 ₽ .* Цены с/),
    ]);
    expect(all(page, '[style]')).toEqual([]);
  });

  const joined = (reason: Notification['reason'], ...leads: Partial<Notification['lead']>[]) =>
    leads.map((lead, n) => {
      const number = n + 1;
      return notificationOf({ reason, deliveryId: `msg_${number}`, lead: { ...lead, number } });
    });

  test('about several leads holds all facts of each lead, and why it is in quarantine', async () => {
    const notifications = joined(
      'quarantineDigest',
      { state: 'quarantined', signals: ['topic', 'shared-address'] },
      { state: 'quarantined', signals: ['probe'], message: null },
    );
    const { subject, text, html } = await mailAbout(...notifications);
    expect(subject).toBe('В карантине 2 заявки за 20 ноября');
    const [, release, ...leads] = text?.split(/\n\n(?=№|Выпустить)/) ?? [];
    expect(release).toBe('Выпустить из карантина и сообщить всем: leads release 1 2');
    expect(leads).toEqual([
      expect.stringMatching(/^№ 1: .*\(реклама услуг, много заявок с одного адреса\)\nВзять заявку: /),
      expect.stringMatching(/^№ 2: .*\(попытка взлома\)\nВзять заявку: /),
    ]);
    for (const one of leads) expect(one).toContain(factsOfLead);
    expect(all(parseHtml(html ?? ''), `a[href="${takeUrl}"]`)).toHaveLength(2);
  });

  test('has the same Message-ID for the same deliveries in any order, and the current time as its Date', async () => {
    const all = joined('new', { receivedAt: '2020-01-01T00:00:00.000Z' }, {}, {});
    const first = await mailAbout(...all);
    expect(first.messageId).toMatch(/^<\w{32}@korob\.example>$/);
    expect(new Date(first.date ?? '').getFullYear()).toBeGreaterThan(2020);
    expect((await mailAbout(...all.toReversed())).messageId).toBe(first.messageId);
    expect((await mailAbout(...all.slice(1))).messageId).not.toBe(first.messageId);
  });
});

describe('a mail', () => {
  test.each([
    ['is busy', ['421 4.3.2 too busy'], 'it did not take the mail for now (421 4.3.2)'],
    [
      'wants a password',
      ['220 hi', '250 hi', '530 5.7.0 sign in'],
      'it wants a user and a password (530 5.7.0); add them to SMTP_URL',
    ],
    [
      'knows no such mailbox',
      [...smtpLines.slice(0, 3), '550 5.1.1 unknown'],
      'it refused the recipient (550 5.1.1); check LEADS_EMAIL_TO and that mailbox',
    ],
    [
      'quotes the mail that it refuses',
      [...smtpLines, '550 5.7.1 spam: Чижик сидит'],
      'it refused the mail (550 5.7.1)',
    ],
  ])('fails with the reason when the server %s', async (_, lines, message) => {
    const server = await scriptedMailServer(lines);
    const error = await failureOf(channelAt(server.port));
    expect(error.message).toBe(`The mail server at 127.0.0.1:${server.port}: ${message}`);
    await server.closed();
  });

  test('fails and closes its connection when the server hangs after the data until the attempt is aborted', async () => {
    const attempt = new AbortController();
    const server = await scriptedMailServer(smtpLines, { atLast: () => attempt.abort() });
    expect((await failureOf(channelAt(server.port), attempt.signal)).message).toMatch(/did not answer in time$/);
    await server.closed();
  });

  test('is sent with the right password in any URL encoding, and fails with a wrong one', async () => {
    const { sent, port } = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        const right = username === 'a@b.example' && password === 'p:/@%';
        done(right ? null : new Error(`no ${username} ${password}`), { user: 'a' });
      },
    });
    expect((await failureOf(channelAt(port, '', 'UserCanary:Password%43anary@'))).message).toMatch(
      /it refused the user or the password \(535\); check SMTP_URL, and whether the mailbox has a password of its own/,
    );
    await channelAt(port, '', 'a%40b.example:p%3A%2F%40%25@').deliver([notificationOf()], endless());
    expect(sent).toHaveLength(1);
  });

  test('fails for a self-signed certificate unless tls.rejectUnauthorized is false', async () => {
    const { sent, port } = await startMailServer({ hideSTARTTLS: false, logger: false });
    expect((await failureOf(channelAt(port))).message).toMatch(/its certificate is not trusted/);
    await channelAt(port, '?tls.rejectUnauthorized=false').deliver([notificationOf()], endless());
    expect(sent).toHaveLength(1);
  });

  test('is not sent when requireTLS is set and the server has no STARTTLS', async () => {
    const { sent, port } = await startMailServer({ disabledCommands: ['STARTTLS'] });
    expect((await failureOf(channelAt(port, '?requireTLS=true'))).message).toMatch(/no encrypted connection/);
    expect(sent).toEqual([]);
  });
});
