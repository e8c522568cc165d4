import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { transform } from 'esbuild';
import { loadConfig } from '../config.ts';
import { backupMark } from '../leads/store/backup.ts';
import { databasePath } from '../leads/store/sqlite.ts';
import { daysAfter, localTime } from '../lib/calendar.ts';
import { dayMs } from '../lib/durations.ts';
import { paths } from '../lib/paths.ts';
import { readFolder } from '../loading/content-files.ts';
import { instant } from '../model/working-hours.ts';
import { publishFiles, readPublished } from '../publishing/revisions.ts';
import { atMoment } from '../tests/support/at-moment.ts';
import { httpServer, sendJson } from '../tests/support/channels.ts';
import { keep, korob as korobIn, withStore } from '../tests/support/commands.ts';
import { freePort } from '../tests/support/free-port.ts';
import { listen } from '../tests/support/listen.ts';
import { type Change, contentFolder, contentWith, fielded, fileIn, valued } from '../tests/support/sample-content.ts';
import { act, newLead } from '../tests/support/sample-leads.ts';
import { makeCertificate } from '../tests/support/start-nginx.ts';
import { startRedis } from '../tests/support/start-redis.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { currentContent } from './content-commands.ts';

const shippedTest = testIf({ shipped: true });

const redisTest = testIf({ programs: ['redis-server'] });

let folder: string;

/** An HTTP server that answers in place of the site. */
const running = await httpServer((res) => void res.writeHead(200).end());

/** The status that the webhook returns. */
let status: number;
const { url, received } = await httpServer((res) => void res.writeHead(status).end());

beforeEach(() => {
  folder = temporaryFolder();
  status = 204;
  received.length = 0;
});

