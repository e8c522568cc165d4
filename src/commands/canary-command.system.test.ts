import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type RequestListener, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from '@jest/globals';
import { databasePath } from '../leads/store/sqlite.ts';
import { paths } from '../lib/paths.ts';
import { asForm, ask } from '../tests/support/ask.ts';
import { httpServer } from '../tests/support/channels.ts';
import { keep, korob, withStore } from '../tests/support/commands.ts';
import { freePort } from '../tests/support/free-port.ts';
import { startFront } from '../tests/support/front.ts';
import { listen } from '../tests/support/listen.ts';
import { startServerProcess } from '../tests/support/server-process.ts';
import { makeCertificate } from '../tests/support/start-nginx.ts';
import { sharedPostgres } from '../tests/support/start-postgres.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { testIf } from '../tests/support/test-if.ts';
import { filledForm } from '../tests/support/test-site.ts';

const webhook = await httpServer((res) => void res.writeHead(204).end());
const metricsPort = await freePort();
const server = await startServerProcess({
  METRICS_PORT: String(metricsPort),
  LEADS_WEBHOOK_URL: webhook.url,
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
});
const front = await startFront(passOn(server.port));

/** Sends requests to the server unchanged. */
function passOn(port: number): RequestListener {
  return (req, res) => {
    const { method, url: path, headers } = req;
    const asked = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(res);
    });
    req.pipe(asked);
  };
}

afterEach(front.reset);

const works = /^The form works: page \d+ ms, form \d+ ms, receipt \d+ ms\.\n$/;

const canary = (siteUrl = front.url, dataDir = server.dataDir) => korob(dataDir, ['canary'], { SITE_URL: siteUrl });

/** Expects that the check fails with this sentence. */
async function expectFailure(sentence: string | RegExp, siteUrl?: string, dataDir?: string): Promise<void> {
  const { code, stdout, stderr } = await canary(siteUrl, dataDir);
  expect([code, stdout]).toEqual([1, '']);
  if (typeof sentence === 'string') expect(stderr).toBe(`${sentence}\n`);
  else expect(stderr).toMatch(sentence);
}

/** Answers one request in place of the server. */
function answer(asked: string, with_: (res: ServerResponse) => void): void {
  front.intercept((req, res, pass) => {
    const [method, path = ''] = asked.split(' ');
    if (req.method === method && req.url?.startsWith(path)) with_(res);
    else pass();
  });
}

const status =
  (status: number, headers: Record<string, string> = {}) =>
  (res: ServerResponse) =>
    void res.writeHead(status, headers).end();

function countRows(dataDir = server.dataDir): Record<string, number> {
  using database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  const count = (table: string) => Number(database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
  return Object.fromEntries(['canary', 'lead', 'delivery'].map((table) => [table, count(table)]));
}

const nothing = { canary: 0, lead: 0, delivery: 0 };

const readMetrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();

/** What staff, operators and channels learn. */
async function seen() {
  const { stdout } = await korob(server.dataDir, ['desk', 'link', 'Анна'], { SITE_URL: server.url });
  const { headers } = await ask(server.port, new URL(stdout.trim()).pathname);
  const cookie = String(headers['set-cookie']).split(';')[0];
  return {
    desk: (await ask(server.port, '/desk', { headers: { cookie } })).text,
    listed: (await korob(server.dataDir, ['leads', 'list'])).stdout,
    exported: (await korob(server.dataDir, ['leads', 'export', '--json'])).stdout,
    counted: [...(await readMetrics()).matchAll(/^korob_leads_total\{.*\} (\d+)$/gm)].map(([, count]) => Number(count)),
    notified: webhook.received.length,
  };
}

const noLead = {
  desk: expect.stringMatching(/^(?!.*(?:202.?555|Чуж)).*Выйти/s),
  ...{ listed: '', exported: '', counted: [0, 0], notified: 0 },
};

test('the check goes the way of a visitor, and leaves no lead, no message, no count and no row', async () => {
  const env = { PATH: process.env.PATH, DATA_DIR: server.dataDir, SITE_URL: front.url };
  const child = spawn(process.execPath, [paths.commands, 'canary'], { env });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  expect([code, stdout, stderr]).toEqual([0, expect.stringMatching(works), '']);
  expect(front.asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /contact',
    'POST /contact',
    expect.stringMatching(/^GET \/contact\/[\w-]{22}$/),
  ]);
  expect(front.asked[1]?.headers).toMatchObject({ origin: front.url, 'sec-fetch-site': 'same-origin' });
  expect(countRows()).toEqual(nothing);
  expect(await seen()).toEqual(noLead);
});

