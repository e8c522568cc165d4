import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { siteUrl } from '../testing/built.ts';
import { contentFolder } from '../testing/content.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { shownSite } from '../testing/test-site.ts';

const root = join(import.meta.dirname, '../..');

test('what the image holds is enough to publish a content, and to encode its pictures', async () => {
  const image = temporaryFolder();
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/build\/(\S+) /gm)].map(([, name = '']) => name);
  expect(copied).toContain('dist');
  // Without the pictures, so that the second command has some to encode.
  const filter = (file: string) => !file.includes('dist/pictures');
  for (const name of copied) cpSync(join(root, name), join(image, name), { recursive: true, filter });

  const dataDir = temporaryFolder();
  const run = (...args: string[]) => {
    // No fonts are installed; that must not log warnings.
    const env = { SITE_URL: siteUrl, DATA_DIR: dataDir, FONTCONFIG_FILE: '/nowhere' };
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli.js', ...args], { cwd: image, env });
    expect([status, String(stderr)]).toEqual([0, expect.not.stringContaining('Fontconfig')]);
  };
  run('publish');
  const site = await shownSite();
  expect(readdirSync(join(dataDir, 'published'))).toContain(site.revision);
  run('pictures');
  const wanted = site.pictures().map(({ file }) => file);
  expect(readdirSync(join(dataDir, 'pictures')).sort()).toEqual([...new Set(wanted)].sort());

  // Without valid shipped or published content there is nothing to serve.
  cpSync(
    contentFolder({ 'company.yaml': (text) => text.replace(/^email: .*$/m, 'email: никакой') }),
    join(image, 'src/content'),
    { recursive: true },
  );
  const env = { SITE_URL: siteUrl, DATA_DIR: temporaryFolder(), HOST: '127.0.0.1', PORT: '0' };
  const { status, stderr } = spawnSync(process.execPath, ['dist/main.js'], { cwd: image, env, encoding: 'utf8' });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/company\.yaml:\d+: email: .* Нужен адрес почты/)]);
  expect(stderr).not.toMatch(/\n\s+at /);
}, 120_000);

test('a server loads no encoder of pictures', async () => {
  const { child, exited } = await startServerProcess({ DATA_DIR: temporaryFolder() });
  const mapped = readFileSync(`/proc/${child.pid}/maps`, 'utf8');
  child.kill();
  await exited;
  expect(mapped).toContain('/');
  expect(mapped).not.toMatch(/sharp|libvips/);
});