const webhook = {
  LEADS_WEBHOOK_URL: `${url}/canary-path`,
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

const korob = (args: string[], env: Record<string, string> = {}) => korobIn(folder, args, env);

describe('leads export', () => {});

describe('leads', () => {
  const channels = {
    ...webhook,
    SMTP_URL: 'smtp://mail.example:25',
    LEADS_EMAIL_TO: 'a@example.ru',
    LEADS_EMAIL_FROM: 'site@example.ru',
    LEADS_ESCALATION: 'mail:a@example.ru',
  };

  const leads = (args: string[], env: Record<string, string> = channels) => korob(['leads', ...args], env);
  const kept = () =>
    withStore(folder, async (store) => (await store.leads.list({ limit: 9 })).map(({ number }) => number));

  beforeEach(async () => {
    await keep(folder, [
      { name: 'Анна' },
      { name: 'Спамер', phone: '+79160000002', quarantined: true, signals: ['honeypot'] },
      { name: '\u001b[2J\u009b1m\u202e', channels: ['webhook'] },
    ]);
  });

  test('leads list prints the newest leads, or only those in quarantine, says how to go on, and prints no control characters', async () => {
    const numbers = async (...flags: string[]) =>
      [...(await leads(['list', ...flags])).stdout.matchAll(/^(\d+)\t/gm)].map(([, number]) => Number(number));
    expect(await numbers()).toEqual([3, 2, 1]);
    expect((await leads(['list'])).stdout.split('\n')[2]).toMatch(/^1\t\S+Z\twaiting\t\+79161234567\tАнна$/);
    expect(await numbers('--quarantined')).toEqual([2]);
    expect(await numbers('--limit', '2')).toEqual([3, 2]);
    expect((await leads(['list', '--limit', '2'])).stderr).toBe('There are older ones; continue with "--before 2".\n');
    expect(await numbers('--limit', '2', '--before', '2')).toEqual([1]);
    expect((await leads(['list'])).stdout).not.toMatch(/(?![\n\t])[\p{Cc}\u202e]/u);
  });

  test('leads show prints the lead with its deliveries, and with what staff did', async () => {
    await withStore(folder, async (store) => {
      await act(store.leads, 3, 'take');
      await act(store.leads, 3, 'note', { text: 'Не берёт трубку.\nЗавтра' });
    });
    expect(JSON.parse((await leads(['show', '3'])).stdout)).toMatchObject({
      number: 3,
      takenBy: 'desk:Анна',
      events: [{ eventName: 'take' }, { eventName: 'note', by: 'desk:Анна' }],
      deliveries: [{ channel: 'webhook', state: 'waiting' }],
    });
  });

  test('leads export writes the leads of a range of days in the time zone of the company', async () => {
    const { timeZone } = (await currentContent(loadConfig({ DATA_DIR: folder }))).company.workingHours;
    const first = await withStore(folder, (store) => store.leads.find(1));
    const { date } = localTime(new Date(first?.receivedAt ?? ''), timeZone);
    const before = daysAfter(date, -1);
    const names = async (...flags: string[]) => (await leads(['export', ...flags])).stdout.match(/Анна|Спамер/g);
    expect(await names('--from', date)).toEqual(['Анна', 'Спамер']);
    expect(await names('--json', '--to', before)).toBeNull();
    const { code, stderr } = await leads(['export', '--from', date, '--to', before]);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--to must be a day such as 2026-11-20')]);
  });

  test('leads release queues the deliveries of a lead, and continues after a lead that is not in quarantine', async () => {
    expect(await leads(['release', '9', '1', '2'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Lead 2 is released; it goes to webhook.\nNot in quarantine: 9, 1.\n',
    });
    await withStore(folder, async ({ leads, deliveries }) => {
      expect(await deliveries.of(2)).toMatchObject([{ channel: 'webhook', reason: 'new', state: 'waiting' }]);
      expect(await leads.find(2)).toMatchObject({
        state: 'waiting',
        events: [{ eventName: 'release', by: 'command' }],
      });
    });
  });

  test('leads resend sends what a channel gave up again, of all leads, of some days or of those named, and nothing else', async () => {
    await keep(folder, [{ name: 'Борис', channels: ['webhook', 'mail:a@example.ru'] }]);
    const resend = (...args: string[]) => leads(['resend', ...args]);
    const { timeZone } = (await currentContent(loadConfig({ DATA_DIR: folder }))).company.workingHours;
    const { date } = localTime(new Date(), timeZone);
    const giveUp = () =>
      withStore(folder, ({ sql }) => sql.query(`UPDATE delivery SET given_up_at = due_at WHERE channel = 'webhook'`));
    const stateOf = (number: number) =>
      withStore(folder, async ({ deliveries }) => (await deliveries.of(number))[0]?.state);

    const notGivenUp = { code: 1, stderr: expect.stringContaining('Not given up for webhook: 3, 1.') };
    expect(await resend('--channel', 'webhook', '3', '1')).toMatchObject(notGivenUp);
    await giveUp();
    for (const [args, count] of [
      [['4'], '1 lead will'],
      [['--to', daysAfter(date, -1)], '0 leads'],
      [['--from', date, '--to', date], '1 lead'],
    ] as const)
      expect((await resend('--channel', 'webhook', ...args)).stderr).toMatch(new RegExp(`^${count}`));
    expect([await stateOf(3), await stateOf(4)]).toEqual(['waiting', 'waiting']);
    for (const [args, code, words] of [
      [[], 2, '--channel is missing.'],
      [['--channel', 'pager'], 1, 'There is no channel pager; configured: mail:a@example.ru, webhook.'],
      [['--channel', 'webhook', '--from', date, '3'], 2, 'Give days or numbers, not both.'],
    ] as const) {
      expect(await resend(...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    }
  });

  test('leads erase finds the phone in any spelling, and removes several leads only with --yes', async () => {
    const erase = (...args: string[]) => leads(['erase', ...args]);
    expect(await erase('8 (916) 000-00-02')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 lead of +79160000002 erased.\n'),
    });
    expect(await erase('+79161234567')).toMatchObject({
      code: 1,
      stderr: 'There are 2 leads of +79161234567; to erase them all, add --yes.\n',
    });
    expect(await kept()).toEqual([3, 1]);
    expect(await erase('+79161234567', '--yes')).toMatchObject({ code: 0 });
    expect(await kept()).toEqual([]);
  });
});

test('desk stores its links only as hashes, and revokes the links of one name or all links', async () => {
  await keep(folder, [{}]);
  const desk = (...args: string[]) => korob(['desk', ...args], { SITE_URL: 'https://korob.example' });
  const linkOf = (secret: string) => withStore(folder, ({ links }) => links.find(secret));
  const made = async (...args: string[]) => {
    const { stdout } = await desk('link', ...args);
    expect(stdout).toMatch(/^https:\/\/korob\.example\/desk\/link\/[\w-]{43}\n$/);
    return stdout.trim().slice(-43);
  };
  const [anna, boris] = [await made('Анна'), await made(" О'Нил А.-2 ", '--days', '30')];
  for (const [secret, name, days] of [
    [anna, 'Анна', 7],
    [boris, "О'Нил А.-2", 30],
  ] as const) {
    const link = await linkOf(secret);
    expect(link).toMatchObject({ lead: null, name });
    expect(Math.round((Date.parse(link?.until ?? '') - Date.now()) / dayMs)).toBe(days);
  }
  const database = new DatabaseSync(databasePath(folder));
  expect(JSON.stringify(database.prepare('SELECT * FROM link').all())).not.toMatch(new RegExp(`${anna}|${boris}`));
  database.close();

  expect(await desk('revoke', 'Анна')).toMatchObject({ code: 0 });
  expect([await linkOf(anna), await linkOf(boris)]).toEqual([undefined, expect.anything()]);
  expect(await desk('revoke', 'Анна')).toMatchObject({ code: 1 });
  expect(await desk('revoke', '--all')).toMatchObject({ code: 0 });
  expect(await linkOf(boris)).toBeUndefined();
});

test('broadcast switches on, switches off, and accepts an end time only if it is later today', async () => {
  await keep(folder, []);
  const broadcast = (...args: string[]) =>
    korob(['broadcast', ...args], {
      SITE_URL: 'https://korob.example',
      VIDEO_HOSTS: 'rutube.ru, VkVideo.ru',
      BROADCAST_API_BASE: 'https://api.example/v1',
    });
  const status = async () => (await broadcast('status')).stdout;
  const { code, stderr } = await broadcast('on', 'https://vk.com/video-1_2');
  expect([code, stderr]).toEqual([0, expect.stringMatching(/^The site asks https:\/\/api\.example\/v1 .*\n$/)]);
  expect(await status()).toBe('on https://vkvideo.ru/video_ext.php?oid=-1&id=2\n');
  const { timeZone } = (await currentContent(loadConfig({ DATA_DIR: folder }))).company.workingHours;
  const today = (time: string) => instant(localTime(new Date(), timeZone).date, time, timeZone);
  await atMoment(today('12:00'), async () => {
    const on = (until: string) => broadcast('on', 'https://video.example/live', '--until', until);
    expect(await on('12:00')).toMatchObject({ code: 2 });
    expect(await on('23:59')).toMatchObject({ code: 0, stderr: expect.stringContaining('video.example') });
    expect(await status()).toBe(`on https://video.example/live until ${new Date(today('23:59')).toISOString()}\n`);
  });
  await broadcast('off');
  expect(await status()).toBe('off\n');
});

test('new writes a file, overwrites none, and rejects the address of an article in another category', async () => {
  const content = contentFolder();
  const [category = '', another = ''] = readdirSync(join(content, 'blog'));
  const create = (category: string, ...words: string[]) =>
    korob(['new', 'article', 'Как', ...words, '--category', category], { CONTENT_DIR: content });
  const file = join(content, `blog/${category}/kak-meryaem.md`);
  expect((await create(category, 'меряем')).stdout).toBe(`${file}\n`);
  const before = readFileSync(file, 'utf8');
  expect(before).toContain('heading: "Как меряем"');
  for (const one of [category, another]) {
    const stderr = expect.stringContaining(`blog/${category}/kak-meryaem.md уже есть`);
    expect(await create(one, 'мерЯем')).toMatchObject({ code: 1, stderr });
  }
  expect(readFileSync(file, 'utf8')).toBe(before);
  expect(existsSync(join(content, `blog/${another}/kak-meryaem.md`))).toBe(false);
});

const article = fileIn('blog/articles');
const append = (text: string) => (before: string) => `${before.trimEnd()}\n\n${text}\n`;
const linesOf = (file: string) => readFileSync(join(paths.content, file), 'utf8').trimEnd().split('\n').length;

describe('check', () => {
  const check = (changes: Record<string, Change>, ...flags: string[]) =>
    korob(['check', ...flags], { CONTENT_DIR: contentFolder(changes) });

  shippedTest(
    'prints of the shipped content only what is still the sample, and fails for that with --strict',
    async () => {
      // Old dates cause warnings, so all of them become today.
      const today = new Date().toISOString().slice(0, 'yyyy-mm-dd'.length);
      const dated = (text: string) => text.replace(/\b(updated|checked|effective): \d{4}-\d\d-\d\d/g, `$1: ${today}`);
      const files = [...readFolder(paths.content)].flatMap(([name, { bytes }]): [string, Change][] =>
        dated(String(bytes())) === String(bytes()) ? [] : [[name, dated]],
      );
      const toDo = /^company\.yaml:\d+: замечание: sample: .+:\n {4}company\.yaml\n(?: {4}\S+\n)+$/;
      const { code, stdout, stderr } = await check(Object.fromEntries(files));
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^Замечаний: 1, страниц: \d+\.\n$/) });
      expect(stdout).toMatch(toDo);
      const failed = { code: 1, stdout, stderr: expect.stringMatching(/^Ошибок: 0, замечаний: 1\.\n$/) };
      expect(await check(Object.fromEntries(files), '--strict')).toEqual(failed);
    },
  );

  test('lists warnings by file and line, and fails for them only with --strict', async () => {
    const changes = { [article]: append('Сдайте груз в cрок') };
    const { code, stdout } = await check(changes);
    const warning = `${article}:${linesOf(article) + 2}: замечание: В слове «cрок»`;
    expect([code, stdout]).toEqual([0, expect.stringContaining(warning)]);
    const stderr = expect.stringMatching(/^Ошибок: 0, замечаний: \d+\.\n$/);
    expect(await check(changes, '--strict')).toEqual({ code: 1, stdout, stderr });
  });

  test('fails for errors, and prints them before the warnings', async () => {
    const { code, stdout, stderr } = await check({
      'company.yaml': valued({ sample: [], slogan: 'Всё своё' }),
      [article]: append('ООО «Короб»\nна склад, [цены](/tariffs#marking).'),
    });
    expect(stdout).toMatch(new RegExp(`^${article}:${linesOf(article) + 3}: «/tariffs#marking» переехал`));
    expect(stdout).toContain(`${article}:${linesOf(article) + 2}: замечание: «ООО «Короб» есть только у компании из`);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Ошибок: 1, замечаний: \d+\.\n$/)]);
  });
});

