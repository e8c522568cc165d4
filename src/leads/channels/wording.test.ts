import { expect, test } from '@jest/globals';
import { notificationOf, site } from './testing.ts';
import { appeal, calculationLines, facts, headline, messageLines } from './wording.ts';

const labelled = (notification: ReturnType<typeof notificationOf>) =>
  Object.fromEntries(facts(notification, site).map(({ label, value }) => [label, value]));

test('the headline says which lead, what about and why, and nothing personal', () => {
  expect(headline(notificationOf())).toBe('Заявка № 12: Заказать расчет');
  expect(headline(notificationOf({ reason: 'untaken' }))).toBe('Заявку № 12 никто не взял: Заказать расчет');
  expect(headline(notificationOf({ reason: 'test' }))).toBe('Проверка уведомлений: звонить никому не нужно');
});

test('a test says that it is one', () => {
  expect(appeal(notificationOf({ reason: 'test' }))).toMatch(/^Это проверка, а не заявка/);
});

test('the facts are what a person on duty needs, in the time of the company', () => {
  expect(labelled(notificationOf())).toEqual({
    Имя: 'Анна',
    Телефон: '+7 916 123-45-67',
    'В поле телефона': '8 (916) 123-45-67 доб. 12',
    Страница: 'https://korob.example/services/packaging',
    Пришла: '20 ноября 2026 г. в 13:05 GMT+3',
    Реклама: 'utm_source: yandex',
  });
});

test('what is not there takes no line', () => {
  const bare = notificationOf({ lead: { name: null, phoneTyped: '+7 916 123-45-67', message: null, attribution: {} } });
  expect(Object.keys(labelled(bare))).toEqual(['Телефон', 'Страница', 'Пришла']);
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
  expect(labelled(notificationOf({ lead: { phone, phoneTyped } }))['В поле телефона']).toBe(kept);
});

test('numbers of other countries are written as they are abroad', () => {
  expect(labelled(notificationOf({ lead: { phone: '+375291234567' } })).Телефон).toBe('+375 29 123 45 67');
});

test.each([
  ['/rates', 'https://korob.example/rates'],
  ['@evil.example/', 'https://korob.example/@evil.example/'],
  ['//evil.example', 'https://korob.example'],
  ['javascript:alert(1)', 'https://korob.example'],
])('the page %s never leads off the site', (page, href) => {
  const links = facts(notificationOf({ lead: { page } }), site).flatMap((fact) => fact.href ?? []);
  expect(links).toEqual(['tel:+79161234567', href]);
});

test('a phone number that is none becomes no link', () => {
  const [, phone] = facts(notificationOf({ lead: { phone: 'javascript:alert(1)' } }), site);
  expect(phone).toEqual({ label: 'Телефон', value: 'javascript:alert(1)' });
});
