import { readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Answer, type Ask, asForm, ask as askAs, browserHeaders } from '../../testing/ask.ts';
import { httpServer, rawServer, type TestServer } from '../../testing/channels.ts';
import { korob, withStore } from '../../testing/commands.ts';
import { eventually } from '../../testing/eventually.ts';
import { freePort } from '../../testing/free-port.ts';
import { newLead, plan } from '../../testing/leads.ts';
import { type Nginx, nginxPath, startNginx } from '../../testing/nginx.ts';
import { testWith } from '../../testing/requires.ts';
import { type ServerProcess, startServerProcess } from '../../testing/server-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { expire } from './retention.ts';
import { databasePath, openDatabase } from './sqlite.ts';

/** Words that stand for personal data, one in each place where it can be. */
const canaries = {
  name: 'Канарейкина',
  phone: '9160009988',
  phoneTyped: 'Зяблик',
  message: 'Чижиков',
  page: 'snegir-page',
  attribution: 'snegir-campaign',
  query: 'snegir-query',
  path: 'snegir-path',
  agent: 'SnegirBrowser',
  referrer: 'snegir-referrer',
  cookie: 'snegir-cookie',
  address: '203.0.113.77',
  receipt: '',
};

/** Everything that must not be found, in the spellings in which it could be. */
function forbidden(): string[] {
  const words = Object.values(canaries).filter(Boolean);
  const spelt = ['+79160009988', '8 916 000-99-88', '8%20916%20000', '000-99-88', '203.0.113'];
  return [
    ...words,
    ...spelt,
    ...words.map(encodeURIComponent),
    ...words.map((word) => JSON.stringify(word).slice(1, -1)),
  ];
}

function found(text: string): string[] {
  return forbidden().filter((word) => text.toLowerCase().includes(word.toLowerCase()));
}

/** The form of a visitor, complete. */
function formOf(about: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({
    preset: 'request',
    name: canaries.name,
    phone: `8 916 000-99-88 ${canaries.phoneTyped}`,
    message: `Перезвоните, ${canaries.message}`,
    consent: 'yes',
    page: `/${canaries.page}`,
    'attribution.utm_campaign': canaries.attribution,
    key: `key-${Math.random().toString(36).slice(2)}-form`,
    ...about,
  });
}

/** A visitor with a canary in everything that a browser sends. */
function ask(port: number, path: string, { headers, ...options }: Ask = {}): Promise<Answer> {
  const own = {
    'user-agent': `${browserHeaders['user-agent']} ${canaries.agent}`,
    referer: `http://localhost:3000/${canaries.referrer}?utm=${canaries.referrer}`,
    cookie: `who=${canaries.cookie}`,
    'x-forwarded-for': canaries.address,
  };
  return askAs(port, path, { ...options, headers: { ...own, ...headers } });
}

const post = (port: number, fields: URLSearchParams, path = '/contact', headers: Ask['headers'] = {}) =>
  ask(port, path, asForm(fields, { headers }));

/** Everything that can go right or wrong with a form, and every address that can carry something. */
async function visit(port: number): Promise<number[]> {
  const statuses: number[] = [];
  const note = async (answer: Promise<Answer>) => {
    const { status, headers } = await answer;
    statuses.push(status);
    return headers.location ?? '';
  };
  const receipt = await note(post(port, formOf()));
  canaries.receipt = receipt.replace('/contact/', '');
  await note(ask(port, receipt));
  await note(post(port, formOf({ website: 'http://spam.example' })));
  await note(post(port, formOf({ consent: '' })));
  await note(post(port, formOf({ phone: canaries.phoneTyped })));
  await note(post(port, formOf(), `/contact?utm=${canaries.query}`));
  await note(post(port, formOf({ message: canaries.message.repeat(20_000) })));
  await note(post(port, formOf(), '/contact', { 'content-type': 'text/plain' }));
  await note(post(port, formOf(), '/contact', { 'sec-fetch-site': 'cross-site' }));
  await note(ask(port, `/contact?preset=${canaries.query}`));
  await note(ask(port, `/contact/${canaries.path}`));
  await note(ask(port, `/take/${canaries.path}`));
  await note(ask(port, `/${canaries.path}?phone=${canaries.phone}`));
  await note(ask(port, `/${canaries.path}.json`));
  await note(ask(port, `/cases?page=${canaries.query}`));
  await note(ask(port, `/%zz${canaries.path}`));
  await note(ask(port, `/rates?${canaries.query}=1`));
  await note(ask(port, `/contact?${canaries.query}`, { method: 'DELETE' }));
  for (let n = 0; n < 301; n++) await note(post(port, formOf({ phone: '' })));
  return statuses;
}

