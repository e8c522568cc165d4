import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { filesBelow } from './lib/files.ts';
import { ask } from './tests/support/ask.ts';
import { atEnd } from './tests/support/at-end.ts';
import { siteUrl } from './tests/support/built.ts';
import { eventually } from './tests/support/eventually.ts';
import { freePort } from './tests/support/free-port.ts';
import { fileIn } from './tests/support/sample-content.ts';
import { temporaryFolder } from './tests/support/temporary-folder.ts';

const project = join(import.meta.dirname, '..');
const news = `src/content/${fileIn('news')}`;

const folder = temporaryFolder();
const port = await freePort();

beforeAll(() => {
  for (const name of ['src', 'views', 'public', 'scripts', 'dist', 'package.json', 'package-lock.json']) {
    cpSync(join(project, name), join(folder, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const own = { PORT: String(port), DATA_DIR: join(folder, 'var'), SITE_URL: siteUrl };
  const env = { PATH: process.env.PATH, TZ: process.env.TZ, LOG_LEVEL: 'warn', ...own };
  const dev = spawn(process.execPath, ['scripts/dev.ts'], { cwd: folder, env, stdio: 'ignore' });
  atEnd(() => dev.kill() && once(dev, 'exit'));
});

/** Files that differ from those of the checkout. */
function changedIn(name: string): string[] {
  const bytes = (path: string) => (existsSync(path) ? readFileSync(path, 'base64') : '');
  const files = [project, folder].flatMap((root) => filesBelow(join(root, name)).map((path) => relative(root, path)));
  // Programs of other suites write the compile cache meanwhile.
  const built = [...new Set(files)].filter((file) => !file.startsWith('dist/compiled/'));
  return built.filter((file) => bytes(join(project, file)) !== bytes(join(folder, file)));
}

function edit(change: (text: string) => string): void {
  writeFileSync(join(folder, news), change(readFileSync(join(project, news), 'utf8')));
}

/** The server does not answer while it starts. */
const textAt = (path: string) =>
  ask(port, path).then(
    ({ text }) => text,
    () => '',
  );

const served = (path: string, words: string | RegExp) =>
  eventually(async () => (await textAt(path)).search(words) >= 0, true, String(words));

test('every page loads a script that reloads it when the server has a new build', async () => {
  await served('/', '/assets/entry.');
  const [path = ''] = /\/assets\/entry\.\w+\.js/.exec(await textAt('/')) ?? [];
  expect(await textAt(path)).toContain('location.reload()');
});

test('a change appears under a new build id, and a post with a future date is marked', async () => {
  const before = await textAt('/builds/latest.json');
  edit((text) =>
    text.replace(/^heading: .*$/m, 'heading: Новый заголовок').replace(/^published: .*/m, 'published: 2031-01-01'),
  );
  await served('/about/novosti', 'Новый заголовок');
  expect(await textAt('/about/novosti')).toMatch(/Выйдет <time dateTime="2031-01-01"/i);
  expect(await textAt('/builds/latest.json')).not.toBe(before);
});

test('a build error shows its file and line until it is fixed', async () => {
  edit((text) => text.replace(/^heading: /m, 'headng: '));
  await served('/', /news\/[\w-]+\.md:\d+: headng: Такого поля нет\. Наверное, это heading\./);
  expect((await ask(port, '/builds/latest.json')).status).toBe(500);
  edit((text) => text);
  await served('/', '/assets/entry.');
});

test('the development server does not change dist', () => {
  expect(changedIn('dist')).toEqual([]);
});

test('reports the variable whose folder has no content', () => {
  const env = { PATH: process.env.PATH, CONTENT_DIR: '/nowhere' };
  const { status, stderr } = spawnSync(process.execPath, ['scripts/dev.ts'], { cwd: folder, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^CONTENT_DIR: \/nowhere has no company\.yaml.*\n$/)]);
});
