import { createServer } from 'node:http';
import { describe, expect, jest, test } from '@jest/globals';
import express from 'express';
import { callPhone } from '../model/content.ts';
import type { Ask } from '../tests/support/ask.ts';
import { fakeBroadcast } from '../tests/support/fake-broadcast.ts';
import { brokenLeads } from '../tests/support/fake-leads.ts';
import { all, one, parseHtml, textOf } from '../tests/support/html.ts';
import { listen } from '../tests/support/listen.ts';
import { onDemand } from '../tests/support/sample-pages.ts';
import { startTestSite, type TestSite } from '../tests/support/test-site.ts';
import { errors } from './errors.ts';
import { requestLog } from './request-log.ts';

const site = await startTestSite();
const { content } = site.services.site;

let thrown: unknown;
const broadcast = {
  ...fakeBroadcast(),
  current: async () => {
    throw thrown;
  },
};
const faulty = await startTestSite({ site: site.served, broadcast });

const json = { accept: 'application/json' };
const googlebot = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

function whenThrown(error: unknown, headers: Ask['headers'] = {}) {
  thrown = error;
  return faulty.request('/video-broadcast', { headers });
}

const linesOf = ({ logs }: TestSite, msg: string) =>
  logs.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
const mainOf = ({ text }: { text: string }) => one(parseHtml(text), 'main');

test('an unknown route gets a 404 that is not fatal and names the address, cut to 200 characters', async () => {
  const long = `/${'a'.repeat(3000)}`;
  for (const path of ['/rates/more?a=1', '/builds/meta/0123.json', '/nothing/_payload.json', long]) {
    const { status, headers, text } = await site.request(path, { headers: json });
    expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
    const message = `Page not found: ${path === long ? `/${'a'.repeat(199)}…` : path}`;
    expect(JSON.parse(text)).toEqual({ statusCode: 404, message, fatal: false });
  }
});

test('a known route without such a page gets a 404 that is fatal and worded differently', async () => {
  const [{ category, slug, id } = { category: '', slug: '', id: 0 }] = content.articles;
  const other = content.categories.blog.find((one) => one.slug !== category)?.slug;
  const posts = [`/blog/${other}/${slug}`, `/blog/${other}/${id}`, `/blog/${category}/999999`];
  const others = ['/reviews/nothing', '/cases/0', '/services/__proto__', '/cases?page=99', '/contact?preset=nothing'];
  for (const path of [...posts, ...others, '/contact/none']) {
    const { status, text } = await site.request(path, { headers: json });
    const message = `Page Not Found: ${path}`;
    expect([status, JSON.parse(text)]).toEqual([404, { statusCode: 404, message, fatal: true }]);
  }
});

describe('the format of an error depends on the client', () => {
  test('people get a page that explains the error and offers ways out', async () => {
    const answer = await site.request('/nowhere');
    const main = mainOf(answer);
    expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' });
    expect(textOf(one(main, 'h1'))).toBe('Ошибка');
    expect(textOf(main)).toMatch(/ссылка неверна.*Код 404/);
    expect(all(main, '.actions a').map(({ attrs }) => attrs.href)).toEqual([
      '/',
      `tel:${callPhone(content.company).number}`,
    ]);
  });

  test.each([
    ['application/json', '/nowhere.json', { accept: 'text/html' }],
    ['text/html', '/nowhere', { accept: 'text/html, application/json;q=0.5' }],
    ['text/html', '/nowhere', { accept: '*/*' }],
    ['text/plain', '/nowhere', { 'user-agent': googlebot }],
  ])('an error is %s for %s with %j', async (type, path, headers) => {
    const { 'content-type': said, vary } = (await site.request(path, { headers })).headers;
    expect([said, vary]).toEqual([`${type}; charset=utf-8`, expect.stringContaining('Accept, User-Agent')]);
  });

  test.each([
    ['/contact/AAAA', 'strict-origin'],
    ['/%63ontact/AAAA', 'strict-origin'],
    ['//Take/1.2.abc', 'strict-origin'],
    ['/contacts/AAAA', 'strict-origin-when-cross-origin'],
    ['/nowhere', 'strict-origin-when-cross-origin'],
  ])('an error page at %s has the referrer policy %s, because some addresses are secret', async (path, policy) => {
    const { status, headers } = await site.request(path);
    expect([status, headers['referrer-policy']]).toEqual([404, policy]);
  });

  test('bots get one line with the status for errors, and the same pages as people', async () => {
    const headers = { 'user-agent': googlebot };
    expect((await site.request('/cases/nothing', { headers })).text).toBe('404 Page Not Found: /cases/nothing\n');
    for (const path of ['/', onDemand])
      expect((await site.request(path, { headers })).body.equals((await site.request(path)).body)).toBe(true);
  });
});

