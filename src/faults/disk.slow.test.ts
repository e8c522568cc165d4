import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { databasePath } from '../leads/store/sqlite.ts';
import type { Answer } from '../testing/ask.ts';
import { eventually } from '../testing/eventually.ts';
import { all, formData, one, parseHtml, textOf } from '../testing/html.ts';
import { skipLoudly, testWith } from '../testing/requires.ts';
import { type ServerProcess, startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { mountSmallDisk } from '../testing/tmpfs.ts';
import { ask, deliveryTime, missingFrom, postQuestion, startWebhook, storedIn } from './testing.ts';

const disk = mountSmallDisk(3);
let server: ServerProcess | undefined;
let webhook: Awaited<ReturnType<typeof startWebhook>>;

afterEach(async () => {
  server?.child.kill('SIGKILL');
  await server?.exited;
  await webhook?.stop();
});
afterAll(() => {
  if (typeof disk !== 'string') disk.remove();
});

/** Acknowledged messages by the address of their receipt. */
type Acknowledged = Map<string, string>;

/**
 * Posts until an answer has the status, and keeps what was acknowledged.
 *
 * @returns how many answers had another status
 * @throws unless that comes to pass
 */
async function postUntil(port: number, status: 303 | 503, name: string, acknowledged: Acknowledged): Promise<number> {
  for (let count = 0; count < 500; count++) {
    const message = `${name} ${count} ${'о'.repeat(2_000)}`;
    const answer = await postQuestion(port, message);
    if (answer.status === 303) acknowledged.set(answer.headers.location ?? '', message);
    else expectHonestRefusal(answer, message);
    if (answer.status === status) return count;
  }
  throw new Error(`No answer was ${status}.`);
}

/** No success, a number to call, and nothing of what was written is lost. */
function expectHonestRefusal({ status, headers, text }: Answer, message: string): void {
  expect([status, headers['cache-control']]).toEqual([503, 'private, no-cache']);
  const main = one(parseHtml(text), 'main');
  const notice = one(main, 'div.contact-notice[role="alert"]');
  expect(textOf(notice)).toContain('не отправлена');
  expect(all(notice, 'a').map(({ attrs }) => attrs.href)).toEqual([expect.stringMatching(/^tel:\+?\d+$/)]);
  const values = Object.fromEntries(formData(one(main, 'form')));
  expect(values).toMatchObject({ name: 'Анна', phone: expect.stringMatching(/^8 916 1\d{6}$/), message });
}

/** The rest of the site does not need the disk. */
async function expectPagesServed(port: number): Promise<void> {
  for (const path of ['/', '/rates', '/contact?preset=request', '/healthz']) {
    expect([path, (await ask(port, path)).status]).toEqual([path, 200]);
  }
}

/** That the same process takes requests again, and that nothing acknowledged is lost, not even by a kill. */
async function expectRecovery(running: ServerProcess, acknowledged: Acknowledged): Promise<void> {
  await eventually(async () => (await ask(running.port, '/readyz')).status === 200, true, 'readiness');
  const { size } = acknowledged;
  while (acknowledged.size < size + 5) await postUntil(running.port, 303, 'afterwards', acknowledged);
  await expectPagesServed(running.port);
  expect(running.child.exitCode).toBeNull();
  const told = () => new Set(webhook.events.map(({ data }) => data.message));
  await eventually(
    () => [...acknowledged.values()].every((message) => told().has(message)),
    true,
    'deliveries',
    deliveryTime,
  );
  running.child.kill('SIGKILL');
  await running.exited;
  const stored = storedIn(running.dataDir);
  expect([stored.integrity, missingFrom(stored, acknowledged)]).toEqual(['ok', []]);
}

/** Fills a file system to the last byte. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  for (let size = 65_536; size >= 1; size = Math.floor(size / 2)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch (error) {
      if (!(Error.isError(error) && 'code' in error && error.code === 'ENOSPC')) throw error;
    }
  }
  closeSync(file);
}

const withSmallDisk =
  typeof disk === 'string' ? skipLoudly(disk, 'a full disk costs no request and needs no restart') : test;

withSmallDisk(
  'a full disk is answered honestly while pages go on, and is got over without a restart',
  async () => {
    if (typeof disk === 'string') throw new Error(disk);
    webhook = await startWebhook();
    const dataDir = join(disk.folder, 'var');
    server = await startServerProcess({ DATA_DIR: dataDir, TRUST_PROXY: '1', ...webhook.env });
    const acknowledged: Acknowledged = new Map();
    await postUntil(server.port, 303, 'before', acknowledged);
    const ballast = join(disk.folder, 'ballast');
    fill(ballast);
    await postUntil(server.port, 503, 'filling', acknowledged);
    for (let count = 0; count < 5; count++) await postUntil(server.port, 503, 'full', acknowledged);
    const { port } = server;
    await eventually(async () => (await ask(port, '/readyz')).status === 503, true, 'the end of readiness');
    await expectPagesServed(server.port);

    rmSync(ballast);
    await expectRecovery(server, acknowledged);
  },
  60_000,
);

describe('a disk that fails for a while', () => {
  const withStrace = testWith('strace', 'a failing disk is never answered with a success');

  // The counting begins with the process; it has done its own writing by the first of these.
  withStrace.each([
    ['fsync,fdatasync', 'EIO', '8..25'],
    ['fsync,fdatasync', 'ENOSPC', '8..25'],
    ['pwrite64', 'EIO', '80..160'],
    ['pwrite64', 'ENOSPC', '80..160'],
  ])(
    'at %s with %s is answered honestly while pages go on, and is got over without a restart',
    async (calls, error, when) => {
      webhook = await startWebhook();
      const dataDir = temporaryFolder();
      // Made before, so that the tracer finds its files.
      const before = await startServerProcess({ DATA_DIR: dataDir });
      before.child.kill('SIGKILL');
      await before.exited;

      const log = join(temporaryFolder(), 'strace.log');
      const files = ['', '-wal'].flatMap((suffix) => ['-P', databasePath(dataDir) + suffix]);
      // -D leaves the server as our own child.
      const tracing = ['-D', '-f', '--seccomp-bpf', '-qq', '-o', log, ...files];
      const injecting = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${when}`];
      server = await startServerProcess(
        { DATA_DIR: dataDir, TRUST_PROXY: '1', ...webhook.env },
        { under: ['strace', ...tracing, ...injecting] },
      );
      const acknowledged: Acknowledged = new Map();
      const refusedAtOnce = await postUntil(server.port, 303, 'before', acknowledged);
      // On a slow machine the disk may fail before the first request.
      if (refusedAtOnce === 0) await postUntil(server.port, 503, 'failing', acknowledged);
      await expectPagesServed(server.port);
      await postUntil(server.port, 303, 'recovering', acknowledged);
      await expectRecovery(server, acknowledged);

      const traced = readFileSync(log, 'utf8').split('\n');
      expect(traced.filter((line) => line.includes(`${error} `) && line.includes('INJECTED')).length).toBeGreaterThan(
        0,
      );
      // One after another, each acknowledged request has waited for the disk, and the disk has taken it.
      if (calls.includes('fsync')) {
        expect(traced.filter((line) => line.endsWith('= 0')).length).toBeGreaterThanOrEqual(acknowledged.size);
      }
    },
    60_000,
  );
});
