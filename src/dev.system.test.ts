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

beforeAll(async () => {
  for (const name of ['src', 'views', 'public', 'scripts', 'dist', 'package.json', 'package-lock.json']) {
    cpSync(join(project, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
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
  dev = spawn(process.execPath, ['scripts/dev.ts'], { cwd: folder, env, stdio: 'ignore' });
});

afterAll(async () => {
  dev.kill();
  await once(dev, 'exit');
});

/** Without an answer, the server is just starting. */
async function get(path: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(url + path, { headers: browserHeaders }).catch(() => undefined);
  return { status: answer?.status ?? 0, text: (await answer?.text()) ?? '' };
}

function edit(change: (text: string) => string): void {
  writeFileSync(join(folder, news), change(readFileSync(join(project, news), 'utf8')));
}

const served = (path: string, words: string | RegExp) =>
  eventually(async () => (await get(path)).text.search(words) >= 0, true, String(words), 60_000);

test('every page loads a script that reloads it once something else is served', async () => {
  await served('/', '/assets/site.');
  const [path = ''] = /\/assets\/site\.\w+\.js/.exec((await get('/')).text) ?? [];
  expect((await get(path)).text).toContain('location.reload()');
}, 90_000);

test('a change is shown at once under another build id, and a post whose day has not come is marked', async () => {
  const before = await get('/builds/latest.json');
  edit((text) =>
    text.replace(/^heading: .*$/m, 'heading: Новый заголовок').replace(/^published: .*/m, 'published: 2031-01-01'),
  );
  await served('/about/novosti', 'Новый заголовок');
  expect((await get('/about/novosti')).text).toMatch(/Выйдет <time dateTime="2031-01-01"/i);
  expect((await get('/builds/latest.json')).text).not.toBe(before.text);
}, 90_000);

test('what does not build is shown by file and line, until it is mended', async () => {
  edit((text) => text.replace(/^heading: /m, 'headng: '));
  await served('/', /news\/[\w-]+\.md:\d+: headng: Такого поля нет\. Наверное, это heading\./);
  expect((await get('/builds/latest.json')).status).toBe(500);
  edit((text) => text);
  await served('/', '/assets/site.');
}, 90_000);
