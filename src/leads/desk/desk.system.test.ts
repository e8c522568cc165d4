import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import Papa from 'papaparse';
import { limits } from '../../http/limits.ts';
import { localTime } from '../../lib/calendar.ts';
import { tidyLine } from '../../lib/tidy.ts';
import { presetTitle } from '../../model/preset-title.ts';
import { instant, type Span, workingFrom } from '../../model/working-hours.ts';
import { asForm } from '../../tests/support/ask.ts';
import { atEnd } from '../../tests/support/at-end.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { siteUrl } from '../../tests/support/built.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { fakeBroadcast } from '../../tests/support/fake-broadcast.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../../tests/support/html.ts';
import { act, arrival, keptLead, newLead } from '../../tests/support/sample-leads.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { filledForm, limitersAfter, shownSite, startTestSite, type TestSite } from '../../tests/support/test-site.ts';
import type { Channel } from '../channels/channel.ts';
import { startLeadIntake } from '../intake/lead-intake.ts';
import { promisedCall, waitOf } from '../messages/desk-phrases.ts';
import type { Notification } from '../messages/notification.ts';
import { type Arrival, leadTitles, type NewLead } from '../store/lead.ts';
import { storeIn } from '../store/open-store.ts';
import { openDatabase } from '../store/sqlite.ts';

const shown = await shownSite({ integrations: { metrikaId: '12345678', videoHosts: ['video.example'] } });
const { content } = shown;
const { timeZone } = content.company.workingHours;

/** Each test gets a new site with an empty store. */
let site: TestSite;
/** The notifications that its channel delivered. */
let notifications: Notification[];

async function start(overrides: Parameters<typeof startTestSite>[0] = {}): Promise<void> {
  const heard: Notification[] = [];
  notifications = heard;
  const deliver: Channel['deliver'] = async (some) => void heard.push(...some);
  site = await startTestSite({
    site: shown,
    channels: [{ name: 'chat', parallel: 1, deliver }],
    ...overrides,
  });
}

beforeEach(() => start());

const add = (about: Partial<NewLead> = {}, what: Arrival = arrival) =>
  site.services.leads.add(newLead({ key: randomUUID(), ...about }), what);
const quarantine = (about: Partial<NewLead> = {}) =>
  add({ signals: ['honeypot', 'link'], ...about }, { ...arrival, quarantined: true });
const lead = (number: number) => site.services.leads.find(number);

/** A link to the desk, or to a lead. @returns its secret */
const link = (name: string, { to = null, days = 1 }: { to?: number | null; days?: number } = {}): Promise<string> =>
  site.services.links.add({ lead: to, name, until: new Date(Date.now() + days * 86_400_000).toISOString() });

const mainOf = ({ text }: { text: string }): Element => one(parseHtml(text), 'main');

/** The browser of a person at the desk. */
function at(secret: string) {
  // Browsers of staff also send the cookies of other programs on the domain.
  const cookie = `other=${'1'.repeat(8_000)}; desk=${secret}`;
  const open = (path: string) => site.request(path, { headers: { cookie } });
  return {
    open,
    send: (path: string, fields: Record<string, string> | URLSearchParams = {}, headers = {}) =>
      site.request(path, asForm(fields, { headers: { cookie, ...headers } })),
    async main(path: string): Promise<Element> {
      const answer = await open(path);
      expect([path, answer.status]).toEqual([path, 200]);
      return mainOf(answer);
    },
    async text(path: string): Promise<string> {
      return textOf(await this.main(path));
    },
  };
}

const staff = async (name = 'Анна') => at(await link(name));

/** The POST forms of a page, without the sign-out form that every page has. */
const forms = (main: Element) =>
  all(main, 'form').filter(({ attrs }) => attrs.method === 'post' && attrs.action !== '/desk/leave');

