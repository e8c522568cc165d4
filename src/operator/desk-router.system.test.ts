import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Papa from 'papaparse';
import { limits } from '../http/limits.ts';
import type { Channel } from '../leads/channels/channel.ts';
import { leadTitles, type NewLead, type Plan } from '../leads/store/lead.ts';
import { daysAfter } from '../lib/calendar.ts';
import { presetTitle } from '../model/preset-title.ts';
import { instant } from '../model/working-hours.ts';
import { atMoment } from '../testing/at-moment.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { all, type Element, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { newLead, plan } from '../testing/leads.ts';
import { startTestSite, type TestSite } from '../testing/test-site.ts';

const chat: Channel = { kind: 'webhook', name: 'chat', parallel: 1, deliver: async () => {} };

let site: TestSite;
let key = 0;

const start = async (overrides: Parameters<typeof startTestSite>[0] = {}) => {
  site = await startTestSite({ channels: [chat], ...overrides });
};

beforeEach(() => start());
afterEach(() => site.close());

const add = (about: Partial<NewLead> = {}, what: Plan = plan) =>
  site.services.leads.add(newLead({ key: `key-of-form-${key++}`, preset: 'question', ...about }), what);
const quarantine = (about: Partial<NewLead> = {}) =>
  add({ signals: ['honeypot', 'link'], ...about }, { ...plan, quarantined: true });

/** A link to the desk. @returns its secret */
const link = (name: string, until = new Date(Date.now() + 3_600_000)): Promise<string> =>
  site.services.links.add({ lead: null, name, until: until.toISOString() });

