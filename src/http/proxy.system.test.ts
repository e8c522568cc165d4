import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { question, storedIn } from '../faults/testing.ts';
import type { SiteResponse } from '../site/response.ts';
import type { Site } from '../site/site.ts';
import { type Ask, asForm, ask as askFrom } from '../testing/ask.ts';
import { eventually } from '../testing/eventually.ts';
import { freePort } from '../testing/free-port.ts';
import { listen } from '../testing/listen.ts';
import { type Nginx, nginxPath, startNginx } from '../testing/nginx.ts';
import { onDemand, plainService } from '../testing/pages.ts';
import { has, testWith } from '../testing/requires.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shownSite, startTestSite, type TestSite } from '../testing/test-site.ts';

const test = testWith(nginxPath, 'nginx keeps what it may, and nothing else');

const replacements = Number(process.env.REPLACEMENTS ?? 8);

type Answer = { status: number; headers: NodeJS.Dict<string[]>; body: string };

let visitors = 0;
/** All of 127.0.0.0/8 is this machine. */
function visitor(): string {
  visitors += 1;
  return `127.1.${visitors >> 8}.${visitors & 255 || 1}`;
}

async function ask(port: number, path: string, options: Ask = {}): Promise<Answer> {
  const { status, distinct: headers, body } = await askFrom(port, path, { from: visitor(), ...options });
  return { status, headers, body: body.toString('latin1') };
}

function post(port: number, fields: Record<string, string>, options: Ask = {}): Promise<Answer> {
  return ask(port, '/contact', asForm(fields, options));
}

/** Headers that nginx may change, and why. */
const differing: Readonly<Record<string, string>> = {
  date: 'when the answer was made',
  server: 'nginx gives its name, without its version',
  connection: 'about one connection, not about the answer',
  'keep-alive': 'about one connection, not about the answer',
  'transfer-encoding': 'about one connection, not about the answer',
  'x-request-id': 'another for each request',
  ratelimit: 'counts down with each request',
  'ratelimit-policy': 'names each visitor by a hash',
  'x-accel-expires': 'for nginx alone',
};

function comparable({ status, headers, body }: Answer): object {
  const kept = Object.entries(headers).filter(([name]) => !(name in differing));
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

async function all<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += 8) {
    results.push(...(await Promise.all(items.slice(start, start + 8).map(work))));
  }
  return results;
}

/** nginx caches until the end of a second. @param work gets the number of log lines before it */
async function withinOneSecond<T>(nginx: Nginx, work: (lines: number) => Promise<T>): Promise<T> {
  for (;;) {
    const lines = await countLines(nginx);
    await secondBegins();
    const second = Math.floor(Date.now() / 1_000);
    const result = await work(lines);
    if (Math.floor(Date.now() / 1_000) === second) return result;
  }
}

const secondBegins = () => sleep(1_010 - (Date.now() % 1_000));

type Line = Record<'request' | 'method' | 'cache' | 'upstream_status' | 'time', string> & {
  status: number;
  seconds: number;
};

/** nginx logs some time after the response. */
async function logged(nginx: Nginx, lines: number, after = 0): Promise<Line[]> {
  const read = async () => (await nginx.accessLog()).split('\n').slice(0, -1);
  await eventually(async () => (await read()).length >= after + lines, true, 'lines in the log');
  return (await read()).slice(after).map((line) => JSON.parse(line) as Line);
}

/** Waits until nginx has logged everything. */
async function countLines(nginx: Nginx): Promise<number> {
  const count = async () => (await nginx.accessLog()).split('\n').length - 1;
  for (let before = await count(); ; ) {
    await sleep(200);
    const now = await count();
    if (now === before) return now;
    before = now;
  }
}

const encodings = ['br', 'gzip', undefined] as const;
const accepting = (header: string | undefined): OutgoingHttpHeaders =>
  header === undefined ? {} : { 'accept-encoding': header };

const unavailable = readFileSync(join(import.meta.dirname, '../../scripts/deploy/unavailable.html'), 'utf8');