test('publish reports warnings, changed pages, and old addresses without a redirect', async () => {
  const news = readFileSync(join(paths.content, fileIn('news')), 'utf8');
  const post = fielded('heading', 'Склад в Твери')(fielded('title', 'Склад в Твери')(fielded('id', '9001')(news)));
  const line = '- { from: /about/novosti/tver, to: /about/novosti/tver-sklad }';
  const publish = (slug: string, changes: Record<string, Change> = {}) =>
    korob(['publish'], { CONTENT_DIR: contentFolder({ [`news/${slug}.md`]: () => post, ...changes }) });

  expect((await publish('tver')).stderr).toMatch(/^Опубликовано\. Страниц \d+, все прежние\.$/m);
  const told = `redirects.yaml:1: замечание: Адрес /about/novosti/tver пропал. Теперь это /about/novosti/tver-sklad`;
  const checked = await korob(['check'], { CONTENT_DIR: contentFolder({ 'news/tver-sklad.md': () => post }) });
  expect(checked.stdout).toContain(told);
  const doubtful = { [article]: append('В cрок.') };
  const moved = await publish('tver-sklad', doubtful);
  expect(moved.stdout).toMatch(/^новая \/about\/novosti\/tver-sklad$/m);
  for (const one of [told, line, 'замечание: В слове «cрок»']) expect(moved.stderr).toContain(one);
  // Publishing the same content again repeats its warnings.
  const again = await publish('tver-sklad', doubtful);
  expect([again.stdout, again.stderr]).toEqual(['', expect.stringContaining('замечание: В слове «cрок»')]);
  const redirected = await publish('tver', {
    'redirects.yaml': append('- { from: /about/novosti/tver-sklad, to: /about/novosti/tver }'),
  });
  expect([redirected.code, redirected.stderr]).toEqual([0, expect.not.stringContaining('Адрес /')]);
});

