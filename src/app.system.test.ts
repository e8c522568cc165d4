import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { limits } from './http/limits.ts';
import { movedAddresses } from './http/redirects.ts';
import { exactRouter, refusingOthers } from './http/router.ts';
import { dynamicAddresses } from './model/addresses.ts';
import { redirectsSchema } from './model/schemas/redirects-schema.ts';
import { payloadOf } from './site/payload.ts';
import { type Ask, asForm, type HttpAnswer } from './tests/support/ask.ts';
import { brokenLeads } from './tests/support/fake-leads.ts';
import { parseHtml, textOf } from './tests/support/html.ts';
import { unprotected } from './tests/support/protection.ts';
import { onDemand, plainService } from './tests/support/sample-pages.ts';
import { filledForm, limitersAfter, startTestSite, type TestSite } from './tests/support/test-site.ts';

const site = await startTestSite();
const https = await startTestSite({ siteUrl: 'https://korob.example' });
/** The store fails, and no picture is encoded. */
const broken = await startTestSite({ site: site.served, leads: brokenLeads(), pictureFolders: ['/nowhere'] });

const { content, id } = site.services.site;
const { location: receipt = '' } = (await site.post(filledForm)).headers;
const moved = content.redirects.find(({ from }) => !/[?*]/.test(from)) ?? { from: '/RATES', to: '/rates' };

const pages = ['/', '/rates', onDemand, '/contact', '/contact?preset=request', receipt, '/broadcast'];
const files = [
  ...['/rates/_payload.json', '/builds/latest.json', `/builds/meta/${id}.json`, '/sitemap.xml', '/favicon.svg'],
  ...[site.served.images.share, '/video-broadcast', '/healthz', '/readyz'],
];
const misses: [path: string, status: number][] = [
  ['/RATES/', 301],
  [moved.from, 301],
  ['/nowhere', 404],
  ['/nowhere.json', 404],
  ['/%zz', 400],
  [`/${'a'.repeat(5_000)}`, 414],
];
/** One request for each kind of response to GET. */
const answers = [...[...pages, ...files].map((path) => [path, 200] as const), ...misses];

const posted = (fields: Record<string, string>, headers = {}): Ask => asForm(fields, { headers });
/** One request for each kind of response to other methods and headers. */
const others: [path: string, status: number, options: Ask][] = [
  ['/nowhere', 404, { headers: { accept: 'application/json' } }],
  ['/nowhere', 404, { headers: { 'user-agent': 'curl/8.5.0' } }],
  ['/contact', 405, { method: 'OPTIONS' }],
  ['/contact', 422, posted({})],
  ['/contact', 303, posted(filledForm)],
  ['/contact', 403, posted(filledForm, { 'sec-fetch-site': 'cross-site' })],
  ['/contact', 411, { ...posted({}), headers: { 'transfer-encoding': 'chunked' } }],
  ['/contact', 415, posted(filledForm, { 'content-type': 'text/plain' })],
  ['/contact', 413, posted({ message: 'a'.repeat(300_000) })],
];

test('every kind of request gets the expected status and the security headers', async () => {
  for (const [path, status, options] of [...answers, ...others] as const) {
    const answer = await site.request(path, options);
    expect([path, answer.status, unprotected(answer)]).toEqual([path, status, []]);
  }
});

test.each<[string, TestSite]>([
  ['with https', https],
  ['with failed parts', broken],
])('every response of a site %s has the security headers', async (_, of) => {
  for (const [path, , options] of [...answers, ...others] as const) {
    const asked = path.replace(id, of.served.id).replace(site.served.images.share, of.served.images.share);
    const answer = await of.request(asked, options);
    expect([asked, unprotected(answer, of.services.siteUrl)]).toEqual([asked, []]);
  }
});

test('HEAD answers with the status and headers of GET and an empty body', async () => {
  for (const [path] of answers) {
    const headers = { 'accept-encoding': 'br' };
    const [get, head] = await Promise.all(['GET', 'HEAD'].map((method) => site.request(path, { headers, method })));
    const common = ({ status, headers }: NonNullable<typeof get>) => {
      // These headers depend on the body or change with each request.
      const { date, 'x-request-id': id, 'transfer-encoding': framing, ...rest } = headers;
      // Every form has a new idempotency key, so its ETag and length change.
      if (path.startsWith('/contact')) delete rest.etag;
      return { path, status, ...rest };
    };
    expect(get && common(get)).toEqual(head && common(head));
    expect(head?.body).toHaveLength(0);
  }
});