function expectUnavailable({ status, headers, body }: Answer): void {
  expect([status, Buffer.from(body, 'latin1').toString()]).toEqual([503, unavailable]);
  expect(headers).toMatchObject({
    'content-type': ['text/html; charset=utf-8'],
    'cache-control': ['no-store'],
    'retry-after': ['60'],
    'x-content-type-options': ['nosniff'],
  });
  const style = /<style>(.*)<\/style>/s.exec(unavailable)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers['content-security-policy']).toEqual([
    expect.stringContaining(`default-src 'none'; style-src 'sha256-${hash}';`),
  ]);
}

describe('before the application', () => {
  let built: Site;
  let site: TestSite;
  let nginx: Nginx;
  /** Replaces responses of the site. */
  const edited = new Map<string, SiteResponse>();

  beforeAll(async () => {
    if (!has(nginxPath)) return;
    built = await shownSite();
    const served: Site = { ...built, find: (path) => edited.get(path) ?? built.find(path) };
    site = await startTestSite({ trustProxy: 1, site: served });
    nginx = await startNginx(site.port);
  });
  afterAll(async () => {
    await nginx?.stop();
    await site?.close();
  });

  const through = (path: string, options?: Ask) => ask(nginx.port, path, options);

  /** Compares nginx, asked twice, with the process. */
  async function same(path: string, options: Ask = {}): Promise<Answer> {
    const direct = await ask(site.port, path, options);
    for (const _ of [1, 2]) {
      const answer = await through(path, options);
      expect(answer.headers).not.toHaveProperty('x-accel-expires');
      expect({ path, options, ...comparable(answer) }).toEqual({ path, options, ...comparable(direct) });
    }
    return direct;
  }

  const files = () => [
    '/favicon.ico',
    '/favicon.svg',
    '/rss.xml',
    '/sitemap.xml',
    '/rates/_payload.json',
    '/builds/latest.json',
    built.images.share,
  ];

  test('pages, files and answers on demand have the bytes and headers of the process, kept or not', async () => {
    for (const encoding of encodings) {
      const answers = await all([...built.paths, ...files()], (path) => same(path, { headers: accepting(encoding) }));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
    }
    for (const path of [
      '/RATES',
      '//rates',
      '/%72ates',
      '/nowhere',
      onDemand,
      '/cases?page=1',
      '/rates?utm_source=a',
      '/rates?',
      '/broadcast',
      '/video-broadcast',
      '/healthz',
    ])
      await same(path);
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) expect((await same('/rates', { method })).status).toBe(405);
    expect((await through('/')).headers.server).toEqual(['nginx']);
  });

  test('the process says what may be kept, and visitors never hear of it', async () => {
    const said = async (path: string) => (await ask(site.port, path)).headers['x-accel-expires']?.[0];
    for (const path of ['/', '/rates', '/rates/_payload.json', '/sitemap.xml'])
      expect([path, await said(path)]).toEqual([path, expect.stringMatching(/^@\d{10}$/)]);
    for (const path of [
      '/rates?',
      '/rates?utm_source=a',
      onDemand,
      '/contact',
      '/nowhere',
      '/RATES',
      '/video-broadcast',
      '/builds/latest.json',
      '/favicon.ico',
      built.images.share,
    ])
      expect([path, await said(path)]).toEqual([path, undefined]);
  });

  test('a page is asked for once in each encoding, however visitors write what they accept', async () => {
    const get = (header: string | undefined) => through(plainService, { headers: accepting(header) });
    const spellings: [header: string | undefined, encoding: string | undefined][] = [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip, deflate', 'gzip'],
      ['GZip;q=0.5,BR;q=0.001', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['br; q=0.000 ,gzip;q=1.0', 'gzip'],
      ['br;q=0,gzip;q=0', undefined],
      ['deflate, zstd', undefined],
      ['vbr, gzipped', undefined],
      ['', undefined],
    ];
    const { answers, lines } = await withinOneSecond(nginx, async (before) => {
      for (const encoding of encodings) await get(encoding);
      // nginx writes its cache after the response.
      await logged(nginx, 3, before);
      await sleep(50);
      const answers = await Promise.all(spellings.map(([header]) => get(header)));
      return { answers, lines: await logged(nginx, spellings.length, before + 3) };
    });
    expect(lines.map(({ cache }) => cache)).toEqual(spellings.map(() => 'HIT'));
    for (const [index, [header, encoding]] of spellings.entries()) {
      const { body } = await ask(site.port, plainService, { headers: accepting(encoding) });
      expect([header, answers[index]?.headers['content-encoding']?.[0]]).toEqual([header, encoding]);
      expect(answers[index]?.body).toBe(body);
    }
  });

  test('a visitor who has the page gets a 304 with the headers of the process, without asking it', async () => {
    const etag = built.find('/rates')?.etag() ?? '';
    const spellings = [etag, etag.replace('W/', ''), `"other", ${etag}`, '*'];
    const requests = ['GET', 'HEAD'].flatMap((method) =>
      spellings.map((known) => ({ method, headers: { 'accept-encoding': 'br', 'if-none-match': known } })),
    );
    const { answers, lines } = await withinOneSecond(nginx, async (first) => {
      await through('/rates', { headers: { 'accept-encoding': 'br' } });
      await logged(nginx, 1, first);
      await sleep(50);
      const before = first + 1;
      const answers = await Promise.all(requests.map((options) => through('/rates', options)));
      return { answers, lines: await logged(nginx, requests.length, before) };
    });
    const direct = await ask(site.port, '/rates', requests[0]);
    expect(direct.status).toBe(304);
    for (const answer of answers) expect(comparable(answer)).toEqual(comparable(direct));
    expect(lines.map(({ cache }) => cache)).toEqual(requests.map(() => 'HIT'));
    for (const known of ['W/"other"', '']) await same('/rates', { headers: { 'if-none-match': known } });
    // Not cached, so the process answers.
    const [tag = ''] = (await ask(site.port, onDemand)).headers.etag ?? [];
    expect((await through(onDemand, { headers: { 'if-none-match': tag } })).status).toBe(304);
  });

  test('HEAD is answered as GET is, without a body', async () => {
    for (const path of ['/', '/favicon.svg', onDemand, '/contact', '/nowhere'])
      for (const encoding of encodings) {
        const options = { method: 'HEAD', headers: accepting(encoding) };
        const [direct, answer] = [await ask(site.port, path, options), await through(path, options)];
        const { etag: _, ...own } = direct.headers;
        const { etag: __, ...given } = answer.headers;
        expect(comparable({ ...answer, headers: given })).toEqual(comparable({ ...direct, headers: own }));
        expect(answer.body).toBe('');
      }
  });

  test('forms, receipts, take links, errors, redirects and queries are never kept', async () => {
    const sent = await post(nginx.port, question('Не храните это'));
    expect(sent.status).toBe(303);
    const receipt = String(sent.headers.location);
    const paths = [
      '/contact',
      '/contact?preset=request',
      receipt,
      '/contact/nobody',
      '/take/nobody',
      '/desk',
      '/desk/link/nobody',
      '/nowhere',
      '/rates/',
      '/RATES',
      '/rates?x=1',
      onDemand,
      '/broadcast',
      '/video-broadcast',
      '/healthz',
      '/builds/latest.json',
      '/readyz',
    ];
    const before = await countLines(nginx);
    for (const path of [...paths, ...paths]) await through(path);
    const lines = await logged(nginx, 2 * paths.length, before);
    expect(lines.filter(({ cache }) => !['MISS', ''].includes(cache))).toEqual([]);
    const kept = await nginx.kept();
    expect(kept.length).toBeGreaterThan(site.served.paths.length);
    expect(
      kept.filter((key) => /contact\b(?!s)|take|desk|nowhere|RATES|rates\/ |\?|broadcast|latest/.test(key)),
    ).toEqual([]);
  });

  test('the desk is for the addresses that desk.conf names, and for everybody without that file', async () => {
    const limited = await startNginx(site.port);
    const [ours, another] = ['127.1.200.1', '127.1.200.2'];
    const asked = async (path: string, from: string) => {
      const { status, body } = await ask(limited.port, path, { from });
      // The application explains a 403, nginx does not.
      return `${status}${status === 403 && body.includes('<main') ? ' of the application' : ''}`;
    };
    const paths = ['/desk', '/desk/link/x', '/desk/requests/1', '//desk', '/%64esk/export'];
    try {
      expect(await asked('/desk', another)).toBe('403 of the application');
      await writeFile(join(limited.folder, 'desk.conf'), `allow ${ours};\ndeny all;\n`);
      await limited.reload();
      for (const path of paths) expect([path, await asked(path, another)]).toEqual([path, '403']);
      expect(await asked('/desk/requests/1', ours)).toBe('403 of the application');
      expect([await asked('/rates', another), await asked('/desktop', another)]).toEqual(['200', '404']);
    } finally {
      await limited.stop();
    }
  });

  test('an edit shows within a second, also where nobody has asked for a long time', async () => {
    const other = built.find('/compliance');
    if (!other) throw new Error('The site lacks a page.');
    // Nothing is cached.
    await sleep(2_000);
    await secondBegins();
    const old = (await through('/rates')).headers.etag;
    edited.set('/rates', other);
    await secondBegins();
    expect((await through('/rates')).headers.etag).toEqual([other.etag()]);
    expect(old).not.toEqual([other.etag()]);

    edited.clear();
    await sleep(2_000);
    const answers = await Promise.all(Array.from({ length: 12 }, () => through('/rates')));
    expect(new Set(answers.map(({ headers }) => headers.etag?.[0]))).toEqual(new Set(old));
  });

  test('what nginx refuses by itself', async () => {
    expect((await through(`/${'a'.repeat(10_000)}`)).status).toBe(414);
    expect((await through('/', { headers: { cookie: 'a'.repeat(40_000) } })).status).toBe(400);
    expect((await through('/rates%zz')).status).toBe(400);
    expect((await through('/', { method: 'TRACE' })).status).toBe(405);
    for (const path of [
      '/readyz',
      '/READYZ',
      '/readyz/',
      '//readyz',
      '/%72eadyz',
      '/readyz%2f',
      '/readyz?x',
      '/.unavailable.html',
    ])
      expect([path, (await through(path)).status]).toEqual([path, 404]);
    expect((await ask(site.port, '/readyz')).status).toBe(200);
    const large = await post(nginx.port, { preset: 'request', message: 'a'.repeat(900_000) });
    expect([large.status, large.body.includes('<form')]).toEqual([413, true]);
    const huge = await post(nginx.port, { preset: 'request', message: 'a'.repeat(5_000_000) });
    expect([huge.status, huge.body.includes('<form')]).toEqual([413, false]);
  });

  test('a client of HTTP/1.0 that names no host is served', async () => {
    for (const path of ['/rates', '/contact', onDemand]) {
      const socket = connect(nginx.port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.0\r\n\r\n`));
      let text = '';
      for await (const chunk of socket) text += chunk;
      expect(text).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  test('slow visitors of one address do not shut out others, who may send forms', async () => {
    const from = '127.0.0.66';
    const sockets: Socket[] = [];
    const answers: string[] = [];
    for (let count = 0; count < 260; count++) {
      const socket = connect({ port: nginx.port, host: '127.0.0.1', localAddress: from }, () =>
        socket.write('POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\na'),
      );
      socket.on('data', (chunk: Buffer) => answers.push(chunk.toString().slice(9, 12))).on('error', () => undefined);
      sockets.push(socket);
    }
    await eventually(() => answers.length >= 60, true, 'refusals');
    expect(new Set(answers)).toEqual(new Set(['429']));
    expect((await through(onDemand, { from })).status).toBe(429);
    for (const path of ['/', onDemand, '/contact']) expect((await through(path)).status).toBe(200);
    expect((await post(nginx.port, question('Пустите меня'))).status).toBe(303);
    expect(answers).toHaveLength(60);
    for (const socket of sockets) socket.destroy();
  });

  test('a flood from one address is refused, its forms are not', async () => {
    const from = '127.0.0.67';
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const flood = await Promise.all(
      Array.from({ length: 4_000 }, () => ask(nginx.port, '/favicon.svg', { from, agent })),
    );
    const served = flood.filter(({ status }) => status === 200).length;
    expect(served).toBeGreaterThanOrEqual(2_000);
    expect(flood.filter(({ status }) => status === 429).length).toBe(4_000 - served);
    expect(served).toBeLessThan(4_000);
    const office = Array.from({ length: 40 }, () => post(nginx.port, question('Из того же офиса'), { from }));
    expect(new Set((await Promise.all(office)).map(({ status }) => status))).toEqual(new Set([303]));
    agent.destroy();
  });

  test('a line of the log is one of a few words and figures', async () => {
    const before = await countLines(nginx);
    const secret = 'kept-79161234567';
    const headers = {
      'user-agent': secret,
      referer: `http://localhost/${secret}`,
      cookie: secret,
      accept: 'text/html',
    };
    for (const [index, path] of [`/contact/${secret}`, `/rates?${secret}`, `/${secret}`, `/${secret}%zz`].entries()) {
      await through(path, { headers });
      await logged(nginx, index + 1, before);
    }
    const answer = await through('/nowhere', { headers: { ...headers, 'x-request-id': secret } });
    await post(nginx.port, { message: secret }, { headers });
    const lines = await logged(nginx, 6, before);
    expect(Object.keys(lines[0] ?? {})).toEqual([
      'time',
      'request',
      'method',
      'status',
      'bytes',
      'seconds',
      'cache',
      'upstream_status',
    ]);
    expect(lines.map(({ method, status }) => [method, status])).toEqual([
      ['GET', 404],
      ['GET', 200],
      ['GET', 404],
      ['GET', 400],
      ['GET', 404],
      ['POST', 422],
    ]);
    expect(answer.headers['x-request-id']).toEqual([lines[4]?.request]);
    expect(site.logs.join('')).toContain(`"request":"${lines[4]?.request}"`);
    const logs = (await nginx.accessLog()) + (await nginx.errorLog());
    expect(logs).not.toContain(secret);
    expect(logs).not.toMatch(/127\.\d+\.\d+\.\d/);
  });
});

/** What the application never does, or not yet. */
describe('before a server that does as it is told', () => {
  let server: Server;
  let nginx: Nginx;
  let behave: (req: IncomingMessage, res: ServerResponse) => void;
  const asked: IncomingMessage[] = [];

  beforeAll(async () => {
    if (!has(nginxPath)) return;
    server = createServer((req, res) => {
      asked.push(req);
      behave(req, res);
    });
    const port = await listen(server);
    // Both upstreams are this server, so it sees retries.
    nginx = await startNginx(port, port);
  });
  afterAll(async () => {
    await nginx?.stop();
  });

  const page = (body: string) => (_req: IncomingMessage, res: ServerResponse) =>
    void res
      .writeHead(200, { 'X-Accel-Expires': `@${Math.floor(Date.now() / 1000)}`, 'Cache-Control': 'no-cache' })
      .end(body);

  test('visitors of a form do not wait for each other', async () => {
    const waiting: ServerResponse[] = [];
    const came: number[] = [];
    behave = (_req, res) => {
      waiting.push(res);
      came.push(performance.now());
      if (waiting.length === 20) for (const each of waiting) each.writeHead(200, { 'Cache-Control': 'no-store' }).end();
    };
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(nginx.port, '/contact')));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    // nginx makes concurrent requests wait up to 5 seconds for the first.
    expect((came.at(-1) ?? 0) - (came[0] ?? 0)).toBeLessThan(4_500);
  });

  test('a page that is kept stands in for a failure, one that is not does not', async () => {
    behave = page('kept');
    await ask(nginx.port, '/kept');
    await secondBegins();
    for (const status of [500, 502, 503, 504]) {
      behave = (_req, res) => void res.writeHead(status).end('broken');
      expect(await ask(nginx.port, '/kept')).toMatchObject({ status: 200, body: 'kept' });
      expect(await ask(nginx.port, '/new')).toMatchObject({ status, body: 'broken' });
      // An error page with the visitor's text.
      expect(await post(nginx.port, {})).toMatchObject({ status, body: 'broken' });
    }
  });

  test('a form whose connection breaks is sent to the other process as it was, and then its sender is told', async () => {
    const bodies: string[] = [];
    const breaking = async (req: IncomingMessage, res: ServerResponse) => {
      bodies.push((await req.toArray()).join(''));
      res.destroy();
    };
    behave = (req, res) => {
      behave = (_req, res) => void res.writeHead(303, { location: '/contact/receipt' }).end();
      void breaking(req, res);
    };
    asked.length = 0;
    expect(await post(nginx.port, question('Дойдёт'))).toMatchObject({ status: 303 });
    expect(asked.map(({ method, url }) => [method, url])).toEqual([...Array(2).fill(['POST', '/contact'])]);

    behave = (req, res) => void breaking(req, res);
    bodies.length = 0;
    expectUnavailable(await post(nginx.port, question('Не дойдёт')));
    expect(new Set(bodies).size).toBe(1);
    expect(bodies.length).toBeGreaterThan(1);
  });

  test('the process is asked for the one encoding by which the answer is kept', async () => {
    behave = page('');
    asked.length = 0;
    for (const [index, header] of ['gzip, deflate, br, zstd', 'br;q=0, gzip', 'zstd', ''].entries())
      await ask(nginx.port, `/encoded-${index}`, { headers: { 'accept-encoding': header } });
    expect(asked.map(({ headers }) => headers['accept-encoding'])).toEqual(['br', 'gzip', undefined, undefined]);
    const kept = async () => (await nginx.kept()).filter((key) => key.startsWith('/encoded'));
    await eventually(async () => (await kept()).length, 4, 'pages that are kept');
    expect(await kept()).toEqual(['/encoded-0 br', '/encoded-1 gzip', '/encoded-2 ', '/encoded-3 ']);
  });

  test('what a visitor says of who they are means nothing', async () => {
    behave = page('');
    asked.length = 0;
    const headers = {
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'a',
      'x-forwarded-proto': 'gopher',
      forwarded: 'for=10.0.0.1',
      'x-request-id': 'a',
      host: 'example.ru:8080',
    };
    await ask(nginx.port, '/whoever', { headers, from: '127.0.0.77' });
    expect(asked[0]?.headers).toMatchObject({
      'x-forwarded-for': '127.0.0.77',
      'x-forwarded-proto': 'http',
      host: 'example.ru:8080',
    });
    expect(asked[0]?.headers['x-request-id']).toMatch(/^[\da-f]{32}$/);
    for (const name of ['x-forwarded-host', 'forwarded', 'accept-encoding'])
      expect(asked[0]?.headers).not.toHaveProperty(name);
  });
});