describe('publish --back', () => {
  const CONTENT_DIR = contentFolder();
  const back = (...args: string[]) => korob(['publish', '--back', ...args], { CONTENT_DIR });
  const published = () => paths.published(folder);
  const current = () => readPublished(published()).current;
  const slogan = (slogan: string) =>
    publishFiles(
      published(),
      contentWith({ 'company.yaml': valued({ slogan }) }),
      new Date(Date.UTC(2026, 10, 20, 10, slogan.length)),
    );

  test('lists revisions with their time and files, and restores one by its number or name', async () => {
    expect(await back()).toMatchObject({ code: 0, stderr: 'Ещё ничего не публиковали, возвращаться не к чему.\n' });
    expect(await back('1')).toMatchObject({ code: 1, stderr: 'В списке нет «1». Список покажет publish --back.\n' });
    for (const words of ['Раз', 'Дважды', 'Трижды']) await slogan(words);
    const names = readPublished(published()).revisions.map(({ id }) => id.slice(0, 7));
    expect((await back()).stdout).toBe(
      `*  1  ${names[0]}  20 ноября 2026 г. в 13:06  company.yaml\n` +
        `   2  ${names[1]}  20 ноября 2026 г. в 13:06  company.yaml\n` +
        `   3  ${names[2]}  20 ноября 2026 г. в 13:03\n`,
    );
    const stderr = expect.stringMatching(
      /^Возвращено то, что опубликовали 20 ноября 2026 г\. в 13:03\. Страниц \d+, изменил/,
    );
    expect(await back('3')).toMatchObject({ code: 0, stdout: expect.stringContaining('изменилась /\n'), stderr });
    expect(current()).toMatch(`${names[2]}`);
    expect(await back(`${names[0]}`)).toMatchObject({ code: 0 });
    expect(current()).toMatch(`${names[0]}`);
  });
});