/** Fields of the form whose button has this text, as the browser sends them when it is pressed. */
function pressed(main: Element, text: string): { action: string; method?: string; fields: URLSearchParams } {
  for (const form of all(main, 'form')) {
    const button = all(form, 'button').find((one) => textOf(one) === text);
    if (button === undefined) continue;
    const fields = new URLSearchParams(formData(form));
    if (button.attrs.name) fields.set(button.attrs.name, button.attrs.value ?? '');
    return { action: form.attrs.action ?? '', method: form.attrs.method, fields };
  }
  throw new Error(`there is no button ${text}`);
}

const logged = (message: string) =>
  site.logs.map((line) => JSON.parse(line)).filter(({ msg }: { msg: string }) => msg === message);

describe('the link to the desk', () => {
  test.each(['http', 'https'])('sets a cookie on %s, and its secret appears in no log', async (scheme) => {
    await start({ siteUrl: `${scheme}://korob.example` });
    const secret = await link('Анна');
    const { status, headers } = await site.request(`/desk/link/${secret}`);
    expect([status, headers]).toMatchObject([
      303,
      { location: '/desk', 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
    ]);
    const secure = scheme === 'https' ? ' Secure;' : '';
    expect(String(headers['set-cookie'])).toMatch(
      new RegExp(`^desk=${secret}; Path=/desk; Expires=[^;]+ GMT; HttpOnly;${secure} SameSite=Lax$`),
    );
    expect(await at(secret).text('/desk')).toContain('по ссылке на имя Анна');
    await at(secret).send('/desk/leave');
    expect(logged('desk left')).toMatchObject([{ by: 'Анна' }]);
    expect(site.logs.join('')).not.toContain(secret);
  });

  test('returns 403 when it is unknown, expired, revoked or for a single lead', async () => {
    await add();
    const [good, revoked] = [await link('Анна'), await link('Вера')];
    await site.services.links.revoke('Вера');
    const others = [await link('Борис', { days: -1 }), await link('chat', { to: 1 })];
    for (const secret of ['', `${good}x`, revoked, ...others]) {
      const stranger = at(secret);
      for (const answer of [
        await stranger.open('/desk/nothing'),
        await stranger.send('/desk/leads/1', { action: 'take' }),
      ]) {
        expect([answer.status, answer.headers['cache-control']]).toEqual([403, 'no-store']);
        expect(answer.text).toContain('Стол заявок открывают по\u00A0личной ссылке');
      }
      const opened = await site.request(`/desk/link/${secret}`);
      expect([opened.status, opened.headers['set-cookie']]).toEqual([403, undefined]);
    }
    expect(await lead(1)).toMatchObject({ state: 'waiting' });
    expect((await site.request(`/take/${good}`)).status).toBe(404);
  });

  test('returns 429 beyond the rate limit for guesses, as does the link of a notification, and valid links keep working', async () => {
    await start({ limiters: limitersAfter({ requests: limits.requests.limit }) });
    await add();
    const [secret, token] = [await link('Анна'), await link('chat', { to: 1 })];
    const guess = 'x'.repeat(43);
    const guessed = ['GET', 'POST'].map((method) => site.request(`/take/${guess}`, { method }));
    const unknown = [at(guess).open('/desk'), at(guess).open(`/desk/link/${guess}`), at('').send('/desk/leave')];
    expect((await Promise.all([...guessed, ...unknown])).map(({ status }) => status)).toEqual(Array(5).fill(429));
    const opened = [at(secret).open(`/desk/link/${secret}`), at(secret).open('/desk'), site.request(`/take/${token}`)];
    const pressed = [
      at(secret).send('/desk/leads/1', { action: 'take' }),
      site.request(`/take/${token}`, asForm({}, {})),
    ];
    const statuses = (await Promise.all([...opened, ...pressed])).map(({ status }) => status);
    expect(statuses).toEqual([303, 200, 200, 303, 200]);
  });
});

test('every answer of the desk has no-store and noindex, and no analytics, and every page has no-referrer', async () => {
  await add();
  const anna = await staff();
  for (const [path, ...wanted] of [
    ['', 200, 405],
    ['/broadcast', 200, 422],
    ['/export', 200, 405],
    ['/link/x', 403, 405],
    ['/leads/1', 200, 422],
    ['/leads/2', 404, 404],
    ['/leads/1/resend', 405, 303],
    ['/leads/0', 404, 404],
    ['/leads/99999999999', 404, 404],
    ['/find', 405, 200],
    ['/leads?after=x', 404, 405],
    ['/nothing', 404, 404],
  ] as const) {
    const answers = [await anna.open(`/desk${path}`), await anna.send(`/desk${path}`)];
    expect([path, ...answers.map(({ status }) => status)]).toEqual([path, ...wanted]);
    for (const { status, headers, text } of answers) {
      expect([path, headers]).toMatchObject([path, { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' }]);
      if (status === 200) expect(headers['referrer-policy']).toBe('no-referrer');
      if (status === 405)
        expect([path, headers.allow]).toEqual([path, /resend|find/.test(path) ? 'POST' : 'GET, HEAD']);
      expect(String(headers['content-security-policy']) + text).not.toMatch(/mc\.yandex|12345678/);
    }
  }
  for (const path of ['//desk/link/x', '/DESK/LINK/x', '/%64esk/link/x'])
    expect([path, (await site.request(path)).status >= 400]).toEqual([path, true]);
  expect((await site.request('/robots.txt')).text).toContain('\nDisallow: /desk\n');
});

test.each([
  ['another site', 403, { 'sec-fetch-site': 'cross-site' }],
  ['another host of the domain', 403, { 'sec-fetch-site': 'same-site' }],
  ['an unknown origin, by an old browser', 303, { 'sec-fetch-site': undefined, origin: 'null' }],
])('a desk form sent from %s returns %d', async (_, status, headers) => {
  await add();
  const anna = await staff();
  for (const path of ['/desk/leads/1', '/desk/leave'])
    expect([path, (await anna.send(path, { action: 'take' }, headers)).status]).toEqual([path, status]);
  expect(await lead(1)).toMatchObject({ state: status === 403 ? 'waiting' : 'taken' });
});

describe('leads at the desk', () => {
  test('are listed with those that wait on top, longest waiting first, then those without an outcome, those planned and those finished today', async () => {
    const names = ['Первый', 'Второй', 'Третий', 'Четвёртый', 'Пятый', 'Шестой', 'Седьмой'];
    for (const name of names) await add({ name });
    await quarantine({ name: 'Спамер' });
    const { leads } = site.services;
    const at = (seconds: number) => new Date(Date.now() + seconds * 1_000);
    for (const number of [2, 3, 4, 5, 6]) await act(leads, number, 'take', { by: 'desk:Борис' });
    await act(leads, 3, 'talked');
    await act(leads, 7, 'notOurs');
    await act(leads, 5, 'missed', { callAt: at(3_600) });
    await act(leads, 6, 'missed', { callAt: at(60) });
    await act(leads, 4, 'return', { callAt: at(-10_000) });
    const main = await (await staff()).main('/desk');
    const lists = all(main, 'section').map(textOf);
    expect(lists).toHaveLength(4);
    expect(lists[0]).toMatch(/^Ждут звонка.*№ 4\. .*Четвёртый.*№ 1\. .*Первый \+7 916 123-45-67/);
    expect(lists[1]).toMatch(/^Взяты, итога ещё нет.*: Борис№ 2\. .*Второй/);
    expect(lists[2]).toMatch(/^Перезвонить.*, перезвонить .*№ 6\. .*Шестой.*№ 5\. .*Пятый/);
    expect(lists[3]).toMatch(/^Закончены сегодня.*, не наша .*: Анна№ 7\. .*Седьмой.*, поговорили .*№ 3\. .*Третий/);
    expect(lists.map((list) => list.match(/№ \d/g)?.length)).toEqual([2, 1, 2, 2]);
    expect(textOf(main)).not.toContain('Спамер');
    expect(textOf(one(main, 'a[href="/desk/quarantine"]'))).toBe('Карантин, 1');
    expect(all(main, 'a[href="tel:+79161234567"]')).toHaveLength(7);
  });

  const planned = '2099-01-01T00:00:00.000Z';
  test.each([
    ['/desk', 'waiting', '2026-01-01T00:00:00.000Z', 'Ждут звонка'],
    ['/desk', 'waiting', planned, 'Перезвонить'],
    ['/desk', 'done', planned, 'Закончены сегодня'],
    ['/desk/quarantine', 'quarantined', planned, 'Карантин'],
    ['/desk/find', 'waiting', planned, 'Поиск'],
  ])('are all behind «Следующие» at %s, if they are %s since %s', async (path, state, since, heading) => {
    for (let n = 0; n < 205; n++) await add();
    await site.sql.query('UPDATE lead SET state = $1, since = $2', [state, since]);
    const anna = await staff();
    const { phone } = newLead();
    let main = path.endsWith('find') ? mainOf(await anna.send(path, { query: phone })) : await anna.main(path);
    const seen: number[] = [];
    for (const count of [100, 100, 5]) {
      const list = all(main, 'section').find((one) => textOf(one).startsWith(heading)) ?? main;
      const shown = all(list, '.desk-lead').map((one) => Number(/№\s(\d+)/.exec(textOf(one))?.[1]));
      expect(shown).toHaveLength(count);
      seen.push(...shown);
      if (count === 5) break;
      const { action, method = 'get', fields } = pressed(main, 'Следующие');
      main = method === 'get' ? await anna.main(`${action}?${fields}`) : mainOf(await anna.send(action, fields));
    }
    expect(new Set(seen).size).toBe(205);
  });

  test('in quarantine show the reason, and are released with a button', async () => {
    await quarantine();
    await quarantine();
    const anna = await staff();
    const main = await anna.main('/desk/quarantine');
    expect(textOf(main)).toContain('Почему: заполнено поле, которого не видно, ссылка.');
    const { action, fields } = pressed(main, 'Выпустить № 1');
    expect((await anna.send(action, fields)).headers.location).toBe('/desk/leads/1');
    expect(await lead(1)).toMatchObject({ state: 'waiting' });
    expect(await site.services.deliveries.of(1)).toMatchObject([{ channel: 'chat', reason: 'new' }]);
    expect(logged('lead released')).toMatchObject([{ lead: 1, by: 'Анна' }]);
    expect(await anna.text('/desk/leads/2')).toContain('Заявка в карантине, о ней никому не сообщали: заполнено');
  });
});

describe('a lead at the desk', () => {
  test('belongs to the first person who takes it, and the second one sees who that is', async () => {
    await add();
    const [anna, boris] = [await staff('Анна'), await staff('Борис')];
    const { action, fields } = pressed(await anna.main('/desk/leads/1'), 'Беру заявку');
    for (const who of [anna, boris]) expect((await who.send(action, fields)).headers.location).toBe('/desk/leads/1');
    expect(await lead(1)).toMatchObject({ state: 'taken', takenBy: 'desk:Анна' });
    expect(await boris.text('/desk/leads/1')).toMatch(/Заявку взяли .+: Анна\./);
    expect(logged('lead taken')).toMatchObject([{ lead: 1, by: 'Анна' }]);
  });

  test('gets its outcome by a button, returns to the queue, and shows who did what', async () => {
    await add();
    const anna = await staff();
    const press = async (text: string) => {
      const { action, fields } = pressed(await anna.main('/desk/leads/1'), text);
      for (const _ of [1, 2]) expect((await anna.send(action, fields)).status).toBe(303);
      return (await lead(1))?.state;
    };
    for (const [text, state] of [
      ['Беру заявку', 'taken'],
      ['Поговорили', 'done'],
      ['Вернуть в очередь', 'waiting'],
      ['Беру заявку', 'taken'],
      ['через час', 'waiting'],
      ['Не наша заявка', 'done'],
    ]) {
      expect([text, await press(text as string)]).toEqual([text, state]);
    }
    const history = all(await anna.main('/desk/leads/1'), 'ol.desk-notes > li').map(textOf);
    expect(history.map((line) => line.startsWith('Анна'))).toEqual(Array(6).fill(true));
  });

  test('is called again at a chosen time, or returns 422 and keeps what was typed', async () => {
    await add();
    await act(site.services.leads, 1, 'take');
    const anna = await staff();
    const { action, fields } = pressed(await anna.main('/desk/leads/1'), 'Перезвонить в это время');
    const soon = localTime(new Date(Date.now() + 86_400_000), timeZone).date;
    for (const [typed, words] of [
      ['', 'Укажите день и время'],
      ['2020-01-01T10:00', 'Укажите день и время'],
      [`${Number(soon.slice(0, 4)) + 1}-01-01T10:00`, 'не дальше 30 дней'],
    ] as const) {
      fields.set('callAt', typed);
      const answer = await anna.send(action, fields);
      expect([typed, answer.status]).toEqual([typed, 422]);
      const page = parseHtml(answer.text);
      expect(textOf(one(page, 'title'))).toMatch(/^Ошибка: /);
      expect(textOf(one(page, '[role="alert"]'))).toContain(words);
      expect(one(page, '[name="callAt"]').attrs.value).toBe(typed);
      expect(await lead(1)).toMatchObject({ state: 'taken' });
    }
    fields.set('callAt', `${soon.split('-').reverse().join('.')} 12:00`);
    expect((await anna.send(action, fields)).status).toBe(303);
    const chosen = new Date(instant(soon, '12:00', timeZone));
    const { workingHours } = content.company;
    const expected = workingFrom(workingHours, chosen);
    expect(await lead(1)).toMatchObject({ state: 'waiting', since: expected?.toISOString() });
  });

  test('shows how many leads have the same phone, and finds them', async () => {
    for (const phone of ['+79161234567', '+79161234567', '+79160000000']) await add({ phone });
    const anna = await staff();
    const { action, fields } = pressed(await anna.main('/desk/leads/1'), 'С этого номера ещё 1 заявка');
    const found = await anna.send(action, fields);
    expect(textOf(mainOf(found)).match(/№ \d/g)).toEqual(['№ 2', '№ 1']);
    expect(await anna.text('/desk/leads/3')).not.toContain('С этого номера');
  });

  test('is found by its number or by any spelling of its phone, which is in no address and no log', async () => {
    await add();
    await add({ phone: '+79160000000' });
    const anna = await staff();
    const find = (query: string) => anna.send('/desk/find', { query });
    expect((await find(' № 2 ')).headers.location).toBe('/desk/leads/2');
    const found = await find('8 (916) 123-45-67');
    expect([found.status, textOf(mainOf(found)).match(/№ \d/g)]).toEqual([200, ['№ 1']]);
    expect(one(mainOf(found), '[name="query"]').attrs.value).toBe('8 (916) 123-45-67');
    for (const query of ['', '7', '+7 916 999-99-99', 'Анна', 'ы'.repeat(5_000)]) {
      expect(textOf(mainOf(await find(query)))).toContain('Ничего не нашлось');
    }
    expect(site.logs.join('')).not.toMatch(/123-45-67|9161234567/);
  });

  test('is sent again to a channel that gave it up, once, and only if the channel is configured', async () => {
    await add({}, { ...arrival, channels: ['chat', 'pager'] });
    await eventually(() => notifications.length, 1);
    await site.sql.query('UPDATE delivery SET delivered_at = NULL, given_up_at = due_at');
    const anna = await staff();
    const main = await anna.main('/desk/leads/1');
    expect(all(main, 'button').filter((one) => textOf(one) === 'Отправить ещё раз')).toHaveLength(1);
    const { action, fields } = pressed(main, 'Отправить ещё раз');
    for (const _ of [1, 2]) expect((await anna.send(action, fields)).headers.location).toBe('/desk/leads/1');
    await eventually(() => notifications.length, 2);
    expect(notifications[1]?.deliveryId).toBe(notifications[0]?.deliveryId);
    expect(logged('notification sent again')).toMatchObject([{ lead: 1, by: 'Анна', channel: 'chat' }]);
    fields.set('channel', 'pager');
    expect((await anna.send(action, fields)).status).toBe(303);
    expect(await site.services.deliveries.of(1)).toMatchObject([{ state: 'delivered' }, { state: 'dead' }]);
  });

  test('shows its deliveries and its notes, each once and with its author', async () => {
    await add({}, { ...arrival, channels: ['chat'] });
    for (const [name, text] of [
      ['Анна', ' Не отвечает\r\n"<b>" '],
      ['Борис', 'Дозвонился'],
    ] as const) {
      const who = await staff(name);
      const { action, fields } = pressed(await who.main('/desk/leads/1'), 'Записать');
      fields.set('text', text);
      for (const _ of [1, 2]) expect((await who.send(action, fields)).status).toBe(303);
    }
    const main = await (await staff()).main('/desk/leads/1');
    expect(textOf(one(main, 'ol.desk-notes'))).toMatch(/^Анна,.*Не отвечает "<b>"Борис,.*Дозвонился$/);
    expect(textOf(main)).toContain('Кому сообщилиchat: ');
    expect(site.logs.join('')).not.toContain('отвечает');
  });

  test('returns 422 with the form of the note when the note is blank, too long or too late', async () => {
    await add();
    const anna = await staff();
    const write = (text: string) => anna.send('/desk/leads/1/notes', { key: 'key-of-a-note', text });
    for (const text of [' \u200b ', 'ы'.repeat(1_001)]) {
      const answer = await write(text);
      expect(answer.status).toBe(422);
      const page = parseHtml(answer.text);
      expect(textOf(one(page, 'title'))).toMatch(/^Ошибка: /);
      one(page, '[role="alert"]');
      expect(pressed(one(page, 'main'), 'Записать').fields.get('key')).toBe('key-of-a-note');
    }
    expect(await lead(1)).toMatchObject({ events: [] });
    expect((await write('ы'.repeat(1_000))).status).toBe(303);
    await site.sql.query(`UPDATE lead SET stripped_at = '2026-01-01T00:00:00.000Z'`);
    const late = await write('Поздно');
    expect([late.status, late.text.includes('Поздно')]).toEqual([422, true]);
  });
});

describe('the table of leads', () => {
  const download = async (days: Record<string, string> = {}) =>
    (await staff()).open(`/desk/export?${new URLSearchParams(days)}`);

  test('holds all leads with codes as words and formulas escaped', async () => {
    await add({ message: '=1+1' });
    await quarantine();
    await act(site.services.leads, 1, 'take');
    const { headers, text } = await download();
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(/^attachment; filename=zayavki-\d{4}-\d\d-\d\d\.csv$/),
    });
    const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });
    const preset = tidyLine(presetTitle(content, newLead().preset));
    const { state, takenBy, signals, message } = leadTitles;
    expect(data).toMatchObject([
      { [state]: 'взята', [takenBy]: 'Анна', [leadTitles.preset]: preset, [message]: "'=1+1" },
      { [state]: 'в карантине', [signals]: 'заполнено поле, которого не видно, ссылка' },
    ]);
  });

  test('holds the leads of the given days, and returns 422 when a day is invalid', async () => {
    const days = { from: '2026-03-02', to: '2026-03-02' };
    for (const day of ['2026-03-01', '2026-03-02'])
      await atMoment(instant(day, '12:00', timeZone), () => add({ name: `Имя ${day}` }));
    const { headers, text } = await download(days);
    expect(headers['content-disposition']).toContain('=zayavki-2026-03-02-2026-03-02.csv');
    expect(text.match(/Имя [\d-]+/g)).toEqual(['Имя 2026-03-02']);
    const wrong = await download({ ...days, to: 'вчера' });
    expect([wrong.status, wrong.headers['content-disposition']]).toEqual([422, undefined]);
    expect(wrong.text).toContain('Проверьте дни таблицы');
    expect(logged('leads exported')).toMatchObject([{ by: 'Анна', ...days }]);
  });
});

