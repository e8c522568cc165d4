import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostileLead, notificationOf, site } from '../../tests/support/channels.ts';
import { points, type SpamSignal } from '../spam/spam.ts';
import type { Lead } from '../store/lead.ts';
import { maxJoined, type Notification } from './channel.ts';
import { appeal, calculationLines, entryOf, facts, headline, messageLines, releaseCommand } from './lead-words.ts';
import { maxMessage } from './max.ts';
import { telegramText } from './telegram.ts';

type Reason = Notification['reason'];

const many = (reason: Reason, count: number, lead: (n: number) => Partial<Lead> = () => ({})) =>
  Array.from({ length: count }, (_, n) => notificationOf({ reason, lead: { number: n + 1, ...lead(n) } }));

const taken = () => ({ state: 'taken' as const });

test.each<[string, Notification[]]>([
  ['Заявка № 1: Заказать расчет', many('new', 1)],
  ['Похоже на спам. Заявка № 1: Заказать расчет', many('new', 1, () => ({ signals: ['off-topic', 'link'] }))],
  ['Заявку № 1 никто не взял: Заказать расчет', many('reminder', 1)],
  ['Чем кончился разговор по заявке № 1: Заказать расчет', many('reminder', 1, taken)],
  ['Пора звонить по заявке № 1: Заказать расчет', many('due', 1)],
  ['Пора звонить: 2 заявки', many('due', 2)],
  ['С утра ждёт 1 заявка', many('summary', 1)],
  ['С утра ждут 5 заявок', many('summary', 5)],
  ['Проверка уведомлений: звонить никому не нужно', many('test', 1)],
  ['2 новые заявки', many('new', 2)],
  ['37 новых заявок', many('new', 37)],
  ['2 заявки никто не взял', many('reminder', 2)],
  ['21 заявку никто не взял', many('reminder', 21)],
  ['Взяты и без итога: 2 заявки', many('reminder', 2, taken)],
  ['В карантине 1 заявка за 20 ноября', many('digest', 1)],
  [
    'В карантине 2 заявки за 21–23 ноября',
    many('digest', 2, (n) => ({ receivedAt: ['2026-11-22T21:30:00Z', '2026-11-20T21:01:00Z'][n] ?? '' })),
  ],
])('the headline «%s» states which or how many leads and why, and no personal data', (line, notifications) => {
  expect(headline(notifications, site)).toBe(line);
});

test('a test message says that it is a test, and a digest gives the command that releases its leads', () => {
  expect(appeal(many('test', 1))).toMatch(/^Это проверка, а не заявка/);
  expect(appeal(many('digest', 2))).toMatch(/^Похоже на спам/);
  expect(releaseCommand(many('digest', 2))).toBe('leads release 1 2');
  expect(releaseCommand(many('new', 2))).toBe('');
});

test('a message about a lead that was taken meanwhile says so, and its link opens the lead instead of taking it', () => {
  for (const state of ['taken', 'done'] as const) {
    const late = many('new', 1, () => ({ state }));
    expect(appeal(late)).toBe('Ею уже занялись, звонить не нужно.');
    expect(late.map((one) => entryOf(one).action)).toEqual(['Открыть']);
  }
  expect(appeal(many('new', 2, taken))).toBe('Ими уже занялись, звонить не нужно.');
  expect(appeal([...many('new', 1, taken), ...many('new', 1)])).toMatch(/^Возьмите заявки/);
  expect(appeal(many('reminder', 1, taken))).toMatch(/^Откройте и отметьте/);
  expect(entryOf(notificationOf()).action).toBe('Взять');
});

test('a notification marks a doubtful lead as possible spam, and a digest names its signals in words', () => {
  const doubt = (reason: Reason, ...signals: SpamSignal[]) =>
    entryOf(notificationOf({ reason, lead: { signals } })).doubt;
  expect(doubt('new', 'no-origin')).toBe('');
  expect(doubt('new', 'off-topic', 'link')).toBe('похоже на спам');
  expect(doubt('digest', 'topic', 'markup')).toBe('реклама услуг, код страницы');
  for (const signal of Object.keys(points) as SpamSignal[]) expect(doubt('digest', signal)).toMatch(/^[а-яё ,]+$/);
});

test.each([
  ['Добрый день!\nСколько стоит упаковка?', 'Добрый день! Сколько стоит упаковка?'],
  ['я'.repeat(300), `${'я'.repeat(199)}…`],
  [null, ''],
])('an entry quotes the first 200 characters of the message on one line: %j', (message, words) => {
  expect(entryOf(notificationOf({ lead: { message } })).words).toBe(words);
});

const labelled = (lead: Partial<Lead>) =>
  Object.fromEntries(facts(notificationOf({ lead }), site).map(({ label, value }) => [label, value]));

