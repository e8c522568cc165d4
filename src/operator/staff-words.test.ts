import { expect, test } from '@jest/globals';
import { notificationOf, site } from '../testing/channels.ts';
import { deliveryWords, takenWords } from './staff-words.ts';

const at = '2026-11-20T06:05:00.000Z';

test.each([
  ['mail:sales@korob.example', 'по ссылке из письма на sales@korob.example', 'Почта sales@korob.example'],
  ['telegram', 'по ссылке из Telegram', 'Telegram'],
  ['bitrix24', 'по ссылке из Битрикс24', 'Битрикс24'],
  ['webhook', 'по ссылке из уведомления', 'Вебхук'],
  ['pager', 'по ссылке из уведомления', 'pager'],
])('of the channel %s is said in words who took a lead by it, and to whom it told of one', (channel, way, name) => {
  const { lead } = notificationOf({ lead: { takenAt: at, takenBy: channel } });
  expect(takenWords(lead, site.timeZone)).toBe(`Заявку взяли 20 ноября 2026 г. в 9:05 ${way}.`);
  const told = { id: 'one', channel, reason: 'new', state: 'delivered', attempts: 1, at, error: null } as const;
  expect(deliveryWords(told, new Date(at), site.timeZone)).toBe(`${name}: доставлено в 9:05`);
});

test.each([['desk:Анна', ': Анна.']])('who took a lead by no channel, but %s, is said in words', (takenBy, way) => {
  const { lead } = notificationOf({ lead: { takenAt: at, takenBy } });
  expect(takenWords(lead, site.timeZone)).toBe(`Заявку взяли 20 ноября 2026 г. в 9:05${way}`);
  expect(takenWords({ ...lead, takenAt: null }, site.timeZone)).toBeUndefined();
});