describe('the broadcast', () => {
  const noon = instant(localTime(new Date(), timeZone).date, '12:00', timeZone);

  test('is switched on for today, changed and switched off', () =>
    atMoment(noon, async () => {
      const anna = await staff();
      const url = 'https://video.example/live.mp4';
      await anna.send('/desk/broadcast', { url: ` ${url} `, until: '' });
      expect(await anna.text('/desk/broadcast')).toContain(`Эфир идётПоказываем ${url}Выключить`);
      expect(await site.services.broadcast.current()).toMatchObject({ status: true, url });
      await anna.send('/desk/broadcast', { url: 'https://other.example/live', until: '23:59' });
      const changed = await anna.text('/desk/broadcast');
      expect(changed).toContain('Эфир идёт до 23:59');
      expect(changed).toContain('на него только ссылка');
      await anna.send('/desk/broadcast/off');
      expect(await anna.text('/desk/broadcast')).toContain('Эфир выключен');
      expect(logged('broadcast switched on')).toHaveLength(2);
      expect(logged('broadcast switched off')).toMatchObject([{ by: 'Анна' }]);
    }));

  test('returns 422 and keeps the typed address when it cannot be broadcast', () =>
    atMoment(noon, async () => {
      const url = 'javascript:alert(1)';
      const answer = await (await staff()).send('/desk/broadcast', { url, until: '12:00' });
      expect(answer.status).toBe(422);
      const main = mainOf(answer);
      expect(textOf(one(main, '[role="alert"]'))).toMatch(/https:\/\/ в начале.*время сегодня, которое ещё не прошло/);
      expect(one(main, 'input[name="url"]').attrs.value).toBe(url);
      expect(await site.services.broadcast.current()).toEqual({ status: false });
    }));

  test('is read-only when another server controls it', async () => {
    await start({ broadcast: fakeBroadcast() });
    const anna = await staff();
    const main = await anna.main('/desk/broadcast');
    expect(textOf(main)).toContain('Эфиром управляет другой сервер');
    expect(forms(main)).toEqual([]);
    expect((await anna.send('/desk/broadcast/off')).status).toBe(409);
  });
});

