import { createServer } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import type { Services } from '../app.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { brokenLeads } from '../testing/fake-leads.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { listen } from '../testing/listen.ts';
import { onDemand } from '../testing/pages.ts';
import { startTestSite, type TestSite } from '../testing/test-site.ts';
import { errors } from './errors.ts';
import { requestLog } from './request-log.ts';

const site = await startTestSite();

const forPrograms = { accept: 'application/json' };
const bots = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'curl/8.5.0',
];

async function whenThrown(thrown: unknown, headers: Record<string, string> = {}, overrides: Partial<Services> = {}) {
  const broadcast = {
    ...fakeBroadcast(),
    current: async () => {
      throw thrown;
    },
  };
  const faulty = await startTestSite({ site: site.served, broadcast, ...overrides });
  const answer = await faulty.request('/video-broadcast', { headers });
  const { logs } = faulty;
  return { ...answer, logs };
}

function withStatus(status: unknown, message = 'inner words'): Error {
  return Object.assign(new Error(message), { status });
}

test('a page that cannot be rendered is a 500 with its reason in the log, and the others are answered', async () => {
  const { served } = site;
  const broken = {
    ...served,
    find(path: string) {
      const found = served.find(path);
      return path !== '/rates' || found === undefined
        ? found
        : {
            ...found,
            answer: () => {
              throw new Error('a component failed');
            },
          };
    },
  };
  const faulty = await startTestSite({ site: broken });
  const { status, headers, text } = await faulty.request('/rates');
  expect([status, headers['cache-control'], text.includes('>Ошибка</h1>')]).toEqual([500, 'no-store', true]);
  expect(faulty.logs.join('')).toContain('a component failed');
  expect((await faulty.request('/cases')).status).toBe(200);
});

