import { execFileSync } from 'node:child_process';
import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { Agent, request as httpRequest, type OutgoingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { limits } from '../http/limits.ts';
import { paths } from '../paths.ts';
import { type Nginx, nginxPath, startNginx } from '../testing/nginx.ts';
import { has, testWith } from '../testing/requires.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { browserHeaders, siteUrl, startTestSite } from '../testing/test-site.ts';
import type { EditionIndex } from './edition-index.ts';
import { readIndex } from './open.ts';

const test = testWith(nginxPath, 'nginx serves an edition exactly as the application does');

type Ask = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string;
  /** Address that the request comes from; every address of 127.0.0.0/8 is this machine. */
  from?: string;
};
type Answer = { status: number; headers: Record<string, string[]>; body: string };

const agent = new Agent({ keepAlive: true });
let dataDir: string;
let editionsDir: string;
let application: ServerProcess;
let nginx: Nginx;
let index: EditionIndex;

beforeAll(async () => {
  if (!has(nginxPath)) return;
  dataDir = await mkdtemp(join(tmpdir(), 'korob-behind-nginx-'));
  editionsDir = paths.ownEditions(dataDir);
  await mkdir(editionsDir);
  // What the build has compressed already need not be compressed again.
  await symlink(join(paths.shippedEditions, 'cache'), join(editionsDir, 'cache'));
  const env = { PATH: process.env.PATH, SITE_URL: siteUrl, DATA_DIR: dataDir };
  execFileSync(process.execPath, [paths.commands, 'prerender'], { env, stdio: 'ignore' });
  application = await startServerProcess({ TRUST_PROXY: '1', DATA_DIR: dataDir });
  nginx = await startNginx(application.port, editionsDir);
  const found = readIndex(join(editionsDir, 'current'));
  if (!found) throw new Error(`There is no edition in ${editionsDir}.`);
  index = found;
}, 60_000);