/** A person at the desk, as their browser. */
function at(secret: string) {
  // Staff have cookies of other programs of the same domain.
  const cookie = `other=${'1'.repeat(2_000)}; desk=${secret}`;
  return {
    open: (path: string) => site.request(path, { headers: { cookie } }),
    send: (path: string, fields: Record<string, string> | URLSearchParams, headers = {}) =>
      site.request(path, {
        method: 'POST',
        headers: {
          cookie,
          'content-type': 'application/x-www-form-urlencoded',
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),
    async main(path: string): Promise<Element> {
      const { status, text } = await this.open(path);
      expect([path, status]).toEqual([path, 200]);
      return one(parseHtml(text), 'main');
    },
    text: async function (path: string): Promise<string> {
      return textOf(await this.main(path));
    },
  };
}

/** Forms of a page that are sent to itself, and not those of every page. */
const forms = (main: Element) =>
  all(main, 'form').filter(({ attrs }) => attrs.method === 'post' && attrs.action !== '/desk/leave');

const logged = (message: string) =>
  site.logs.map((line) => JSON.parse(line)).filter(({ msg }: { msg: string }) => msg === message);

describe('the link to the desk', () => {
  test('leaves a cookie of its own and leads to an address without a secret', async () => {
    const secret = await link('Анна');
    const { status, headers } = await site.request(`/desk/link/${secret}`);
    expect([status, headers.location, headers['cache-control'], headers['referrer-policy']]).toEqual([
      ...[303, '/desk', 'no-store', 'no-referrer'],
    ]);
    const [cookie = '', ...more] = headers['set-cookie'] ?? [];
    expect(more).toEqual([]);
    expect(cookie.split('; ')).toEqual([
      ...[`desk=${secret}`, 'Path=/desk', expect.stringMatching(/^Expires=/), 'HttpOnly', 'SameSite=Lax'],
    ]);
    expect(await at(secret).text('/desk')).toContain('по ссылке на имя Анна');
    expect(site.logs.join('')).not.toContain(secret);
  });

  test('leaves a cookie for https alone where the site is https', async () => {
    await site.close();
    await start({ siteUrl: 'https://korob.example' });
    const { headers } = await site.request(`/desk/link/${await link('Анна')}`);
    expect(headers['set-cookie']?.join()).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  test('that is none, has ended or was revoked opens nothing, and every address answers the same', async () => {
    await add();
    const revoked = await link('Вера');
    await site.services.links.revoke('Вера');
    const take = new URL((await takeUrl()) ?? '').pathname.slice('/take/'.length);
    const ended = await link('Борис', new Date(Date.now() - 1));
    const good = await link('Анна');
    const answers = new Set<string>();
    for (const secret of ['', 'x', revoked, ended, take, `${good}x`]) {
      for (const path of [
        '/desk',
        '/desk/',
        '/desk/requests',
        '/desk/requests/1/take',
        '/desk/export',
        '/desk/nothing',
      ])
        for (const answer of [await at(secret).open(path), await at(secret).send(path, {})]) {
          expect([path, answer.status, answer.headers['cache-control']]).toEqual([path, 403, 'no-store']);
          answers.add(textOf(one(parseHtml(answer.text), 'main')));
        }
      const opened = await site.request(`/desk/link/${encodeURIComponent(secret)}`);
      expect([opened.status, opened.headers['set-cookie']]).toEqual([403, undefined]);
    }
    expect([...answers]).toEqual([expect.stringContaining('Стол заявок открывают по личной ссылке')]);
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'new' });
    expect((await site.request(`/take/${good}`)).status).toBe(404);
  });

  async function takeUrl(): Promise<string | undefined> {
    let told: string | undefined;
    await site.close();
    const deliver: Channel['deliver'] = async ([notification]) => {
      told = notification?.takeUrl;
    };
    await start({ channels: [{ ...chat, deliver }] });
    await site.post({
      preset: 'question',
      key: 'key-of-a-form',
      phone: '8 916 123-45-67',
      message: 'Упаковка?',
      consent: 'yes',
    });
    while (told === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
    return told;
  }

  test('ends at once when it is revoked', async () => {
    const secret = await link('Анна');
    expect((await at(secret).open('/desk')).status).toBe(200);
    await site.services.links.revoke('Анна');
    expect((await at(secret).open('/desk')).status).toBe(403);
  });

  test.each(['http', 'https'])('is forgotten by a browser that leaves, on %s, and works on', async (scheme) => {
    await site.close();
    await start({ siteUrl: `${scheme}://korob.example` });
    const secret = await link('Анна');
    one(await at(secret).main('/desk/requests'), 'form[action="/desk/leave"]');
    const { status, headers } = await at(secret).send('/desk/leave', {});
    expect([status, headers.location, headers['cache-control']]).toEqual([303, '/', 'no-store']);
    const given = (await site.request(`/desk/link/${secret}`)).headers['set-cookie']?.[0] ?? '';
    // A browser forgets a cookie that is the same in all but its value and its end.
    expect(headers['set-cookie']).toEqual([
      given.replace(secret, '').replace(/Expires=[^;]*/, 'Expires=Thu, 01 Jan 1970 00:00:00 GMT'),
    ]);
    expect((await at('').open('/desk')).text).toContain('вы вышли');
    expect((await at(secret).open('/desk')).status).toBe(200);
    expect(logged('desk left')).toMatchObject([{ by: 'Анна' }]);
  });

  test('cannot be guessed for long', async () => {
    for (let look = 0; look < limits.staff.limit; look++) await site.request('/desk/link/guess');
    expect((await site.request('/desk/link/guess')).status).toBe(429);
    expect((await site.request('/rates')).status).toBe(200);
  });
});

test('nothing at the desk is kept, counted, found or told to another page, whatever the answer', async () => {
  await site.close();
  await start({ integrations: { metrikaId: '12345678' } });
  await add();
  await quarantine();
  const anna = at(await link('Анна'));
  const paths = ['/desk', '/desk/requests', '/desk/requests/1', '/desk/quarantine', '/desk/broadcast', '/desk/export'];
  for (const path of [...paths, '/desk/requests/77', '/desk/nothing']) {
    for (const { status, headers, text } of [await anna.open(path), await anna.send(path, {})]) {
      expect([path, headers['cache-control']]).toEqual([path, 'no-store']);
      expect(headers['referrer-policy']).toBe(status < 400 || status === 422 ? 'no-referrer' : 'strict-origin');
      expect(headers['x-robots-tag']).toBe('noindex');
      expect(String(headers['content-security-policy']) + text).not.toMatch(/mc\.yandex|12345678/);
      expect(headers['set-cookie']).toBeUndefined();
    }
  }
  for (const path of ['//desk/link/x', '/DESK/LINK/x', '/%64esk/link/x', '/desk/link/x/'])
    expect([path, (await site.request(path)).status >= 400]).toEqual([path, true]);
  expect((await site.request('/robots.txt')).text).toContain('\nDisallow: /desk\n');
  expect(site.served.paths.filter((path) => path.startsWith('/desk'))).toEqual([]);
});

test('what is not there is a 404, and what is not meant a 405', async () => {
  await add();
  const anna = at(await link('Анна'));
  const missing = ['/desk/nothing', '/desk/requests/2', '/desk/requests/0', '/desk/requests/1x', '/desk/requests/-1'];
  for (const path of [...missing, '/desk/requests/99999999999', '/desk/requests?before=x', '/desk/requests/1/'])
    expect([path, (await anna.open(path)).status]).toEqual([path, 404]);
  for (const what of ['2/take', 'x/release', '7/notes', '1/else'])
    expect([what, (await anna.send(`/desk/requests/${what}`, {})).status]).toEqual([what, 404]);
  for (const path of ['/desk', '/desk/requests', '/desk/requests/1', '/desk/export', '/desk/link/x']) {
    const { status, headers } = await anna.send(path, {});
    expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
  }
  const { status, headers } = await site.request('/desk/requests/1/take', {
    ...{ method: 'DELETE', headers: { cookie: `desk=${await link('Вера')}` } },
  });
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, POST']);
});

describe('a form that was not sent from the desk', () => {
  test.each([
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
    [{ 'sec-fetch-site': undefined, origin: 'https://evil.example' }],
  ])('changes nothing: %j', async (headers) => {
    await add();
    await quarantine();
    const anna = at(await link('Анна'));
    const sent: [string, Record<string, string>][] = [
      ['/desk/requests/1/take', {}],
      ['/desk/requests/1/notes', { text: 'x', key: 'key-of-a-note' }],
      ['/desk/requests/2/release', {}],
      ['/desk/broadcast', { url: 'https://video.example/live' }],
      ['/desk/leave', {}],
    ];
    for (const [path, fields] of sent) {
      const answer = await anna.send(path, fields, headers);
      expect([path, answer.status, answer.headers['set-cookie']]).toEqual([path, 403, undefined]);
    }
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'new', notes: [] });
    expect(await site.services.leads.find(2)).toMatchObject({ state: 'quarantined' });
    expect(await site.services.broadcast.current()).toEqual({ status: false });
  });

  test.each([
    // What a browser sends that knows no Sec-Fetch-Site: pages here tell nobody where they are.
    [{ 'sec-fetch-site': undefined, origin: 'null' }],
    [{ 'sec-fetch-site': undefined }],
  ])('is told from one of an old browser: %j', async (headers) => {
    await add();
    expect((await at(await link('Анна')).send('/desk/requests/1/take', {}, headers)).status).toBe(303);
  });
});

describe('leads at the desk', () => {
  test('wait first, the longest waiting on top, and then come those that were taken today', async () => {
    for (const name of ['Первый', 'Второй', 'Третий']) await add({ name });
    await quarantine({ name: 'Спамер' });
    await site.services.leads.take(2, 'desk:Борис');
    await new Promise((resolve) => setTimeout(resolve, 2));
    await site.services.leads.take(3, 'mail:sales@example.ru');
    const anna = at(await link('Анна'));
    const main = await anna.main('/desk');
    const [waiting, taken] = all(main, 'section').map(textOf);
    expect(waiting).toMatch(/Ждут звонка.*Пришла в \d{1,2}:\d\d№ 1\. .*Первый \+7 916 123-45-67/);
    expect(waiting).not.toMatch(/Второй|Третий/);
    expect(taken).toMatch(
      /взята в \d{1,2}:\d\d по ссылке из письма на sales@example\.ru№ 3.*взята в \d{1,2}:\d\d: Борис№ 2/,
    );
    expect(textOf(main)).not.toContain('Спамер');
    expect(textOf(one(main, 'a[href="/desk/quarantine"]'))).toBe('Карантин, 1');
    expect(all(main, 'a[href="tel:+79161234567"]')).toHaveLength(3);
    await add({ name: 'Четвёртый' });
    const [first] = all(await anna.main('/desk'), 'section').map(textOf);
    expect(first).toMatch(/Первый.*Четвёртый/);
  });

  test('are all in a list, page by page', async () => {
    for (let n = 1; n <= 43; n++) await add({ name: `Имя-${n}` });
    const anna = at(await link('Анна'));
    const numbers = (main: Element) => all(main, 'h2').map((heading) => Number(/\d+/.exec(textOf(heading))?.[0]));
    const seen: number[] = [];
    let path: string | undefined = '/desk/requests';
    while (path !== undefined) {
      const main: Element = await anna.main(path);
      seen.push(...numbers(main));
      path = all(main, 'a').find((one) => textOf(one) === 'Раньше')?.attrs.href;
    }
    expect(seen).toEqual(Array.from({ length: 43 }, (_, n) => 43 - n));
  });

  test('in quarantine are counted, up to what fits', async () => {
    const counted = async () => textOf(one(await anna.main('/desk/requests'), 'a[href="/desk/quarantine"]'));
    const anna = at(await link('Анна'));
    expect(await counted()).toBe('Карантин');
    await Promise.all(Array.from({ length: 99 }, () => quarantine()));
    expect(await counted()).toBe('Карантин, 99');
    await quarantine();
    expect(await counted()).toBe('Карантин, 99+');
    await quarantine();
    expect(await counted()).toBe('Карантин, 99+');
  });

  test('in quarantine say why, and come out by a press', async () => {
    await quarantine({ name: 'Человек' });
    await quarantine();
    const anna = at(await link('Анна'));
    const main = await anna.main('/desk/quarantine');
    expect(textOf(main)).toContain('Почему: заполнено поле, которого не видно, ссылка.');
    const action = forms(main).at(-1)?.attrs.action ?? '';
    const { status, headers } = await anna.send(action, {});
    expect([status, headers.location]).toEqual([303, '/desk/requests/1']);
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'new' });
    expect(await site.services.leads.find(2)).toMatchObject({ state: 'quarantined' });
    expect(await site.services.deliveries.of(1)).toMatchObject([{ channel: 'chat', reason: 'new' }]);
    // A second press finds nothing left to do.
    expect((await anna.send(action, {})).status).toBe(303);
    expect(await site.services.deliveries.of(1)).toHaveLength(1);
    expect(logged('lead released')).toMatchObject([{ lead: 1, by: 'Анна' }]);
    expect(await anna.text('/desk/requests/2')).toContain('Заявка в карантине, о ней никому не сообщали: заполнено');
    expect((await anna.send('/desk/requests/2/release', {})).headers.location).toBe('/desk/requests/2');
    expect(await site.services.leads.find(2)).toMatchObject({ state: 'new' });
  });
});