let server: ServerProcess;
let metricsPort: number;
let nginx: Nginx | undefined;
let statuses: number[];
const channels: TestServer[] = [];
const proof = testWith(nginxPath, "nginx's logs hold nothing of what visitors send");

const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

beforeAll(async () => {
  metricsPort = await freePort();
  // Two that fail: one says back what it was told, one hangs up in the middle.
  const echo = await httpServer((res, { body }) => void res.writeHead(500).end(body));
  const rude = await rawServer((socket) => {
    socket.write('220 mail ESMTP\r\n');
    socket.on('data', (data) => socket.end(`554 refused: ${data}\r\n`));
  });
  channels.push(echo, rude);
  server = await startServerProcess({
    DATA_DIR: temporaryFolder(),
    TRUST_PROXY: '1',
    LOG_LEVEL: 'trace',
    METRICS_PORT: String(metricsPort),
    LEADS_WEBHOOK_URL: `http://127.0.0.1:${echo.port}/`,
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
    SMTP_URL: `smtp://127.0.0.1:${rude.port}`,
    LEADS_EMAIL_TO: 'sales@example.ru',
    LEADS_EMAIL_FROM: 'site@example.ru',
  });
  statuses = await visit(server.port);
  await eventually(
    async () => {
      const text = await metrics();
      return ['mail', 'webhook'].every((kind) =>
        /[1-9]/.test(
          text.match(new RegExp(`last_attempt_timestamp_seconds\\{channel="${kind}",outcome="failed"\\} (.+)`))?.[1] ??
            '',
        ),
      );
    },
    true,
    'both channels fail',
  );
}, 60_000);

afterAll(async () => {
  await nginx?.stop();
});

describe('what visitors send', () => {
  test('went through every outcome', () => {
    for (const status of [303, 200, 422, 413, 415, 403, 404, 400, 405, 429]) expect(statuses).toContain(status);
  });

  test('is in the store', async () => {
    const leads = await withStore(server.dataDir, (store) => store.leads.list({ limit: 100 }));
    expect(leads.map(({ name }) => name)).toContain(canaries.name);
    expect(found(JSON.stringify(leads))).toEqual(
      expect.arrayContaining([canaries.name, canaries.message, canaries.phone, canaries.page, canaries.attribution]),
    );
  });

  test('is not in the output of the server', () => {
    expect(server.output()).toContain('"msg":"request"');
    expect(server.output()).toContain('not delivered');
    expect(found(server.output())).toEqual([]);
  });

  test('is not in the metrics', async () => {
    const text = await metrics();
    expect(text).toContain('korob_deliveries');
    expect(found(text)).toEqual([]);
  });

  test('is not in what the operator is told of deliveries', async () => {
    const records = await withStore(server.dataDir, (store) => store.deliveries.of(1));
    expect(records.map(({ error }) => error).filter(Boolean).length).toBeGreaterThan(0);
    expect(found(JSON.stringify(records))).toEqual([]);
  });

  test('is on no page for anybody else, and in no address but that of the receipt', async () => {
    const plain = { headers: { referer: '', cookie: '', 'user-agent': browserHeaders['user-agent'] } };
    for (const path of ['/', '/contact', '/nowhere', '/contact/AAAAAAAAAAAAAAAAAAAAAA', '/sitemap.xml', '/rss.xml']) {
      expect(found((await ask(server.port, path, plain)).text)).toEqual([]);
    }
    const receipt = await ask(server.port, `/contact/${canaries.receipt}`, plain);
    expect(receipt.status).toBe(200);
    expect(found(receipt.text.replaceAll(canaries.receipt, ''))).toEqual([]);
  });

  test('that cannot be stored is in no log either', async () => {
    const broken = await startServerProcess({ DATA_DIR: temporaryFolder(), LOG_LEVEL: 'trace', TRUST_PROXY: '1' });
    try {
      renameSync(databasePath(broken.dataDir), join(broken.dataDir, 'gone.sqlite'));
      const { status, text } = await post(broken.port, formOf());
      expect(status).toBe(503);
      expect(text).toContain(canaries.message);
      expect(broken.output()).toContain('lead not stored');
      expect(found(broken.output())).toEqual([]);
    } finally {
      broken.child.kill('SIGKILL');
      await broken.exited;
    }
  });
});