describe('an address without a route', () => {
  test('is a 404 that is not fatal, and names the address', async () => {
    for (const path of ['/nowhere', '/nowhere/at/all', '/rates/more', '/nowhere?a=1', '/contact/a/b', '/builds']) {
      const { status, headers, text } = await site.request(path, { headers: forPrograms });
      expect([status, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8']);
      expect(JSON.parse(text)).toEqual({ statusCode: 404, message: `Page not found: ${path}`, fatal: false });
    }
  });

  test('shows people the error screen', async () => {
    const { status, headers, text } = await site.request('/nowhere');
    const document = parseHtml(text);
    const main = one(document, 'main');
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(textOf(one(main, 'h1'))).toBe('Ошибка');
    expect(textOf(main)).toContain('404');
    expect(textOf(main)).toMatch(/Ссылка неверна/);
    // That message is for programs.
    expect(textOf(main)).not.toContain('Page');
    const [home] = all(main, 'a[href="/"]');
    expect(home && textOf(home)).toBe('На главную');
    expect(textOf(one(document, 'title'))).toContain('Ошибка 404');
    expect(one(document, 'meta[name="robots"]').attrs.content).toBe('noindex');
    expect(all(document, 'link[rel="canonical"]')).toEqual([]);
    expect(all(document, 'nav[aria-label="Основная навигация"]')).toHaveLength(1);
  });

  test('keeps its name out of the markup', async () => {
    const { text } = await site.request('/%3Cscript%3Ealert(1)%3C/script%3E"onload="x<img>');
    expect(text).not.toMatch(/<script>|<img>|"onload/);
  });

  test('that is very long is shown cut', async () => {
    const { status, text } = await site.request(`/${'a'.repeat(3000)}`, { headers: forPrograms });
    expect(status).toBe(404);
    expect(JSON.parse(text).message).toBe(`Page not found: /${'a'.repeat(199)}…`);
  });
});

test('a parameter that fails validation is a fatal 404, in other words', async () => {
  for (const path of [
    '/cases/nothing',
    '/blog/articles/0',
    '/cases?page=99',
    '/contact?preset=nothing',
    '/contact/none',
  ]) {
    const { status, text } = await site.request(path, { headers: forPrograms });
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { statusCode: 404, message: `Page Not Found: ${path}`, fatal: true },
    ]);
  }
});

describe('who asks decides the form of the answer', () => {
  test('a path that ends in .json is answered in JSON, whatever is accepted', async () => {
    for (const accept of ['text/html', '*/*', 'application/json']) {
      const { headers, text } = await site.request('/nowhere.json', { headers: { accept } });
      expect(headers['content-type']).toBe('application/json; charset=utf-8');
      expect(JSON.parse(text)).toEqual({ statusCode: 404, message: 'Page not found: /nowhere.json', fatal: false });
    }
  });

  test.each([
    ['application/json', 'application/json; charset=utf-8'],
    ['application/json, text/html;q=0.5', 'application/json; charset=utf-8'],
    ['text/html, application/json;q=0.5', 'text/html; charset=utf-8'],
    ['*/*', 'text/html; charset=utf-8'],
    ['image/avif', 'text/html; charset=utf-8'],
  ])('Accept: %s gets %s', async (accept, type) => {
    const { headers } = await site.request('/nowhere', { headers: { accept } });
    expect(headers['content-type']).toBe(type);
    expect(headers.vary).toMatch(/Accept, User-Agent/);
  });

  test.each(bots)('a bot gets the status and one line: %s', async (agent) => {
    for (const [path, line] of [
      ['/nowhere', '404 Page not found: /nowhere'],
      ['/cases/nothing', '404 Page Not Found: /cases/nothing'],
    ]) {
      const { status, headers, text } = await site.request(path ?? '', { headers: { 'user-agent': agent } });
      expect([status, headers['content-type'], text.trim()]).toEqual([404, 'text/plain; charset=utf-8', line]);
      expect(text.trim()).not.toContain('\n');
    }
    const { text } = await whenThrown(new Error('inner words'), { 'user-agent': agent });
    expect(text.trim()).toBe('500 Internal Server Error');
  });

  test.each(bots)('a page that exists is the same for a bot: %s', async (agent) => {
    for (const path of ['/', onDemand, '/contact/']) {
      const [bot, person] = [await site.request(path, { headers: { 'user-agent': agent } }), await site.request(path)];
      expect(bot.status).toBe(person.status);
      expect(bot.body.equals(person.body)).toBe(true);
    }
  });

  test('a request without a User-Agent is no bot', async () => {
    const { headers } = await site.request('/nowhere', { headers: { 'user-agent': '' } });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('a failure of the server', () => {
  test('shows its own words, and never the stack or the inner words', async () => {
    for (const headers of [{}, forPrograms, { 'user-agent': 'curl/8.5.0' }] as Record<string, string>[]) {
      const { status, text, headers: sent } = await whenThrown(new Error('inner words'), headers);
      expect([status, sent['cache-control']]).toEqual([500, 'no-store']);
      expect(text).not.toMatch(/inner words|\.ts\b|\.js:|node:|\bat /);
    }
    const page = one(parseHtml((await whenThrown(new Error('inner words'))).text), 'main');
    expect(textOf(page)).toMatch(/Ошибка.*Внутренняя ошибка.*исправляем/);
    expect(textOf(page)).toContain('500');
    expect(textOf(page)).toContain('На главную');
    const { text } = await whenThrown(new Error('inner words'), forPrograms);
    expect(JSON.parse(text)).toEqual({ statusCode: 500, message: 'Internal Server Error', fatal: false });
  });

  test('is logged with its cause and its request, once', async () => {
    const { logs, headers } = await whenThrown(new Error('inner words'));
    const failures = logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
    expect(failures).toEqual([
      expect.objectContaining({
        level: 50,
        request: headers['x-request-id'],
        err: expect.objectContaining({ message: 'inner words', stack: expect.any(String) }),
      }),
    ]);
  });

  test.each([
    [418, 418],
    [503, 503],
    [400, 400],
    [599, 599],
    [200, 500],
    [302, 500],
    [600, 500],
    ['nonsense', 500],
    [undefined, 500],
  ])('an error with the status %s is answered with %s', async (given, status) => {
    expect((await whenThrown(withStatus(given))).status).toBe(status);
  });

  test('of another code shows only the heading and the code', async () => {
    for (const status of [400, 418, 503]) {
      const { text } = await whenThrown(withStatus(status));
      const main = one(parseHtml(text), 'main');
      const links = all(main, 'a').map(textOf);
      const words = ['Ошибка', ...links].reduce((rest, known) => rest.replace(known, ''), textOf(main));
      expect(words.replace('Код', '').trim()).toBe(String(status));
      expect(textOf(one(main, 'h1'))).toBe('Ошибка');
      expect(links).toContain('На главную');
    }
  });

  test.each([[null], [undefined], ['a string'], [42], [{}]])('may throw %p', async (thrown) => {
    const { status, text } = await whenThrown(thrown);
    expect([status, text.includes('>Ошибка</h1>')]).toEqual([500, true]);
  });

  test('of the store is a 503 that tells people to call', async () => {
    const broken = await startTestSite({ site: site.served, leads: brokenLeads() });
    const { status, text } = await broken.request('/contact/some-receipt');
    expect(status).toBe(503);
    expect(text).toContain(site.services.site.content.company.tollFree.text);
    expect(text).not.toMatch(/disk|database/);
  });

  test('whose page cannot be rendered either is plain HTML', async () => {
    const render = () => {
      throw new Error('a broken component');
    };
    const { status, text, headers, logs } = await whenThrown(
      new Error('inner words'),
      {},
      {
        site: { ...site.services.site, render },
      },
    );
    const document = parseHtml(text);
    expect([status, headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("style-src 'none'");
    expect(textOf(one(document, 'h1'))).toBe('Ошибка 500');
    expect(one(document, 'a').attrs.href).toBe('/');
    expect(text).not.toMatch(/inner words|broken component/);
    expect(logs.join('')).toContain('a broken component');
  });
});

describe('what is refused', () => {
  test('is a warning in the log, without the address', async () => {
    await site.request('/my-phone-is-89161234567?token=secret-token');
    const lines = site.logs.map((line) => JSON.parse(line));
    expect(lines).toContainEqual(expect.objectContaining({ level: 40, status: 404, msg: 'request refused' }));
    expect(site.logs.join('')).not.toMatch(/89161234567|secret-token/);
  });
});

test('an error after the first byte ends the connection, because no other answer can be sent', async () => {
  const { site: pages, logger } = site.services;
  const app = express();
  app.use(requestLog(logger, false));
  app.get('/half', (_req, res) => {
    res.type('text').write('half of an answer');
    throw new Error('too late');
  });
  app.use(errors(pages));
  const besideTheLog = jest.spyOn(console, 'error').mockReturnValue();
  const server = createServer(app);
  const answer = fetch(`http://127.0.0.1:${await listen(server)}/half`).then((one) => one.text());
  await expect(answer).rejects.toThrow();
  expect(besideTheLog).not.toHaveBeenCalled();
  besideTheLog.mockRestore();
  const failures = site.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request failed');
  expect(failures).toEqual([
    expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'too late' }) }),
  ]);
});

describe('the log of requests', () => {
  const lines = (of: TestSite) => of.logs.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request');

  test('names the method, the pattern of the route, the status and the id that was sent', async () => {
    const before = lines(site).length;
    const answers = [
      await site.request('/contact/unknown-receipt', { method: 'HEAD' }),
      await site.request(onDemand),
      await site.request('/nowhere'),
    ];
    expect(lines(site).slice(before)).toEqual([
      expect.objectContaining({ method: 'HEAD', route: '/contact/:receipt', status: 404 }),
      expect.objectContaining({ method: 'GET', route: '/rates/calc', status: 200 }),
      expect.objectContaining({ method: 'GET', route: null, status: 404 }),
    ]);
    expect(
      lines(site)
        .slice(before)
        .map(({ request }) => request),
    ).toEqual(answers.map(({ headers }) => headers['x-request-id']));
  });

  test('takes the id from the proxy, if there is one and the id is one', async () => {
    const proxied = await startTestSite({ site: site.served, trustProxy: 1 });
    const id = 'a1b2c3d4-e5f6';
    expect((await proxied.request('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id);
    for (const forged of ['short', 'with blanks in it', '+79161234567', 'x'.repeat(65)]) {
      const { headers } = await proxied.request('/healthz', { headers: { 'x-request-id': forged } });
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
    }
    expect((await site.request('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id']).not.toBe(id);
  });
});