describe('the link of a notification', () => {
  const form = {
    ...filledForm,
    ...{ name: 'Анна <b>', phone: '8 (916) 123-45-67 доб. 12', message: 'Сколько стоит\nупаковка - 300-400 шт?' },
    calc: new URLSearchParams(content.calculator.example).toString(),
  };

  test('shows what arrived and when to call, and personal data only after its button is pressed, not to a link preview', async () => {
    await site.post(form);
    await eventually(() => notifications.length, 1);
    const { takeUrl, lead: sent } = notifications[0] as Notification;
    const { origin, pathname } = new URL(takeUrl);
    expect(origin).toBe(siteUrl);
    const { status, text, headers } = await site.request(pathname);
    expect([status, headers]).toMatchObject([200, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }]);
    expect(text).toContain('<meta name="robots" content="noindex">');
    const { time } = promisedCall(sent, content.company, new Date());
    expect(textOf(mainOf({ text }))).toContain(textOf(`Мы обещали позвонить ${time}.`));
    const personal = ['href="tel:+79161234567"', 'Анна &lt;b&gt;', 'доб. 12', form.message];
    expect(personal.filter((words) => text.includes(words))).toEqual([]);
    expect(await lead(1)).toMatchObject({ state: 'waiting' });

    const { fields } = pressed(mainOf({ text }), 'Беру заявку');
    const taken = await site.request(pathname, asForm(fields, {}));
    for (const words of personal) expect(taken.text).toContain(words);
    expect(all(mainOf(taken), 'details[open] table tbody tr')).toHaveLength(sent.calculation?.rows.length ?? 0);
  });

  test('takes a lead when its button is pressed, and shows a later colleague that the lead is taken', async () => {
    await add();
    const token = await link('chat', { to: 1 });
    const late = await link('mail:sales@korob.example', { to: 1 });
    for (const one of [token, late]) {
      const answer = await site.request(`/take/${one}`, asForm({ action: 'take' }, {}));
      expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'private, no-cache']);
      expect(textOf(mainOf(answer))).toMatch(/Заявку взяли .+ по ссылке из уведомления/);
    }
    expect(await lead(1)).toMatchObject({ state: 'taken', takenBy: 'chat' });
    const page = textOf(mainOf(await site.request(`/take/${late}`)));
    expect(page).toMatch(/Показать заявку.*Её уже взяли/);
    expect(page).not.toMatch(/Беру заявку|уведомления|sales@/);
    const log = site.logs.join('');
    expect(log).toContain('/take/:token');
    expect(log).not.toMatch(new RegExp(`${token}|Анна|9161234567`));
  });

  test('offers the outcomes of a taken lead, and returns 422 for a time that cannot be', async () => {
    await add();
    const path = `/take/${await link('mail:sales@korob.example', { to: 1 })}`;
    let main = mainOf(await site.request(path, asForm({ action: 'take' }, {})));
    for (const [text, callAt, status] of [
      ['Перезвонить в это время', '2020-01-01T10:00', 422],
      ['через 15 минут', '', 200],
      ['Беру заявку', '', 200],
      ['Поговорили', '', 200],
    ] as const) {
      const { fields } = pressed(main, text);
      if (callAt) fields.set('callAt', callAt);
      const answer = await site.request(path, asForm(fields, {}));
      expect([text, answer.status]).toEqual([text, status]);
      main = mainOf(answer);
    }
    expect(textOf(main)).toMatch(/Поговорили .* по ссылке из письма на sales@korob\.example\./);
    expect(await lead(1)).toMatchObject({ state: 'done', events: Array(4).fill({ by: 'mail:sales@korob.example' }) });
  });

  test('returns 404 with the reason when it was altered or its lead was erased', async () => {
    await add();
    const erased = await link('chat', { to: 1 });
    await site.services.leads.erase(newLead().phone, 'operator');
    await add();
    for (const token of [erased, `${await link('chat', { to: 2 })}x`, encodeURI('ы.ы')]) {
      for (const method of ['GET', 'POST']) {
        const answer = await site.request(`/take/${token}`, { method });
        expect(answer.status).toBe(404);
        expect(answer.text).toContain('Ссылка больше не\u00A0действует');
      }
    }
    expect(await lead(2)).toMatchObject({ state: 'waiting' });
  });
});

