import { describe, expect, test } from '@jest/globals';
import { notificationOf, site } from '../../testing/channels.ts';
import { points, type SpamSignal } from '../spam/spam.ts';
import { appeal, calculationLines, entryOf, facts, headline, messageLines, releaseCommand } from './wording.ts';

const labelled = (notification: ReturnType<typeof notificationOf>) =>
  Object.fromEntries(facts(notification, site).map(({ label, value }) => [label, value]));

test('the headline says which lead, what about and why, and nothing personal', () => {
  expect(headline([notificationOf()], site)).toBe('Заявка № 12: Заказать расчет');
  expect(headline([notificationOf({ reason: 'untaken' })], site)).toBe('Заявку № 12 никто не взял: Заказать расчет');
  expect(headline([notificationOf({ reason: 'test' })], site)).toBe('Проверка уведомлений: звонить никому не нужно');
});

describe('of several leads', () => {
  const many = (reason: 'new' | 'untaken' | 'digest', count: number, ...dates: string[]) =>
    Array.from({ length: count }, (_, n) =>
      notificationOf({ reason, lead: { number: n + 1, receivedAt: dates[n] ?? '2026-11-20T20:59:00.000Z' } }),
    );

  test('the headline says how many and why', () => {
    expect(headline(many('new', 37), site)).toBe('37 новых заявок');
    expect(headline(many('new', 22), site)).toBe('22 новые заявки');
    expect(headline(many('untaken', 21), site)).toBe('21 заявку никто не взял');
    expect(headline(many('digest', 1), site)).toBe('В карантине 1 заявка за 20 ноября');
    const overWeekend = many('digest', 3, '2026-11-22T10:00:00Z', '2026-11-20T21:01:00Z', '2026-11-22T21:30:00Z');
    expect(headline(overWeekend, site)).toBe('В карантине 3 заявки за 21–23 ноября');
  });

  test('those in quarantine come with the command that lets them out', () => {
    expect(appeal(many('digest', 2))).toMatch(/^Похоже на спам/);
    expect(releaseCommand(many('digest', 2))).toBe('leads release 1 2');
    expect(releaseCommand(many('new', 2))).toBe('');
  });

  test('each says why it may be spam, if it may be, in words', () => {
    const doubt = (reason: 'new' | 'digest', ...signals: SpamSignal[]) =>
      entryOf(notificationOf({ reason, lead: { signals } })).doubt;
    expect(doubt('new', 'no-origin')).toBe('');
    expect(doubt('new', 'off-topic', 'link')).toBe('похоже на спам');
    expect(doubt('digest', 'topic', 'markup')).toBe('реклама услуг, код страницы');
    for (const signal of Object.keys(points) as SpamSignal[]) expect(doubt('digest', signal)).toMatch(/^[а-яё ,]+$/);
  });

  test('each has the first words of its message', () => {
    expect(entryOf(notificationOf()).words).toBe('Добрый день! Сколько стоит упаковка?');
    expect(entryOf(notificationOf({ lead: { message: 'я'.repeat(300) } })).words).toHaveLength(200);
    expect(entryOf(notificationOf({ lead: { message: null } })).words).toBe('');
  });
});

test('a test says that it is one', () => {
  expect(appeal([notificationOf({ reason: 'test' })])).toMatch(/^Это проверка, а не заявка/);
});

test('the facts are what a person on duty needs, in the time of the company', () => {
  expect(labelled(notificationOf())).toEqual({
    Имя: 'Анна',
    Телефон: '+7 916 123-45-67',
    'Телефон дословно': '8 (916) 123-45-67 доб. 12',
    Страница: 'https://korob.example/services/packaging',
    'Когда пришла': '20 ноября 2026 г. в 13:05',
    Реклама: 'utm_source: yandex',
  });
});

test('what is not there takes no line', () => {
  const bare = notificationOf({ lead: { name: null, phoneTyped: '+7 916 123-45-67', message: null, attribution: {} } });
  expect(Object.keys(labelled(bare))).toEqual(['Телефон', 'Страница', 'Когда пришла']);
  expect(messageLines(bare)).toEqual([]);
  expect(calculationLines(bare)).toEqual([]);
});

test.each([
  ['+79161234567', '8 (916) 123-45-67', undefined],
  ['+79161234567', '9161234567', undefined],
  ['+79161234567', '+7 916 123 45 67 после 18:00', '+7 916 123 45 67 после 18:00'],
  ['+375291234567', '+375 29 123-45-67', undefined],
  ['+375291234567', '8 029 123-45-67', '8 029 123-45-67'],
])('of %s typed as «%s» the spelling is kept if it says more', (phone, phoneTyped, kept) => {
  expect(labelled(notificationOf({ lead: { phone, phoneTyped } }))['Телефон дословно']).toBe(kept);
});

test('numbers of other countries are written as they are abroad', () => {
  expect(labelled(notificationOf({ lead: { phone: '+375291234567' } })).Телефон).toBe('+375 29 123 45 67');
});
