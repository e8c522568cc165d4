import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Ask, asForm, browserHeaders, type HttpAnswer } from '../tests/support/ask.ts';
import { eventually } from '../tests/support/eventually.ts';
import { fakeLeads } from '../tests/support/fake-leads.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { startTestSite } from '../tests/support/test-site.ts';

const leads = fakeLeads();
const site = await startTestSite({ leads });

const get = (path: string, headers: Ask['headers'] = {}) => site.request(path, { headers });

/** Expects an HTML page in Russian with a heading and a link home. */
function expectReadable({ headers, text }: Pick<HttpAnswer, 'headers' | 'text'>): void {
  expect(headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'x-content-type-options': 'nosniff' });
  const document = parseHtml(text);
  expect(one(document, 'html').attrs.lang).toBe('ru');
  expect(textOf(one(document, 'h1'))).toMatch(/[а-яё]{4}/i);
  expect(all(document, 'a[href="/"]')).not.toEqual([]);
}

describe('an unusual address', () => {
  test.each([
    [400, '/%zz'],
    [400, '/cases/%00'],
    [400, '/contact/%0d%0aSet-Cookie:%20a=b'],
    [404, '/%2e%2e/etc/passwd'],
    [404, '/contact?preset=constructor'],
    [414, `/cases/${'a'.repeat(5_000)}`],
  ])('is refused with %d and a readable page: %s', async (status, path) => {
    const answer = await get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expectReadable(answer);
  });

  test('does not appear as markup on the error page', async () => {
    const { text } = await get('/%3Cscript%3Ealert(1)%3C/script%3E"onload="x<img>');
    expect(text).not.toMatch(/<script>|<img>|"onload/);
  });

  test('never gets a 5xx, and only answers of the site, for any path, query, method and client', async () => {
    const words = ['', 'rates', 'RATES', 'cases', 'blog', 'articles', 'contact', 'services', '1'];
    const odd = ['..', '%00', '%', '%2e', '%D1%8F', '%2F', '_payload.json', 'builds', '__proto__', '*', '\\', '//'];
    const junk = fc.string({ unit: fc.constantFrom(...`abAB019-._~!$&'()*+,;=:@%/?#[]<>"{}|\\^\``), maxLength: 20 });
    const path = fc
      .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words, ...odd) }, junk), { maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`);
    const name = fc.constantFrom('page', 'preset', 'utm_source', '__proto__', 'page[]', '%', '');
    const query = fc
      .array(fc.tuple(name, fc.oneof(junk, fc.constantFrom('1', '2', '99', 'bonus', '__proto__'))))
      .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));
    const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS');
    const who = fc.constantFrom({}, { accept: 'application/json' }, { 'user-agent': 'curl/8.5.0' }, { accept: '*/*' });
    await fc.assert(
      fc.asyncProperty(path, query, method, who, async (path, query, method, headers) => {
        const answer = await site.request(path + query, { method, headers });
        const { status, text } = answer;
        const type = answer.headers['content-type'];
        expect(status).toBeLessThan(500);
        expect(answer.headers['content-security-policy']).toMatch(/^default-src '(none|self)'/);
        if (status === 301 || status === 308) expect(answer.headers.location).toMatch(/^\/(?![/\\])/);
        else if (status < 400 || method === 'HEAD') return;
        else if (type?.startsWith('application/json')) expect(JSON.parse(text)).toHaveProperty('statusCode', status);
        else if (type?.startsWith('text/plain')) expect(text.trim()).toMatch(new RegExp(`^${status} [^\\n]+$`));
        else expectReadable(answer);
      }),
      { numRuns: 150 },
    );
  });
});

describe('an overlong header', () => {
  test('selects no encoding as Accept-Encoding', async () => {
    const { status, headers } = await get('/', { 'accept-encoding': `a${' '.repeat(15_000)}b, br` });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
  });

  test('does not identify a bot as User-Agent', async () => {
    const type = async (agent: string) => (await get('/nowhere', { 'user-agent': agent })).headers['content-type'];
    expect(await type('curl/8.0')).toContain('text/plain');
    expect(await type(`curl/8.0 ${'x'.repeat(1_000)}`)).toContain('text/html');
  });

  test('gets no 304 as If-None-Match', async () => {
    const etag = String((await get('/')).headers.etag);
    expect((await get('/', { 'if-none-match': `"a", ${etag}` })).status).toBe(304);
    expect((await get('/', { 'if-none-match': `${'"a",'.repeat(300)}${etag}` })).status).toBe(200);
  });
});

/** Sends bytes and returns all that the server sends until the connection closes. */
async function talk(bytes: string | Buffer): Promise<string> {
  const socket = connect(site.port, '127.0.0.1');
  let answers = '';
  socket.setEncoding('utf8').on('error', () => {});
  socket.on('data', (chunk: string) => {
    answers += chunk;
  });
  socket.write(bytes);
  await once(socket, 'close');
  return answers;
}

const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;
const end = 'Connection: close\r\n';

describe('a connection', () => {
  test.each([
    ['/rates?utm_campaign=фул', '/rates?utm_campaign=%D1%84%D1%83%D0%BB'],
    ['/цены', '/%D1%86%D0%B5%D0%BD%D1%8B'],
  ])(
    'is redirected to the encoded address when it asks for %s in bytes that are not encoded',
    async (path, encoded) => {
      expect(await talk(head(path))).toMatch(
        new RegExp(`^HTTP/1.1 302 .*\r\nLocation: ${RegExp.escape(encoded)}\r\n`, 's'),
      );
      expect((await get(encoded)).status).toBe(path.startsWith('/rates') ? 200 : 404);
    },
  );

  test.each(['//evil.example/ф', '/\\evil.example/ф', '/ф\u0001', '/ф ф'])(
    'is closed with 400 when it asks for %j',
    async (path) => {
      expect(await talk(head(path))).toMatch(/^HTTP\/1\.1 400 (?!.*Location)/s);
    },
  );

  test('gets 404 for OPTIONS *', async () => {
    const asked = head('*', `${end}User-Agent: ${browserHeaders['user-agent']}\r\n`).replace('GET', 'OPTIONS');
    expect(await talk(asked)).toMatch(/^HTTP\/1\.1 404 .*<h1[^>]*>Ошибка/s);
  });

  test('may pipeline nine requests, and is closed when it pipelines hundreds', async () => {
    const answered = async (text: string) => (await talk(text)).match(/HTTP\/1\.1 200/g)?.length ?? 0;
    expect(await answered(head('/healthz').repeat(8) + head('/healthz', end))).toBe(9);
    expect(await answered(head('/healthz').repeat(9) + head('/healthz', end))).toBeLessThan(10);
    expect(await answered(head('/').repeat(400))).toBeLessThan(400);
  });
});

test('a connection may pipeline again once its requests are answered', async () => {
  const socket = connect(site.port, '127.0.0.1');
  let answers = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    answers += chunk;
  });
  const count = () => answers.match(/HTTP\/1\.1 200/g)?.length;
  for (const burst of [1, 2, 3]) {
    socket.write(head('/healthz').repeat(6));
    await eventually(count, 6 * burst);
  }
  socket.destroy();
});

describe('a handcrafted form', () => {
  const post = (body: string | Buffer) => site.request('/contact', { ...asForm({}, {}), body });
  const good = 'preset=request&name=Anna&phone=89161234567&message=Hello&consent=yes';
  const last = () => leads.added.at(-1);

  test.each(['name[first]=x', '__proto__[polluted]=yes', 'receipt=x&number=7&state=new&signals='])(
    'with the extra fields %s is accepted without them and with the first of each repeated field',
    async (extra) => {
      expect((await post(`${extra}&${good}&name=Bob&phone=1&consent=no`)).status).toBe(303);
      expect(last()).toMatchObject({ name: 'Anna', phone: '+79161234567', message: 'Hello', signals: ['no-form'] });
      expect(last()?.attribution).toEqual({});
      expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    },
  );

  test('of random bytes gets 303 or 422 with a readable page, and never a server error', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect((await post(Buffer.concat([Buffer.from(`${good}&`), bytes]))).status).toBe(303);
        const refused = await post(Buffer.from(bytes));
        expect(refused.status).toBe(422);
        expectReadable(refused);
      }),
      { numRuns: 25 },
    );
  });
});

test('bad input logs nothing at level error', () => {
  expect(site.logs.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});
