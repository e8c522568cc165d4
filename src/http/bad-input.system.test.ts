import { connect } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readPhone } from '../leads/form/phone.ts';
import { isVisible, tidyLine, tidyText } from '../lib/tidy.ts';
import { type Answer, browserHeaders } from '../testing/ask.ts';
import { fakeLeads } from '../testing/fake-leads.ts';
import { all, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startTestSite } from '../testing/test-site.ts';

const leads = fakeLeads();
/** Behind a proxy, so that each request can have its own address. */
const site = await startTestSite({ leads, trustProxy: 1 });
/** A real process, for input that HTTP clients refuse to send. */
const server = await startServerProcess({ DATA_DIR: temporaryFolder() });

let visitors = 0;
/** A new address each time, to stay below the limits. */
function someone(): Record<string, string> {
  visitors += 1;
  return { 'x-forwarded-for': `203.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}` };
}

const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
  site.request(path, { headers: { ...someone(), ...headers } });

const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  site.request('/contact', {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      ...someone(),
      ...headers,
    },
    body,
  });

/** A page with a heading and a link, or a plain one. */
function expectReadable({ status, headers, text }: Pick<Answer, 'status' | 'headers' | 'text'>): void {
  expect([status, headers['content-type'], headers['x-content-type-options']]).toEqual([
    status,
    'text/html; charset=utf-8',
    'nosniff',
  ]);
  const document = parseHtml(text);
  expect(one(document, 'html').attrs.lang).toBe('ru');
  expect(textOf(one(document, 'h1'))).toMatch(/[а-яё]{4}/i);
  expect(all(document, 'a[href="/"]').length).toBeGreaterThan(0);
}

