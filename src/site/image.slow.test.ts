import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { paths } from '../lib/paths.ts';
import { openEditionStore } from '../store/store.ts';
import { siteUrl } from '../testing/built.ts';
import { contentFolder } from '../testing/content.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { siteOf } from '../testing/test-site.ts';
import { readIndex } from './edition-index.ts';
import { openEdition } from './open.ts';

const root = join(import.meta.dirname, '../..');

test('what the image holds is enough to make an edition and its pictures', async () => {
  const image = temporaryFolder();
  // As the Dockerfile puts it together.
  for (const name of ['package.json', 'public', 'src/content'])
    cpSync(join(root, name), join(image, name), { recursive: true });
  const dist = join(root, 'dist');
  cpSync(dist, join(image, 'dist'), { recursive: true, filter: (file) => !/editions\.sqlite/.test(file) });
  execFileSync(process.execPath, [join(root, 'scripts/native.ts'), image]);

  const dataDir = temporaryFolder();
  const run = (...args: string[]) => {
    // As where no fonts are installed, which is nothing to complain of.
    const env = { SITE_URL: siteUrl, DATA_DIR: dataDir, FONTCONFIG_FILE: '/nowhere' };
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...args], { cwd: image, env });
    expect([status, String(stderr)]).toEqual([0, expect.not.stringContaining('Fontconfig')]);
  };
  run('publish');
  const store = openEditionStore(paths.ownEditions(dataDir), { for: 'serve' });
  const [row] = store.everyEdition();
  const edition = row && openEdition(readIndex(row.root, store), store);
  // The build may have been on another day.
  expect(edition?.id).toBe((await siteOf({ at: new Date(row?.starts ?? '') })).id);
  // Painted, and encoded.
  const photographs = edition?.content().cases.flatMap(({ picture }) => (picture?.srcset ? picture.src : [])) ?? [];
  for (const path of [edition?.sharePicture('/') ?? '', ...photographs.slice(0, 1)]) {
    expect([path, edition?.find(path)?.answer(new Set(), false)]).toEqual([path, undefined]);
    run('picture', path);
    expect([path, edition?.find(path)?.answer(new Set(), false)]).toEqual([path, expect.anything()]);
  }
  store.close();

  // With nothing that shipped and nothing that was published, there is nothing to serve.
  const wrong = contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') });
  const env = { SITE_URL: siteUrl, DATA_DIR: temporaryFolder(), CONTENT_DIR: wrong, HOST: '127.0.0.1', PORT: '0' };
  const { status, stderr } = spawnSync(process.execPath, ['dist/main.js'], { cwd: image, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/company\.yaml:\d+: email: .* Нужен адрес почты/)]);
  expect(stderr).not.toMatch(/\n\s+at /);
}, 60_000);

test('a server that has its edition loads no encoder of pictures', async () => {
  const { child, exited } = await startServerProcess({ DATA_DIR: temporaryFolder() });
  const mapped = readFileSync(`/proc/${child.pid}/maps`, 'utf8');
  child.kill();
  await exited;
  expect(mapped).toContain('/');
  expect(mapped).not.toMatch(/sharp|libvips/);
});
