import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { Answer } from '../testing/ask.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { all, one, parseHtml, textOf } from '../testing/html.ts';
import { onDemand, plainService } from '../testing/pages.ts';
import { filledForm, startTestSite } from '../testing/test-site.ts';
import { limits } from './limits.ts';
import { acceptedEncoding } from './serve-site.ts';

const broadcast = fakeBroadcast();
const site = await startTestSite({ broadcast });
const live = await startTestSite({ broadcast, integrations: { videoHosts: ['video.example'] } });

const get = (path: string, headers: Record<string, string> = {}) => site.request(path, { headers });

function unpack({ headers, body }: Answer): Buffer {
  const encoding = headers['content-encoding'];
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

describe('the encoding', () => {
  test.each([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR, GZip', 'br'],
    ['br;q=0', 'identity'],
    ['br;q=0.0, gzip', 'gzip'],
    ['br ; q=0, gzip ; q=0.5', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.8', 'br'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['identity, gzip;q=0.5', 'identity'],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0.5, *;q=0.1', 'identity'],
    ['br;q=nonsense', 'identity'],
    ['x-gzip, brotli', 'identity'],
  ])('%s asks for %s', (header, encoding) => {
    expect(acceptedEncoding(header)).toBe(encoding);
    // From the cache.
    expect(acceptedEncoding(header)).toBe(encoding);
  });

  test('is the best that the visitor accepts, and the page is the same in each', async () => {
    for (const path of site.served.paths) {
      const plain = await get(path);
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const [header, encoding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip, deflate', 'gzip'],
      ] as const) {
        const packed = await get(path, { 'accept-encoding': header });
        expect([path, packed.headers['content-encoding']]).toEqual([path, encoding]);
        expect(unpack(packed).equals(plain.body)).toBe(true);
        expect(packed.body.length).toBeLessThan(plain.body.length);
      }
    }
  });

  test('of a picture that is compressed already is its own', async () => {
    const { headers, body } = await get(site.served.images.share, { 'accept-encoding': 'br, gzip' });
    expect(headers['content-encoding']).toBeUndefined();
    expect(body.subarray(1, 4).toString()).toBe('PNG');
  });

  test('is told to caches, whichever it is', async () => {
    for (const path of ['/', '/rates/_payload.json', '/sitemap.xml', onDemand]) {
      for (const encoding of ['br', 'gzip', 'identity']) {
        const { vary } = (await get(path, { 'accept-encoding': encoding })).headers;
        expect([path, vary]).toEqual([path, 'Accept-Encoding']);
      }
    }
  });

  test('of a page rendered on demand is chosen in the same way', async () => {
    const plain = await get(onDemand);
    for (const encoding of ['br', 'gzip']) {
      const packed = await get(onDemand, { 'accept-encoding': encoding });
      expect(packed.headers['content-encoding']).toBe(encoding);
      expect(unpack(packed).equals(plain.body)).toBe(true);
    }
  });
});

test('a page says which build it is of, and what is no page does not', async () => {
  const { id } = JSON.parse((await get('/builds/latest.json')).text);
  for (const path of ['/', onDemand, '/contact?preset=request', '/nowhere']) {
    expect([path, (await get(path)).headers['server-timing']]).toEqual([path, `build;desc=${id}`]);
  }
  for (const path of ['/rss.xml', '/favicon.svg', '/rates/_payload.json']) {
    expect([path, (await get(path)).headers['server-timing']]).toEqual([path, undefined]);
  }
});