describe('a request', () => {
  test('shows all that is known of it, and to whom it was told', async () => {
    const { content } = site.services.site;
    await site.post({
      ...{ preset: 'calculation', key: 'key-of-a-form', name: 'Анна <b>', phone: '8 (916) 123-45-67 доб. 12' },
      ...{ message: '300-400 шт?', consent: 'yes', calc: new URLSearchParams(content.calculator.example).toString() },
    });
    const main = await at(await link('Вера')).main('/desk/requests/1');
    expect(textOf(main)).toMatch(
      /Заявка № 1.*Анна <b>.*\+7 916 123-45-67.*доб\. 12.*300-400 шт\?.*Кому сообщилиchat: /,
    );
    expect(all(one(main, 'table'), 'tr').length).toBeGreaterThan(2);
  });

  test('belongs to whoever took it first, and the other is told who that is', async () => {
    const receipt = await add();
    const [anna, boris] = [at(await link('Анна')), at(await link('Борис'))];
    const action = forms(await anna.main('/desk/requests/1'))[0]?.attrs.action ?? '';
    const answers = await Promise.all([1, 2].map(() => anna.send(action, {})));
    answers.push(await boris.send(action, {}));
    for (const { status, headers } of answers) expect([status, headers.location]).toEqual([303, '/desk/requests/1']);
    expect(await site.services.leads.find(1)).toMatchObject({ state: 'taken', takenBy: 'desk:Анна' });
    expect(await boris.text('/desk/requests/1')).toMatch(/Заявку взяли .+: Анна\./);
    expect(logged('lead taken')).toMatchObject([{ lead: 1, by: 'Анна', request: expect.any(String) }]);
    expect((await site.request(`/contact/${receipt.receipt}`)).text).toContain('Менеджер взял вашу заявку');
  });

  test('gathers notes, each once, with who wrote it', async () => {
    await add();
    const [anna, boris] = [at(await link('Анна')), at(await link('Борис'))];
    const write = async (who: typeof anna, text: string) => {
      const form = forms(await who.main('/desk/requests/1')).at(-1);
      if (form === undefined) throw new Error('There is no form.');
      const fields = formData(form);
      fields.set('text', text);
      return Promise.all([1, 2].map(() => who.send(form.attrs.action ?? '', fields)));
    };
    for (const { status } of await write(anna, ' Не отвечает\r\n"<b>" ')) expect(status).toBe(303);
    await write(boris, 'Дозвонился');
    const notes = one(await anna.main('/desk/requests/1'), 'ol.desk-notes');
    expect(textOf(notes)).toMatch(/^Анна, в \d{1,2}:\d\dНе отвечает "<b>"Борис, в \d{1,2}:\d\dДозвонился$/);
    expect(logged('note written')).toHaveLength(4);
    expect(site.logs.join('')).not.toContain('отвечает');
  });

  test('gives a note back that cannot be written down', async () => {
    await add();
    const anna = at(await link('Анна'));
    const long = 'ы'.repeat(1_001);
    for (const [text, words] of [
      [' \u200b ', 'Напишите, что записать'],
      [long, 'Сократите заметку: в ней больше 1000 знаков'],
    ] as const) {
      const answer = await anna.send('/desk/requests/1/notes', { key: 'key-of-a-note', text });
      expect([answer.status, answer.headers['cache-control']]).toEqual([422, 'no-store']);
      const page = parseHtml(answer.text);
      expect(textOf(one(page, 'title'))).toMatch(/^Ошибка: /);
      expect(textOf(one(page, '[role="alert"]'))).toContain(words);
      expect(formData(forms(one(page, 'main')).at(-1) as Element).get('key')).toBe('key-of-a-note');
    }
    expect((await anna.send('/desk/requests/1/notes', { text: 'ы'.repeat(30_000) })).status).toBe(413);
    expect((await site.services.leads.find(1))?.notes).toEqual([]);
    await site.sql.query(`UPDATE lead SET stripped_at = '2026-01-01T00:00:00.000Z'`);
    const late = await anna.send('/desk/requests/1/notes', { key: 'key-of-a-note', text: 'Поздно' });
    expect([late.status, late.text.includes('Поздно')]).toEqual([422, true]);
  });
});

