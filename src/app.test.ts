import { describe, expect, test } from '@jest/globals';
import { fakeBroadcast } from './testing/fake-broadcast.ts';
import { brokenLeads } from './testing/fake-leads.ts';
import { onDemand } from './testing/pages.ts';
import { filledForm, startTestSite } from './testing/test-site.ts';

const site = await startTestSite();
const { location: receipt = '' } = (await site.post(filledForm)).headers;

/** One address of each kind of response. */
const kinds = (): string[] => [
  '/',
  '/rates',
  onDemand,
  '/rates/_payload.json',
  '/_payload.json',
  '/builds/latest.json',
  `/builds/meta/${site.served.id}.json`,
  '/sitemap.xml',
  '/rss.xml',
  '/robots.txt',
  '/favicon.ico',
  '/favicon.svg',
  site.served.images.share,
  '/contact',
  '/contact?preset=request',
  receipt,
  '/broadcast',
  '/video-broadcast',
  '/healthz',
  '/readyz',
  '/blog/news/null',
  '/RATES/',
  '/cases/nothing',
  '/nowhere',
  '/nowhere.json',
];

test('the home page is a whole document', async () => {
  const { status, text } = await site.request('/');
  expect(status).toBe(200);
  expect(text).toMatch(/^<!doctype html>/);
  expect(text.match(/<h1/g)).toHaveLength(1);
});

describe('HEAD', () => {
  test.each(['identity', 'br', 'gzip'])('answers as GET does but for the body, encoded as %s', async (encoding) => {
    for (const path of kinds()) {
      const headers = { 'accept-encoding': encoding };
      const [get, head] = [
        await site.request(path, { headers }),
        await site.request(path, { headers, method: 'HEAD' }),
      ];
      const common = ({ status, headers }: typeof get) => {
        // Depend on the body, or change with each request.
        const { date, 'x-request-id': id, 'transfer-encoding': framing, ratelimit: left, ...rest } = headers;
        // The form has a new key each time, so its ETag and compressed length change.
        if (path.startsWith('/contact')) delete rest.etag;
        return { path, status, ...rest };
      };
      expect(common(head)).toEqual(common(get));
      expect(head.body).toHaveLength(0);
    }
  });
});

describe('other methods', () => {
  const allowed = (path: string) => (path.startsWith('/contact') && path !== receipt ? 'GET, HEAD, POST' : 'GET, HEAD');

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s is refused with 405 and Allow',
    async (method) => {
      const known = kinds().filter((path) => !/null|RATES|nowhere/.test(path));
      for (const path of known) {
        if (allowed(path).includes(method)) continue;
        const { status, headers, text } = await site.request(path, { method });
        expect([path, status, headers.allow]).toEqual([path, 405, allowed(path)]);
        if (!path.includes('.json')) expect(text).toContain('>Ошибка</h1>');
        expect(headers['cache-control']).toBe('no-store');
      }
    },
  );

  test('an address that does not exist is a 404 by any method', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      expect((await site.request('/nowhere', { method })).status).toBe(404);
    }
  });
});

