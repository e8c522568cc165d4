import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hostileLead, notificationOf, site } from '../../tests/support/channels.ts';
import { keptLead } from '../../tests/support/sample-leads.ts';
import { maxJoined } from '../channels/channel.ts';
import { maxMessage } from '../channels/max.ts';
import { telegramText } from '../channels/telegram.ts';
import { type SpamSignal, signalScores } from '../spam/spam.ts';
import type { Lead } from '../store/lead.ts';
import { actionOf, calculationLines, doubtOf, excerptOf, factsOf, messageLines } from './lead-facts.ts';
import { appeal, headline, type Notification } from './notification.ts';

type Reason = Notification['reason'];

const many = (reason: Reason, count: number, lead: (n: number) => Partial<Lead> = () => ({})) =>
  Array.from({ length: count }, (_, n) => notificationOf({ reason, lead: { number: n + 1, ...lead(n) } }));

const taken = () => ({ state: 'taken' as const });
const done = () => ({ state: 'done' as const });
const doubtful = (): Partial<Lead> => ({ signals: ['off-topic', 'link'] });
const received = (n: number) => ({ receivedAt: ['2026-11-22T21:30:00Z', '2026-11-20T21:01:00Z'][n] ?? '' });

test.each<[headline: string, appeal: RegExp, Notification[]]>([
  ['Заявка № 1: Заказать расчет', /^Возьмите заявку/, many('new', 1)],
  ['Похоже на спам. Заявка № 1: Заказать расчет', /^Может быть, это спам/, many('new', 1, doubtful)],
  ['Заявка № 1: Заказать расчет', /^Ею уже занялись/, many('new', 1, taken)],
  ['2 новые заявки', /^Возьмите заявки/, many('new', 2, (n) => (n === 0 ? taken() : doubtful()))],
  ['Заявку № 1 никто не взял: Заказать расчет', /^Человек ждёт/, many('reminder', 1, doubtful)],
  ['21 заявку никто не взял', /^Люди ждут/, many('reminder', 21)],
  ['Чем кончился разговор по заявке № 1: Заказать расчет', /^Откройте/, many('reminder', 1, taken)],
  ['Пора звонить по заявке № 1: Заказать расчет', /^По ней/, many('due', 1, taken)],
  ['С утра ждёт 1 заявка', /^Где ещё не/, many('morningDigest', 1)],
  ['В карантине 2 заявки за 21–23 ноября', /^Похоже на спам/, many('quarantineDigest', 2, received)],
  ['Проверка уведомлений: звонить никому не нужно', /^Это проверка/, many('test', 1)],
])('a message is titled «%s», without personal data, and asks %s', (title, request, notifications) => {
  expect(headline(notifications, site)).toBe(title);
  expect(appeal(notifications)).toMatch(request);
});

test('the link of a lead that a colleague has taken opens the lead instead of taking it', () => {
  const actions = [{}, taken(), done()].map((about) => actionOf(keptLead(about)));
  expect(actions).toEqual(['Взять', 'Открыть', 'Открыть']);
});

test('a doubtful lead is marked as possible spam, and one in quarantine with its signals in words', () => {
  const doubt = (state: Lead['state'], ...signals: SpamSignal[]) => doubtOf(keptLead({ state, signals }));
  expect(doubt('waiting', 'no-origin')).toBe('');
  expect(doubt('waiting', 'off-topic', 'link')).toBe('похоже на спам');
  for (const signal of Object.keys(signalScores) as SpamSignal[])
    expect(doubt('quarantined', signal)).toMatch(/^[а-яё ,]+$/);
});

test.each([
  ['Добрый день!\nСколько стоит упаковка?', 'Добрый день! Сколько стоит упаковка?'],
  ['я'.repeat(300), `${'я'.repeat(199)}…`],
  [null, ''],
])('an excerpt has the first 200 characters of the message on one line: %j', (message, excerpt) => {
  expect(excerptOf(keptLead({ message }))).toBe(excerpt);
});

const labelled = (lead: Partial<Lead>) =>
  Object.fromEntries(factsOf(keptLead(lead), site).map(({ label, value }) => [label, value]));

test('a missing name, message, campaign or calculation takes no line', () => {
  const bare = { name: null, phoneTyped: '+7 916 123-45-67', message: null, attribution: {} };
  expect(Object.keys(labelled(bare))).toEqual(['Телефон', 'Страница', 'Когда пришла']);
  expect([messageLines(keptLead(bare)), calculationLines(keptLead(bare))]).toEqual([[], []]);
});

test.each([
  ['+79161234567', '8 (916) 123-45-67', undefined],
  ['+79161234567', '+7 916 123 45 67 после 18:00', '+7 916 123 45 67 после 18:00'],
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
    const first: Partial<Lead> = { state: 'quarantined', signals: ['topic', 'shared-address'] };
    const other: Partial<Lead> = { state: 'quarantined', signals: ['probe'], phone: '+375291234567', message: null };
    const notifications = linked(many('quarantineDigest', 2, (n) => (n === 0 ? first : other)));
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
    const reasons = fc.constantFrom<Reason>('new', 'due', 'reminder', 'morningDigest', 'quarantineDigest');
    fc.assert(
      fc.property(leads, reasons, fc.boolean(), (leads, reason, personalData) => {
        const notifications = linked(many(reason, leads.length, (n) => ({ ...leads[n], number: 2_000_000_000 + n })));
        const said = telegramText(notifications, personalData, site);
        expect(said.text.length).toBeLessThanOrEqual(4096);
        expect(said.text.isWellFormed()).toBe(true);
        // Telegram reads only the first hundred entities.
        expect(said.entities.length).toBeLessThan(100);
        const lines = said.text.split('\n');
        expect(lines).toHaveLength(2 + notifications.length + (reason === 'quarantineDigest' ? 1 : 0));
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
