import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { databasePath } from '../../leads/store/sqlite.ts';
import { atEnd } from '../support/at-end.ts';
import { eventually } from '../support/eventually.ts';
import { aMinuteLater, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { testIf } from '../support/test-if.ts';
import { askKeepAlive, missingFrom, postQuestion, startWebhook, storedIn } from './testing.ts';

const disk = temporaryFolder();
const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=0700', 'korob-test', disk]);
// Lazily, because a process may still use it.
if (mount.status === 0) atEnd(() => spawnSync('umount', ['--lazy', disk]));

const testFull = testIf({ lacking: mount.status === 0 ? [] : ['permission to mount'] });
const testFailing = testIf({ programs: ['strace'], lacking: process.getuid?.() === 0 ? [] : ['root'] });

const webhook = await startWebhook();
const env = { DATA_DIR: join(disk, 'var'), TRUST_PROXY: '1', ...webhook.env };
/** Messages by the address of their receipt. */
const acknowledged = new Map<string, string>();
let server: ServerProcess;

beforeAll(async () => {
  server = await startServerProcess(env);
  await postUntil(303, 'before');
});

/** Posts until an answer has the status, and records the acknowledged leads. */
async function postUntil(status: 303 | 503, name: string): Promise<void> {
  for (let count = 0; count < 500; count++) {
    const message = `${name} ${count} ${'о'.repeat(2_000)}`;
    const answer = await postQuestion(server.port, message);
    if (answer.status === 303) acknowledged.set(answer.headers.location ?? '', message);
    // A refusal shows the typed text again.
    else expect([answer.status, answer.text.includes(message)]).toEqual([503, true]);
    if (answer.status === status) return;
  }
  throw new Error(`No answer was ${status}.`);
}

const statusOf = async (path: string) => (await askKeepAlive(server.port, path)).status;

/** @param fail starts the failure and returns a function that ends it */
async function expectHonesty(name: string, fail: () => Promise<() => unknown>): Promise<void> {
  const mend = await fail();
  for (let count = 0; count < 3; count++) await postUntil(503, name);
  await eventually(() => statusOf('/readyz'), 503, 'the end of readiness');
  for (const path of ['/', '/contact?preset=request', '/healthz'])
    expect([path, await statusOf(path)]).toEqual([path, 200]);

  await mend();
  await eventually(() => statusOf('/readyz'), 200, 'readiness');
  const before = acknowledged.size;
  while (acknowledged.size < before + 3) await postUntil(303, `after ${name}`);
  const [, latest] = [...acknowledged].at(-1) ?? [];
  await eventually(() => webhook.events.some(({ data }) => data.message === latest), true, 'the next delivery');
  expect(server.child.exitCode).toBeNull();
}

testFull('a full disk answers forms with 503 while pages work, and recovers without a restart', () =>
  expectHonesty('full', async () => {
    const ballast = join(disk, 'ballast');
    spawnSync('dd', ['if=/dev/zero', `of=${ballast}`, 'bs=4k']);
    return () => rmSync(ballast);
  }),
);

testFailing.each([
  ['fsync,fdatasync', 'EIO'],
  ['fsync,fdatasync', 'ENOSPC'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
])('a disk whose %s fails with %s answers forms with 503 while pages work, and recovers', (calls, error) =>
  expectHonesty(`${calls} ${error}`, async () => {
    const files = ['', '-wal'].flatMap((suffix) => ['-P', databasePath(env.DATA_DIR) + suffix]);
    const injecting = ['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}`];
    const tracer = spawn('strace', ['-f', '-p', String(server.child.pid), ...files, ...injecting], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    // strace reports that it is attached.
    await once(tracer.stderr, 'data');
    tracer.stderr.resume();
    return async () => {
      tracer.kill('SIGINT');
      await once(tracer, 'exit');
    };
  }),
);

test('no acknowledged lead is lost, not even by a kill, and every one is delivered', async () => {
  server.child.kill('SIGKILL');
  await server.exited;
  const stored = storedIn(env.DATA_DIR);
  expect([stored.integrity, missingFrom(stored, acknowledged)]).toEqual(['ok', []]);
  await startServerProcess({ ...env, ...aMinuteLater });
  const untold = () => {
    const told = new Set(webhook.events.map(({ data }) => data.message));
    return [...acknowledged.values()].filter((message) => !told.has(message));
  };
  await eventually(untold, [], 'deliveries');
});