describe('an address that nobody would type', () => {
  const long = 'a'.repeat(10 * 1024);

  test.each([
    ['/%', 400],
    ['/%zz', 400],
    ['/%E0%A4%A', 400],
    ['/%ff%fe', 400],
    ['/%C0%80', 400],
    ['/%00', 400],
    ['/rates%00', 400],
    ['/cases/%00', 400],
    ['/contact/%0d%0aSet-Cookie:%20a=b', 400],
    ['/%0d%0aLocation:%20https:%2F%2Fexample.com', 400],
    ['/%7f', 400],
    ['/..', 404],
    ['/../../etc/passwd', 404],
    ['/%2e%2e/%2e%2e/etc/passwd', 404],
    ['/..%2f..%2fetc%2fpasswd', 404],
    ['/images/../../package.lock', 404],
    ['/rates/../rates', 404],
    ['/./rates', 404],
    ['/..\\..\\windows', 404],
    ['/.env', 404],
    ['/.git/config', 404],
    ['/index.html', 404],
    ['/rates/index.html', 404],
    ['/rates/index.html.br', 404],
    ['/content.json5', 404],
    ['/__proto__', 404],
    ['/constructor', 404],
    ['/cases/__proto__', 404],
    ['/blog/__proto__/constructor', 404],
    ['/contact/__proto__', 404],
    ['/contact?preset=__proto__', 404],
    ['/contact?preset=constructor', 404],
    ['/cases?page=__proto__', 404],
    ["/cases/1'%20OR%20'1'='1", 404],
    ['/cases/%F0%9F%93%A6', 404],
    ['/rates;jsessionid=1', 404],
  ])('%s is refused with %d in words that a person can read', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expectReadable(answer);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each(['/', '/cases/', '/contact?preset=', '/cases?page='])('%s followed by 10 KB is a 414', async (start) => {
    const answer = await ask(start + long);
    expect(answer.status).toBe(414);
    expectReadable(answer);
  });

  test('with a very long query is refused, even if the page does not read it', async () => {
    const answer = await ask(`/rates?utm_source=${long}`);
    expect(answer.status).toBe(414);
    expectReadable(answer);
  });

  test('in JSON and for bots is refused as readably', async () => {
    for (const path of ['/%zz', `/${long}`, '/../../etc/passwd']) {
      const json = JSON.parse((await ask(path, { accept: 'application/json' })).text);
      expect(json).toEqual({ statusCode: expect.any(Number), message: expect.any(String), fatal: false });
      const bot = await ask(path, { 'user-agent': 'curl/8.5.0' });
      expect(bot.text.trim()).toMatch(/^4\d\d [^\n]+$/);
    }
  });

  test('whatever its path, its query, its method and who asks, is answered in one of our own ways', async () => {
    const word = fc.constantFrom(
      '',
      'rates',
      'RATES',
      'cases',
      'blog',
      'articles',
      'contact',
      'services',
      'photo',
      '1',
      '..',
      '.',
      '%00',
      '%',
      '%2e',
      '%D1%8F',
      '%2F',
      '_payload.json',
      'builds',
      'latest.json',
      'null',
      '__proto__',
      '*',
      '\\',
      '//',
    );
    const junk = fc.string({ unit: fc.constantFrom(...`abAB019-._~!$&'()*+,;=:@%/?#[]<>"{}|\\^\``), maxLength: 20 });
    const path = fc
      .array(fc.oneof({ weight: 3, arbitrary: word }, junk), { maxLength: 5 })
      .map((parts) => `/${parts.join('/')}`);
    const name = fc.constantFrom('page', 'preset', 'utm_source', '__proto__', 'page[]', '%', '');
    const query = fc
      .array(fc.tuple(name, fc.oneof(junk, fc.constantFrom('1', '2', '99', 'bonus', '__proto__'))))
      .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));
    const method = fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'OPTIONS');
    const who = fc.constantFrom({}, { accept: 'application/json' }, { 'user-agent': 'curl/8.5.0' }, { accept: '*/*' });
    await fc.assert(
      fc.asyncProperty(path, query, method, who, async (path, query, method, who) => {
        const { status, headers, text } = await site.request(path + query, {
          method,
          headers: { ...someone(), ...who },
        });
        expect(status).toBeLessThan(500);
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['content-security-policy']).toMatch(/^default-src 'none'/);
        if (status === 301 || status === 308) {
          expect(headers.location).toMatch(/^\/(?![/\\])/);
        } else if (status >= 400 && method !== 'HEAD') {
          const type = headers['content-type'];
          if (type === 'application/json; charset=utf-8') expect(JSON.parse(text)).toHaveProperty('statusCode', status);
          else if (type === 'text/plain; charset=utf-8') expect(text.trim()).toMatch(new RegExp(`^${status} [^\\n]+$`));
          else expectReadable({ status, headers, text });
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('a request that is none', () => {
  function send(bytes: string | Buffer): Promise<Pick<Answer, 'status' | 'headers' | 'text'>> {
    return new Promise((resolve, reject) => {
      const socket = connect(server.port, '127.0.0.1', () => socket.write(bytes));
      const chunks: Buffer[] = [];
      socket.setTimeout(5_000, () => socket.destroy(new Error('There is no answer.')));
      socket.on('error', reject);
      socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)));
      socket.on('close', () => {
        const [head = '', ...body] = Buffer.concat(chunks).toString().split('\r\n\r\n');
        const [line = '', ...fields] = head.split('\r\n');
        const headers = Object.fromEntries(
          fields.map((field) => [field.split(': ')[0]?.toLowerCase(), field.slice(field.indexOf(': ') + 2)]),
        );
        resolve({ status: Number(line.split(' ')[1]), headers, text: body.join('\r\n\r\n') });
      });
    });
  }

  test.each([
    ['a line of nonsense', 'nonsense\r\n\r\n', 400],
    ['a NUL in the address', 'GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['a blank in the address', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a method that is none', 'FETCH / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a header folded over lines', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['no host of a form', 'POST /contact HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n', 400],
    ['two lengths', 'POST /contact HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na', 400],
    [
      'a length and pieces',
      'POST /contact HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address of 20 KB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
    ['the start of another protocol', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00]), 400],
    ['bytes that are no text', Buffer.from('GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n\x00', 'latin1'), 400],
  ])('%s is refused', async (_, bytes, status) => {
    const { status: answered, headers } = await send(bytes);
    expect([answered, headers.connection]).toEqual([status, 'close']);
  });

  test('what is odd but allowed is answered; a target for no page in particular is none', async () => {
    const agent = browserHeaders['user-agent'];
    const end = ` HTTP/1.1\r\nHost: a\r\nUser-Agent: ${agent}\r\nConnection: close\r\n\r\n`;
    expect((await send(`GET http://localhost:3000/rates${end}`)).status).toBe(200);
    expect((await send(`GET HTTP://LOCALHOST:3000${end}`)).status).toBe(200);
    expect((await send(`GET /rates${end.replace('1.1\r\nHost: a', '1.0')}`)).status).toBe(200);
    const none = await send(`OPTIONS *${end}`);
    expect(none.status).toBe(404);
    expectReadable(none);
  });

  test('leaves the process as it was', async () => {
    const { status } = await fetch(`${server.url}/readyz`);
    expect(status).toBe(200);
    expect(server.output()).not.toMatch(/"level":(50|60)|\n\s+at /);
  });
});

describe('a form that no form would send', () => {
  const good = 'preset=request&name=Anna&phone=89161234567&message=Hello&consent=yes';
  const last = () => leads.added.at(-1);

  test('with a field twice counts the first', async () => {
    const { status } = await post(
      'preset=request&name=Anna&name=Bob&phone=89161234567&phone=1&message=Hi&consent=yes&consent=no',
    );
    expect(status).toBe(303);
    expect(last()).toMatchObject({ name: 'Anna', phone: '+79161234567' });
  });

  test.each([
    'name[first]=x',
    'name[]=x',
    'name.x=y',
    '__proto__=polluted',
    '__proto__[polluted]=yes',
    'constructor.prototype.polluted=yes',
    'constructor[prototype][polluted]=yes',
    'attribution.__proto__=polluted',
    'attribution.constructor=x',
    'attribution[utm_source]=x',
    'toString=x&hasOwnProperty=x',
    '=x&&&===',
    'receipt=x&number=7&state=new&signals=',
  ])('with %s is read without it', async (extra) => {
    const answer = await post(`${extra}&${good}`);
    expect(answer.status).toBe(303);
    expect(last()).toMatchObject({ preset: 'request', name: 'Anna', message: 'Hello', signals: ['no-form'] });
    expect(Object.keys(last()?.attribution ?? {})).toEqual(extra.includes('constructor=x') ? ['constructor'] : []);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    // The same fields in an invalid form.
    expectReadable(await post(`${extra}&preset=request&phone=x`));
  });

  test('in bytes that are no UTF-8 is read as far as it can be', async () => {
    const encoded = await post(good.replace('Anna', '%ff%feAnna%C3'));
    expect([encoded.status, last()?.name]).toEqual([303, '\uFFFD\uFFFDAnna\uFFFD']);
    const raw = await post(Buffer.from(good.replace('Anna', '\xff\xfeAnna'), 'latin1'));
    expect([raw.status, last()?.name]).toEqual([303, '\uFFFD\uFFFDAnna']);
    const half = await post(good.replace('Anna', 'Anna%'));
    expect([half.status, last()?.name]).toEqual([303, 'Anna%']);
  });

  test('with a script in every field stores words, and shows words', async () => {
    const script = '<script>alert(1)</script>';
    const fields = { name: script, message: script, page: `/${script}`, key: script, 'attribution.utm_source': script };
    const accepted = await post(
      new URLSearchParams({ ...fields, preset: 'request', phone: `${script}89161234567`, consent: 'yes' }).toString(),
    );
    expect(accepted.status).toBe(303);
    expect(last()).toMatchObject({
      name: script,
      message: script,
      phone: '+79161234567',
      page: '/%3Cscript%3Ealert(1)%3C/script%3E',
    });
    const refused = await post(
      new URLSearchParams({ ...fields, preset: script, phone: script, consent: script }).toString(),
    );
    expect(refused.status).toBe(422);
    expectReadable(refused);
    expect(refused.text).not.toContain('<script>');
  });

  test('with line breaks in every field stores lines, and sets no header', async () => {
    const lines = 'a\r\nSet-Cookie: b=c\r\n\r\nd';
    const { status, headers } = await post(
      new URLSearchParams({
        name: lines,
        message: lines,
        page: `/${lines}`,
        key: lines,
        'attribution.utm_source': lines,
        preset: 'request',
        phone: '8916\r\n1234567',
        consent: 'yes',
      }).toString(),
    );
    expect(status).toBe(303);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers.location).toMatch(/^\/contact\/[\w-]+$/);
    expect(last()).toMatchObject({
      name: 'a Set-Cookie: b=c d',
      message: 'a\nSet-Cookie: b=c\n\nd',
      attribution: { utm_source: 'a Set-Cookie: b=c d' },
    });
    expect(last()?.page).not.toMatch(/\s/);
    const refused = await post(
      new URLSearchParams({ name: lines, message: lines, preset: lines, phone: lines, key: lines }).toString(),
    );
    expect(refused.status).toBe(422);
    expectReadable(refused);
  });

  test.each(['звоните', 'eight nine one six', '-', '+', '0', '8916123', '+7 916 123-45-6', '١٢٣', '\u0000'])(
    'with the phone %j asks for a phone',
    async (phone) => {
      const answer = await post(
        new URLSearchParams({ ...Object.fromEntries(new URLSearchParams(good)), phone }).toString(),
      );
      expect(answer.status).toBe(422);
      expectReadable(answer);
      expect(all(parseHtml(answer.text), 'a[href="#field-phone"]')).toHaveLength(1);
      expect(new URLSearchParams(formData(one(one(parseHtml(answer.text), 'main'), 'form'))).get('name')).toBe('Anna');
    },
  );

  test('with a name of 10,000 characters keeps it and asks for a shorter one', async () => {
    const name = 'n'.repeat(10_000);
    const answer = await post(good.replace('Anna', name));
    expect(answer.status).toBe(422);
    expectReadable(answer);
    expect(all(parseHtml(answer.text), 'a[href="#field-name"]')).toHaveLength(1);
    expect(formData(one(one(parseHtml(answer.text), 'main'), 'form')).get('name')).toBe(name);
  });

  test('with 10,000 Cyrillic characters of name comes back, which a person can read', async () => {
    const answer = await post(new URLSearchParams({ name: 'я'.repeat(10_000) }).toString());
    expect(answer.status).toBe(422);
    expectReadable(answer);
  });

  test('with the longest words that it may have is taken', async () => {
    const answer = await post(
      new URLSearchParams({
        preset: 'request',
        name: 'Я'.repeat(100),
        phone: '8 916 123-45-67',
        message: 'Ж'.repeat(4_000),
        consent: 'yes',
      }).toString(),
    );
    expect(answer.status).toBe(303);
    expect(last()?.message).toHaveLength(4_000);
  });

  test('of 10 MB is refused with a page that a person can read, and the process goes on', async () => {
    for (const body of [Buffer.alloc(10 * 1024 * 1024, 'a'), Buffer.alloc(10 * 1024 * 1024)]) {
      const answer = await post(body);
      expect(answer.status).toBe(413);
      expectReadable(answer);
    }
    expect((await ask('/readyz')).status).toBe(200);
  });

  test('in whatever bytes is taken or shown again, and never an error of ours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.boolean(), async (bytes, afterGood) => {
        const answer = await post(Buffer.concat([Buffer.from(afterGood ? `${good}&` : ''), bytes]));
        expect([303, 422]).toContain(answer.status);
        if (answer.status !== 303) expectReadable(answer);
        expect(answer.status).toBe(afterGood ? 303 : 422);
      }),
      { numRuns: 100 },
    );
  });

  test('whatever its fields hold is stored as it was meant, or shown again as it was typed', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 });
    const words = fc.oneof(
      text,
      fc.constantFrom(
        'Анна',
        'O’Нил',
        '<b>"&\'',
        '  два  слова\t',
        '\r\nстрока\r\n\r\nстрока\n',
        '\u202Eобратно',
        'e\u0301',
        '\u200B',
        '',
      ),
      fc.string({ unit: fc.constantFrom('я', '\n', '\r', '\t', ' ', '\0', '<', '"', '📦', '\uD800'), maxLength: 130 }),
    );
    const phone = fc.oneof(
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          '8 (916) 123-45-67',
          '+7 916 123-45-67 доб. 5',
          '+375 29 123-45-67',
          '9161234567 после 18:00',
          '\t8 916\r\n123 45 67',
        ),
      },
      text,
    );
    const form = fc.record({
      preset: fc.constantFrom(...site.services.site.content.presets.map(({ slug }) => slug)),
      name: words,
      phone,
      message: words,
      consent: fc.constantFrom('yes', 'yes', 'on', 'no', ''),
      extra: fc.dictionary(
        fc.string({ maxLength: 10 }).map((name) => `${name}?`),
        fc.string({ maxLength: 10 }),
        { maxKeys: 3 },
      ),
    });
    const seen = (text: string) => (isVisible(text) ? text : null);
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(form, async ({ extra, ...fields }) => {
        const before = leads.added.length;
        const answer = await post(
          new URLSearchParams([...Object.entries(fields), ...Object.entries(extra)]).toString(),
        );
        // Browsers replace unpaired surrogates by U+FFFD.
        const sent = Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, value.toWellFormed()]),
        ) as typeof fields;
        if (answer.status === 303) {
          taken += 1;
          expect(leads.added.length).toBe(before + 1);
          expect(last()).toMatchObject({
            preset: sent.preset,
            name: seen(tidyLine(sent.name)),
            phone: readPhone(tidyLine(sent.phone)),
            phoneTyped: tidyLine(sent.phone),
            message: seen(tidyText(sent.message)),
          });
          return;
        }
        expect(answer.status).toBe(422);
        expect(leads.added.length).toBe(before);
        expectReadable(answer);
        const shown = Object.fromEntries(formData(one(one(parseHtml(answer.text), 'main'), 'form')));
        for (const name of ['preset', 'name', 'phone', 'message'] as const)
          if (name in shown) expect([name, shown[name]]).toEqual([name, sent[name]]);
        expect(shown.consent).toBe(['yes', 'on'].includes(sent.consent) ? 'yes' : undefined);
      }),
      { numRuns: 300 },
    );
    expect(taken).toBeGreaterThan(20);
  });
});

test('none of this was an error of ours', () => {
  const errors = site.logs.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50);
  expect(errors).toEqual([]);
});
