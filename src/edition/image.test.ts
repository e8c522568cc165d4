import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { paths } from '../paths.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { siteUrl } from '../testing/test-site.ts';
import { readIndex } from './open.ts';

const root = join(import.meta.dirname, '../..');

test('what the image holds is enough to make an edition', () => {
  const image = temporaryFolder();
  // As the Dockerfile puts it together.
  for (const name of ['package.json', 'public', 'src/content'])
    cpSync(join(root, name), join(image, name), { recursive: true });
  const dist = join(root, 'dist');
  cpSync(dist, join(image, 'dist'), { recursive: true, filter: (file) => basename(file) !== 'editions' });
  execFileSync(process.execPath, [join(root, 'scripts/native.ts'), image]);

  const editions = join(image, 'dist/editions');
  // What is kept of an earlier build is looked up after everything was examined and laid out.
  cpSync(join(paths.shippedEditions, 'cache'), join(editions, 'cache'), { recursive: true });
  execFileSync(process.execPath, ['dist/cli.js', 'prerender', '--out', editions], {
    cwd: image,
    env: { SITE_URL: siteUrl },
    stdio: 'pipe',
  });
  expect(readIndex(join(editions, 'current'))?.id).toBe(readIndex(join(paths.shippedEditions, 'current'))?.id);
}, 60_000);

test('a server that has its edition loads no encoder of pictures', async () => {
  const { child, exited } = await startServerProcess({ DATA_DIR: temporaryFolder() });
  const mapped = readFileSync(`/proc/${child.pid}/maps`, 'utf8');
  child.kill();
  await exited;
  expect(mapped).toContain('/');
  expect(mapped).not.toMatch(/sharp|libvips/);
});