test('the metrics have the time of the last check that succeeded', async () => {
  const succeededAt = async () => Number(/^korob_last_canary_timestamp_seconds (.*)$/m.exec(await readMetrics())?.[1]);
  const before = await succeededAt();
  await canary(`http://127.0.0.1:${await freePort()}`);
  expect(await succeededAt()).toBe(before);
  const start = Date.now() / 1000;
  await canary();
  // File systems round times down.
  expect(await succeededAt()).toBeGreaterThan(start - 1);
});

test('forms of strangers with reserved phones are not at the desk, notify no channel, and stay out of backups', async () => {
  const form = { ...filledForm, phone: '+1 (202) 555-01-99', name: 'Чужой', message: 'Чужое' };
  const posts = Array.from({ length: 10 }, () => ask(server.port, '/contact', asForm(form, {})));
  expect((await Promise.all(posts)).map(({ status }) => status)).toEqual(Array(10).fill(303));
  expect(countRows()).toEqual({ ...nothing, canary: 10 });
  expect(await seen()).toEqual(noLead);
  expect(await canary()).toMatchObject({ code: 0 });

  const copy = join(temporaryFolder(), 'copy.sqlite');
  await korob(server.dataDir, ['backup', copy]);
  expect(readFileSync(copy).includes('Чужо')).toBe(false);
  const restored = temporaryFolder();
  expect(await korob(restored, ['restore', copy])).toMatchObject({ code: 0 });
  expect(countRows(restored)).toEqual(nothing);
});

test('the check deletes what an earlier one left, and the next lead gets the first number', async () => {
  await ask(server.port, '/contact', asForm({ ...filledForm, phone: '+1 202 555 0100' }, {}));
  await withStore(server.dataDir, ({ sql }) => sql.query("UPDATE canary SET received_at = '2026-01-01T00:00:00.000Z'"));
  expect([(await canary()).code, countRows()]).toEqual([0, nothing]);
  const { headers } = await ask(server.port, '/contact', asForm(filledForm, {}));
  expect((await ask(server.port, String(headers.location))).text).toContain('Заявка №\u00A01\u00A0принята');
});