describe('doctor', () => {
  const served = { PORT: new URL(running.url).port, HOST: '127.0.0.1' };

  async function examine(env: Record<string, string> = {}, ...flags: string[]) {
    const { code, stdout, stderr } = await korob(['doctor', ...flags], { ...served, ...env });
    expect(stdout).not.toMatch(/whsec_|canary-path|hidden/);
    // A finding of several lines continues below its first line, indented.
    const findings = [...stdout.matchAll(/^(ok|warn|fail) +(\S+) +(.*(?:\n {4,}.*)*)\n/gm)];
    expect(findings.map(([whole]) => whole).join('')).toBe(stdout);
    const of = (about: string) =>
      findings.flatMap(([, verdict, one, text]) => (one === about ? `${verdict}: ${text}` : []));
    return { code, stderr, of };
  }

  test('reports no problem when all is well, and sends a test message that does not notify staff', async () => {
    await keep(folder, [{}]);
    const { code, stderr, of } = await examine({ ...webhook, SITE_URL: running.url });
    expect([code, stderr]).toEqual([0, '']);
    expect(of('server')).toEqual(Array(2).fill(`ok: a server answers on ${running.url}`));
    expect(of('store').slice(0, 2)).toEqual(['ok: the database is whole', expect.stringContaining('can be stored')]);
    expect(of('content')[0]).toMatch(/^ok: /);
    expect(of('channels')).toEqual(['ok: webhook has taken a test message']);
    expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: expect.stringContaining('test') }]);
  });

  test('warns when no server runs yet, no channel is configured, or SITE_URL is a local address', async () => {
    const { code, of } = await examine();
    expect(code).toBe(0);
    expect(of('configuration')[0]).toMatch(/^warn: .*links in messages work only on this machine/);
    for (const about of ['store', 'published', 'channels'])
      expect(of(about)).toEqual([expect.stringMatching(/^warn: /)]);
    expect(existsSync(databasePath(folder))).toBe(false);
  });

  test('fails for a site that redirects or that another server answers', async () => {
    const answering = async (status: number, headers: Record<string, string>) =>
      (await httpServer((res) => void res.writeHead(status, headers).end())).url;
    const served = (build: string) => ({ 'Server-Timing': `build;desc=${build}` });
    const own = { PORT: new URL(await answering(200, served('one'))).port };
    const elsewhere = await answering(301, { Location: running.url });
    expect((await examine({ ...own, SITE_URL: elsewhere })).of('server')[1]).toContain(
      `fail: ${elsewhere} redirects to ${running.url}; set SITE_URL to the address that visitors end at`,
    );
    const other = await answering(200, served('two'));
    expect((await examine({ ...own, SITE_URL: other })).of('server')[1]).toMatch(
      /^warn: another server, or another version/,
    );
  });

  test('finds the chat of a bot of MAX while its number is missing, even if it sends nothing', async () => {
    const told = async (status: number, body: object) => {
      const { url, received } = await httpServer((res) => sendJson(res, status, body));
      const { code, of } = await examine({ MAX_BOT_TOKEN: 'hidden'.repeat(4), MAX_API_BASE: url }, '--no-send');
      expect(received.map(({ url }) => url)).toEqual([expect.stringMatching(/^\/updates\?/)]);
      return [code, of('channels')[0]];
    };
    const updates = [{ chat_id: -7 }, { message: { recipient: { chat_id: 5 } } }];
    expect(await told(200, { updates })).toEqual([0, expect.stringMatching(/^warn: .*set MAX_CHAT_ID=-7 or 5$/)]);
    expect(await told(401, {})).toEqual([1, expect.stringMatching(/^fail: .*check MAX_BOT_TOKEN/)]);
  });

  testIf({ programs: ['openssl'] })(
    'warns of a certificate that expires soon, and fails in its last days',
    async () => {
      const told = async (days: number) => {
        const tls = join(temporaryFolder(), 'tls');
        makeCertificate(tls, '127.0.0.1', { days });
        const read = (name: string) => readFileSync(join(tls, name));
        const port = await listen(createServer({ key: read('privkey.pem'), cert: read('fullchain.pem') }));
        return (await examine({ SITE_URL: `https://127.0.0.1:${port}`, TRUST_PROXY: '1' })).of('certificate');
      };
      expect(await told(60)).toEqual([expect.stringMatching(/^ok: expires in (59|60) days, on \d{4}-\d\d-\d\d$/)]);
      expect(await told(20)).toEqual([expect.stringMatching(/^warn: expires in (19|20) days, on /)]);
      expect(await told(2)).toEqual([expect.stringMatching(/^fail: expires in [12] days?, on /)]);
      expect((await examine({ SITE_URL: running.url })).of('certificate')).toEqual([]);
    },
  );

  testIf({ programs: ['openssl'] })('trusts the authority in TRUSTED_CA for every connection', async () => {
    const tls = join(temporaryFolder(), 'tls');
    makeCertificate(tls, 'localhost');
    const [key, certificate] = ['privkey.pem', 'fullchain.pem'].map((name) => join(tls, name));
    const server = createServer({ key: readFileSync(key ?? ''), cert: readFileSync(certificate ?? '') }, (_, res) => {
      res.end();
    });
    const own = { ...webhook, LEADS_WEBHOOK_URL: `https://localhost:${await listen(server)}` };
    expect((await examine(own)).of('channels')).toEqual([expect.stringMatching(/^fail: .*certificate/)]);
    const trusting = { ...own, TRUSTED_CA_FILE: certificate ?? '' };
    expect((await examine(trusting)).of('channels')).toEqual(['ok: webhook has taken a test message']);
  });

  test('warns when there is no backup or the newest one is old', async () => {
    await keep(folder, [{}]);
    const told = async () => (await examine()).of('backup');
    expect(await told()).toEqual([expect.stringMatching(/^warn: no backup was made with DATA_DIR=/)]);
    expect((await korob(['backup', join(temporaryFolder(), 'copy.sqlite')])).code).toBe(0);
    expect(await told()).toEqual([expect.stringMatching(/^ok: the newest backup is 0 hours old$/)]);
    const old = new Date(Date.now() - 50 * 3_600_000);
    utimesSync(backupMark(folder), old, old);
    expect(await told()).toEqual([expect.stringMatching(/^warn: the newest backup is 50 hours old; /)]);
  });

  test('fails for a server or site that does not answer, and for unknown variables', async () => {
    const port = String(await freePort());
    const { code, stderr, of } = await examine({ PORT: port, SITE_URL: `http://127.0.0.1:${port}`, SMTP_HOST: 'x' });
    expect([code, stderr]).toEqual([1, '3 checks failed.\n']);
    expect(of('configuration')).toEqual(['fail: SMTP_HOST: nothing reads it; there is SMTP_URL']);
    const silent = `fail: no server answers on http://127.0.0.1:${port};`;
    expect(of('server')).toEqual([
      expect.stringContaining(`${silent} start it`),
      expect.stringContaining(`${silent} look at SITE_URL, the name, nginx`),
    ]);
    expect(of('channels')).toHaveLength(1);
  });

  test('reports that DATA_DIR is not accessible, and not that it is empty', async () => {
    // Root has access to every folder, so a file takes the place of the folder here.
    const file = join(folder, 'file');
    writeFileSync(file, '');
    const { code, of } = await examine({ DATA_DIR: file }, '--no-send');
    const told = expect.stringMatching(
      /^fail: DATA_DIR: \S+ may not use .*\(EACCES\); run this as the user of the server$/,
    );
    expect([code, of('store'), of('published')]).toEqual([1, [told], [told]]);
  });

  test('sends nothing with --no-send, and names what is still the sample', async () => {
    const content = contentFolder({ 'company.yaml': valued({ sample: ['cases', 'legal/'] }) });
    const { code, of } = await examine({ ...webhook, CONTENT_DIR: content }, '--no-send');
    expect([code, of('channels'), received]).toEqual([0, ['ok: webhook: nothing was sent'], []]);
    expect(of('content')[1]).toMatch(/^warn: these are still the shipped sample: cases, legal\/; /);
  });

  test('warns of a channel with personal data that the policy does not name', async () => {
    const content = contentFolder({ 'legal/policy.md': (text) => text.replace(/CRM/g, 'учёта') });
    const warnings = async (env: Record<string, string>) => (await examine(env, '--no-send')).of('content').slice(1);
    const unnamed = expect.stringMatching(/^warn: legal\/policy\.md does not say that leads go to webhook; name /);
    expect(await warnings({ ...webhook, CONTENT_DIR: content })).toContainEqual(unnamed);
    expect(await warnings({ CONTENT_DIR: content })).not.toContainEqual(unnamed);
  });

  test('reports a difference between the content folder, the publication and what visitors see', async () => {
    const changed = { CONTENT_DIR: contentFolder({ 'company.yaml': valued({ slogan: 'Всё своё' }) }) };
    await korob(['publish'], changed);
    const told = async (env = {}) => (await examine(env)).of('published').filter((line) => !/pictures/.test(line));
    expect(await told(changed)).toEqual([expect.stringMatching(/^ok: .*, published at /)]);
    expect(await told()).toEqual([
      expect.stringMatching(/^ok: /),
      expect.stringMatching(/^warn: .* has changed since .* "publish"/),
    ]);
    const published = paths.published(folder);
    writeFileSync(join(published, readPublished(published).current ?? '', 'rates.yaml'), '');
    expect(await told(changed)).toEqual([
      expect.stringMatching(/^fail: .* is damaged, and what was published before is shown; "publish" again/),
    ]);
    writeFileSync(join(published, 'revisions.json'), '');
    expect((await told(changed))[0]).toMatch(/^fail: the list in .* is damaged, and the newest content that is whole/);
  });

  test('names the channel of each message that waits or was given up, and fails when one waits for more than ten minutes', async () => {
    const told = async () => (await examine(webhook, '--no-send')).of('store').slice(2, -1);
    await keep(folder, [{ channels: ['webhook', 'mail:a@example.ru'] }]);
    const ask = (text: string, ...values: string[]) => withStore(folder, ({ sql }) => sql.query(text, values));
    const now = new Date().toISOString();
    const expectTold = async (...words: string[]) =>
      expect(await told()).toEqual(words.map((one) => expect.stringContaining(one)));
    const gone = 'warn: 1 message for mail:a@example.ru waiting, but the channel is not configured';
    await ask('UPDATE delivery SET queued_at = $1', now);
    await expectTold(gone, 'warn: 1 message for webhook on the way');
    const old = '2026-11-20T09:00:00.000Z';
    await ask(`UPDATE delivery SET queued_at = $1, error = 'it answered 503'`, old);
    await expectTold(
      gone,
      `fail: 1 message for webhook waiting, the oldest since ${old} and until three days have passed: it answered 503`,
    );
    await ask('UPDATE delivery SET given_up_at = $1', now);
    const resend = (channel: string) => `"leads resend --channel ${channel}" sends those of new leads again`;
    await expectTold(resend('mail:a@example.ru'), resend('webhook'));
  });

  test('warns of a data folder that other users can write to', async () => {
    await keep(folder, [{}]);
    chmodSync(folder, 0o1777);
    const { code, of } = await examine();
    expect([code, of('access')]).toEqual([0, [expect.stringMatching(`^warn: other users .* into ${folder}, which`)]]);
  });

  test('does not say that leads can be stored when the tables do not take a lead', async () => {
    await keep(folder, [{}]);
    const refuse = `CREATE TRIGGER no BEFORE INSERT ON lead BEGIN SELECT RAISE(ABORT, 'no lead'); END`;
    await withStore(folder, ({ sql }) => sql.query(refuse));
    const { code, of } = await examine({}, '--no-send');
    expect([code, of('store')]).toEqual([1, [expect.stringMatching('^fail: .*no lead')]]);
  });

  test('counts the leads that remain in SQLite, even when PostgreSQL is unavailable', async () => {
    const env = { DATABASE_URL: 'postgres://korob@127.0.0.1:1/korob' };
    const refused = expect.stringMatching(/^fail: .*the connection was refused/);
    await keep(folder, [{}, {}]);
    const left = expect.stringContaining(`fail: ${databasePath(folder)} holds 2 leads that nobody sees`);
    expect((await examine(env)).of('store')).toEqual([left, refused]);
    await withStore(folder, ({ leads }) => leads.erase(newLead().phone, 'operator'));
    expect((await examine(env)).of('store')).toEqual([expect.stringMatching(/^warn: .*holds no lead/), refused]);
  });

  redisTest('connects to Redis, and reports why it is unavailable', async () => {
    const redis = await startRedis();
    expect((await examine({ REDIS_URL: redis.url })).of('limits')).toEqual(['ok: Redis counts requests']);
    await redis.kill();
    const { code, of } = await examine({ REDIS_URL: redis.url.replace('//', '//:hidden@') });
    expect([code, of('limits')]).toEqual([1, [expect.stringMatching(/^fail: .*ECONNREFUSED/)]]);
  });

  test('reports each failed check', async () => {
    writeFileSync(databasePath(folder), 'It was a dark and stormy night. '.repeat(500));
    status = 500;
    const content = contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') });
    const { code, stderr, of } = await examine({ ...webhook, CONTENT_DIR: content });
    expect([code, stderr]).toEqual([1, '3 checks failed.\n']);
    expect(of('store')).toEqual([expect.stringMatching('^fail: .*the file is no database')]);
    expect(of('content')).toEqual([expect.stringMatching(/^fail: .*company\.yaml:\d+: email/s)]);
    expect(of('channels')).toEqual([expect.stringMatching('^fail: webhook: ')]);
  });
});

