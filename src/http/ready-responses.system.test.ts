import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { hashOf } from '../lib/hash.ts';
import { readFolder } from '../loading/content-files.ts';
import type { BroadcastState } from '../model/broadcast.ts';
import { fakeBroadcast } from '../tests/support/fake-broadcast.ts';
import { box, film } from '../tests/support/films.ts';
import { contentFolder } from '../tests/support/sample-content.ts';
import { onDemand, plainService } from '../tests/support/sample-pages.ts';
import { shownSite, startTestSite, type TestSite } from '../tests/support/test-site.ts';
import { acceptedEncoding } from './ready-responses.ts';

const broadcast = fakeBroadcast();
const site = await startTestSite({
  broadcast,
  site: await shownSite({ integrations: { videoHosts: ['video.example'] } }),
});
const proxied = await startTestSite({ site: site.served, trustProxy: 1 });

const get = (path: string, headers: Record<string, string> = {}) => site.request(path, { headers });
const page = '/rates';
const kinds = ['/', plainService, '/rates/_payload.json', '/rss.xml', '/favicon.svg', onDemand];

describe('content encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['BR, GZip', 'br'],
    ['br;q=0.0, gzip', 'gzip'],
    ['br;q=nonsense', 'identity'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0.2, gzip;q=0.8', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
  ])('for Accept-Encoding %s is %s', (header, encoding) => {
    // The second call reads from the cache.
    expect([acceptedEncoding(header), acceptedEncoding(header)]).toEqual([encoding, encoding]);
  });

  const unpackers = { br: brotliDecompressSync, gzip: gunzipSync, identity: (body: Buffer) => body };

  test.each(kinds)('of %s follows Accept-Encoding, keeps the bytes and sends Vary', async (path) => {
    const { body } = await get(path);
    for (const [encoding, unpack] of Object.entries(unpackers)) {
      const packed = await get(path, { 'accept-encoding': encoding });
      const { 'content-encoding': said = 'identity', vary } = packed.headers;
      expect([said, vary]).toEqual([encoding, 'Accept-Encoding']);
      expect(unpack(packed.body).equals(body)).toBe(true);
    }
  });

  test('is not applied to a picture that is compressed already', async () => {
    const { headers, body } = await get(site.served.images.share, { 'accept-encoding': 'br, gzip' });
    expect([headers['content-encoding'], body.subarray(1, 4).toString()]).toEqual([undefined, 'PNG']);
  });
});

describe('a conditional request', () => {
  test.each([...kinds, site.served.images.share])(
    'for %s gets 304 in any encoding, but 200 with no-cache or another ETag',
    async (path) => {
      for (const encoding of ['br', 'identity']) {
        const accepting = { 'accept-encoding': encoding };
        const { headers } = await get(path, accepting);
        const known = { ...accepting, 'if-none-match': headers.etag ?? '' };
        expect(headers.etag).toMatch(/^W\/"[^"]+"$/);
        const again = await get(path, known);
        expect([again.status, again.body.length, again.headers['content-length']]).toEqual([304, 0, undefined]);
        const { 'content-type': type, 'content-length': length, 'content-encoding': encoded, ...kept } = headers;
        for (const name of ['date', 'x-request-id', 'transfer-encoding']) delete kept[name];
        expect(again.headers).toMatchObject(kept);
        const others = [
          { ...known, 'cache-control': 'no-cache' },
          { ...known, 'if-none-match': 'W/"another"' },
        ];
        for (const asked of others) expect((await get(path, asked)).status).toBe(200);
      }
    },
  );
});

test('a 304 is immutable where the response is, at an address with the build id', async () => {
  const path = `/rates/_payload.json?${site.served.id}`;
  const { etag = '' } = (await get(path)).headers;
  const { status, headers } = await get(path, { 'if-none-match': etag });
  expect([status, headers['cache-control']]).toEqual([304, 'public, max-age=31536000, immutable']);
});