const title = {
  number: leadTitles.number,
  ...{ message: leadTitles.message, notes: leadTitles.notes },
};

test('all leads come as a table that no spreadsheet runs', async () => {
  await add({ message: '=1+1' });
  await quarantine();
  await add();
  const anna = at(await link('Анна'));
  await anna.send('/desk/requests/1/notes', { text: '=2+2' });
  await anna.send('/desk/requests/3/take', {});
  const { headers, text } = await anna.open('/desk/export');
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename=zayavki-\d{4}-\d\d-\d\d\.csv$/),
  });
  const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });
  const words = ['number', 'state', 'takenBy', 'preset', 'signals'] as const;
  const preset = presetTitle(site.services.site.content, 'question').replaceAll('\u00a0', ' ');
  expect(data.map((row) => words.map((column) => row[leadTitles[column]]))).toEqual([
    ['1', 'ждёт', '', preset, ''],
    ['2', 'в карантине', '', preset, 'заполнено поле, которого не видно, ссылка'],
    ['3', 'взята', 'Анна', preset, ''],
  ]);
  expect(data[0]).toMatchObject({
    [title.message]: "'=1+1",
    [title.notes]: expect.stringMatching(/Анна: =2\+2$/),
  });
  expect(logged('leads exported')).toMatchObject([{ by: 'Анна' }]);
});