describe('a usage error exits with 2 and prints one sentence and the usage', () => {
  test.each([
    [[], 'Which command?'],
    [['leads', 'nonsense'], 'There is no command "leads nonsense". "--help"'],
    [['lead', 'show', '1'], 'There is no command "lead show 1"; did you mean "leads show"? "--help"'],
    [['leads', 'list', '--nonsense'], "Unknown option '--nonsense'"],
    [['leads', 'show'], 'NUMBER is missing.'],
    [['broadcast', 'on', 'javascript:alert(1)'], 'javascript:alert(1) is no http or https address.'],
    [['desk', 'link', 'Анна', '--days', '93'], '--days must be 92 at most.'],
    [['desk', 'link', 'ы'.repeat(41)], 'NAME must be up to 40 letters'],
    [['desk', 'revoke', 'Анна', '--all'], '"Анна" is one argument too many.'],
    [['new', 'artcle', 'Кружки'], 'Вида «artcle» нет. Есть: '],
    [['publish', '2'], 'Эту команду пишут иначе:'],
  ])('%j', async (args, sentence) => {
    const { code, stdout, stderr } = await korob(args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.startsWith(sentence)).toBe(true);
    expect(stderr).toMatch(/\nUsage: node dist\/cli\.js COMMAND\n|^.*"--help" lists the commands\.\n$/);
    expect(existsSync(databasePath(folder))).toBe(false);
  });
});