afterAll(async () => {
  agent.destroy();
  await nginx?.stop();
  application?.child.kill('SIGKILL');
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

function ask(port: number, path: string, { method = 'GET', headers = {}, body, from }: Ask = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: { ...browserHeaders, ...headers },
        ...(from === undefined ? { agent } : { localAddress: from }),
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(
              Object.entries(response.headersDistinct).map(([name, values]) => [name, values ?? []]),
            ),
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Headers that may differ, and why. All others must be the same. */
const differing: Readonly<Record<string, string>> = {
  date: 'when the answer was made',
  server: 'nginx gives its name, without its version',
  connection: 'about one connection, not about the answer',
  'keep-alive': 'about one connection, not about the answer',
  'transfer-encoding': 'about one connection, not about the answer',
  'x-request-id': 'another for each request',
  ratelimit: 'counts down with each request',
};

function comparable({ status, headers, body }: Answer): object {
  const kept = Object.entries(headers).filter(([name]) => !(name in differing));
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

function merge(answer: Answer, { body, headers }: Pick<Answer, 'body' | 'headers'>): Answer {
  return { ...answer, body, headers: { ...answer.headers, ...headers } };
}

/** Asks nginx and the application for the same; both must say the same. @returns what they say */
async function same(path: string, options: Ask = {}): Promise<Answer> {
  const [direct, through] = await Promise.all([ask(application.port, path, options), ask(nginx.port, path, options)]);
  try {
    expect(comparable(through)).toEqual(comparable(direct));
  } catch (error) {
    throw new Error(`${options.method ?? 'GET'} ${path} ${JSON.stringify(options.headers ?? {})}`, { cause: error });
  }
  return through;
}

async function all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 8) {
    results.push(...(await Promise.all(items.slice(start, start + 8).map(work))));
  }
  return results;
}

/** The access log from a line on. nginx writes a line some time after the answer, so the log must have come to rest. */
async function logged(after = 0): Promise<Record<string, unknown>[]> {
  let text = await nginx.accessLog();
  for (let before = ''; before !== text; ) {
    before = text;
    await sleep(150);
    text = await nginx.accessLog();
  }
  const lines = text.trimEnd().split('\n').slice(after);
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const encodings = ['br', 'gzip', 'none'] as const;

/** `Accept-Encoding` for one of these; a client that wants none says nothing. */
function accepting(encoding: (typeof encodings)[number]): OutgoingHttpHeaders {
  return encoding === 'none' ? {} : { 'accept-encoding': encoding };
}

test('every address of the edition has the same status, headers and bytes in every encoding', async () => {
  expect(index.entries.length).toBeGreaterThan(200);
  for (const encoding of encodings) {
    const answers = await all(index.entries, ({ path }) => same(path, { headers: accepting(encoding) }));
    const encoded = answers.filter(({ headers }) => (headers['content-encoding'] ?? ['none']).includes(encoding));
    expect(encoded.length).toBeGreaterThan(200);
    expect(answers.every(({ status }) => status === 200)).toBe(true);
  }
  expect((await logged()).filter(({ upstream_status }) => upstream_status !== '')).toEqual([]);
  expect((await ask(nginx.port, '/')).headers.server).toEqual(['nginx']);
});

test('every address has the same headers for HEAD, and with the id of the edition as its query', async () => {
  await all(index.entries, ({ path }) => same(path, { method: 'HEAD', headers: { 'accept-encoding': 'br' } }));
  const versioned = await all(index.entries, ({ path }) => same(`${path}?${index.id}`));
  expect(versioned.filter(({ headers }) => /immutable/.test(String(headers['cache-control']))).length).toBeGreaterThan(
    index.prerendered.length,
  );
});

test('every address answers 304 to its own ETag, with the same headers and no body', async () => {
  const answers = await all(index.entries, ({ path, etag }) => same(path, { headers: { 'if-none-match': etag } }));
  expect(answers.every(({ status, body }) => status === 304 && body === '')).toBe(true);
});

test.each([
  ['W/"0", {}', 304],
  ['{},W/"0"', 304],
  ['"0" , {strong}  , "1"', 304],
  ['{strong}', 304],
  ['*', 304],
  ['W/"0"', 200],
  ['"{}"', 200],
  ['', 200],
])('If-None-Match: %s is read alike', async (pattern, status) => {
  const etag = index.entries.find(({ path }) => path === '/rates')?.etag ?? '';
  const value = pattern.replace('{}', etag).replace('{strong}', etag.replace('W/', ''));
  expect((await same('/rates', { headers: { 'if-none-match': value } })).status).toBe(status);
  expect((await same('/rates', { method: 'HEAD', headers: { 'if-none-match': value } })).status).toBe(status);
});

test.each<OutgoingHttpHeaders>([
  { 'accept-encoding': 'gzip, deflate, br, zstd' },
  { 'accept-encoding': 'br;q=0, gzip' },
  { 'accept-encoding': 'gzip;q=0' },
  { 'accept-encoding': 'deflate' },
  { 'accept-encoding': 'identity' },
  { 'accept-encoding': '' },
  { 'accept-encoding': 'gzip', via: '1.1 proxy' },
  { 'if-unmodified-since': new Date(0).toUTCString() },
  { 'if-match': '"other"' },
  { range: 'bytes=0-9' },
  { range: 'bytes=99999999-' },
])('a page is the same page for a request with %p', async (headers) => {
  expect((await same('/rates', { headers })).status).toBe(200);
});

// The application sends the encoding that is liked best. nginx does not weigh, so it may send another that is accepted.
test.each([
  ['gzip;q=1.0, br;q=0.5', ['br', 'gzip']],
  ['gzip;q=0.2, *;q=0.1', ['br', 'gzip', undefined]],
  ['*', ['br', 'gzip', undefined]],
  ['br;q=0, gzip;q=0, *', [undefined]],
])('Accept-Encoding: %s gets an encoding that it accepts', async (header, accepted) => {
  const { status, headers } = await ask(nginx.port, '/rates', { headers: { 'accept-encoding': header } });
  expect(status).toBe(200);
  expect(accepted).toContain(headers['content-encoding']?.[0]);
});

test('the time of a file means nothing: it differs from machine to machine', async () => {
  const { mtime, size } = await stat(join(editionsDir, 'current/site/rates/index.html'));
  const seconds = Math.floor(mtime.getTime() / 1000);
  const tagOfNginx = `"${seconds.toString(16)}-${size.toString(16)}"`;
  expect((await same('/rates', { headers: { 'if-modified-since': mtime.toUTCString() } })).status).toBe(200);
  expect((await same('/rates', { headers: { 'if-none-match': tagOfNginx } })).status).toBe(200);
});

test.each([
  ['/RATES', 301],
  ['/rates/', 301],
  ['//rates', 301],
  ['/rates//', 301],
  ['/rates/index.html', 404],
  ['/%72ates', 301],
  ['/rates%2f', 301],
  ['/cases?page=1', 301],
  ['/cases?page=2', 200],
  ['/cases?%70age=2', 200],
  ['/cases?utm_source=a%20b&page=2', 200],
  ['/cases?page', 404],
  ['/cases?page=99', 404],
  ['/cases?utm_source=%D1%8F&x', 200],
  ['/rates?', 200],
  ['/blog/news/null', 301],
  ['/nowhere', 404],
  ['/.none', 404],
  ['/.hidden', 404],
  ['/_payload.json.br', 404],
  ['/%D1%82%D0%B0%D1%80%D0%B8%D1%84%D1%8B', 404],
  ['/nowhere.json', 404],
  ['/contact?preset=nothing', 404],
  ['/contact/nobody-has-this-receipt', 404],
  ['/CONTACT', 301],
  ['/broadcast', 200],
  ['/video-broadcast', 200],
  ['/healthz', 200],
])('%s is answered by the application, without a header too many', async (path, status) => {
  for (const encoding of encodings) {
    expect((await same(path, { headers: accepting(encoding) })).status).toBe(status);
  }
});

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is answered by the application', async (method) => {
  expect((await same('/rates', { method })).status).toBe(405);
});

test('the form is served and received through nginx, and is never kept by a cache', async () => {
  const path = '/contact?preset=question';
  const [form, direct] = await Promise.all([ask(nginx.port, path), ask(application.port, path)]);
  expect(form).toMatchObject({ status: 200, headers: { 'cache-control': ['no-store'] } });
  // Each form has a key of its own, and so another body and another tag.
  const constant = { body: '', headers: { etag: [] } };
  expect(comparable(merge(form, constant))).toEqual(comparable(merge(direct, constant)));
  const sent = await post({ preset: 'request', name: 'Анна', phone: '+7 916 123-45-67', consent: 'yes' });
  expect(sent).toMatchObject({ status: 303, headers: { 'cache-control': ['no-store'] } });
  const receipt = await same(String(sent.headers.location));
  expect(receipt).toMatchObject({ status: 200, headers: { 'cache-control': ['no-store'] } });
});

function post(fields: Record<string, string>, options: Ask = {}, port = nginx.port): Promise<Answer> {
  return ask(port, '/contact', {
    method: 'POST',
    body: new URLSearchParams(fields).toString(),
    ...options,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...options.headers,
    },
  });
}