describe('the wording of the desk', () => {
  const came = '2026-11-20T06:00:00.000Z';

  test.each([
    [0, undefined],
    [59, 'ждёт 59 мин'],
    [123, 'ждёт 2 ч 3 мин'],
    [49 * 60, 'ждёт 2 дн.'],
  ])('says after %d minutes of waiting: %s', (minutes, words) => {
    const now = new Date(Date.parse(came) + minutes * 60_000);
    const wait = waitOf(keptLead({ since: came }), now);
    expect(wait && textOf(wait)).toBe(words);
    expect(waitOf(keptLead({ state: 'taken', since: came }), now)).toBeUndefined();
  });
});

test('a digest joins several leads in one message, and goes only to joining channels that are notified at once', async () => {
  const { leads, deliveries, close } = storeIn(openDatabase(temporaryFolder()));
  atEnd(close);
  for (const key of ['one', 'two']) await leads.add(newLead({ key }), { ...arrival, quarantined: true });
  const messages: string[] = [];
  const channel = (name: string): Channel => ({
    ...{ name, parallel: 1, joins: true },
    deliver: async (some) => void messages.push([name, ...some.map(({ reason }) => reason)].join(' ')),
  });
  const { joins: _, ...alone } = channel('crm');
  const { company } = content;
  const week = Array.from({ length: 7 }, (): Span[] => [['00:00', '23:59']]);
  const workingHours = { ...company.workingHours, week, holidays: [] };
  const intake = startLeadIntake({
    ...{ leads, deliveries, logger: site.services.logger, siteUrl, later: ['boss'] },
    channels: [channel('boss'), alone, channel('mail')],
    content: () => ({ ...content, company: { ...company, workingHours } }),
  });
  atEnd(intake.stop);
  await eventually(() => messages, ['mail quarantineDigest quarantineDigest']);
});

test('a lead is acknowledged before its first delivery is claimed, and is then delivered in the background', async () => {
  const { deliveries, intake } = site.services;
  const claim = jest.spyOn(deliveries, 'claim');
  await intake.receive(newLead(), { renderedAt: new Date(Date.now() - 60_000) });
  expect(claim).not.toHaveBeenCalled();
  await eventually(() => notifications.length, 1);
});
