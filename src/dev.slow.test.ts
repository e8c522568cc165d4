import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { browserHeaders } from './testing/ask.ts';
import { siteUrl } from './testing/built.ts';
import { fileIn } from './testing/content.ts';
import { eventually } from './testing/eventually.ts';
import { freePort } from './testing/free-port.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const project = join(import.meta.dirname, '..');
const news = `src/content/${fileIn('news')}`;

const folder = temporaryFolder();
let dev: ChildProcess;
let url: string;
let told = '';

beforeAll(async () => {
  for (const name of [
    'src',
    'views',
    'public',
    'scripts',
    'dist',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    cpSync(join(project, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  url = `http://localhost:${port}`;
  const env = {
    PATH: process.env.PATH,
    PORT: String(port),
    DATA_DIR: join(folder, 'var'),
    LOG_LEVEL: 'warn',
    SITE_URL: siteUrl,
  };
  dev = spawn(process.execPath, ['scripts/dev.ts'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  dev.stderr?.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  await eventually(() => said.includes(url), true, 'the address is named', 60_000);
  const changes = await fetch(`${url}/dev/changes`);
  void (async () => {
    for await (const chunk of changes.body ?? []) told += Buffer.from(chunk).toString();
  })().catch(() => undefined);
}, 90_000);

afterAll(async () => {
  dev.kill();
  await once(dev, 'exit');
});

async function get(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url + path, { headers: browserHeaders });
  return { status: answer.status, text: await answer.text() };
}

function edit(change: (text: string) => string): void {
  told = '';
  writeFileSync(join(folder, news), change(readFileSync(join(project, news), 'utf8')));
}

const toldOfChange = () => eventually(() => told.includes('data:'), true, 'open pages are told', 60_000);

test('the first page waits until it is built, and carries the script that reloads it', async () => {
  const { status, text } = await get('/about/novosti');
  expect(status).toBe(200);
  expect(text).toContain('<script type="module" src="/dev/reload.js"></script></head>');
  expect((await get('/dev/reload.js')).text).toContain("EventSource('/dev/changes')");
}, 60_000);

test('a change is shown at once, and a post whose day has not come is marked', async () => {
  edit((text) =>
    text.replace(/^heading: .*$/m, 'heading: Новый заголовок').replace(/^published: .*/m, 'published: 2031-01-01'),
  );
  await toldOfChange();
  const { text } = await get('/about/novosti');
  expect(text).toContain('Новый заголовок');
  expect(text).toMatch(/Выйдет <time dateTime="2031-01-01"/i);
}, 60_000);

test('what does not build is shown by file and line, until it is mended', async () => {
  edit((text) => text.replace(/^heading: /m, 'headng: '));
  await toldOfChange();
  const broken = await get('/');
  expect(broken.status).toBe(500);
  expect(broken.text).toMatch(/news\/[\w-]+\.md:\d+: headng: Такого поля нет\. Наверное, это heading\./);
  edit((text) => text);
  await toldOfChange();
  expect((await get('/')).status).toBe(200);
}, 60_000);