/** A visitor who says to be someone else with every request. */
const disguise = (number: number): OutgoingHttpHeaders => ({
  'x-forwarded-for': `10.0.0.${number}, 10.1.0.${number}`,
  'x-real-ip': `10.0.0.${number}`,
  forwarded: `for=10.0.0.${number}`,
});

test('a spoofed X-Forwarded-For neither escapes the limit nor uses up that of another visitor', async () => {
  for (let number = 1; number <= limits.contact.limit; number++) {
    expect((await post({}, { from: '127.0.0.9', headers: disguise(number) })).status).toBe(422);
  }
  expect((await post({}, { from: '127.0.0.9', headers: disguise(200) })).status).toBe(429);
  const honest = { from: '127.0.0.8', headers: { 'x-forwarded-for': '127.0.0.9' } };
  expect((await post({}, honest)).status).toBe(422);
});

test('without a proxy, X-Forwarded-For means nothing', async () => {
  const site = await startTestSite();
  try {
    for (let number = 1; number <= limits.contact.limit; number++) {
      expect((await post({}, { headers: disguise(number) }, site.port)).status).toBe(422);
    }
    expect((await post({}, { headers: disguise(200) }, site.port)).status).toBe(429);
  } finally {
    await site.close();
  }
});

/** A page of the site with a way to call, protected as the pages are; never a bare page of nginx. */
function expectErrorPage({ status, headers, body }: Answer, expected: number): void {
  expect({ status, type: headers['content-type'] }).toEqual({ status: expected, type: ['text/html; charset=utf-8'] });
  expect(body).toContain('href="tel:');
  expect(body).not.toContain('<center>');
  expect(headers['cache-control']).toEqual(['no-store']);
  expect(headers['x-content-type-options']).toEqual(['nosniff']);
  expect(headers['content-security-policy']).toEqual([expect.stringMatching(/style-src 'sha256-/)]);
}

test('what nginx refuses by itself, it refuses on a page of the site', async () => {
  expectErrorPage(await ask(nginx.port, `/${'a'.repeat(10_000)}`), 414);
  expectErrorPage(await ask(nginx.port, '/', { headers: { cookie: 'a'.repeat(40_000) } }), 431);
  expectErrorPage(await ask(nginx.port, '/rates%zz'), 400);
  expectErrorPage(await ask(nginx.port, '/%00'), 400);
  expectErrorPage(await ask(nginx.port, '/../rates'), 400);
  expectErrorPage(await ask(nginx.port, '/.errors/503.html'), 404);
  const traced = await ask(nginx.port, '/', { method: 'TRACE' });
  expectErrorPage(traced, 405);
  expect(traced.headers.allow).toBeDefined();
});

test('an address of 5 KB, which nginx lets pass, is refused by the application', async () => {
  expect((await same(`/${'a'.repeat(5_000)}`)).status).toBe(414);
});

test.each([
  ['no host', 'GET / HTTP/1.1\r\n\r\n'],
  ['two hosts in one', 'GET / HTTP/1.1\r\nHost: a b\r\n\r\n'],
  ['a negative length', 'POST /contact HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['an unknown transfer encoding', 'POST /contact HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: odd\r\n\r\n'],
  ['a version that does not exist', 'GET / HTTP/9.1\r\nHost: a\r\n\r\n'],
  ['no HTTP at all', 'hello\r\n\r\n'],
])('a broken request with %s gets a page that can be read', async (_what, bytes) => {
  const answer = await sendBytes(bytes);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).toMatch(/^Content-Security-Policy: .*style-src 'sha256-/m);
  expect(answer).toContain('href="tel:');
});

test('a client of HTTP/1.0 that names no host is served', async () => {
  expect(await sendBytes('GET /rates HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  expect(await sendBytes('GET /contact HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

/** Writes exactly these bytes to nginx. @returns all that comes back until the connection is closed */
function sendBytes(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(nginx.port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

test('a form that is too large is refused with the form by the application, and far beyond that by nginx', async () => {
  const large = await post({ preset: 'request', message: 'a'.repeat(900_000) });
  expect(large.status).toBe(413);
  expect(large.body).toContain('<form');
  const huge = await post({ preset: 'request', message: 'a'.repeat(10_000_000) });
  expectErrorPage(huge, 413);
  expect(huge.body).not.toContain('<form');
});

test('readiness, which writes to the disk, is for the machines behind nginx only', async () => {
  for (const path of ['/readyz', '/READYZ', '/readyz/', '//readyz', '/%72eadyz', '/readyz%2f', '/readyz?x']) {
    expectErrorPage(await ask(nginx.port, path), 404);
  }
  expect((await ask(application.port, '/readyz')).status).toBe(200);
});

test('no log of nginx holds an address, a receipt, a query or anything else that a visitor sends', async () => {
  const before = (await logged()).length;
  const secret = 'kept-79161234567';
  const headers = { 'user-agent': secret, referer: `http://localhost/${secret}`, cookie: secret, accept: 'text/html' };
  const from = '127.0.0.7';
  await ask(nginx.port, `/contact?phone=${secret}`, { headers, from });
  await ask(nginx.port, `/contact/${secret}`, { headers, from });
  await ask(nginx.port, `/rates?${secret}`, { headers, from });
  await ask(nginx.port, `/${secret}`, { headers, from });
  await ask(nginx.port, `/broadcast?${secret}`, { headers, from });
  await ask(nginx.port, `/video-broadcast?${secret}`, { headers, from });
  await ask(nginx.port, `/${secret}%zz`, { headers, from });
  await post({ message: `${secret}${'a'.repeat(2_000_000)}` }, { headers, from });
  expect((await logged(before)).map(({ method, address, status }) => [method, address, status])).toEqual([
    ['GET', '/contact', 200],
    ['GET', '/contact/{receipt}', 404],
    ['GET', '/rates/index.html', 200],
    ['GET', 'other', 404],
    ['GET', '/broadcast', 200],
    ['GET', '/video-broadcast', 200],
    ['GET', 'other', 400],
    ['POST', '/contact', 413],
  ]);
  const logs = (await nginx.accessLog()) + (await nginx.errorLog());
  expect(logs).not.toContain(secret);
  expect(logs).not.toMatch(/127\.0\.0\.\d/);
});

test('the application logs a request under the id that nginx gave it', async () => {
  const before = (await logged()).length;
  const answer = await ask(nginx.port, '/nowhere', { headers: { 'x-request-id': 'chosen-by-a-visitor' } });
  const [line] = await logged(before);
  expect(answer.headers['x-request-id']).toEqual([line?.request]);
  expect(application.output()).toContain(`"request":"${line?.request}"`);
});

test('pages and their policies change together, when nginx is reloaded', async () => {
  const old = comparable(await ask(nginx.port, '/rates'));
  const next = 'fedcba9876543210';
  const folder = join(editionsDir, next);
  const now = await readlink(join(editionsDir, 'current'));
  await cp(join(editionsDir, now), folder, { recursive: true });
  await writeFile(join(folder, 'site/rates/index.html'), 'the next page');
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.conf'))) {
    const text = await readFile(join(folder, name), 'utf8');
    await writeFile(
      join(folder, name),
      text.replaceAll(now, next).replaceAll(/'sha256-[^']+'/g, "'sha256-of-the-next-page'"),
    );
  }
  const pointTo = async (id: string) => {
    await symlink(id, join(editionsDir, 'next'));
    await rename(join(editionsDir, 'next'), join(editionsDir, 'current'));
  };

  // Fresh workers remember no file.
  await nginx.reload();
  await pointTo(next);
  expect(comparable(await ask(nginx.port, '/rates'))).toEqual(old);
  await nginx.reload();
  const answer = await ask(nginx.port, '/rates');
  expect(answer.body).toBe('the next page');
  expect(answer.headers['content-security-policy']).toEqual([expect.stringContaining('of-the-next-page')]);

  await pointTo(now);
  await nginx.reload();
  expect(comparable(await ask(nginx.port, '/rates'))).toEqual(old);
});

test('an edition that is taken away under nginx is answered for by the application', async () => {
  const id = await readlink(join(editionsDir, 'current'));
  await rename(join(editionsDir, id), join(editionsDir, 'away'));
  try {
    await same('/compliance');
  } finally {
    await rename(join(editionsDir, 'away'), join(editionsDir, id));
  }
});

test('while the application is down, pages stay and the form says so and names a phone', async () => {
  application.child.kill('SIGTERM');
  expect(await application.exited).toBe(0);
  const answers = await all(index.entries, ({ path }) =>
    ask(nginx.port, path, { headers: { 'accept-encoding': 'br' } }),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);

  for (const answer of [
    await ask(nginx.port, '/contact'),
    await post({ preset: 'request', phone: '+7 916 123-45-67', consent: 'yes' }),
    await ask(nginx.port, '/cases?page=2'),
    await ask(nginx.port, '/nowhere'),
  ]) {
    expectErrorPage(answer, 503);
    expect(answer.headers['retry-after']).toEqual(['60']);
  }
  const refused = (await logged()).filter(({ status }) => status === 503);
  expect(refused).toContainEqual(expect.objectContaining({ method: 'POST', address: '/contact' }));
});
