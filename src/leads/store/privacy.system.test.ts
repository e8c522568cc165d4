import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../config.ts';
import { dayMs, hourMs } from '../../lib/durations.ts';
import type { Retention } from '../../model/retention-periods.ts';
import { type Ask, asForm, ask as askAs, browserHeaders } from '../../tests/support/ask.ts';
import { atEnd } from '../../tests/support/at-end.ts';
import { atMoment } from '../../tests/support/at-moment.ts';
import { httpServer, rawServer } from '../../tests/support/channels.ts';
import { korob, withStore } from '../../tests/support/commands.ts';
import { eventually } from '../../tests/support/eventually.ts';
import { freePort } from '../../tests/support/free-port.ts';
import { parseHtml, textOf } from '../../tests/support/html.ts';
import { arrival, newLead } from '../../tests/support/sample-leads.ts';
import { type ServerProcess, startServerProcess } from '../../tests/support/server-process.ts';
import { startNginx } from '../../tests/support/start-nginx.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { testIf } from '../../tests/support/test-if.ts';
import { consentOf, leadsIn } from './leads.ts';
import { type Store, storeIn } from './open-store.ts';
import { startRetention } from './retention.ts';
import type { Sql } from './sql.ts';
import { type Database, databasePath, openDatabase } from './sqlite.ts';

const shippedTest = testIf({ shipped: true });

/** The bytes of a database, its WAL, shared memory and journal. */
const bytesIn = (dataDir: string) =>
  ['', '-wal', '-shm', '-journal']
    .map((rest) => databasePath(dataDir) + rest)
    .map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : ''))
    .join('');
const bytesOf = (word: string) => Buffer.from(word).toString('latin1');

describe('the retention of leads', () => {
  const retention = { leads: 365, consents: 4 * 365 + 1 };

  test('is never longer for a lead than for the evidence of its consent', () => {
    const env = { LEADS_RETENTION_DAYS: '30', CONSENT_RETENTION_DAYS: '29' };
    expect(() => loadConfig(env)).toThrow('CONSENT_RETENTION_DAYS: fewer than LEADS_RETENTION_DAYS');
  });

  describe('when it ends', () => {
    const agreed = { body: { lines: ['Согласен', 'на всё.'] } };
    let dataDir: string;
    let database: Database;
    let store: Store;
    let lines: Record<string, unknown>[];

    beforeEach(() => {
      dataDir = temporaryFolder();
      database = openDatabase(dataDir);
      store = storeIn(database);
      lines = [];
      atEnd(store.close);
    });

    const start = (about: { sql?: Sql; retention?: Retention } = {}) => {
      const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
      return startRetention({ sql: database, dataDir, consent: () => agreed, retention, logger, ...about });
    };

    const addBefore = (days: number, name: string) =>
      atMoment(Date.now() - days * dayMs, () =>
        store.leads.add(newLead({ key: name, name, phone: `+7${days}` }), arrival),
      );

    test('removes everything but the evidence of consent first, then the rest, also from the bytes of the database', async () => {
      await addBefore(retention.consents + 2, 'Удалённый');
      await addBefore(367, 'Сокращённый');
      await addBefore(364, 'Недавний');
      await start().stop();
      expect(await Array.fromAsync(store.leads.all())).toMatchObject([
        { name: null, message: null, phoneTyped: '', attribution: {}, phone: '+7367', consent: newLead().consent },
        { name: 'Недавний', message: newLead().message },
      ]);
      const bytes = bytesIn(dataDir);
      const words = ['Недавний', 'Сокращённый', '+7367', '+71463'];
      expect(words.filter((word) => bytes.includes(bytesOf(word)))).toEqual(['Недавний', '+7367']);
      expect(lines).toMatchObject([{ level: 30, stripped: 1, removed: 1 }]);
      const { hash } = consentOf(agreed);
      expect(await database.query('SELECT * FROM consent_text')).toEqual([{ hash, text: 'Согласен\nна всё.' }]);
    });

    const daily = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);

    test.each([
      ['moves by an hour, or stands still for two days', [...daily(0, 8), 8.04, 10, ...daily(11, 20)], 11],
      ['is ahead for one check', [...daily(0, 5), 4_000, ...daily(5, 20)], 11],
      ['is behind for one check', [...daily(0, 5), -4_000, ...daily(5, 20)], 11],
      ['stands still for six days, as without a server', [...daily(0, 8), ...daily(13, 30)], 19],
      ['is ahead, and then further ahead', [...daily(0, 5), ...daily(9, 12), ...daily(4_000, 4_020)], 4_010],
      ['was years behind when a new installation got the lead', [0, 0.5, ...daily(2_000, 2_020)], 2_010],
      ['is ahead for days, and then right', [...daily(0, 3), ...daily(4_000, 4_003), ...daily(6, 20)], 11],
    ])('removes a lead after ten days of retention on the right day when the clock %s', async (_, days, expected) => {
      const begun = Date.parse('2026-11-20T09:00:00.000Z');
      const tenDays = { leads: 10, consents: 20_000 };
      await atMoment(begun, () => store.leads.add(newLead(), arrival));
      const left = async () => (await store.leads.find(1))?.name;
      let removed: number | undefined;
      for (const day of days) {
        await atMoment(begun + day * dayMs, () => start({ retention: tenDays }).stop());
        if ((await left()) === null) removed ??= day;
      }
      expect(removed).toBe(expected);
    });

    test('runs every hour, and retries a failure an hour later', async () => {
      jest.useFakeTimers();
      try {
        const failure = async () => {
          throw new Error('the disk is full');
        };
        const sql: Sql = { ...database, query: failure, transact: failure };
        const retention = start({ sql });
        await jest.advanceTimersByTimeAsync(0);
        const [listing, removal] = ['erasures could not be listed', 'expired leads could not be removed'];
        const failures = [listing, removal].map((msg) => ({ level: 50, msg: expect.stringContaining(msg) }));
        expect(lines).toMatchObject(failures);
        await jest.advanceTimersByTimeAsync(hourMs);
        expect(lines).toMatchObject([...failures, ...failures]);
        await retention.stop();
      } finally {
        jest.useRealTimers();
      }
    });

    test('clears remnants of rows that moved between database pages at the next erasure', async () => {
      let alive: string[] = [];
      const gone: string[] = [];
      for (let round = 0; round < 6; round++) {
        await store.sql.transact(async (query) => {
          const { add } = leadsIn({ ...store.sql, query, transact: (work) => work(query) });
          for (let n = 0; n < 150; n++) {
            // Unordered, so that new rows go between existing ones.
            const phone = `+79${String(((round * 150 + n) * 7_919 * 104_729) % 1_000_000_000).padStart(9, '0')}`;
            await add(newLead({ key: phone, phone, phoneTyped: '', message: 'ы'.repeat((n % 40) * 20) }), arrival);
            alive.push(phone);
          }
          const doomed = alive.filter((_, n) => n % 4 === 0);
          for (const phone of doomed) await query('DELETE FROM lead WHERE phone = $1', [phone]);
          alive = alive.filter((_, n) => n % 4 !== 0);
          gone.push(...doomed);
        });
      }
      const left = () => {
        const bytes = bytesIn(dataDir);
        return gone.filter((phone) => bytes.includes(phone)).length;
      };
      expect(left()).toBeGreaterThan(0);
      await store.leads.erase('+1', 'operator');
      expect(left()).toBe(0);
    });

    test('rejects an erasure while another process reads an older state, and erases everything once that has ended', async () => {
      await addBefore(0, 'Анна');
      const reader = openDatabase(dataDir);
      atEnd(reader.close);
      reader.connection.exec('BEGIN; SELECT count(*) FROM lead');
      await expect(store.leads.erase('+70', 'operator')).rejects.toThrow(
        'another process still reads the erased data; repeat',
      );
      reader.connection.exec('COMMIT');
      // Other processes can still write.
      await storeIn(reader).leads.probe();
      await store.leads.erase('+70', 'operator');
      expect(bytesIn(dataDir)).not.toContain(bytesOf('Анна'));
    });
  });
});