describe('a server error', () => {
  test('gets a neutral message and is logged once with its cause and its request id', async () => {
    const error = new Error('inner words');
    const page = await whenThrown(error);
    expect([page.status, page.headers['cache-control']]).toEqual([500, 'no-store']);
    expect(page.text).not.toMatch(/inner words|\.ts\b|\.js:|node:|\bat /);
    expect(textOf(mainOf(page))).toMatch(/Внутренняя ошибка.*На главную/);
    expect(linesOf(faulty, 'request failed')).toEqual([
      expect.objectContaining({
        level: 50,
        request: page.headers['x-request-id'],
        err: expect.objectContaining({ message: 'inner words', stack: expect.any(String) }),
      }),
    ]);
    const data = JSON.parse((await whenThrown(error, json)).text);
    expect(data).toEqual({ statusCode: 500, message: 'Internal Server Error', fatal: false });
    expect((await whenThrown(error, { 'user-agent': googlebot })).text).toBe('500 Internal Server Error\n');
  });

  test.each([
    [400, 400],
    [599, 599],
    [302, 500],
    ['nonsense', 500],
  ])('with the status %s is answered with %s', async (given, status) => {
    const answer = await whenThrown(Object.assign(new Error('inner words'), { status: given }));
    expect([answer.status, textOf(mainOf(answer))]).toEqual([status, expect.stringContaining(`Код ${status}`)]);
  });

  test('in the store is answered with 503 and the phone number', async () => {
    const broken = await startTestSite({ site: site.served, leads: brokenLeads() });
    const answer = await broken.request('/contact/some-receipt');
    expect([answer.status, textOf(mainOf(answer))]).toEqual([
      503,
      expect.stringContaining(callPhone(content.company).text),
    ]);
    expect(answer.text).not.toContain('disk');
  });

  test('is plain HTML when the error page cannot be rendered either', async () => {
    const render = () => {
      throw new Error('a broken component');
    };
    const plain = await startTestSite({ broadcast, site: { ...site.served, render } });
    thrown = new Error('inner words');
    const { status, text, headers } = await plain.request('/video-broadcast');
    expect([status, headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
    expect(all(parseHtml(text), 'h1, a').map(textOf)).toEqual(['Ошибка 500', '8 (800) 000-00-00', 'На главную']);
    expect(text).not.toMatch(/inner words|broken component/);
    expect(plain.logs.join('')).toContain('a broken component');
  });

  test('after the first byte closes the connection, because no other answer can be sent', async () => {
    const { site: pages, logger } = site.services;
    const app = express();
    app.use(requestLog(logger, false));
    app.get('/half', (_req, res) => {
      res.type('text').write('half of an answer');
      throw new Error('too late');
    });
    app.use(errors(pages, () => {}, logger));
    const besideTheLog = jest.spyOn(console, 'error').mockReturnValue();
    const answer = fetch(`http://127.0.0.1:${await listen(createServer(app))}/half`).then((one) => one.text());
    await expect(answer).rejects.toThrow();
    expect(besideTheLog).not.toHaveBeenCalled();
    besideTheLog.mockRestore();
    expect(linesOf(site, 'request failed')).toEqual([
      expect.objectContaining({ level: 50, err: expect.objectContaining({ message: 'too late' }) }),
    ]);
  });
});

describe('the request log', () => {
  test('names the method, the route pattern, the status and the request id, but no address', async () => {
    const before = site.logs.length;
    const secret = '/my-phone-is-89161234567?token=secret-token';
    const answers = [
      await site.request('/contact/unknown-receipt', { method: 'HEAD' }),
      await site.request(onDemand),
      await site.request(secret),
    ];
    const [head, page, none] = answers.map(({ headers }) => ({ request: headers['x-request-id'] }));
    expect(site.logs.slice(before).map((line) => JSON.parse(line))).toMatchObject([
      { ...head, msg: 'request', level: 40, method: 'HEAD', route: '/contact/:receipt', status: 404 },
      { ...page, msg: 'request', level: 30, method: 'GET', route: '/rates/calc', status: 200 },
      { ...none, msg: 'request', level: 40, method: 'GET', route: null, status: 404 },
    ]);
    expect(site.logs.join('')).not.toMatch(/89161234567|secret-token|unknown-receipt/);
  });

  test('takes a valid request id from a trusted proxy only', async () => {
    const proxied = await startTestSite({ site: site.served, trustProxy: 1 });
    const idOf = async (of: TestSite, id: string) =>
      (await of.request('/healthz', { headers: { 'x-request-id': id } })).headers['x-request-id'];
    const id = 'a1b2c3d4-e5f6';
    expect(await idOf(proxied, id)).toBe(id);
    for (const valid of ['x'.repeat(8), 'X-_9'.repeat(16)]) expect(await idOf(proxied, valid)).toBe(valid);
    for (const forged of ['x'.repeat(7), '+79161234567', 'id.with.dots', 'x'.repeat(65)])
      expect(await idOf(proxied, forged)).toMatch(/^[\da-f-]{36}$/);
    expect(await idOf(site, id)).not.toBe(id);
  });
});