describe('leads of some days as a table', () => {
  /** The days on which leads came, by the calendar of the company, and what a person at the desk downloads of them. */
  async function ofDays() {
    const { timeZone } = site.services.site.content.company.workingHours;
    const days = ['2026-03-01', '2026-03-02', '2026-03-03'];
    const midnight = (date: string) => new Date(instant(date, '00:00', timeZone)).getTime();
    // The first and the last moment of each day.
    const moments = days.flatMap((date) => [midnight(date), midnight(daysAfter(date, 1)) - 1]);
    for (const moment of moments) await atMoment(moment, () => add());
    const anna = at(await link('Анна'));
    const download = async (query: string) => {
      const { status, headers, text } = await anna.open(`/desk/export${query}`);
      expect([query, status]).toEqual([query, 200]);
      const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });
      const file = /filename=(.*)$/.exec(String(headers['content-disposition']))?.[1];
      return { file, numbers: data.map((row) => Number(row[title.number])) };
    };
    return { anna, download };
  }

  test('has the first day whole and the last', async () => {
    const { download } = await ofDays();
    expect(await download('?from=2026-03-02&to=2026-03-02')).toEqual({
      ...{ file: 'zayavki-2026-03-02-2026-03-02.csv', numbers: [3, 4] },
    });
    expect((await download('?from=&to=2026-03-01')).numbers).toEqual([1, 2]);
    expect((await download('?from=2026-03-02&to=')).numbers).toEqual([3, 4, 5, 6]);
    expect((await download('?from=&to=')).numbers).toEqual([1, 2, 3, 4, 5, 6]);
    expect((await download('?from=2026-04-01')).numbers).toEqual([]);
    expect(logged('leads exported')[0]).toMatchObject({ by: 'Анна', from: '2026-03-02', to: '2026-03-02' });
  });

  test.each([
    ['2026-02-30', '2026-03-01'],
    ['01.03.2026', 'вчера'],
    ['0026-03-01', '9999-12-31'],
    ['2026-03-02', '2026-03-01'],
  ])('is none from %s to %s, which is said', async (from, to) => {
    const anna = at(await link('Анна'));
    const { status, headers, text } = await anna.open(`/desk/export?${new URLSearchParams({ from, to })}`);
    expect([status, headers['content-disposition']]).toEqual([422, undefined]);
    expect(text).toContain('Проверьте дни таблицы');
    expect(logged('leads exported')).toEqual([]);
  });
});

