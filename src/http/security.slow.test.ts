import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Answer } from '../testing/ask.ts';
import { testWorkshop } from '../testing/built.ts';
import { brokenLeadStore } from '../testing/fake-lead-store.ts';
import { all, parseHtml } from '../testing/html.ts';
import { onDemand } from '../testing/pages.ts';
import { siteOf, filledForm, startTestSite, type TestSite } from '../testing/test-site.ts';

const site = await startTestSite();
const { location: receipt = '' } = (await site.post(filledForm)).headers;

type Question = { path: string; method?: string; headers?: Record<string, string>; body?: string };

const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' };

/** Everything that the process answers without the help of the edition, and redirects, errors and refusals. */
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

/** Names of the protecting headers that an answer lacks. */
function missing({ headers }: Answer, wanted: Record<string, RegExp> = ofPages): string[] {
  return Object.keys(wanted).filter((name) => !wanted[name]?.test(String(headers[name])));
}

function styleSource({ headers }: Answer): string | undefined {
  return /style-src ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
}

/** The style source that the HTML itself would need. */
function neededStyle(html: string): string {
  const [style, ...more] = all(parseHtml(html), 'style');
  expect(more).toEqual([]);
  if (style === undefined) return "'none'";
  return `'self' 'sha256-${createHash('sha256').update(String(style.children[0])).digest('base64')}'`;
}

test('everything in the edition is protected', async () => {
  const edition = await siteOf();
  const made = await startTestSite({ edition });
  expect(edition.entries.length).toBeGreaterThan(200);
  for (const { path } of edition.entries) {
    for (const query of ['', `?${edition.id}`]) {
      const answer = await made.request(path + query);
      const wanted = answer.headers['content-type']?.startsWith('text/html') ? ofPages : ofFiles;
      expect([path, answer.status, missing(answer, wanted)]).toEqual([path, 200, []]);
      const known = await made.request(path, { headers: { 'if-none-match': answer.headers.etag ?? '' } });
      expect([path, known.status, missing(known, wanted)]).toEqual([path, 304, []]);
    }
  }
});

test('every other answer is protected', async () => {
  for (const question of dynamic()) expect([question, missing(await ask(site, question))]).toEqual([question, []]);
  const broken = await startTestSite({ edition: site.served, leads: brokenLeadStore() });
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
    const workshop = { ...testWorkshop(), siteUrl: secure };
    const edition = await siteOf({ workshop });
    const age = (value: string | undefined) => Number(/^max-age=(\d+); includeSubDomains$/.exec(value ?? '')?.[1]);
    for (const { type, security } of edition.index.profiles) {
      expect([type, age(security['Strict-Transport-Security']) >= oneYear]).toEqual([type, true]);
      if (type.startsWith('text/html'))
        expect(security['Content-Security-Policy']).toContain('upgrade-insecure-requests');
    }
    const https = await startTestSite({ edition, siteUrl: secure });
    for (const question of dynamic()) {
      const { headers } = await ask(https, question);
      expect([question, age(headers['strict-transport-security']) >= oneYear]).toEqual([question, true]);
    }
  });
});
