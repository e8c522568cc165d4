import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import {
  Agent,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, type SecureVersion } from 'node:tls';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, jest } from '@jest/globals';
import fc from 'fast-check';
import type { SiteResponse } from '../site/response.ts';
import { question } from '../tests/faults/testing.ts';
import { type Ask, asForm, ask, type HttpAnswer } from '../tests/support/ask.ts';
import { atEnd } from '../tests/support/at-end.ts';
import { eventually } from '../tests/support/eventually.ts';
import { listen } from '../tests/support/listen.ts';
import { onDemand, plainService } from '../tests/support/sample-pages.ts';
import { type Nginx, startNginx } from '../tests/support/start-nginx.ts';
import { systemUser } from '../tests/support/system-user.ts';
import { testIf } from '../tests/support/test-if.ts';
import { shownSite, startTestSite, type TestSite } from '../tests/support/test-site.ts';

const shippedTest = testIf({ programs: ['nginx', 'openssl'], shipped: true });

const test = testIf({ programs: ['nginx', 'openssl'] });

/** Waits until the end of a second, when nginx expires cached pages. */
const endOfSecond = (ahead = 0) => sleep((ahead + 1) * 1_000 - (Date.now() % 1_000) + 10);

/** Returns the body without its content encoding. */
function unpacked({ headers, body }: { headers: IncomingHttpHeaders; body: Buffer }): Buffer {
  if (headers['content-encoding'] === 'br') return brotliDecompressSync(body);
  return headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

const unavailable = readFileSync(join(import.meta.dirname, '../../scripts/deploy/unavailable.html'), 'utf8');

function expectUnavailable({ status, headers, text }: HttpAnswer, wanted = 503): void {
  expect([status, text]).toEqual([wanted, unavailable]);
  const style = /<style>(.*)<\/style>/s.exec(unavailable)?.[1] ?? '';
  const hash = createHash('sha256').update(style).digest('base64');
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'retry-after': '60',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining(`default-src 'none'; style-src 'sha256-${hash}';`),
  });
}

