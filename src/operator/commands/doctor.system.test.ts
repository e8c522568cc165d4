import { existsSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { databasePath, movedPath } from '../../leads/store/sqlite.ts';
import { paths } from '../../lib/paths.ts';
import { readPublished } from '../../site/revisions.ts';
import { httpServer } from '../../testing/channels.ts';
import { keep, korob } from '../../testing/commands.ts';
import { contentFolder, valued } from '../../testing/content.ts';
import { startRedis } from '../../testing/redis.ts';
import { testWith } from '../../testing/requires.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

const testWithRedis = testWith('redis-server', 'doctor finds out whether Redis can be used');

let dataDir: string;
/** What the server of the webhook answers. */
let status: number;
const { url, received } = await httpServer((res) => void res.writeHead(status).end());

beforeEach(() => {
  dataDir = temporaryFolder();
  status = 204;
  received.length = 0;
});

const webhook = {
  LEADS_WEBHOOK_URL: `${url}/canary-path`,
  LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
};

async function examine(env: Record<string, string> = {}, ...flags: string[]) {
  const { code, stdout, stderr } = await korob(dataDir, ['doctor', ...flags], env);
  expect(stdout).not.toMatch(/whsec_|canary-path|hidden/);
  // What has several lines goes on below the first, moved in.
  const findings = [...stdout.matchAll(/^(ok|warn|fail) +(\S+) +(.*(?:\n {4,}.*)*)\n/gm)];
  expect(findings.map(([whole]) => whole).join('')).toBe(stdout);
  const of = (about: string) =>
    findings.flatMap(([, verdict, one, text]) => (one === about ? `${verdict}: ${text}` : []));
  return { code, stderr, of };
}

test('nothing is to be mended where all is well, and a message is sent that calls nobody', async () => {
  await keep(dataDir, [{}]);
  const { code, stderr, of } = await examine({ ...webhook, SITE_URL: 'https://korob.example' });
  expect([code, stderr]).toEqual([0, '']);
  expect(of('store').slice(0, 2)).toEqual([expect.stringContaining('can be stored'), 'ok: the database is whole']);
  expect(of('content')[0]).toMatch(/^ok: /);
  expect(of('channels')).toEqual(['ok: webhook has taken a test message']);
  expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([{ type: expect.stringContaining('test') }]);
});

test('what need not be mended is warned of: no server yet, nobody who is told, an address of this machine', async () => {
  const { code, of } = await examine();
  expect(code).toBe(0);
  expect(of('configuration')[0]).toMatch(/^warn: .*links in messages lead nowhere/);
  for (const about of ['store', 'published', 'channels']) expect(of(about)).toEqual([expect.stringMatching(/^warn: /)]);
  expect(existsSync(databasePath(dataDir))).toBe(false);
});

test('with --no-send nothing is sent; facts that are invented are warned of', async () => {
  const content = contentFolder({ 'company.yaml': valued({ demo: true }) });
  const { code, of } = await examine({ ...webhook, CONTENT_DIR: content }, '--no-send');
  expect([code, of('channels'), received]).toEqual([0, ['ok: webhook: nothing was sent'], []]);
  expect(of('content')[1]).toMatch(/^warn: the company facts are invented/);
});

test('visitors who see other content than what was published, or than what is there, are told of', async () => {
  const changed = { CONTENT_DIR: contentFolder({ 'company.yaml': valued({ slogan: 'Всё своё' }) }) };
  await korob(dataDir, ['publish'], changed);
  const published = async (env = {}) => (await examine(env)).of('published').filter((line) => !/pictures/.test(line));
  expect(await published(changed)).toEqual([expect.stringMatching(/^ok: .*, published at /)]);
  expect(await published()).toEqual([
    expect.stringMatching(/^ok: /),
    expect.stringMatching(/^warn: .* has changed since .* "publish"/),
  ]);
  const folder = paths.published(dataDir);
  writeFileSync(join(folder, readPublished(folder).current ?? '', 'rates.yaml'), '');
  expect(await published(changed)).toEqual([
    expect.stringMatching(/^fail: .* is damaged, and what was published before is shown; "publish" again/),
  ]);
});

test('leads that were moved away must not be missed by a server without DATABASE_URL', async () => {
  await keep(dataDir, [{}]);
  renameSync(databasePath(dataDir), movedPath(dataDir));
  const { code, of } = await examine();
  expect([code, of('store')]).toEqual([1, [expect.stringMatching(/^fail: .*moved to PostgreSQL/)]]);
});

testWithRedis('Redis is asked, and why it cannot be used is said', async () => {
  const redis = await startRedis();
  expect((await examine({ REDIS_URL: redis.url })).of('limits')).toEqual(['ok: Redis counts requests']);
  await redis.kill();
  const { code, of } = await examine({ REDIS_URL: redis.url.replace('//', '//:hidden@') });
  expect([code, of('limits')]).toEqual([1, [expect.stringMatching(/^fail: .*ECONNREFUSED/)]]);
});

test('what must be mended is said of one thing after the other', async () => {
  writeFileSync(databasePath(dataDir), 'It was a dark and stormy night. '.repeat(500));
  status = 500;
  const content = contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') });
  const { code, stderr, of } = await examine({ ...webhook, CONTENT_DIR: content });
  expect([code, stderr]).toEqual([1, '3 things must be mended.\n']);
  expect(of('store')).toEqual([expect.stringMatching('^fail: .*the file is no database')]);
  expect(of('content')).toEqual([expect.stringMatching(/^fail: .*company\.yaml:\d+: email/s)]);
  expect(of('channels')).toEqual([expect.stringMatching('^fail: webhook: ')]);
});