test('any addresses have the same answers in any order, whatever the server answered before', async () => {
  const queries = [
    '',
    '?page=2',
    '?page=1&utm_source=a',
    '?q=короб',
    '?units=500',
    '?units=500&to=x',
    '?weight=100&volume=1',
  ];
  const paths = [
    '/',
    '/cases',
    '/blog',
    '/reviews',
    '/about/novosti',
    '/search',
    '/rates',
    '/rates/calc',
    '/cargo',
    '/nowhere',
  ];
  const addresses = paths.flatMap((path) => queries.map((query) => path + encodeURI(query)));
  const used = await startTestSite({ site: site.served });
  const facts = ({ status, headers, body }: HttpAnswer) =>
    [status, headers.location, headers['content-type'], headers.etag, body.toString()] as const;
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(addresses, { minLength: 4, maxLength: 8 }), async (asked) => {
      // Each site has caches of its own.
      const fresh = await startTestSite({ site: site.served });
      for (const path of asked)
        expect([path, facts(await used.request(path))]).toEqual([path, facts(await fresh.request(path))]);
      await fresh.close();
    }),
    { numRuns: 10 },
  );
});

test.each([
  ['a program', { accept: 'application/json' }, /^\{"statusCode":411,"message":"Length Required","fatal":false\}$/],
  ['a bot', { 'user-agent': 'curl/8.5.0' }, /^411 Length Required\n?$/],
  ['a person', {}, /<h1[^>]*>Ошибка<.*без длины/s],
])('a form without a length gets 411 in words for %s', async (_, headers, words) => {
  const answer = await site.request('/contact', {
    ...posted(filledForm),
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' },
  });
  expect([answer.status, answer.headers.connection]).toEqual([411, 'close']);
  expect(answer.text).toMatch(words);
});

test('no address inflates a compressed form, even with a link that has ended', async () => {
  const compressed = asForm({}, { headers: { 'content-encoding': 'br' } });
  const refused = async (path: string) => (await site.request(path, compressed)).status;
  expect([await refused('/contact'), await refused('/take/guess'), await refused('/desk/leave')]).toEqual([
    415, 404, 403,
  ]);
});

test.each(['POST', 'PUT', 'OPTIONS'])(
  '%s gets 405 with an Allow header where the page does not support it',
  async (method) => {
    for (const path of [...pages, ...files]) {
      const allowed = path.startsWith('/contact') && path !== receipt ? 'GET, HEAD, POST' : 'GET, HEAD';
      if (allowed.includes(method)) continue;
      const { status, headers } = await site.request(path, { method });
      expect([path, status, headers.allow, headers['cache-control']]).toEqual([path, 405, allowed, 'no-store']);
    }
    expect((await site.request('/nowhere', { method })).status).toBe(404);
  },
);

test('every file has the right content type', async () => {
  const types = {
    '/robots.txt': 'text/plain; charset=utf-8',
    '/sitemap.xml': 'application/xml',
    '/site.webmanifest': 'application/manifest+json; charset=utf-8',
    [site.served.images.share]: 'image/png',
    [site.served.images.placeholder.href]: 'image/svg+xml',
  };
  for (const [path, type] of Object.entries(types))
    expect([path, (await site.request(path)).headers['content-type']]).toEqual([path, type]);
});

describe('the data of a page for programs', () => {
  const kept = 'public, max-age=31536000, immutable';

  test('has the same item as the page, and is immutable for a year when its address has the build id', async () => {
    const cached = async (query: string) =>
      (await site.request(`/rates/_payload.json${query}`)).headers['cache-control'];
    expect(await Promise.all([`?${id}`, '?0123456789abcdef'].map(cached))).toEqual([kept, 'no-cache']);
    const { item } = JSON.parse((await site.request(`${plainService}/_payload.json`)).text);
    expect(item).toEqual(JSON.parse(payloadOf(content.services.find(({ to }) => to === plainService))));
    expect(item.body.html).toContain('<h2 ');
  });

  test('has a manifest for each build, which is immutable, and a latest.json, which always revalidates', async () => {
    const [latest, meta] = await Promise.all(
      ['/builds/latest.json?1763670000000', `/builds/meta/${id}.json`].map((path) => site.request(path)),
    );
    const build = JSON.parse(latest?.text ?? '');
    expect([build, latest?.headers['cache-control']]).toEqual([{ id, timestamp: expect.any(Number) }, 'no-store']);
    expect(meta?.headers['cache-control']).toBe(kept);
    const { matcher, ...rest } = JSON.parse(meta?.text ?? '');
    expect(rest).toEqual({ ...build, prerendered: site.served.paths });
    expect(matcher.static['/rates']).toEqual({ prerender: true });
    for (const { from, to } of content.redirects.filter(({ from }) => !from.includes('?')))
      expect(matcher.static[from] ?? matcher.wildcard[from.replace('/*', '')]).toEqual({ redirect: to });
  });
});

describe('health and readiness', () => {
  test('both return 200 while the server can serve pages and store leads', async () => {
    for (const path of ['/healthz', '/readyz']) {
      const { headers, text } = await site.request(path);
      expect([headers['cache-control'], JSON.parse(text)]).toEqual(['no-store', { status: 'ok' }]);
    }
  });
});

