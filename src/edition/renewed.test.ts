import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { paths } from '../paths.ts';
import { type Nginx, nginxPath, startNginx } from '../testing/nginx.ts';
import { has, testWith } from '../testing/requires.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { browserHeaders, siteUrl } from '../testing/test-site.ts';
import { until } from '../testing/until.ts';
import { readIndex } from './open.ts';

const test = testWith(nginxPath, 'nginx leaves an edition whose time is over to the application');

/** A page that an edition of 2020 has not. */
const laterPage = '/blog/articles/koroba-i-pallety';

const follow = join(import.meta.dirname, '../../scripts/deploy/follow-editions.sh');

let editionsDir: string;
let server: ServerProcess;
let nginx: Nginx;
/** Id and a lasting file of the edition that was made for 2020. */
let old: { id: string; lasting: string };

beforeAll(async () => {
  if (!has(nginxPath)) return;
  const [contentDir, dataDir] = [temporaryFolder(), temporaryFolder()];
  cpSync(paths.content, contentDir, { recursive: true });
  const company = join(contentDir, 'company.yaml');
  // Another content than the one that ships, or the shipped edition would do.
  writeFileSync(company, readFileSync(company, 'utf8').replace(/^slogan: .*$/m, 'slogan: Другой лозунг'));
  editionsDir = paths.ownEditions(dataDir);
  mkdirSync(editionsDir);
  symlinkSync(join(paths.shippedEditions, 'cache'), join(editionsDir, 'cache'));
  const env = { PATH: process.env.PATH, SITE_URL: siteUrl, CONTENT_DIR: contentDir, DATA_DIR: dataDir };
  execFileSync(process.execPath, [paths.commands, 'prerender', '--at', '2020-01-01'], { env, stdio: 'ignore' });
  const index = readIndex(join(editionsDir, 'current'));
  const lasting = index?.entries.find(({ path }) => path.startsWith('/assets/'))?.path;
  if (!index || !lasting) throw new Error(`There is no edition in ${editionsDir}.`);
  old = { id: index.id, lasting };
  server = await startServerProcess({ ...env, TRUST_PROXY: '1' });
  nginx = await startNginx(server.port, editionsDir);
}, 60_000);

afterAll(async () => {
  await nginx?.stop();
  server?.child.kill('SIGKILL');
});

async function ask(port: number, path: string) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: browserHeaders });
  const text = await answer.text();
  return { status: answer.status, edition: /desc=(\w+)/.exec(answer.headers.get('server-timing') ?? '')?.[1], text };
}

test('a server that starts with an edition of the past serves it at once, and soon one of the present', async () => {
  expect(server.output()).toContain(`"edition":"${old.id}"`);
  await until(async () => (await ask(server.port, laterPage)).status === 200, 'a new edition is served');
  const page = await ask(server.port, '/');
  expect(page.edition).toMatch(/^[\da-f]{16}$/);
  expect(page.edition).not.toBe(old.id);
  expect(JSON.parse((await ask(server.port, '/builds/latest.json')).text).id).toBe(page.edition);
  expect(server.output()).toContain('a new edition is served');
  // Pages that are rendered on demand are of the new one, too.
  expect((await ask(server.port, '/blog?page=2')).edition).toBe(page.edition);
});

test('nginx, which has not been told, passes pages on and keeps what never changes', async () => {
  const now = (await ask(server.port, '/')).edition;
  for (const path of ['/', '/rates', laterPage, '/blog?page=2'])
    expect([path, (await ask(nginx.port, path)).edition]).toEqual([path, now]);
  expect(JSON.parse((await ask(nginx.port, '/builds/latest.json')).text).id).toBe(now);
  const before = (await nginx.accessLog()).length;
  expect((await ask(nginx.port, old.lasting)).status).toBe(200);
  await until(async () => (await nginx.accessLog()).length > before, 'the request is in the log');
  expect((await nginx.accessLog()).slice(before)).toContain('"upstream_status":""');
});

test('while the application is away, nginx shows what was true', async () => {
  server.child.kill('SIGTERM');
  await server.exited;
  expect(await ask(nginx.port, '/')).toMatchObject({ status: 200, edition: old.id });
  expect((await ask(nginx.port, laterPage)).status).toBe(503);
  expect((await ask(nginx.port, '/blog?page=2')).status).toBe(503);
});

test('nginx that is told of new editions answers for them by itself', async () => {
  const follower = spawn(follow, [editionsDir, '-c', nginx.file], {
    env: { PATH: `${process.env.PATH}:/usr/sbin` },
    stdio: 'ignore',
  });
  try {
    // A connection that was kept ends with the old edition.
    const shown = () => ask(nginx.port, laterPage).catch(() => undefined);
    await until(async () => (await shown())?.status === 200, 'nginx shows the new edition');
    expect((await shown())?.edition).not.toBe(old.id);
  } finally {
    follower.kill();
  }
});
