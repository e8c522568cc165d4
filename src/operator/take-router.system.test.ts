import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Channel, Notification } from '../leads/channels/channel.ts';
import { callTime } from '../model/working-hours.ts';
import { eventually } from '../testing/eventually.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { startTestSite, type TestSite } from '../testing/test-site.ts';

let site: TestSite;
let told: Notification[];

function channel(name: string): Channel {
  return {
    ...{ kind: 'webhook', name, parallel: 4 },
    joins: true,
    deliver: async (notifications) => void told.push(...notifications),
  };
}

beforeEach(async () => {
  told = [];
  site = await startTestSite({ channels: [channel('chat'), channel('boss')], later: ['boss'] });
});
afterEach(() => site.close());

const form = {
  preset: 'request',
  key: 'key-of-a-form',
  name: 'Анна <b>',
  phone: '8 (916) 123-45-67 доб. 12',
  message: 'Сколько стоит\nупаковка - 300-400 шт?',
  consent: 'yes',
};

/** Sends a request and waits until a channel is told. @returns paths of the page that takes it and of the receipt */
async function sent(): Promise<{ path: string; receipt: string }> {
  const { headers } = await site.post(form);
  await eventually(() => told.length > 0);
  const url = new URL((told[0] as Notification).takeUrl);
  expect(url.origin).toBe('http://localhost:3000');
  return { path: url.pathname, receipt: String(headers.location) };
}

const mainOf = async (path: string) => textOf(one(parseHtml((await site.request(path)).text), 'main'));

describe('the link of a notification', () => {
  test('shows whom to call and why, and takes nothing by being looked at', async () => {
    const { path } = await sent();
    const { status, text, headers } = await site.request(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(text).toContain('href="tel:+79161234567"');
    expect(text).toContain('Анна &lt;b&gt;');
    expect(text).toContain('доб. 12');
    expect(text).toContain(form.message);
    expect(text).not.toContain('Расчёт');
    expect(text).toContain('<meta name="robots" content="noindex">');
    await site.request(path, { method: 'HEAD' });
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'new', takenAt: null });
  });

  test('shows the calculation as a table, and when a call was promised', async () => {
    const { content } = site.services.site;
    await site.post({ ...form, calc: new URLSearchParams(content.calculator.example).toString() });
    await eventually(() => told.length, 1);
    const { lead, takeUrl } = told[0] as Notification;
    const main = one(parseHtml((await site.request(new URL(takeUrl).pathname)).text), 'main');
    expect(all(one(one(main, 'table'), 'tbody'), 'tr')).toHaveLength(lead.calculation?.rows.length ?? 0);
    expect(one(main, 'details').attrs).toHaveProperty('open');
    const promised = callTime(content.company.workingHours, new Date(lead.receivedAt));
    expect(textOf(main)).toContain(textOf(`Мы обещали позвонить ${promised}.`));
  });

  test('takes the lead by POST; the visitor’s receipt says so, and whoever is late learns who was first', async () => {
    const { path, receipt } = await sent();
    expect(await mainOf(receipt)).not.toContain('взял вашу заявку');
    const taken = await site.request(path, { method: 'POST' });
    expect([taken.status, taken.headers.location]).toEqual([303, path]);
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'taken', takenBy: 'chat' });
    expect(await mainOf(receipt)).toContain('Менеджер взял вашу заявку');
    const { takenAt } = (await site.services.leads.find(1)) ?? {};
    expect((await site.request(path, { method: 'POST' })).status).toBe(303);
    expect((await site.services.leads.find(1))?.takenAt).toBe(takenAt);
    expect(await mainOf(path)).toMatch(/Заявку взяли .+ по ссылке из уведомления/);
    expect((await site.request(path)).text).not.toContain('Беру заявку');
  });

  test('that was tampered with, or whose lead is gone, is a 404 that says why', async () => {
    const { path } = await sent();
    for (const wrong of [`${path}x`, '/take/abc', '/take/ы.ы']) {
      for (const method of ['GET', 'POST']) {
        expect((await site.request(encodeURI(wrong), { method })).status).toBe(404);
      }
    }
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'new' });
    await site.services.leads.erase('+79161234567');
    expect((await site.request(path)).status).toBe(404);
    expect(await mainOf(path)).toContain('Ссылка больше не действует');
    expect((await site.request(path, { method: 'POST' })).status).toBe(404);
  });

  test('ends when all are revoked', async () => {
    const { path } = await sent();
    expect((await site.request(path)).status).toBe(200);
    await site.services.links.revokeAll();
    expect((await site.request(path)).status).toBe(404);
    expect((await site.request(path, { method: 'POST' })).status).toBe(404);
  });

  test('is nowhere in the log', async () => {
    const { path } = await sent();
    await site.request(path);
    await site.request(path, { method: 'POST' });
    expect(site.logs.join('')).toContain('/take/:token');
    expect(site.logs.join('')).not.toContain(path.slice('/take/'.length));
    expect(site.logs.join('')).not.toMatch(/Анна|9161234567/);
  });
});

describe('a lead in quarantine', () => {
  test('is told to nobody until it is released', async () => {
    await site.post({ ...form, website: 'https://spam.example' }, { 'sec-fetch-site': undefined });
    const { leads, deliveries } = site.services;
    expect(await leads.find(1)).toMatchObject({ state: 'quarantined' });
    expect(await deliveries.of(1)).toEqual([]);
    expect(await deliveries.untaken('2100-01-01T00:00:00.000Z', 10)).toEqual([]);
    expect(await deliveries.release(1, { quarantined: false, channels: ['chat'], escalateAt: null })).toBe(true);
    await eventually(() => told.length > 0);
    expect(told[0]).toMatchObject({ reason: 'new', lead: { number: 1 } });
  });

  test('is shown by the link of a digest, and whoever takes it has it', async () => {
    await site.post({ ...form, website: 'https://spam.example' }, { 'sec-fetch-site': undefined });
    const { leads, deliveries } = site.services;
    expect(await deliveries.digest('a day', ['chat'], 10)).toBe(1);
    await eventually(() => told.length > 0);
    expect(told).toMatchObject([{ reason: 'digest', lead: { number: 1, state: 'quarantined' } }]);
    const path = new URL((told[0] as Notification).takeUrl).pathname;
    expect(await mainOf(path)).toContain('Беру заявку');
    expect((await site.request(path, { method: 'POST' })).status).toBe(303);
    expect(await leads.find(1)).toMatchObject({ state: 'taken', takenBy: 'chat' });
    expect(await mainOf(path)).toMatch(/Заявку взяли .+ по ссылке из уведомления/);
    expect(await deliveries.release(1, { quarantined: false, channels: ['chat'], escalateAt: null })).toBe(false);
  });
});