describe('the payload of a page', () => {
  test('is JSON, asked about each time, and kept for a year when the query is the id of the build', async () => {
    for (const path of site.served.paths) {
      const address = `${path === '/' ? '' : path}/_payload.json`;
      const plain = await site.request(address);
      expect([address, plain.status, plain.headers['content-type'], plain.headers['cache-control']]).toEqual([
        address,
        200,
        'application/json; charset=utf-8',
        'no-cache',
      ]);
      expect(JSON.parse(plain.text)).toEqual(expect.any(Object));
      const versioned = await site.request(`${address}?${site.served.id}`);
      expect(versioned.headers['cache-control']).toBe('public, max-age=31536000, immutable');
      expect(versioned.body.equals(plain.body)).toBe(true);
    }
  });

  test('of another build is not kept', async () => {
    const { status, headers } = await site.request('/rates/_payload.json?0123456789abcdef');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  test('says what the page says', async () => {
    const [service] = site.services.site.content.services;
    const { text } = await site.request(`${service?.to}/_payload.json`);
    expect(JSON.parse(text).item).toEqual(JSON.parse(JSON.stringify(service)));
  });

  test('of a page that does not exist is a 404', async () => {
    const { status, text } = await site.request('/nothing/_payload.json');
    expect([status, JSON.parse(text).statusCode]).toEqual([404, 404]);
  });
});

describe('the builds', () => {
  test('latest.json names the running build and is never kept', async () => {
    for (const path of ['/builds/latest.json', '/builds/latest.json?1763670000000']) {
      const { status, headers, text } = await site.request(path);
      expect(status).toBe(200);
      expect(JSON.parse(text)).toEqual({ id: site.served.id, timestamp: expect.any(Number) });
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('meta/{id}.json lists what is prerendered, and never changes', async () => {
    const { status, headers, text } = await site.request(`/builds/meta/${site.served.id}.json`);
    const manifest = JSON.parse(text);
    expect(status).toBe(200);
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(Object.keys(manifest)).toEqual(['id', 'timestamp', 'matcher', 'prerendered']);
    expect(manifest.id).toBe(site.served.id);
    expect(manifest.timestamp).toBe(JSON.parse((await site.request('/builds/latest.json')).text).timestamp);
    expect(Object.keys(manifest.matcher)).toEqual(['static', 'wildcard', 'dynamic']);
    expect(manifest.prerendered.toSorted()).toEqual(site.served.paths.toSorted());
    expect(manifest.matcher.static['/rates']).toEqual({ prerender: true });
    expect(manifest.matcher.static['/blog/news/null']).toEqual({ redirect: '/blog/news' });
  });

  test('meta of another id is a 404 in JSON', async () => {
    const { status, headers, text } = await site.request('/builds/meta/0123456789abcdef.json');
    expect(status).toBe(404);
    expect(JSON.parse(text)).toMatchObject({ statusCode: 404 });
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('the broadcast', () => {
  test('while it is off, is a picture of this site that exists', async () => {
    const { status, headers, text } = await site.request('/video-broadcast');
    const state = JSON.parse(text);
    expect([status, headers['cache-control'], state.status]).toEqual([200, 'no-store', false]);
    expect(Object.keys(state)).toEqual(['status', 'url']);
    const picture = await site.request(state.url);
    expect([picture.status, picture.headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });

  test('while it is on, is the address of the video', async () => {
    const on = { status: true, url: 'https://video.example/live' } as const;
    const live = await startTestSite({ site: site.served, broadcast: fakeBroadcast(on) });
    const { status, headers, text } = await live.request('/video-broadcast');
    expect([status, headers['cache-control'], JSON.parse(text)]).toEqual([200, 'no-store', { ...on, embed: false }]);
  });
});

describe('health and readiness', () => {
  test('both are 200 while the site can serve and store', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { status, headers, text } = await site.request(path);
      expect([status, headers['cache-control'], JSON.parse(text)]).toEqual([200, 'no-store', { status: 'ok' }]);
    }
  });

  test('a store that cannot be written makes it unready, but alive and serving pages', async () => {
    const broken = await startTestSite({ site: site.served, leads: brokenLeads() });
    const { status, text, headers } = await broken.request('/readyz');
    expect([status, headers['cache-control']]).toEqual([503, 'no-store']);
    expect(text).not.toContain('disk');
    await broken.request('/readyz');
    const told = broken.logs.filter((line) => line.includes('not ready: leads cannot be stored'));
    expect(told.map((line) => JSON.parse(line).err.message)).toEqual([expect.stringContaining('the disk is full')]);
    expect((await broken.request('/healthz')).status).toBe(200);
    expect((await broken.request('/rates')).status).toBe(200);
  });

  test('a process about to stop is unready, serves what it is asked, and keeps no connection', async () => {
    let draining = false;
    const stopping = await startTestSite({ site: site.served, draining: () => draining });
    const keepAlive = { headers: { connection: 'keep-alive' } };
    expect((await stopping.request('/readyz', keepAlive)).headers.connection).toBe('keep-alive');
    draining = true;
    for (const [path, status] of [
      ['/readyz', 503],
      ['/healthz', 200],
      ['/rates', 200],
      [onDemand, 200],
    ] as const) {
      const answer = await stopping.request(path, keepAlive);
      expect([path, answer.status, answer.headers.connection]).toEqual([path, status, 'close']);
    }
  });
});

test('what robots read is sent as what it is', async () => {
  const types = ['/robots.txt', '/sitemap.xml', '/rss.xml'].map(
    async (path) => (await site.request(path)).headers['content-type'],
  );
  const xml = 'application/xml; charset=utf-8';
  expect(await Promise.all(types)).toEqual(['text/plain; charset=utf-8', xml, xml]);
});
