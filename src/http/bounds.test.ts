import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { browserHeaders } from '../testing/ask.ts';
import { startTestSite } from '../testing/test-site.ts';

const site = await startTestSite();

const ask = (path: string, headers: Record<string, string>) => site.request(path, { headers });

describe('a header that is too long to be meant counts as not sent', () => {
  const blanks = ' '.repeat(15_000);

  test.each([`a${blanks}b, br`, `br${',a'.repeat(150)}`, `br;q=1${blanks};q=0`])('Accept-Encoding', async (value) => {
    const { status, headers } = await ask('/', { 'accept-encoding': value });
    expect([status, headers['content-encoding']]).toEqual([200, undefined]);
    expect((await ask('/', { 'accept-encoding': 'gzip, deflate, br, zstd' })).headers['content-encoding']).toBe('br');
  });

  test('Accept', async () => {
    const accept = `application/json, ${Array.from({ length: 1_000 }, (_, n) => `a/b${n}`).join(', ')}`;
    expect((await ask('/nowhere', { ...browserHeaders, accept })).headers['content-type']).toContain('text/html');
    const short = { ...browserHeaders, accept: 'application/json' };
    expect((await ask('/nowhere', short)).headers['content-type']).toContain('application/json');
  });

  test('User-Agent', async () => {
    const bot = (length: number) => ({ 'user-agent': `curl/8.0 ${'x'.repeat(length)}`, accept: 'text/html' });
    expect((await ask('/nowhere', bot(10))).headers['content-type']).toContain('text/plain');
    expect((await ask('/nowhere', bot(1_000))).headers['content-type']).toContain('text/html');
  });

  test('If-None-Match', async () => {
    const etag = String((await ask('/', {})).headers.etag);
    expect((await ask('/', { 'if-none-match': `"a", ${etag}` })).status).toBe(304);
    expect((await ask('/', { 'if-none-match': `${'"a",'.repeat(300)}${etag}` })).status).toBe(200);
  });

  test('Referer, and whatever else there is', async () => {
    const form = (await ask('/contact', { referer: `${site.url}/rates?utm_source=${'x'.repeat(9_000)}` })).text;
    expect(form).toContain('name="page" value="/"');
    const id = 'i'.repeat(301);
    expect((await ask('/contact', { 'x-request-id': id })).headers['x-request-id']).not.toBe(id);
  });
});

/** @param after milliseconds before reading responses */
async function talk(text: string, after = 0): Promise<string> {
  const socket = connect(Number(new URL(site.url).port), '127.0.0.1');
  socket.on('error', () => {}).setEncoding('utf8');
  await once(socket, 'connect');
  socket.write(text);
  await sleep(after);
  let answers = '';
  socket.on('data', (chunk: string) => {
    answers += chunk;
  });
  await once(socket, 'close');
  return answers;
}

const head = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

describe('a connection', () => {
  test('may have a few requests waiting', async () => {
    const answers = await talk(head('/healthz').repeat(8) + head('/healthz', 'Connection: close\r\n'));
    expect(answers.match(/HTTP\/1\.1 200/g)).toHaveLength(9);
  });

  test('on which many more come is ended', async () => {
    const answers = await talk(head('/').repeat(400));
    expect(answers.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(400);
  });

  test('whose other side fetches nothing is ended, too', async () => {
    expect((await talk(head('/').repeat(400), 500)).match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(400);
  });
});

test('an address that is too long is refused, with a page of this site or without', async () => {
  for (const path of ['/', '/nowhere']) expect((await ask(`${path}?${'a'.repeat(5_000)}`, {})).status).toBe(414);
});
