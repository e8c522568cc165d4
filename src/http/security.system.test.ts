import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Site } from '../site/site.ts';
import type { Answer } from '../testing/ask.ts';
import { brokenLeads } from '../testing/fake-leads.ts';
import { all, parseHtml } from '../testing/html.ts';
import { onDemand } from '../testing/pages.ts';
import { filledForm, startTestSite, type TestSite } from '../testing/test-site.ts';

const site = await startTestSite();
const { location: receipt = '' } = (await site.post(filledForm)).headers;

type Question = { path: string; method?: string; headers?: Record<string, string>; body?: string };

const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** Responses that do not come from the site, and redirects and errors. */
const dynamic = (): Question[] => [
  { path: onDemand },
  { path: '/contact' },
  { path: '/contact?preset=request' },
  { path: receipt },
  { path: '/broadcast' },
  { path: '/video-broadcast' },
  { path: '/healthz' },
  { path: '/readyz' },
  { path: '/RATES/' },
  { path: '/blog/news/null' },
  { path: '/nowhere' },
  { path: '/nowhere', headers: { accept: 'application/json' } },
  { path: '/nowhere', headers: { 'user-agent': 'curl/8.5.0' } },
  { path: '/cases/nothing' },
  { path: '/%zz' },
  { path: `/${'a'.repeat(5000)}` },
  { path: '/rates', method: 'PUT' },
  { path: '/contact', method: 'OPTIONS' },
  { path: '/contact', method: 'POST', headers: form, body: '' },
  { path: '/contact', method: 'POST', headers: form, body: 'preset=request&phone=89161234567&consent=yes' },
  {
    path: '/contact',
    method: 'POST',
    headers: { ...form, 'sec-fetch-site': 'cross-site' },
    body: 'preset=request&phone=89161234567&consent=yes',
  },
  { path: '/contact', method: 'POST', headers: { ...form, 'content-type': 'text/plain' }, body: 'a' },
  { path: '/contact', method: 'POST', headers: form, body: 'a'.repeat(40_000) },
];

const ask = (of: TestSite, { path, ...options }: Question) => of.request(path, options);

const ofFiles = {
  'content-security-policy': /^default-src 'none';base-uri 'none';.*form-action '(none|self)';frame-ancestors 'none'/,
  'x-content-type-options': /^nosniff$/,
  'cross-origin-resource-policy': /^same-origin$/,
};
const ofPages = {
  ...ofFiles,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^strict-origin(-when-cross-origin)?$/,
  'cross-origin-opener-policy': /^same-origin$/,
  'permissions-policy': /camera=\(\).*geolocation=\(\)/,
};

function missing({ headers }: Answer, wanted: Record<string, RegExp> = ofPages): string[] {
  return Object.keys(wanted).filter((name) => !wanted[name]?.test(String(headers[name])));
}

function styleSource({ headers }: Answer): string | undefined {
  return /style-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
}

function neededStyle(html: string): string {
  const [style, ...more] = all(parseHtml(html), 'style');
  expect(more).toEqual([]);
  if (style === undefined) return "'none'";
  return `'self' 'sha256-${createHash('sha256').update(style.rawText).digest('base64')}'`;
}

function everythingOf({ paths, files, pictures }: Site): string[] {
  const payloads = paths.map((path) => `${path === '/' ? '' : path}/_payload.json`);
  return [...paths, ...payloads, ...files, ...[...pictures()].map(({ path }) => path)];
}

test('everything that the site holds is protected', async () => {
  const all = everythingOf(site.served);
  expect(all.length).toBeGreaterThan(200);
  for (const path of all) {
    for (const query of ['', `?${site.served.id}`]) {
      const answer = await site.request(path + query);
      const wanted = answer.headers['content-type']?.startsWith('text/html') ? ofPages : ofFiles;
      expect([path, answer.status, missing(answer, wanted)]).toEqual([path, 200, []]);
      const known = await site.request(path, { headers: { 'if-none-match': answer.headers.etag ?? '' } });
      expect([path, known.status, missing(known, wanted)]).toEqual([path, 304, []]);
    }
  }
});

test('every other answer is protected', async () => {
  for (const question of dynamic()) expect([question, missing(await ask(site, question))]).toEqual([question, []]);
  // A site without encoded pictures.
  const broken = await startTestSite({ site: site.served, leads: brokenLeads(), pictureFolders: ['/nowhere'] });
  const picture = { path: site.served.images.share };
  expect((await ask(broken, picture)).status).toBe(503);
  expect(missing(await ask(broken, picture), ofFiles)).toEqual([]);
  for (const question of dynamic()) expect([question, missing(await ask(broken, question))]).toEqual([question, []]);
});

test('the policy allows the one style block of the very page, style sheets of the site, and no other style', async () => {
  for (const path of site.served.paths) {
    const answer = await site.request(path);
    expect([path, styleSource(answer)]).toEqual([path, neededStyle(answer.text)]);
    expect(styleSource(answer)).not.toBe("'none'");
  }
  for (const question of dynamic()) {
    const answer = await ask(site, question);
    const html =
      answer.headers['content-type']?.startsWith('text/html') && answer.status !== 301 && answer.status !== 303;
    expect([question, styleSource(answer)]).toEqual([question, html ? neededStyle(answer.text) : "'none'"]);
  }
});

test("no answer allows a script but the site's own files, and no answer holds one", async () => {
  const questions = [...site.served.paths.map((path) => ({ path })), ...dynamic()];
  for (const question of questions) {
    const { headers, text } = await ask(site, question);
    expect(headers['content-security-policy']).not.toMatch(/script-src (?!'self';)|unsafe|\*|data:/);
    expect(
      text.match(
        /<script(?! type="(application\/ld\+json|module" src="\/assets\/[\w.]+\.js)">)|\sstyle="|\son[a-z]+="/g,
      ),
    ).toBeNull();
  }
});

test('nothing says what the site is made with', async () => {
  for (const question of dynamic()) {
    const { headers } = await ask(site, question);
    expect(headers).not.toHaveProperty('x-powered-by');
    expect(headers).not.toHaveProperty('server');
    expect(headers).not.toHaveProperty('set-cookie');
  }
});

describe('strict transport security', () => {
  const secure = 'https://korob.example';
  const oneYear = 31_536_000;

  test('is not asked of visitors of a site without https', async () => {
    for (const question of [{ path: '/' }, { path: '/favicon.ico' }, ...dynamic()]) {
      const { headers } = await ask(site, question);
      expect([question, headers['strict-transport-security']]).toEqual([question, undefined]);
      expect(headers['content-security-policy']).not.toContain('upgrade-insecure-requests');
    }
  });

  test('is sent with every answer of a site with https', async () => {
    const age = (value: string | undefined) => Number(/^max-age=(\d+); includeSubDomains$/.exec(value ?? '')?.[1]);
    const https = await startTestSite({ siteUrl: secure });
    for (const path of everythingOf(https.served)) {
      const { headers } = await https.request(path);
      expect([path, age(headers['strict-transport-security']) >= oneYear]).toEqual([path, true]);
      if (headers['content-type']?.startsWith('text/html'))
        expect([path, headers['content-security-policy']]).toEqual([
          path,
          expect.stringContaining('upgrade-insecure-requests'),
        ]);
    }
    for (const question of dynamic()) {
      const { headers } = await ask(https, question);
      expect([question, age(headers['strict-transport-security']) >= oneYear]).toEqual([question, true]);
    }
  });
});