describe('the broadcast', () => {
  test('is switched on for today, changed and switched off', async () => {
    await site.close();
    await start({ integrations: { videoHosts: ['video.example'] } });
    const anna = at(await link('Анна'));
    const { timeZone } = site.services.site.content.company.workingHours;
    expect(await anna.text('/desk/broadcast')).toContain('Эфир выключен');
    const url = 'https://video.example/live.mp4';
    const on = await anna.send('/desk/broadcast', { url: ` ${url} `, until: '' });
    expect([on.status, on.headers.location]).toEqual([303, '/desk/broadcast']);
    expect(await anna.text('/desk/broadcast')).toMatch(
      /Эфир идётПоказываем https:\/\/video\.example\/live\.mp4Выключить/,
    );
    expect(JSON.parse((await site.request('/video-broadcast')).text)).toEqual({ status: true, url, embed: true });
    // Of the last minute of a day, there is no later time.
    const time = new Intl.DateTimeFormat('ru-RU', { timeStyle: 'short', timeZone }).format(Date.now());
    if (time !== '23:59') {
      await anna.send('/desk/broadcast', { url: 'https://other.example/live', until: '23:59' });
      const shown = await anna.text('/desk/broadcast');
      expect(shown).toContain('Эфир идёт до 23:59');
      expect(shown).toContain('на него только ссылка: нужен адрес с https и other.example в VIDEO_HOSTS');
    }
    await anna.send('/desk/broadcast/off', {});
    expect(await anna.text('/desk/broadcast')).toContain('Эфир выключен');
    expect(logged('broadcast switched on').length).toBeGreaterThan(0);
    expect(logged('broadcast switched off')).toMatchObject([{ by: 'Анна' }]);
  });

  test('gives back what cannot be broadcast', async () => {
    const anna = at(await link('Анна'));
    const { status, text } = await anna.send('/desk/broadcast', {
      url: 'javascript:alert(1)',
      until: '00:00',
    });
    expect(status).toBe(422);
    const main = one(parseHtml(text), 'main');
    expect(textOf(one(main, '[role="alert"]'))).toMatch(/https:\/\/ в начале.*время сегодня, которое ещё не прошло/);
    expect(one(main, 'input[name="url"]').attrs.value).toBe('javascript:alert(1)');
    expect(await site.services.broadcast.current()).toEqual({ status: false });
  });

  test('of another server is only shown', async () => {
    await site.close();
    await start({ broadcast: fakeBroadcast() });
    const anna = at(await link('Анна'));
    const main = await anna.main('/desk/broadcast');
    expect(textOf(main)).toContain('Эфиром управляет другой сервер');
    expect(forms(main)).toEqual([]);
    expect((await anna.send('/desk/broadcast/off', {})).status).toBe(409);
  });
});