describe('a request that needs rendering or a handler', () => {
  const { limit } = limits.requests;
  const work = () => {
    throw new Error('Work was done.');
  };
  const idle = { ...site.served, render: work, open: work };

  test('gets 429 before any work when its network is over the rate limit', async () => {
    const limiters = limitersAfter({ requests: limit });
    const busy = await startTestSite({ site: idle, limiters, leads: brokenLeads() });
    const asked = [
      onDemand,
      '/search?q=a',
      '/contact?preset=request',
      '/broadcast',
      '/services/nothing',
      '/RATES',
      '/%zz',
    ];
    for (const [path, method] of [
      ...asked.map((path) => [path, 'GET'] as const),
      ['/rates', 'PUT'],
      ['/contact', 'POST'],
      ['/desk', 'POST'],
    ]) {
      const { status, text, headers } = await busy.request(path, { method });
      expect([path, status, Number(headers['retry-after']) > 0]).toEqual([path, 429, true]);
      expect(textOf(parseHtml(text))).toMatch(/слишком много запросов.*8 \(800\)/s);
    }
    expect(busy.logs.join('')).not.toContain('Work was done');
  });

  test('counts towards the rate limit, while answers from memory do not', async () => {
    const busy = await startTestSite({
      site: site.served,
      trustProxy: 1,
      limiters: limitersAfter({ requests: limit - 1 }),
    });
    const statusFrom = async (address: string, path: string) =>
      (await busy.request(path, { headers: { 'x-forwarded-for': address } })).status;
    for (const path of ['/', '/rates?page=7', '/rates/_payload.json', '/favicon.svg', '/healthz', '/readyz'])
      expect([path, await statusFrom('2001:db8:0:aa01::1', path)]).toEqual([path, 200]);
    expect(await statusFrom('2001:db8:0:aa01::1', onDemand)).toBe(200);
    // A network counts as one visitor. A forged address comes before the one that the proxy appends.
    expect(await statusFrom('203.0.113.8, 2001:db8:0:aaff:1:2:3:4', onDemand)).toBe(429);
    expect(await statusFrom('2001:db8:0:aaff::1', '/rates')).toBe(200);
    expect(await statusFrom('2001:db8:0:bb01::1', onDemand)).toBe(200);
    await statusFrom('2001:db8:0:aaff::1', onDemand);
    const lines = busy.logs.filter((line) => line.includes('a client has reached a limit'));
    expect(lines.map((line) => JSON.parse(line).limit)).toEqual(['requests']);
  });
});

describe('the canonical form of an address', () => {
  async function ask(path: string, method = 'GET'): Promise<(string | number | undefined)[]> {
    const { status, headers } = await site.request(path, { method });
    return [path, status, headers.location, headers['cache-control']];
  }
  /** Editors may undo a redirect, so browsers must revalidate it. */
  const leads = (path: string, to: string, status = 301) => [path, status, to, 'no-cache'];

  test('an address of 4096 characters is answered, and a longer one leads to its page without the query', async () => {
    const asked = (path: string, length: number) => ask(path.padEnd(length, 'a'));
    for (const [path, known, to] of [
      ['/rates?utm_source=', 200, '/rates'],
      ['/rates/calc?units=', 200, '/rates/calc'],
      ['/nowhere?utm_source=', 404, undefined],
      ['/nowhere', 404, undefined],
      ['//elsewhere.example/?utm_source=', 404, undefined],
      ['/\\elsewhere.example/?utm_source=', 404, undefined],
    ] as const) {
      expect((await asked(path, 4_096))[1]).toBe(known);
      expect((await asked(path, 4_097)).slice(1, 3)).toEqual([to ? 302 : 414, to]);
    }
    expect((await ask('/rates?utm_source='.padEnd(5_000, 'a'), 'POST'))[1]).toBe(414);
    const moved = '/services?utm_source='.padEnd(5_000, 'a');
    expect((await ask(moved))[2]).toBe((await ask('/services'))[2]);
  });

  test('only the first page of a list is redirected to the list', async () => {
    for (const path of ['/rates?page=1', '/rates/calc?units=0&page=1', '/contact?page=1']) {
      const [, status, location] = await ask(path);
      expect([path, status === 301, location]).toEqual([path, false, undefined]);
    }
    for (const [path, to] of [
      ['/blog?page=1', '/blog'],
      ['/cases?utm_source=ya&page=1', '/cases?utm_source=ya'],
    ] as const)
      expect(await ask(path)).toEqual(leads(path, to));
    for (const search of ['page=0', 'page=01', 'page=1&page=1', 'page=1&page=2', 'page='])
      expect(await ask(`/cases?${search}`)).toEqual([`/cases?${search}`, 404, undefined, 'no-store']);
  });

  test('a misspelt address redirects to its page in one step and keeps its query', async () => {
    const blots = fc.array(fc.constantFrom('case', 'slash', 'end', 'encode'), { minLength: 1, maxLength: 4 });
    const queries = fc.constantFrom('', '?utm_source=ya', '?a=1&b=%D1%8F', '?q=%2F%2F');
    const paths = [...site.served.paths, ...dynamicAddresses, ...files.filter((path) => !path.includes('?'))];
    const exact = paths.filter((path) => path === path.toLowerCase());
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...exact), blots, fc.nat(), queries, async (path, how, at, query) => {
        const spelling = how.reduce((text, blot) => spoil(text, blot, at), path) + query;
        if (spelling !== path + query) expect(await ask(spelling)).toEqual(leads(spelling, path + query));
      }),
    );
  });

  test('a form posted to another spelling gets a 308, which keeps its method and body', async () => {
    expect(await ask('/Contact/', 'POST')).toEqual(leads('/Contact/', '/contact', 308));
  });

  test('an address without a page gets 404 under the spelling that was requested, and never redirects to another site', async () => {
    const none = ['/nowhere/', '/NOWHERE', '/contact/nowhere/'];
    const foreign = ['//example.com/rates', '/\\example.com/', '/%2F%2Fexample.com/', '//rates//example.com'];
    for (const path of [...none, ...foreign]) expect(await ask(path)).toEqual([path, 404, undefined, 'no-store']);
    expect(await ask('/%2Frates')).toEqual(leads('/%2Frates', '/rates'));
  });
});