describe('caching', () => {
  test('pages are revalidated each time, and pictures with a content hash never', async () => {
    const cached = async (path: string) => (await get(path)).headers['cache-control'];
    expect([await cached('/'), await cached(onDemand)]).toEqual(['no-cache', 'no-cache']);
    const [script = ''] = site.served.files.filter((path) => /^\/assets\/.*\.js$/.test(path));
    for (const path of [site.served.images.share, site.served.images.placeholder.href, script])
      expect([path, await cached(path)]).toEqual([path, 'public, max-age=31536000, immutable']);
    expect(await cached('/favicon.svg')).toBe('public, max-age=3600');
  });

  test.each([
    ['/rates', '/rates', ['?utm_source=yandex', '?', '?page=7']],
    ['/rates/calc?units=0', '/rates/calc', ['?utm_source=ya&units=0', '?%75nits=0', '?units=%30']],
  ])(
    '%s ignores unknown query parameters and reads known ones in any percent-encoding',
    async (plain, path, queries) => {
      const { body } = await get(plain);
      for (const query of queries) {
        const answer = await get(path + query);
        expect([query, answer.status, answer.body.equals(body)]).toEqual([query, 200, true]);
      }
    },
  );

  test('X-Accel-Expires lets a trusted proxy cache pages until the second ends, and is sent to no other client', async () => {
    const told = async (path: string, headers = {}) =>
      (await proxied.request(path, { headers })).headers['x-accel-expires'];
    const tag = { 'if-none-match': (await get(page)).headers.etag };
    for (const [path, headers] of [[page], [page, tag], ['/sitemap.xml']] as const) {
      const before = Math.floor(Date.now() / 1000);
      const time = Number(/^@(\d+)$/.exec(String(await told(path, headers)))?.[1]);
      expect(time >= before && time <= Date.now() / 1000).toBe(true);
      expect((await get(path)).headers).not.toHaveProperty('x-accel-expires');
    }
    // Files that never change set their own Cache-Control.
    for (const path of ['/favicon.svg', site.served.images.share, '/rates?'])
      expect([path, await told(path)]).toEqual([path, undefined]);
    for (const path of ['/contact', '/nowhere', '/RATES', '/broadcast', onDemand])
      expect([path, await told(path)]).toEqual([path, '0']);
  });
});

describe('a video', () => {
  // As of a phone, without the place that was in it.
  const [bytes, sent] = ['+55.7558+037.6173/', '\0'.repeat(18)].map((place) => film(box('free', place))) as [
    Buffer,
    Buffer,
  ];
  const { length } = bytes;
  const clip = { path: '' };
  const ask = (range?: string, headers = {}) => clips.request(clip.path, { headers: { range, ...headers } });
  let clips: TestSite;

  beforeAll(async () => {
    const files = readFolder(contentFolder({ 'services/clip.mp4': () => bytes }));
    clips = await startTestSite({ site: await shownSite({ files }) });
    clip.path = `/videos/clip.${hashOf(bytes).slice(0, 10)}.mp4`;
  });

  test.each([
    [undefined, 200, undefined, [0]],
    ['bytes=0-1', 206, `bytes 0-1/${length}`, [0, 2]],
    ['bytes=20-', 206, `bytes 20-${length - 1}/${length}`, [20]],
    ['bytes=-40', 206, `bytes ${length - 40}-${length - 1}/${length}`, [length - 40]],
    ['bytes=2-99999', 206, `bytes 2-${length - 1}/${length}`, [2]],
    [`bytes=${length}-`, 416, `bytes */${length}`, [length]],
    ['bytes=0-1,9-9', 200, undefined, [0]],
  ] as const)('is sent in the range that Safari requests: %s', async (range, status, said, part) => {
    const answer = await ask(range, { 'accept-encoding': 'br' });
    expect([answer.status, answer.headers['content-range']]).toEqual([status, said]);
    expect(answer.body).toEqual(sent.subarray(...part));
    expect(answer.headers['accept-ranges']).toBe('bytes');
  });

  test('is immutable, is revalidated by its ETag, and plays on this site only', async () => {
    const { headers } = await ask();
    expect(headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    const [etag = '', part] = [headers.etag, 'bytes=0-1'];
    // A weak ETag must not join ranges (RFC 9110, 13.1.5).
    expect(etag).toMatch(/^"[^"]+"$/);
    expect((await ask(undefined, { 'if-none-match': etag })).status).toBe(304);
    expect((await ask(part, { 'if-range': etag })).status).toBe(206);
    expect((await ask(part, { 'if-range': '"another"' })).status).toBe(200);
    const refused = (await ask(`bytes=${length}-`)).headers;
    expect([refused['cache-control'], refused.etag]).toEqual(['no-store', undefined]);
    expect((await clips.request(clip.path, { method: 'POST' })).status).not.toBe(200);
    expect((await clips.request('/videos/clip.0123456789.mp4')).status).toBe(404);
  });
});

describe('a broadcast', () => {
  const playing = (url: string): BroadcastState => ({ status: true, url });

  afterEach(() => {
    broadcast.state = { status: false };
  });

  test('is sent to scripts as its address, or as a placeholder picture while it is off', async () => {
    const told = async () => {
      const { headers, text } = await get('/video-broadcast');
      expect(headers['cache-control']).toBe('no-store');
      // Phones request this on every page.
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      expect(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n${text}`.length).toBeLessThan(350);
      return JSON.parse(text);
    };
    expect(await told()).toEqual({ status: false, url: site.served.images.placeholder.href });
    broadcast.state = playing('https://video.example/live');
    expect(await told()).toEqual({ status: true, url: 'https://video.example/live', embed: true });
    broadcast.state = playing('https://elsewhere.example/live');
    expect(await told()).toMatchObject({ embed: false });
  });
});