describe('nginx before a scripted process', () => {
  const asked: IncomingMessage[] = [];
  let behave: (res: ServerResponse, req: IncomingMessage) => unknown;
  let server: Server;
  let upstream: number;
  let nginx: Nginx;

  beforeAll(async () => {
    server = createServer((req, res) => {
      asked.push(req);
      behave(res, req);
    });
    upstream = await listen(server);
    // Both upstreams are this server, so it also sees retries.
    nginx = await startNginx(upstream, upstream);
  });
  afterEach(() => {
    asked.length = 0;
  });

  const get = (path: string, options?: Ask) => ask(nginx.port, path, options);
  const post = (message: string, options: Ask = {}) => get('/contact', asForm(question(message), options));
  const plainly = (res: ServerResponse) => res.end('answered');
  /** A page that nginx may cache for some seconds after the current one. */
  const page = (seconds: number) => (res: ServerResponse) =>
    res.writeHead(200, { 'X-Accel-Expires': `@${Math.floor(Date.now() / 1_000) + seconds}` }).end('kept');

  /** Requests a path until nginx answers from its cache. */
  async function untilKept(path: string): Promise<void> {
    const asks = async () => {
      const before = asked.length;
      await get(path);
      return asked.length - before;
    };
    await eventually(asks, 0, `${path} is kept`);
  }

  test('invalid and oversized requests are refused before the process, which limits the length of forms itself', async () => {
    behave = plainly;
    const status = async (path: string, options?: Ask) => (await get(path, options)).status;
    expectUnavailable(await get(`/${'a'.repeat(10_000)}`), 414);
    expectUnavailable(await get('/rates%zz'), 400);
    expectUnavailable(await get('/', { headers: { cookie: 'a'.repeat(40_000) } }), 400);
    expect(await status('/', { method: 'TRACE' })).toBe(405);
    for (const path of ['/readyz', '//READYZ/', '/%72eadyz?x', '/.unavailable.html'])
      expect([path, await status(path)]).toEqual([path, 404]);
    expectUnavailable(await post('a'.repeat(200_000)), 413);
    expect(asked).toHaveLength(0);
    expect(await post('a'.repeat(90_000))).toMatchObject({ status: 200, text: 'answered' });
  });

  test('forwarding headers and request ids from visitors are replaced or removed', async () => {
    behave = plainly;
    const forged = { 'x-forwarded-for': '10.0.0.1', 'x-forwarded-proto': 'gopher', 'x-request-id': 'a' };
    const others = { 'x-forwarded-host': 'a', forwarded: 'for=10.0.0.1' };
    await get('/whoever', { headers: { ...forged, ...others, host: 'example.ru:8080' }, from: '127.0.0.77' });
    const [{ headers = {} } = {}] = asked;
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.77',
      'x-forwarded-proto': 'http',
      'x-request-id': expect.stringMatching(/^[\da-f]{32}$/),
      host: 'example.ru:8080',
    });
    for (const name of Object.keys(others)) expect(headers).not.toHaveProperty(name);
  });

  test('a form whose connection breaks is retried unchanged at the other process, and gets 503 if that fails too', async () => {
    const bodies: string[] = [];
    const breaking = async (res: ServerResponse, req: IncomingMessage) => {
      bodies.push(await text(req));
      res.destroy();
    };
    behave = (res, req) => {
      behave = async (again, same) => {
        bodies.push(await text(same));
        again.writeHead(303).end();
      };
      return breaking(res, req);
    };
    expect((await post('Дойдёт')).status).toBe(303);
    behave = breaking;
    expectUnavailable(await post('Не дойдёт'));
    const [first, second, ...others] = bodies;
    expect([first, new Set(others).size]).toEqual([second, 1]);
    expect(others.length).toBeGreaterThan(1);
    expect(asked.every(({ method, url }) => `${method} ${url}` === 'POST /contact')).toBe(true);
  });

  const fails = (status: number) => (res: ServerResponse) => res.writeHead(status).end('broken');
  const closes = (res: ServerResponse) => res.destroy();
  const hangs = () => {};
  const away = { status: 503, text: unavailable };
  const broken = (status: number) => ({ status, text: 'broken' });

  test.each<[string, behaviour: typeof behave | 'down', other: { status: number; text: string }]>([
    ...[500, 502, 503, 504].map((status): [string, typeof behave, typeof away] => {
      return [`answers ${status}`, fails(status), broken(status)];
    }),
    ['closes connections', closes, away],
    ['accepts requests and stays silent', hangs, away],
    ['is down', 'down', away],
  ])(
    'while the process %s, cached pages are served stale, and other pages and forms get a page with the phone or its answer',
    async (_, behaviour, other) => {
      behave = page(1);
      await untilKept('/kept');
      await endOfSecond(1);
      if (behaviour !== 'down') behave = behaviour;
      else {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }
      const answered = await Promise.all([
        get('/kept'),
        ...['/new', '/contact?preset=request', '/contact/receipt'].map((path) => get(path)),
        post('Никого нет'),
      ]);
      if (other === away) {
        expect(await get('/kept?utm_source=yandex&yclid=1')).toMatchObject({ status: 200, text: 'kept' });
        for (const answer of answered.slice(1)) expectUnavailable(answer);
      }
      expect(answered.map(({ status, text }) => ({ status, text }))).toEqual([
        { status: 200, text: 'kept' },
        ...Array(4).fill(other),
      ]);
      behave = plainly;
      if (behaviour === 'down') {
        server.listen(upstream, '127.0.0.1');
        await once(server, 'listening');
      }
      await eventually(async () => (await get('/kept')).text, 'answered');
    },
  );

  test('the desk is limited to the addresses in desk.conf, and open to everyone without that file', async () => {
    behave = plainly;
    const [ours, another] = ['127.0.0.2', '127.0.0.3'];
    const statusFor = async (from: string, path: string) => (await get(path, { from })).status;
    expect(await statusFor(another, '/desk')).toBe(200);
    writeFileSync(join(nginx.folder, 'desk.conf'), `allow ${ours};\ndeny all;\n`);
    await nginx.reload();
    for (const path of ['/desk', '/desk/link/x', '//desk', '/%64esk/export'])
      expect([path, await statusFor(another, path), await statusFor(ours, path)]).toEqual([path, 403, 200]);
    for (const path of ['/rates', '/desktop']) expect(await statusFor(another, path)).toBe(200);
  });

  test('slow connections from one address do not block other visitors', async () => {
    behave = plainly;
    const from = '127.0.0.66';
    const slow = { port: nginx.port, host: '127.0.0.1', localAddress: from };
    const refused: string[] = [];
    const sockets = Array.from({ length: 260 }, () => {
      const socket = connect(slow, () =>
        socket.write('POST /contact HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na'),
      );
      socket.on('error', () => {});
      return socket.on('data', (chunk: Buffer) => refused.push(chunk.toString().slice(9, 12)));
    });
    await eventually(() => refused.length, 60, 'refusals');
    expectUnavailable(await get('/rates', { from }), 429);
    expect([(await get('/rates')).status, (await post('Пустите меня')).status]).toEqual([200, 200]);
    expect(new Set(refused)).toEqual(new Set(['429']));
    for (const socket of sockets) socket.destroy();
  });

  test('a flood from one address gets 429, except for its forms and the page with the phone number', async () => {
    const from = '127.0.0.67';
    /** @returns the statuses of 4,000 requests */
    const flood = async (path: string) => {
      behave = page(3_600);
      await untilKept(path);
      const line = `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
      const sent = Array.from({ length: 20 }, () => {
        const socket = connect({ port: nginx.port, host: '127.0.0.1', localAddress: from });
        socket.write(`${`${line}\r\n`.repeat(199)}${line}Connection: close\r\n\r\n`);
        return text(socket);
      });
      const answers = (await Promise.all(sent)).join('').matchAll(/^HTTP\/1\.1 (\d+)/gm);
      return [...answers].map(([, status]) => status);
    };
    const statuses = await flood('/small');
    expect([statuses.length, new Set(statuses)]).toEqual([4_000, new Set(['200', '429'])]);
    expect(statuses.filter((status) => status === '200').length).toBeGreaterThanOrEqual(2_000);
    expect(new Set(await flood('/contacts'))).toEqual(new Set(['200']));
    behave = plainly;
    const office = Array.from({ length: 40 }, () => post('Из того же офиса', { from }));
    expect(new Set((await Promise.all(office)).map(({ status }) => status))).toEqual(new Set([200]));
  });

  test('a flood of forms gets 429 even when its addresses vary within one IPv6 network', async () => {
    behave = plainly;
    const listens = join(nginx.folder, 'listen.conf');
    const believing = `${readFileSync(listens, 'utf8')} set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP;`;
    writeFileSync(listens, believing);
    await nginx.reload();
    const statusFor = async (address: string) => (await post('Ещё одна', { headers: { 'x-real-ip': address } })).status;
    // One byte of the network is a line feed.
    const flood = Array.from({ length: 300 }, (_, n) =>
      statusFor(`2001:db8:a:a${(n % 256).toString(16).padStart(2, '0')}::${n}`),
    );
    const statuses = await Promise.all(flood);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(200);
    expect(await Promise.all(['2001:db8:a:b00::1', '192.0.2.1'].map(statusFor))).toEqual([200, 200]);
  });
});

const name = 'korob.example';
const siteUrl = `https://${name}`;

describe('nginx with TLS and its shipped Debian configuration, before the application', () => {
  let site: TestSite;
  let nginx: Nginx;
  /** Paths that nginx requested from the site. */
  const found: string[] = [];
  /** Responses that replace those of the site. */
  const edited = new Map<string, SiteResponse>();
  let ca: Buffer;
  let session: ClientHttp2Session | undefined;
  let agent: Agent;

  beforeAll(async () => {
    const built = await shownSite({ siteUrl });
    const find = (path: string) => {
      found.push(path);
      return edited.get(path) ?? built.find(path);
    };
    site = await startTestSite({ trustProxy: 1, siteUrl, site: { ...built, find } });
    nginx = await startNginx(site.port, undefined, siteUrl);
    ca = readFileSync(join(nginx.folder, 'tls/fullchain.pem'));
    agent = Object.assign(new Agent(), {
      createConnection: (options: ConnectionOptions) => connectTls({ ...options, ca, servername: name }),
    });
    atEnd(() => session?.close());
  });

  const direct = (path: string, options?: Ask) => ask(site.port, path, options);
  const through = (path: string, options: Ask = {}) =>
    ask(nginx.port, path, { agent, ...options, headers: { host: name, ...options.headers } });

  async function over2(path: string, { method = 'GET', headers, body }: Ask = {}) {
    const pseudo = { ':method': method, ':path': path, ':authority': name };
    // nginx closes an idle session.
    if (session === undefined || session.closed)
      session = connectHttp2(`https://127.0.0.1:${nginx.port}`, { ca, servername: name });
    const stream = session.request({ ...pseudo, ...headers });
    stream.end(body);
    const [answer] = await once(stream, 'response');
    return { status: answer[':status'], headers: answer, body: await buffer(stream) };
  }

  /** Headers that may differ: they belong to one connection, change with each answer, or are for nginx only. */
  const differing = new Set([
    ...['date', 'server', 'connection', 'keep-alive', 'transfer-encoding'],
    ...['x-request-id', 'x-accel-expires'],
  ]);

  function comparable({ status, distinct, body }: HttpAnswer): object {
    const kept = Object.entries(distinct).filter(([name]) => !differing.has(name));
    return { status, headers: Object.fromEntries(kept.sort()), body: body.toString('latin1') };
  }

  /** Lets pages be cached for an hour and not until the second ends, because a slow machine does little in a second. */
  async function keptForAnHour(work: () => Promise<void>): Promise<void> {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
    await work().finally(() => clock.mockRestore());
  }

  test('visitors get the bytes and headers that the process sends', async () => {
    const { images } = site.served;
    const files = ['/favicon.svg', '/rss.xml', '/rates/_payload.json', '/builds/latest.json', images.share];
    const others = ['/RATES', '//rates', '/%72ates', '/nowhere', onDemand, '/rates?utm_source=a', '/broadcast'];
    for (const method of ['GET', 'HEAD', 'PUT'])
      for (const path of ['/', ...files, ...others, '/video-broadcast', '/healthz']) {
        const options = { method, headers: { 'accept-encoding': 'gzip' } };
        const answer = await through(path, options);
        expect(answer.headers).toMatchObject({ server: 'nginx' });
        expect(answer.headers).not.toHaveProperty('x-accel-expires');
        expect([method, path, comparable(answer)]).toEqual([method, path, comparable(await direct(path, options))]);
      }
  });

  test('a cached page equals the answer of the process for every Accept-Encoding and If-None-Match', () =>
    keptForAnHour(async () => {
      const accepting = (header?: string): Ask => ({ headers: { 'accept-encoding': header } });
      const etag = String((await direct(plainService)).headers.etag);
      const known = [etag, etag.replace('W/', ''), `"other", ${etag}`, '*', 'W/"other"', ''];
      const having = known.flatMap((tag) =>
        ['GET', 'HEAD'].map((method): Ask => ({ method, headers: { 'if-none-match': tag } })),
      );
      const requests: [ofNginx: Ask, ofProcess: Ask][] = [
        [accepting('gzip, deflate, br, zstd'), accepting('br')],
        [accepting('GZip;q=0.5,BR;q=0.001'), accepting('br')],
        [accepting('br; q=0.000 ,gzip;q=1.0'), accepting('gzip')],
        [accepting('br;q=0,gzip;q=0'), accepting()],
        [accepting('vbr, gzipped'), accepting()],
        ...having.map((options): [Ask, Ask] => [options, options]),
      ];
      const answers: object[] = [];
      for (const [, options] of requests) answers.push(comparable(await direct(plainService, options)));

      const asks = async () => {
        found.length = 0;
        for (const encoding of ['br', 'gzip', undefined]) await through(plainService, accepting(encoding));
        return found;
      };
      await eventually(asks, [], 'pages that are kept');
      for (const [index, [options]] of requests.entries())
        expect([options, comparable(await through(plainService, options))]).toEqual([options, answers[index]]);
      expect((await over2(plainService)).body).toEqual((await through(plainService)).body);
      expect(found).toEqual([]);
    }));

  shippedTest('a video is sent in ranges, also from the cache', async () => {
    const href = site.served.content.articles.find(({ video }) => video?.href.startsWith('/'))?.video?.href ?? '';
    const { body } = await direct(href);
    for (const range of ['bytes=0-1', `bytes=${body.length}-`]) {
      const options = { headers: { range } };
      const [answer, own] = [await through(href, options), await direct(href, options)];
      const of = ({ status, headers, body }: HttpAnswer) => [status, headers['content-range'], status === 206 && body];
      expect([range, ...of(answer)]).toEqual([range, ...of(own)]);
    }
    expect([(await through(href)).body, (await over2(href)).body]).toEqual([body, body]);
  });

  test('no request header adds a copy of an encoding to the cache or changes the answer', () =>
    keptForAnHour(async () => {
      const kept = [plainService, '/', '/rates/_payload.json', '/rss.xml', '/favicon.svg', '/site.webmanifest'];
      const others = ['/broadcast', '/video-broadcast', '/contact', '/healthz', '/builds/latest.json', '/nowhere'];
      const words = ['on', '?1', 'gzip', 'br;q=0', 'en', 'application/json', 'curl/8.0', 'a=b', '"x"', 'no-transform'];
      const names = ['accept-encoding', 'available-dictionary', 'accept', 'cookie', 'save-data', 'user-agent', 'range'];
      const more = ['accept-language', 'cache-control', 'if-none-match', 'x-forwarded-host', 'origin'];
      const encodings = ['', 'gzip', 'br'].map((encoding) => ({ 'accept-encoding': encoding }));
      const header = fc.constantFrom(...names, ...more);
      const value = fc.oneof(fc.constantFrom(...words), fc.base64String({ minLength: 1 }));
      const asking = fc.dictionary(header, value);
      for (const path of [...kept, ...others]) {
        const bodies = new Set<string>();
        for (const headers of [...encodings, ...fc.sample(asking, 50)])
          bodies.add(unpacked(await over2(path, { headers })).toString('latin1'));
        const { body } = await direct(path);
        if (kept.includes(path)) expect([path, [...bodies]]).toEqual([path, [body.toString('latin1')]]);
      }
      const copies = (path: string) => nginx.kept().filter((key) => key.startsWith(`${path} `));
      for (const path of others) expect([path, copies(path)]).toEqual([path, []]);
      for (const path of kept) expect(copies(path).sort()).toEqual([`${path} `, `${path} br`, `${path} gzip`]);
    }));

  test('forms, receipts, take links, errors, redirects and queries are never cached', () =>
    keptForAnHour(async () => {
      const sent = await through('/contact', asForm(question('Не храните это'), { headers: { origin: siteUrl } }));
      expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/contact\/[\w-]+$/)]);
      const forms = ['/contact', '/contact?preset=request', String(sent.headers.location), '/contact/nobody'];
      const staff = ['/take/nobody', '/desk', '/desk/link/nobody', '/healthz'];
      const others = ['/nowhere', '/rates/', '/RATES', onDemand, '/broadcast'];
      for (const path of [...forms, ...staff, ...others]) {
        const [first, second] = [await through(path), await through(path)];
        expect([path, first.headers['x-request-id']]).toEqual([path, expect.any(String)]);
        expect([path, second.headers['x-request-id']]).not.toEqual([path, first.headers['x-request-id']]);
      }
      found.length = 0;
      for (const path of ['/rates?x=1', '/builds/latest.json', '/video-broadcast']) {
        await through(path);
        await through(path);
      }
      expect(found).toHaveLength(6);
    }));

  test('an edit reaches every visitor as soon as the second is over', async () => {
    const other = site.served.find('/compliance');
    if (!other) throw new Error('The site lacks a page.');
    const [old] = [(await through('/contacts')).headers.etag, edited.set('/contacts', other)];
    await endOfSecond();
    const answers = await Promise.all(Array.from({ length: 12 }, () => through('/contacts')));
    expect(new Set(answers.map(({ headers }) => headers.etag))).toEqual(new Set([other.etag()]));
    expect(old).not.toBe(other.etag());
  });

  test('HTTP/2 works, sends HSTS and accepts a form', async () => {
    const { status, headers } = await over2('/rates');
    expect([session?.alpnProtocol, status]).toEqual(['h2', 200]);
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d{8}; includeSubDomains/);
    const sent = await over2('/contact', asForm(question('По шифрованному каналу'), { headers: { origin: siteUrl } }));
    expect([sent.status, sent.headers.location]).toEqual([303, expect.stringMatching(/^\/contact\/[\w-]+$/)]);
  });

  test('only TLS 1.2 and 1.3 with authenticated ciphers are accepted, without session tickets', async () => {
    const spoken = async (maxVersion: SecureVersion, ciphers?: string) => {
      const to = {
        host: '127.0.0.1',
        port: nginx.port,
        ca,
        servername: name,
        minVersion: 'TLSv1',
        maxVersion,
      } as const;
      const socket = connectTls({ ...to, ...(ciphers && { ciphers }) });
      const said = () => `${socket.getProtocol()} ${socket.getCipher().name} ${socket.getTLSTicket()?.length ?? 0}`;
      return once(socket, 'secureConnect')
        .then(said, String)
        .finally(() => socket.destroy());
    };
    expect(await spoken('TLSv1.3')).toMatch(/^TLSv1\.3 TLS_/);
    expect(await spoken('TLSv1.2')).toBe('TLSv1.2 ECDHE-ECDSA-AES128-GCM-SHA256 0');
    expect(await spoken('TLSv1.1', 'ALL:@SECLEVEL=0')).toContain('alert protocol version');
    expect(await spoken('TLSv1.2', 'ECDHE-ECDSA-AES128-SHA:@SECLEVEL=0')).toContain('alert handshake failure');
  });

  test('http and all other host names redirect to the address of the site', async () => {
    const plainly = (path: string, options?: Ask) => ask(nginx.httpPort, path, options);
    const paths = ['/', '/rates?utm_source=a', '//evil.example/'];
    for (const host of [name, `www.${name}`, 'evil.example', '127.0.0.1', `${name}:8080`])
      for (const path of paths)
        expect(await plainly(path, { headers: { host } })).toMatchObject({
          status: 301,
          headers: { location: `${siteUrl}${path}` },
        });
    const named = await through('/rates?utm_source=a', { headers: { host: `www.${name}` } });
    expect([named.status, named.headers.location]).toEqual([301, `${siteUrl}/rates?utm_source=a`]);
    expect((await plainly('/contact', asForm(question('Открыто'), {}))).status).toBe(301);
  });

  test('the challenge answer of certbot is served over http', async () => {
    const path = '/.well-known/acme-challenge';
    mkdirSync(join(nginx.folder, 'webroot', path), { recursive: true });
    writeFileSync(join(nginx.folder, 'webroot', path, 'token'), 'answer');
    expect(await ask(nginx.httpPort, `${path}/token`)).toMatchObject({ status: 200, text: 'answer' });
    expect((await ask(nginx.httpPort, `${path}/other`)).status).toBe(404);
  });

  test('nginx workers are not root and cannot write the configuration, and the error log stays empty', () => {
    const user = systemUser('www-data')?.uid ?? process.getuid?.();
    expect(nginx.processes().length).toBeGreaterThanOrEqual(3);
    for (const pid of nginx.processes())
      expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toContain(`\nUid:${`\t${user}`.repeat(4)}\n`);
    const written = readdirSync(nginx.folder, { withFileTypes: true, recursive: true })
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => statSync(path).uid === user);
    expect(written.length).toBeGreaterThan(0);
    if (process.getuid?.() === 0)
      expect(written.filter((path) => !path.startsWith(join(nginx.folder, 'own')))).toEqual([]);
    expect(
      nginx
        .errorLog()
        .split('\n')
        .filter((line) => line && !line.includes('[notice]')),
    ).toEqual([]);
  });
});