test('a missing name, message, campaign or calculation takes no line', () => {
  const bare = { name: null, phoneTyped: '+7 916 123-45-67', message: null, attribution: {} };
  expect(Object.keys(labelled(bare))).toEqual(['Телефон', 'Страница', 'Когда пришла']);
  expect(messageLines(notificationOf({ lead: bare }))).toEqual([]);
  expect(calculationLines(notificationOf({ lead: bare }))).toEqual([]);
});

test.each([
  ['+79161234567', '8 (916) 123-45-67', undefined],
  ['+79161234567', '9161234567', undefined],
  ['+79161234567', '+7 916 123 45 67 после 18:00', '+7 916 123 45 67 после 18:00'],
  ['+375291234567', '+375 29 123-45-67', undefined],
  ['+375291234567', '8 029 123-45-67', '8 029 123-45-67'],
  // The code of Russia can be left out; others cannot.
  ['+375291234567', '75 29 123-45-67', '75 29 123-45-67'],
])('the phone %s typed as «%s» is also quoted verbatim only if that says more', (phone, phoneTyped, kept) => {
  expect(labelled({ phone, phoneTyped })['Телефон дословно']).toBe(kept);
});

describe('a chat message', () => {
  const linked = (notifications: readonly Notification[]) =>
    notifications.map((one) => ({ ...one, takeUrl: `https://korob.example/take/${'x'.repeat(84)}${one.lead.number}` }));
  const markedIn = ({ text, entities }: ReturnType<typeof telegramText>) =>
    entities.map(({ type, offset, length, url }) => [type, text.slice(offset, offset + length), ...(url ? [url] : [])]);

  test('has a line for each lead with its number as the link, and marks the words of the visitor as code', () => {
    const other: Partial<Lead> = { signals: ['probe'], phone: '+375291234567', message: null };
    const notifications = linked(many('digest', 2, (n) => (n === 0 ? { signals: ['topic', 'crowd'] } : other)));
    const said = telegramText(notifications, true, site);
    expect(said.text.split('\n')).toEqual([
      headline(notifications, site),
      appeal(notifications),
      'Взять № 1: Заказать расчет, +7 916 123-45-67, реклама услуг, много заявок с одного адреса: Добрый день! Сколько стоит упаковка?',
      'Взять № 2: Заказать расчет, +375 29 123 45 67, попытка взлома',
      'Выпустить из карантина: leads release 1 2',
    ]);
    expect(markedIn(said)).toEqual([
      ['text_link', 'Взять № 1', notifications[0]?.takeUrl],
      ['code', 'Добрый день! Сколько стоит упаковка?'],
      ['text_link', 'Взять № 2', notifications[1]?.takeUrl],
      ['code', 'leads release 1 2'],
    ]);
  });

  test('fits every lead with its link, title and number into 4096 characters, or 4000 in MAX, for any input', () => {
    const leads = fc.array(hostileLead, { minLength: 1, maxLength: maxJoined });
    const reasons = fc.constantFrom<Reason>('new', 'due', 'reminder', 'summary', 'digest');
    fc.assert(
      fc.property(leads, reasons, fc.boolean(), (leads, reason, personalData) => {
        const notifications = linked(many(reason, leads.length, (n) => ({ ...leads[n], number: 2_000_000_000 + n })));
        const said = telegramText(notifications, personalData, site);
        expect(said.text.length).toBeLessThanOrEqual(4096);
        expect(said.text.isWellFormed()).toBe(true);
        // Telegram reads only the first hundred entities.
        expect(said.entities.length).toBeLessThan(100);
        const lines = said.text.split('\n');
        expect(lines).toHaveLength(2 + notifications.length + (reason === 'digest' ? 1 : 0));
        notifications.forEach(({ lead: { number }, takeUrl }, n) => {
          expect(lines[n + 2]).toMatch(new RegExp(`^Взять № ${number}: Заказать расчет`));
          expect(markedIn(said)).toContainEqual(['text_link', `Взять № ${number}`, takeUrl]);
        });
        const { text } = maxMessage(notifications, personalData, site);
        expect([text.length <= 4000, text.isWellFormed(), text.split('\n').length]).toEqual([true, true, lines.length]);
      }),
    );
  });

  test('shows the phone of every lead when it joins as many as allowed', () => {
    const presetTitle = 'Задайте интересующий вас вопрос о доставке';
    const lead: Partial<Lead> = { message: 'я'.repeat(500), signals: ['off-topic', 'link'] };
    const notifications = many('new', maxJoined, () => lead).map((one) => ({ ...one, presetTitle }));
    const { text } = telegramText(notifications, true, site);
    const line = /^Взять № \d+: Задайте интересующий вас вопрос…, \+7 916 123-45-67, похоже на спам(: яя+…)?$/;
    expect(
      text
        .split('\n')
        .slice(2)
        .filter((said) => line.test(said)),
    ).toHaveLength(maxJoined);
  });
});