describe('the check fails, names the step, and deletes what it sent, when', () => {
  const contact = `${front.url}/contact`;

  afterEach(() => expect(countRows().canary).toBe(0));

  test('no server answers', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const cause = 'the connection was refused; check the address and whether the server runs';
    await expectFailure(`The page of the form failed: ${url}/contact gave no answer: ${cause}.`, url);
  });

  const redirected = 'https://www.korob.example/contact';

  test.each<[string, ReturnType<typeof status>, sentence: string]>([
    [
      'GET /contact',
      status(301, { location: redirected }),
      `The page of the form failed: ${contact} redirects to ${redirected}; correct SITE_URL or the redirect.`,
    ],
    ['GET /contact', status(500), `The page of the form failed: ${contact} answers 500; read the logs of nginx`],
    ['GET /contact', status(200), 'The page of the form failed: it has no form that sends to /contact.'],
    ['POST /contact', status(422), `The form failed: ${contact} answers 422; read the logs of nginx and the server.`],
    ['POST /contact', status(429), `The form failed: ${contact} answers 429; the limit for this network is reached`],
    [
      'POST /contact',
      status(303, { location: '/elsewhere' }),
      `The form failed: ${contact} redirects to ${front.url}/elsewhere, which is no receipt.`,
    ],
    ['GET /contact/', status(404), ' answers 404; another site answers there, or a server with another store.'],
    ['GET /contact/', status(200), ' does not say "Заявка №\u00A00 принята"; another site'],
  ])('%s is answered by another server: %#', async (asked, response, sentence) => {
    answer(asked, response);
    expect(await canary()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  });

  test('leads cannot be stored', async () => {
    using other = new DatabaseSync(databasePath(server.dataDir));
    other.exec('BEGIN IMMEDIATE');
    const cause = 'answers 503; leads cannot be stored, or no process answers; run "doctor"';
    await expectFailure(`The form failed: ${contact} ${cause}.`);
  });

  test('the receipt arrives too slowly', async () => {
    answer('GET /contact/', (res) => {
      const timer = setInterval(() => res.write('x'), 1_000);
      res.on('close', () => clearInterval(timer));
    });
    await expectFailure(/^The receipt failed: .* gave no answer: it took more than 10 s\.\n$/);
  });

  testIf({ programs: ['openssl'] })('browsers do not trust the certificate', async () => {
    const tls = join(temporaryFolder(), 'tls');
    makeCertificate(tls, '127.0.0.1');
    const read = (name: string) => readFileSync(join(tls, name));
    const port = await listen(createServer({ key: read('privkey.pem'), cert: read('fullchain.pem') }));
    const cause = 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)';
    await expectFailure(
      `The page of the form failed: https://127.0.0.1:${port}/contact gave no answer: ${cause}.`,
      `https://127.0.0.1:${port}`,
    );
  });
});

test('the check fails when SITE_URL is the address of a server with another store', async () => {
  const dataDir = temporaryFolder();
  await keep(dataDir, []);
  const cause = `the form was committed to another store, because ${databasePath(dataDir)} does not have it`;
  const remedy = `use the DATA_DIR and DATABASE_URL of the server that answers at ${front.url}`;
  await expectFailure(`The store failed: ${cause}; ${remedy}.`, front.url, dataDir);
});

test('the check sends nothing when the store cannot be opened', async () => {
  const dataDir = temporaryFolder();
  await expectFailure(/^There is no .*: no server has run with this DATA_DIR/, front.url, dataDir);
  expect(front.asked).toEqual([]);
});

test('the check sends every field of the form as a browser does, with its values', async () => {
  const fields =
    '<input type="hidden" data-name="x" name="page" value="/rates"/>' +
    '<input class="name" name="phone" value=""/><input name="website"/>' +
    '<input type="checkbox" name="consent" value="yes"/><textarea name="message" rows="2"></textarea>';
  const form = `<form action="/search"><input name="q"/></form><form action="/contact" method="post">${fields}</form>`;
  const site = await httpServer((res) => void res.end(form));
  await expectFailure(/^The form failed: .* answers 200;/, site.url);
  expect([...new URLSearchParams(site.received[1]?.body)]).toEqual([
    ['page', '/rates'],
    ['phone', '+1 202 555 0142'],
    ['website', ''],
    ['consent', 'yes'],
    ['message', 'Это проверка сайта: звонить не нужно.'],
  ]);
});

testIf({ programs: ['postgres'] })('the check works with PostgreSQL', async () => {
  const DATABASE_URL = await (await sharedPostgres()).newDatabase();
  const { url, dataDir } = await startServerProcess({ DATABASE_URL });
  const check = (databaseUrl: string) => korob(dataDir, ['canary'], { DATABASE_URL: databaseUrl, SITE_URL: url });
  expect(await check(DATABASE_URL)).toEqual({ code: 0, stdout: expect.stringMatching(works), stderr: '' });
  const other = await (await sharedPostgres()).newDatabase();
  expect(await check(other)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('the PostgreSQL of DATABASE_URL'),
  });
});