describe('while processes come and go', () => {
  const dataDir = temporaryFolder();
  let ports: [number, number];
  let nginx: Nginx;

  beforeAll(async () => {
    if (!has(nginxPath)) return;
    ports = [await freePort(), await freePort()];
    nginx = await startNginx(...ports);
  });
  afterAll(async () => {
    await nginx?.stop();
  });

  const start = (number: number) =>
    startServerProcess({ DATA_DIR: dataDir, TRUST_PROXY: '1', PORT: String(ports[number % 2]) });

  const through = (path: string, options: Ask = {}) =>
    ask(nginx.port, path, { headers: { 'accept-encoding': 'br' }, ...options });

  test('a process that is killed leaves its pages, and comes back to fresh ones', async () => {
    const server = await start(0);
    const home = await through('/');
    const asset = /\/assets\/[^"]+\.js/.exec(await (await fetch(`http://127.0.0.1:${nginx.port}/`)).text())?.[0] ?? '';
    expect(asset).not.toBe('');
    for (const path of ['/rates', asset, '/contacts']) expect((await through(path)).status).toBe(200);
    server.child.kill('SIGKILL');
    await server.exited;
    await secondBegins();

    expect(await through('/')).toMatchObject({ status: 200, body: home.body, headers: { etag: home.headers.etag } });
    expect((await through('/', { method: 'HEAD' })).headers['content-length']).toEqual(home.headers['content-length']);
    const known = { 'accept-encoding': 'br', 'if-none-match': String(home.headers.etag) };
    expect((await through('/', { headers: known })).status).toBe(304);
    for (const path of ['/rates', '/contacts', asset, '/rates?utm_source=yandex&yclid=1', '/?gclid=1', `${asset}?1`])
      expect([path, (await through(path)).status]).toEqual([path, 200]);
    expect((await through('/rates?utm_source=yandex')).body).toBe((await through('/rates')).body);
    for (const path of ['/cases', '/contact', '/contact?preset=request', onDemand, '/nowhere', '/contact/receipt'])
      expectUnavailable(await through(path));
    expectUnavailable(await post(nginx.port, question('Никого нет')));
    expect(unavailable).toContain('Если вы отправляли заявку, она не отправлена');
    expect(unavailable).toContain('href="/contacts"');
    const lines = await logged(nginx, await countLines(nginx));
    expect(lines).toContainEqual(expect.objectContaining({ method: 'POST', status: 503 }));
    expect(lines).toContainEqual(
      expect.objectContaining({ status: 200, cache: 'STALE', upstream_status: expect.stringMatching(/^502(, 502)+$/) }),
    );

    const next = await start(1);
    const before = await countLines(nginx);
    expect((await through('/')).status).toBe(200);
    const [line] = await logged(nginx, 1, before);
    expect(line).toMatchObject({ cache: 'EXPIRED', upstream_status: expect.stringMatching(/^(502, )+200$/) });
    expect((await through('/cases')).status).toBe(200);
    next.child.kill('SIGTERM');
    await next.exited;
  });

  test(`${replacements} times another process takes over, and no visitor notices`, async () => {
    const sent: { what: string; answer?: Answer }[] = [];
    const pending = new Set<Promise<void>>();
    const send = (what: string, asking: Promise<Answer>) => {
      const one: (typeof sent)[number] = { what };
      sent.push(one);
      const done = asking
        .then(
          (answer) => void Object.assign(one, { answer }),
          () => undefined,
        )
        .finally(() => pending.delete(done));
      pending.add(done);
    };
    const paths = ['/', '/rates', onDemand, '/rates?utm_source=a', '/contact', '/video-broadcast', '/favicon.svg'];
    let server = await start(0);
    const before = await countLines(nginx);
    let count = 0;
    const load = setInterval(() => {
      count += 1;
      const message = `Вопрос номер ${count}`;
      if (count % 5 === 0) send(message, post(nginx.port, question(message)));
      else send('', through(paths[count % paths.length] ?? '/'));
    }, 18);
    const end = performance.now() + 40_000;
    let replaced = 0;
    try {
      while (replaced < replacements && performance.now() < end) {
        const next = await start(replaced + 1);
        server.child.kill('SIGTERM');
        await server.exited;
        server = next;
        replaced += 1;
      }
    } finally {
      clearInterval(load);
    }
    await Promise.all(pending);
    if (replaced < replacements) console.warn(`This machine is too busy for more than ${replaced} replacements.`);

    const failed = (await logged(nginx, 1, before)).filter(({ status }) => status >= 400);
    expect(failed).toEqual([]);
    expect(sent.filter(({ answer }) => ![200, 303].includes(answer?.status ?? 0))).toEqual([]);
    expect(sent.length).toBeGreaterThan(30 * replaced);
    const { integrity, leads } = storedIn(dataDir);
    const messages = [...leads.values()].map(({ message }) => message);
    expect(new Set(messages).size).toBe(messages.length);
    const acknowledged = sent.filter(({ answer }) => answer?.status === 303);
    expect(acknowledged.length).toBeGreaterThan(5 * replaced);
    for (const { what, answer } of acknowledged)
      expect(leads.get(String(answer?.headers.location))?.message).toBe(what);
    expect(integrity).toBe('ok');
  }, 60_000);
});
