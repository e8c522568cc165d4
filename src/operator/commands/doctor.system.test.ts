import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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

type Diagnosis = { about: string; verdict: string; text: string };

let dataDir: string;
let receiver: Awaited<ReturnType<typeof httpServer>>;
let status: number;

beforeEach(async () => {
  dataDir = temporaryFolder();
  status = 204;
  receiver = await httpServer((res) => void res.writeHead(status).end());
});

afterEach(() => receiver.stop());

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const webhook = () => ({ LEADS_WEBHOOK_URL: `${receiver.url}/canary-path`, LEADS_WEBHOOK_SECRET: secret });

async function examine(env: Record<string, string> = {}, ...flags: string[]) {
  const { code, stdout, stderr } = await korob(dataDir, ['doctor', ...flags], env);
  // What has several lines goes on below the first, moved in.
  const findings = [...stdout.matchAll(/^(ok|warn|fail) +(\S+) +(.*(?:\n {4,}.*)*)/gm)].map(
    ([, verdict = '', about = '', text = '']): Diagnosis => ({ about, verdict, text }),
  );
  const of = (about: string) => findings.filter((one) => one.about === about);
  return { code, stderr, findings, of };
}

/** The content that ships, with one thing changed on one page. */
const content = (from: RegExp, to: string) => contentFolder({ 'pages/about.md': (text) => text.replace(from, to) });

/** The content of an invented company. */
const invented = () => ({ CONTENT_DIR: contentFolder({ 'company.yaml': valued({ demo: true, slogan: 'Всё своё' }) }) });