function spoil(path: string, how: string, at: number): string {
  const letters = [...path.matchAll(/(?<!%|%[\dA-F])[a-z](?![a-z]*%)/gi)];
  const letter = letters[at % letters.length];
  if (how === 'slash') return path.replace('/', '//');
  if (how === 'end') return `${path}/`;
  if (letter === undefined) return path;
  const spelt = how === 'case' ? letter[0].toUpperCase() : `%${letter[0].charCodeAt(0).toString(16).toUpperCase()}`;
  return path.slice(0, letter.index) + spelt + path.slice(letter.index + 1);
}

describe('an address that the program reserves', () => {
  test('must be in the list of reserved addresses, otherwise the server does not start', () => {
    const routing = (path: string) => () => refusingOthers(exactRouter().get(path, () => {}));
    expect(routing('/take/:token')).not.toThrow();
    expect(routing('/takes/:token')).toThrow('/takes/:token is not reserved; add it to model/addresses.ts.');
  });
});

describe('the table of redirects', () => {
  const movedTo = movedAddresses(
    redirectsSchema.parse([
      { from: '/price.html', to: '/rates' },
      { from: '/index.php?id=5&part=2', to: '/blog' },
      { from: '/index.php?id=5', to: '/cargo' },
      { from: '/delivery', to: '/rates#доставка' },
      { from: '/catalog/old?id=7', to: '/cargo' },
      { from: '/catalog/old', to: '/map' },
      { from: '/%D0%BE%D1%82%D0%B7%D1%8B%D0%B2%D1%8B', to: '/reviews' },
      { from: '/catalog/*', to: '/rates' },
      { from: '/catalog/video/*', to: '/blog' },
      { from: '/catalog/video/first.php', to: '/blog/news' },
    ]),
  );

  test.each([
    ['/price.html', '?utm_source=ya', '/rates?utm_source=ya'],
    ['/index.php', '?utm_source=ya&id=5', '/cargo?utm_source=ya'],
    ['/delivery', '?utm_source=ya', '/rates?utm_source=ya#доставка'],
    ['/отзывы', '', '/reviews'],
    ['/catalog/anything/at/all', '?page=3', '/rates?page=3'],
    ['/catalog/video/first.php', '', '/blog/news'],
    ['/index.php', '?part=2&id=5', '/blog'],
    ['/index.php', '?part=3&id=5', '/cargo?part=3'],
    ['/catalog/old', '?id=7', '/cargo'],
    ['/catalog/old', '?id=8', '/map?id=8'],
    ['/catalog/video/2/3', '', '/blog'],
    ['/index.php', '?id=50', undefined],
    ['/catalogue/one', '', undefined],
  ])('%s%s redirects to %s', (path, search, address) => {
    const found = movedTo(path, search);
    expect(found && found.path + found.search + found.hash).toBe(address);
  });

  test('may be empty, and rejects an entry that is not an address', () => {
    expect(redirectsSchema.parse(null)).toEqual([]);
    for (const from of ['price.html', '//example.com/a', '/*', '/a/*/b', '/a b', '/a#b', '/%D0'])
      expect([from, redirectsSchema.safeParse([{ from, to: '/rates' }]).success]).toEqual([from, false]);
  });
});