describe('personal data of visitors', () => {
  /** A recognizable word for each place that can hold personal data. */
  const canaries = {
    ...{ name: 'Канарейкина', phone: '9160009988', phoneTyped: 'Зяблик', message: 'Чижиков' },
    ...{ page: 'snegir-page', attribution: 'snegir-campaign', query: 'snegir-query', path: 'snegir-path' },
    ...{ agent: 'SnegirBrowser', referrer: 'snegir-referrer', cookie: 'snegir-cookie', address: '203.0.113.77' },
  };
  const receipts: string[] = [];

  /** The canaries that a text contains, in any spelling that could occur there. */
  function found(text: string): string[] {
    const words = [...Object.values(canaries), ...receipts];
    const spelt = ['8%20916%20000', '000-99-88', '203.0.113'];
    const all = [...spelt, ...words, ...words.map(encodeURIComponent)];
    return all.filter((word) => text.toLowerCase().includes(word.toLowerCase()));
  }

  /** The complete form of a visitor. */
  const formOf = (about: Record<string, string> = {}) => ({
    preset: 'request',
    name: canaries.name,
    phone: `8 916 000-99-88 ${canaries.phoneTyped}`,
    message: `Перезвоните, ${canaries.message}`,
    consent: 'yes',
    page: `/${canaries.page}`,
    'attribution.utm_campaign': canaries.attribution,
    ...about,
  });

  /** Sends a visitor's HTTP request with a canary in everything that a browser adds. */
  function ask(port: number, path: string, { headers, ...options }: Ask = {}) {
    const own = {
      'user-agent': `${browserHeaders['user-agent']} ${canaries.agent}`,
      referer: `http://localhost:3000/${canaries.referrer}?utm=${canaries.referrer}`,
      cookie: `who=${canaries.cookie}`,
      'x-forwarded-for': canaries.address,
    };
    return askAs(port, path, { ...options, headers: { ...own, ...headers } });
  }

  const post = (port: number, about: Record<string, string> = {}, headers: Ask['headers'] = {}, query = '') =>
    ask(port, `/contact${query}`, asForm(formOf(about), { headers }));

  /** Sends forms that succeed and fail in every way, and opens every address that can carry data. */
  async function visit(port: number): Promise<number[]> {
    const { status, headers } = await post(port);
    const { query, path, phone } = canaries;
    receipts.push(headers.location?.replace('/contact/', '') ?? '');
    const answers = await Promise.all([
      post(port, { website: 'http://spam.example' }),
      post(port, { consent: '' }),
      post(port, { phone: canaries.phoneTyped }),
      post(port, { message: canaries.message.repeat(20_000) }),
      post(port, {}, { 'content-type': 'text/plain' }),
      post(port, {}, { 'sec-fetch-site': 'cross-site' }),
      post(port, {}, {}, `?utm=${query}`),
      ask(port, `/contact?${query}`, { method: 'DELETE' }),
      ...[
        headers.location ?? '',
        ...[`/contact/${path}`, `/contact?preset=${query}`, `/take/${path}`, `/${path}?phone=${phone}`],
        ...[`/${path}.json`, `/%zz${path}`, `/cases?page=${query}`],
      ].map((one) => ask(port, one)),
    ]);
    return [status, ...answers.map(({ status }) => status)];
  }

  let server: ServerProcess;
  let metrics: () => Promise<string>;

  beforeAll(async () => {
    // Two channels that fail: one echoes its input, one hangs up midway.
    const echo = await httpServer((res, { body }) => void res.writeHead(500).end(body));
    const rude = await rawServer((socket) => {
      socket.write('220 mail ESMTP\r\n');
      socket.on('data', (data) => socket.end(`554 refused: ${data}\r\n`));
    });
    const metricsPort = await freePort();
    metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    server = await startServerProcess({
      TRUST_PROXY: '1',
      LEADS_RETENTION_DAYS: '100',
      LOG_LEVEL: 'trace',
      METRICS_PORT: String(metricsPort),
      LEADS_WEBHOOK_URL: echo.url,
      LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      SMTP_URL: `smtp://127.0.0.1:${rude.port}`,
      LEADS_EMAIL_TO: 'sales@example.ru',
      LEADS_EMAIL_FROM: 'site@example.ru',
    });
    const statuses = await visit(server.port);
    expect(new Set(statuses)).toEqual(new Set([303, 422, 413, 415, 403, 405, 200, 404, 400]));
    const failed = () => new Set(server.output().match(/"channel":"[^"]+"(?=.*"delivery failed, retrying")/g)).size;
    await eventually(failed, 2, 'both channels fail');
  });

  const deliveries = () => withStore(server.dataDir, (store) => store.deliveries.of(1));
  test.each([
    ['the output of the server', () => server.output(), /"msg":"request".*delivery failed/s],
    ['the metrics', () => metrics(), /korob_deliveries/],
    ['the records of deliveries', async () => JSON.stringify(await deliveries()), /"error":"/],
  ])('does not appear in %s', async (_, read, known) => {
    await eventually(async () => known.test(await read()));
    expect(found(await read())).toEqual([]);
  });

  test('appears on no page, except for the receipt in the address of its page', async () => {
    for (const path of ['/', '/contact', `/contact/${receipts[0]}`]) {
      const { status, text } = await askAs(server.port, path);
      expect([status, found(text.replaceAll(receipts[0] ?? '', ''))]).toEqual([200, []]);
    }
  });

  shippedTest('has the retention periods of this server in the policy and in the consent', async () => {
    for (const path of ['/policy', '/consent']) {
      const text = textOf(parseHtml((await askAs(server.port, path)).text));
      for (const term of ['100 дней со дня', '4 года']) expect(text).toContain(term);
    }
  });

  testIf({ programs: ['nginx'] })('appears in no log of nginx while the application is down', async () => {
    const nginx = await startNginx(await freePort());
    atEnd(nginx.stop);
    expect((await post(nginx.port)).status).toBe(503);
    await ask(nginx.port, `/${canaries.path}?phone=${canaries.phone}`);
    // nginx writes the line of the log after its answer.
    await eventually(() => nginx.accessLog().match(/"method":"(POST|GET)","status":503/g)?.length, 2);
    expect(found(nginx.accessLog() + nginx.errorLog())).toEqual([]);
  });

  test('disappears from the bytes of the database when it is erased, while a server has the database open', async () => {
    const { name, phone, phoneTyped, message, page, attribution } = canaries;
    const words = [name, phone, phoneTyped, message, page, attribution, ...receipts].map(bytesOf);
    const left = () => words.filter((word) => bytesIn(server.dataDir).includes(word));
    expect(left()).toEqual(words);
    const { code, stderr } = await korob(server.dataDir, ['leads', 'erase', '8 916 000 99 88', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+ leads of \+79160009988 erased\.$/m)]);
    expect(left()).toEqual([]);
    expect((await ask(server.port, '/readyz')).status).toBe(200);
  });
});