describe('a page that the visitor has already', () => {
  const kinds = ['/', plainService, '/rates/_payload.json', '/rss.xml', '/favicon.svg', onDemand];

  test.each(kinds)('%s is not sent again, in any encoding', async (path) => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const first = await get(path, { 'accept-encoding': encoding });
      expect(first.headers.etag).toMatch(/^W\/"[^"]+"$/);
      const again = await get(path, { 'accept-encoding': encoding, 'if-none-match': first.headers.etag ?? '' });
      expect([again.status, again.body.length, again.headers['content-length']]).toEqual([304, 0, undefined]);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy', 'server-timing'])
        expect([name, again.headers[name]]).toEqual([name, first.headers[name]]);
    }
  });

  test.each([
    (tag: string) => tag,
    (tag: string) => tag.replace('W/', ''),
    (tag: string) => `"another", ${tag}`,
    (tag: string) => `${tag},"another"`,
    () => '*',
  ])('is known by If-None-Match %#', async (write) => {
    const { etag = '' } = (await get('/rates')).headers;
    expect((await get('/rates', { 'if-none-match': write(etag) })).status).toBe(304);
    const head = await site.request('/rates', { method: 'HEAD', headers: { 'if-none-match': write(etag) } });
    expect(head.status).toBe(304);
  });

  test.each(['"another"', 'W/"another"', '""', 'nonsense', ','])(
    'is sent in full for If-None-Match: %s',
    async (tag) => {
      const { status, body } = await get('/rates', { 'if-none-match': tag });
      expect(status).toBe(200);
      expect(body.length).toBeGreaterThan(0);
    },
  );

  test.each(kinds)('%s is sent in full to whoever reloads it past every cache', async (path) => {
    const { etag = '' } = (await get(path)).headers;
    const { status, body } = await get(path, { 'if-none-match': etag, 'cache-control': 'no-cache' });
    expect([status, body.length > 0]).toEqual([200, true]);
  });

  test('has another tag than every other page', async () => {
    const tags = new Map<string, string>();
    for (const path of site.served.paths) tags.set(path, (await get(path)).headers.etag ?? '');
    // Both addresses of an article share an ETag.
    const articles = site.served.paths.filter((path) => /\/\d+$/.test(path));
    expect(new Set(tags.values()).size).toBe(tags.size - articles.length);
  });
});

describe('caching', () => {
  test('a page is asked about each time; a picture with the hash of its bytes never again', async () => {
    expect((await get('/')).headers['cache-control']).toBe('no-cache');
    expect((await get(onDemand)).headers['cache-control']).toBe('no-cache');
    expect(site.served.images.share).toMatch(/\.[0-9a-f]{10}\.png$/);
    const picture = await get(site.served.images.share);
    expect(picture.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await get('/favicon.ico')).headers['cache-control']).toBe('public, max-age=3600');
  });

  test('parameters of a campaign change nothing', async () => {
    const { body } = await get('/rates');
    for (const query of ['?utm_source=yandex&utm_medium=cpc', '?yclid=1', '?', '?page', '?__proto__=1']) {
      const answer = await get(`/rates${query}`);
      expect([query, answer.status, answer.body.equals(body)]).toEqual([query, 200, true]);
    }
  });

  test('a proxy in front, and nobody else, is told to keep a page until the second ends', async () => {
    const proxied = await startTestSite({ site: site.served, trustProxy: 1 });
    const said = async (path: string, headers = {}) =>
      (await proxied.request(path, { headers })).headers['x-accel-expires'];
    const tag = { 'if-none-match': (await get('/rates')).headers.etag };
    for (const [path, headers] of [
      ['/'],
      ['/rates'],
      ['/rates', tag],
      ['/rates/_payload.json'],
      ['/sitemap.xml'],
    ] as const) {
      const before = Math.floor(Date.now() / 1000);
      const [, time] = /^@(\d+)$/.exec(String(await said(path, headers))) ?? [];
      expect(Number(time)).toBeGreaterThanOrEqual(before);
      expect(Number(time)).toBeLessThanOrEqual(Date.now() / 1000);
      expect((await get(path)).headers).not.toHaveProperty('x-accel-expires');
    }
    // The others set their caching themselves.
    const others = ['/favicon.ico', site.served.images.share, '/builds/latest.json', '/contact', '/nowhere', '/RATES'];
    for (const path of [...others, '/rates?', '/rates?utm_source=a', onDemand, '/broadcast', '/video-broadcast'])
      expect([path, await said(path)]).toEqual([path, undefined]);
  });

  test('a parameter that a page reads is read however it is spelt', async () => {
    const counted = await get('/rates/calc?units=0');
    for (const query of ['?utm_source=ya&units=0', '?%75nits=0', '?units=%30'])
      expect((await get(`/rates/calc${query}`)).body.equals(counted.body)).toBe(true);
  });
});