proof(
  "nginx's logs hold nothing of what visitors send, not even while the application is down",
  async () => {
    nginx = await startNginx(server.port);
    await visit(nginx.port);
    const closed = await startNginx(await freePort());
    expect((await post(closed.port, formOf())).status).toBe(503);
    await ask(closed.port, `/${canaries.path}?phone=${canaries.phone}`);
    const logs = [nginx, closed].map(async (one) => (await one.accessLog()) + (await one.errorLog()));
    const text = (await Promise.all(logs)).join('\n');
    await closed.stop();
    expect(text).toContain('"method":"POST","status":303');
    expect(found(text)).toEqual([]);
    expect(text).not.toContain('127.0.0.1'); // where the visitors of nginx come from
    expect(found(server.output())).toEqual([]);
  },
  60_000,
);

describe('the bytes of the database, while a server has it open,', () => {
  const files = (dataDir: string) =>
    ['', '-wal', '-shm'].map((rest) => readFileSync(databasePath(dataDir) + rest, 'latin1')).join('');
  const bytesOf = (word: string) => Buffer.from(word).toString('latin1');

  test('hold nothing of an erased lead', async () => {
    const words = [canaries.name, canaries.message, canaries.phone, canaries.phoneTyped, canaries.attribution];
    for (const word of [...words, canaries.page]) expect(files(server.dataDir)).toContain(bytesOf(word));
    const { code, stderr } = await korob(server.dataDir, ['leads', 'erase', '8 916 000 99 88', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d+ leads of \+79160009988 erased\.$/m)]);
    for (const word of [...words, canaries.page, canaries.receipt]) {
      expect(files(server.dataDir)).not.toContain(bytesOf(word));
    }
    expect((await ask(server.port, '/readyz')).status).toBe(200);
  });

  test('hold nothing that leads left behind while they moved from page to page', async () => {
    const phone = (n: number) => `+79${String((n * 7_919 * 104_729) % 1_000_000_000).padStart(9, '0')}`;
    const gone: string[] = [];
    await withStore(server.dataDir, async (store) => {
      let alive: string[] = [];
      for (let round = 0; round < 12; round++) {
        const phones = Array.from({ length: 250 }, (_, n) => phone(round * 250 + n + 1));
        const leads = phones.map((one, n) =>
          newLead({
            key: `key-${round}-${n}`,
            phone: one,
            phoneTyped: '',
            message: `${one} ${'ы'.repeat((n % 40) * 20)}`,
          }),
        );
        await Promise.all(leads.map((lead) => store.leads.add(lead, { ...plan, channels: ['nobody'] })));
        alive = [...alive, ...phones];
        const { connection, close } = openDatabase(server.dataDir);
        const remove = connection.prepare('DELETE FROM lead WHERE phone = ?');
        connection.exec('BEGIN IMMEDIATE');
        for (const one of alive.filter((_, n) => n % 4 === 0)) {
          remove.run(one);
          gone.push(one);
        }
        connection.exec('COMMIT');
        close();
        alive = alive.filter((_, n) => n % 4 !== 0);
      }
    });
    const left = () => {
      const phones = new Set(files(server.dataDir).match(/\+79\d{9}/g));
      return gone.filter((one) => phones.has(one)).length;
    };
    expect(left()).toBeGreaterThan(0);
    await korob(server.dataDir, ['leads', 'erase', '+79160009988']);
    expect(left()).toBe(0);
  });

  test('hold nothing but the evidence of consent of a lead that was kept for long enough, and then nothing', async () => {
    const dataDir = temporaryFolder();
    const other = await startServerProcess({ DATA_DIR: dataDir });
    try {
      await post(other.port, formOf());
      const words = [canaries.name, canaries.message, canaries.phoneTyped, canaries.attribution];
      await withStore(dataDir, async (store) => {
        const hour = new Date(Date.now() + 3_600_000).toISOString();
        await expire(store.sql, { requests: hour, consents: '2000-01-01T00:00:00.000Z' });
        await store.sql.forget();
        for (const word of words) expect(files(dataDir)).not.toContain(bytesOf(word));
        expect(files(dataDir)).toContain(canaries.phone);
        await expire(store.sql, { requests: hour, consents: hour });
        await store.sql.forget();
        expect(files(dataDir)).not.toContain(canaries.phone);
      });
    } finally {
      other.child.kill('SIGKILL');
      await other.exited;
    }
  });
});