describe('doctor', () => {
  test('finds nothing to mend where all is well, and sends a message that calls nobody', async () => {
    await keep(dataDir, [{}]);
    const env = { ...webhook(), SITE_URL: 'https://korob.example' };
    const { code, stderr, of } = await examine(env);
    expect([code, stderr]).toEqual([0, '']);
    expect(of('store').map(({ verdict }) => verdict)).not.toContain('fail');
    expect(of('store').map(({ text }) => text)).toContain('the database is whole');
    expect(of('content')[0]).toMatchObject({
      verdict: 'ok',
      text: expect.stringMatching(/nothing to mend on \d+ pages/),
    });
    expect(of('channels')).toEqual([{ about: 'channels', verdict: 'ok', text: 'webhook has taken a test message' }]);
    expect(receiver.received.map(({ body }) => body).join()).toMatch(/test/);
    expect(receiver.received).toHaveLength(1);
  });

  test('writes a line for each thing, and no secret', async () => {
    const { stdout } = await korob(dataDir, ['doctor', '--no-send'], { ...webhook(), ...invented() });
    expect(stdout).toMatch(/^warn {2}content {8}the company facts are invented/m);
    expect(stdout).not.toMatch(/whsec_|canary-path/);
    for (const line of stdout.trim().split('\n')) expect(line).toMatch(/^(ok|warn|fail) /);
  });

  test('sends nothing when told not to', async () => {
    const { code, of } = await examine(webhook(), '--no-send');
    expect([code, of('channels')[0]?.text]).toEqual([0, 'webhook: nothing was sent']);
    expect(receiver.received).toEqual([]);
  });

  test('warns of a site that nobody is told of, of invented facts, of another address', async () => {
    const { code, of } = await examine({ SITE_URL: 'https://korob.example', ...invented() });
    expect(code).toBe(0);
    expect(of('channels')).toMatchObject([{ verdict: 'warn', text: expect.stringContaining('nobody is told') }]);
    expect(of('content')[1]).toMatchObject({ verdict: 'warn', text: expect.stringContaining('invented') });
    expect((await examine()).of('configuration')[0]).toMatchObject({ verdict: 'warn' });
  });

  test('says that visitors do not see the newest content, and why', async () => {
    expect((await examine()).of('published')).toMatchObject([
      { verdict: 'warn', text: expect.stringContaining('nothing was published') },
    ]);
    await korob(dataDir, ['publish']);
    const changed = content(/^heading: .*$/m, 'heading: О нас');
    const { code, of } = await examine({ CONTENT_DIR: changed });
    expect([code, of('published')]).toMatchObject([
      0,
      [{ verdict: 'ok' }, { verdict: 'warn', text: expect.stringMatching(/has changed since .* "publish"/) }],
    ]);
    await korob(dataDir, ['publish'], { CONTENT_DIR: changed });
    const published = (await examine({ CONTENT_DIR: changed })).of('published');
    expect(published[0]).toMatchObject({ verdict: 'ok' });
    expect(JSON.stringify(published)).not.toMatch(/has changed|damaged/);
  });

  test('finds what is damaged of the published content, which "publish" mends', async () => {
    const changed = content(/^heading: .*$/m, 'heading: О нас');
    await korob(dataDir, ['publish'], { CONTENT_DIR: changed });
    const folder = paths.published(dataDir);
    writeFileSync(join(folder, readPublished(folder).current ?? '', 'rates.yaml'), '');
    expect((await examine()).of('published')[0]).toMatchObject({
      verdict: 'fail',
      text: expect.stringMatching(/is damaged, and what was published before is shown; "publish" again/),
    });
    expect((await korob(dataDir, ['publish'], { CONTENT_DIR: changed })).code).toBe(0);
    const published = (await examine({ CONTENT_DIR: changed })).of('published');
    expect(published[0]).toMatchObject({ verdict: 'ok' });
    expect(JSON.stringify(published)).not.toMatch(/has changed|damaged/);
  });

  test('fails where leads were moved away and DATABASE_URL is missing', async () => {
    await keep(dataDir, [{}]);
    renameSync(databasePath(dataDir), movedPath(dataDir));
    const { code, of } = await examine();
    expect(code).toBe(1);
    expect(of('store')).toMatchObject([{ verdict: 'fail', text: expect.stringMatching(/moved to PostgreSQL/) }]);
  });

  testWithRedis('asks Redis, and says why it cannot be used', async () => {
    const redis = await startRedis();
    expect((await examine({ REDIS_URL: redis.url })).of('limits')).toEqual([
      { about: 'limits', verdict: 'ok', text: 'Redis counts requests' },
    ]);
    await redis.kill();
    const { code, of } = await examine({ REDIS_URL: redis.url.replace('//', '//:hidden@') });
    expect([code, of('limits')]).toMatchObject([1, [{ verdict: 'fail', text: expect.stringMatching(/ECONNREFUSED/) }]]);
    expect(JSON.stringify(of('limits'))).not.toContain('hidden');
  });

  test('makes no database where there is none', async () => {
    const { of } = await examine();
    expect(of('store')).toEqual([
      { about: 'store', verdict: 'warn', text: expect.stringContaining('the first start makes a database') },
    ]);
  });

  test('says what must be mended, and goes on to the next thing', async () => {
    await keep(dataDir, [{}]);
    writeFileSync(databasePath(dataDir), 'It was a dark and stormy night. '.repeat(500));
    status = 500;
    const folder = contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') });
    const { code, stderr, of } = await examine({ ...webhook(), CONTENT_DIR: folder });
    expect([code, stderr]).toEqual([1, '3 things must be mended.\n']);
    expect(of('store')).toMatchObject([{ verdict: 'fail', text: expect.stringContaining('the file is no database') }]);
    expect(of('content')).toMatchObject([{ verdict: 'fail', text: expect.stringMatching(/company\.yaml:\d+: email/) }]);
  });

  test('names a channel that fails, without a secret', async () => {
    status = 500;
    const { code, of } = await examine(webhook());
    expect(code).toBe(1);
    expect(of('channels')).toMatchObject([{ verdict: 'fail', text: expect.stringContaining('webhook') }]);
    expect(JSON.stringify(of('channels'))).not.toMatch(/whsec_|canary-path/);
  });

  test('with a bad environment, names every bad variable and stops there', async () => {
    const { code, stderr, findings } = await examine({ PORT: 'x', TRUST_PROXY: 'true' });
    expect([code, findings]).toEqual([1, []]);
    expect(stderr).toContain('  PORT: a port');
    expect(stderr).toContain('  TRUST_PROXY: a number of proxies');
  });
});