describe('whether a broadcast is on or not', () => {
  afterEach(() => {
    broadcast.state = { status: false };
  });

  const links = ({ text }: Answer) => all(one(parseHtml(text), 'header'), 'a[href="/broadcast"]');
  test('every page says when it begins, and leads to it: with a query or without, form and error', async () => {
    const schedule = site.services.site.content.company.broadcast.replaceAll('\u00A0', ' ');
    const { headers } = await site.post(filledForm);
    const asked = [onDemand, '/contact', '/contact?preset=request', headers.location ?? '', '/nowhere'];
    const answers: [string, Answer][] = [];
    for (const state of [{ status: false }, { status: true, url: 'https://video.example/live' }] as const) {
      broadcast.state = state;
      for (const path of [...site.served.paths, ...asked, '/broadcast']) answers.push([path, await get(path)]);
      answers.push(['a refused form', await site.post({ preset: filledForm.preset })]);
    }
    for (const [name, answer] of answers) {
      expect([name, links(answer).map((link) => textOf(link).replaceAll('\u00A0', ' '))]).toEqual([
        name,
        [schedule, schedule],
      ]);
      for (const { attrs } of links(answer)) expect(attrs).not.toHaveProperty('hidden');
    }
  });

  test('a page is the same page, and stays with whoever has it', async () => {
    const before = await get('/rates');
    broadcast.state = { status: true, url: 'https://video.example/live' };
    expect((await get('/rates')).body.equals(before.body)).toBe(true);
    expect((await get('/rates', { 'if-none-match': before.headers.etag ?? '' })).status).toBe(304);
  });
});

describe('the page of the broadcast', () => {
  const mainOf = async () => one(parseHtml((await live.request('/broadcast')).text), 'main');

  afterEach(() => {
    broadcast.state = { status: false };
  });

  test('is asked for each time, and in no search engine or sitemap', async () => {
    for (const state of [{ status: false }, { status: true, url: 'https://video.example/live' }] as const) {
      broadcast.state = state;
      const { status, headers, text } = await get('/broadcast');
      expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
      expect(one(parseHtml(text), 'meta[name="robots"]').attrs.content).toBe('noindex');
    }
    expect((await get('/sitemap.xml')).text).not.toContain('/broadcast');
    expect(site.served.paths).not.toContain('/broadcast');
  });

  test('says without one when the next begins, and leads home', async () => {
    const main = await mainOf();
    expect(textOf(one(main, 'h1'))).toBe('Камера склада сейчас выключена');
    const { camera } = live.services.site.content.company;
    expect(textOf(main)).toContain(textOf(`${camera?.hours}.`));
    expect(all(main, 'a[href="/"]').map(textOf)).toContain('На главную');
    expect(all(main, 'video, iframe')).toEqual([]);
  });

  test('leads to a stream that few browsers play by themselves, instead of showing a player that stays black', async () => {
    const url = 'https://video.example/live.m3u8?token=1';
    broadcast.state = { status: true, url };
    const main = await mainOf();
    expect(all(main, 'video, iframe')).toEqual([]);
    expect(one(main, `a[href="${url}"][data-module="video"]`).attrs['data-video']).toBe(url);
  });

  test.each([
    ['https://video.example/live.mp4', 'video'],
    ['https://video.example/LIVE.WEBM', 'video'],
    ['https://video.example/embed/1', 'iframe'],
    ['https://video.example/embed?file=a.mp4x', 'iframe'],
  ])('shows %s in a %s, with a link beside it', async (url, player) => {
    broadcast.state = { status: true, url };
    const main = await mainOf();
    expect(all(main, 'video, iframe').map(({ localName, attrs }) => [localName, attrs.src])).toEqual([[player, url]]);
    if (player === 'video') expect(one(main, 'video').attrs).toHaveProperty('controls');
    expect(one(main, `a[href="${url}"]`).attrs.rel).toBe('noopener');
  });

  test('only leads to a video that the policy would not let play', async () => {
    broadcast.state = { status: true, url: 'http://video.example/live.mp4' };
    const main = await mainOf();
    expect(all(main, 'video, iframe')).toEqual([]);
    expect(all(main, 'a[href="http://video.example/live.mp4"]')).toHaveLength(1);
  });

  test('is limited like every page rendered on demand', async () => {
    const other = await startTestSite({ site: site.served });
    for (let count = 0; count < limits.onDemand.limit; count++) await other.request('/broadcast');
    expect((await other.request('/broadcast')).status).toBe(429);
    expect((await other.request('/video-broadcast')).status).toBe(200);
  });
});

test('a target in absolute form or with a fragment is the same address', async () => {
  for (const path of ['/rates', '/favicon.svg', onDemand, '/builds/latest.json', '/healthz']) {
    const plain = await get(path);
    for (const target of [`http://127.0.0.1:${site.port}${path}`, `http://localhost:3000${path}`, `${path}#top`]) {
      const answer = await get(target);
      expect([target, answer.status, answer.headers['cache-control']]).toEqual([
        target,
        200,
        plain.headers['cache-control'],
      ]);
      expect(answer.body.equals(plain.body)).toBe(true);
    }
  }
});
