import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ask } from '../tests/support/ask.ts';
import { korob } from '../tests/support/commands.ts';
import { contentFolder } from '../tests/support/sample-content.ts';
import { startServerProcess } from '../tests/support/server-process.ts';

test('not-found lists the addresses that a server did not find, without those that have a page or redirect now', async () => {
  const askAll = async (paths: readonly string[], env: NodeJS.ProcessEnv = {}) => {
    const server = await startServerProcess(env);
    for (const path of paths) expect([path, (await ask(server.port, path)).status]).toEqual([path, 404]);
    server.child.kill('SIGTERM');
    expect(await server.exited).toBe(0);
    return { DATA_DIR: server.dataDir, PORT: String(server.port) };
  };
  const old = ['/shop/item.php?id=5', '/%D0%A6%D0%B5%D0%BD%D1%8B/', '/Shop/item.php?id=6', '/moved'];
  const secret = ['/contact/abcdefgh', '/take/abcdefgh', `/${'a'.repeat(201)}`];
  const env = await askAll([...old, ...secret]);
  await askAll(['/shop/item.php'], env);

  const CONTENT_DIR = contentFolder({ 'redirects.yaml': (text) => `${text}- { from: /moved, to: /rates }\n` });
  const list = () => korob(env.DATA_DIR, ['not-found'], { CONTENT_DIR });
  expect(await list()).toEqual({ code: 0, stdout: '3\t/shop/item.php\n1\t/цены\n', stderr: '' });

  // Of a container that was replaced.
  for (const name of readdirSync(env.DATA_DIR)) utimesSync(join(env.DATA_DIR, name), 0, 0);
  await askAll(['/moved'], { DATA_DIR: env.DATA_DIR });
  expect(await list()).toEqual({ code: 0, stdout: '', stderr: 'No address is missing.\n' });
});