test('--help lists every command for operators, and only one command after its name', async () => {
  const listed = async (...args: string[]) => (await korob(args)).stdout.match(/^ {2}\w.*/gm);
  const all = await listed('--help');
  expect(all).toEqual(expect.arrayContaining(['  leads show NUMBER', '  broadcast off']));
  expect(all?.join()).not.toContain('pictures');
  expect(await listed('leads', 'show', '--help')).toEqual(['  leads show NUMBER']);
});

describe('a command as a process', () => {
  function start(...args: string[]) {
    const child = spawn(process.execPath, [paths.commands, ...args], { env: { ...process.env, DATA_DIR: folder } });
    const ended = Promise.all([once(child, 'close'), text(child.stderr)]);
    return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
  }

  test('exits with 0 when its reader closes the pipe', async () => {
    await keep(folder, Array(10).fill({ message: 'ы'.repeat(100_000) }));
    const { child, ended } = start('leads', 'export');
    await once(child.stdout, 'data');
    child.stdout.destroy();
    expect(await ended).toEqual({ code: 0, stderr: '' });
  });

  const scripts = join(paths.deploy, '..');

  test.each([paths.main, paths.commands, join(scripts, 'node-version.js')])(
    '%s names the required version when Node is too old',
    async (program) => {
      const older = `Object.defineProperty(process.versions, 'node', { value: '25.9.0' });`;
      const args = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, program, 'backup', 'file'];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^This needs Node\.js 26\.0 or later/)]);
      // The first Node with ES modules must be able to parse it.
      const code = readFileSync(program, 'utf8');
      const asIn = async (target: string) => (await transform(code, { format: 'esm', target })).code;
      expect(await asIn('node12.20')).toBe(await asIn('esnext'));
    },
  );

  test.each([
    ['26.0.0', 0],
    ['20.8.1', 1],
  ])('"npm ci" by Node %s exits with %d', (version, code) => {
    const env = { ...process.env, npm_config_user_agent: `npm/10.1.0 node/v${version} linux x64 workspaces/false` };
    const { status, stderr } = spawnSync(process.execPath, [join(scripts, 'preinstall.js')], { env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([code, code === 0 ? '' : expect.stringContaining('needs Node.js 20.9 or later')]);
  });
});

test('nginx renames a file that it replaces, and prints the new name', async () => {
  const nginx = temporaryFolder();
  writeFileSync(join(nginx, 'nginx.conf'), 'other sites');
  const write = () => korob(['nginx', nginx], { SITE_URL: 'https://korob.example' });
  const first = await write();
  const names = readdirSync(nginx);
  const kept = names.find((name) => name.startsWith('nginx.conf.')) ?? '';
  expect(readFileSync(join(nginx, kept), 'utf8')).toBe('other sites');
  expect([first.code, first.stderr]).toEqual([0, expect.stringContaining(`The old file is now ${join(nginx, kept)}.`)]);
  expect(readFileSync(join(nginx, 'nginx.conf'), 'utf8')).toContain('http {');
  // Identical files are not replaced.
  expect((await write()).stderr).not.toContain('It is now');
  expect(readdirSync(nginx)).toEqual(names);
});
