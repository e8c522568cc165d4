import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { addingCommand, listenTo, receiptsIn } from '../../testing/leads.ts';
import { testWith } from '../../testing/requires.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { storeIn } from './open-store.ts';
import { openDatabase } from './sqlite.ts';

test('every lead that was acknowledged before a kill -9 is in the database, and the database is whole', async () => {
  const folder = temporaryFolder();
  const kills = 24;
  let acknowledged = 0;
  for (let round = 0; round < kills; round++) {
    const width = round % 2 === 0 ? 1 : 16;
    let doomed = false;
    const { child, ended } = listenTo(addingCommand(folder, `round-${round}`, 1_000_000, width), (said, child) => {
      if (doomed || !('receipt' in said)) return;
      doomed = true;
      setTimeout(() => child.kill('SIGKILL'), Math.random() * 80);
    });
    child.stdin?.end();
    const receipts = receiptsIn(await ended);
    expect(child.signalCode ?? 'SIGKILL').toBe('SIGKILL');

    const database = openDatabase(folder);
    const store = storeIn(database);
    expect(database.connection.prepare('PRAGMA integrity_check').all()).toEqual([
      expect.objectContaining({ integrity_check: 'ok' }),
    ]);
    for (const [key, receipt] of receipts) {
      expect(await store.leads.receipt(receipt.receipt)).toEqual(receipt);
      expect((await store.leads.find(receipt.number))?.message).toBe(`words of ${key}`);
    }
    await store.close();
    database.close();
    expect(receipts.size).toBeGreaterThan(0);
    acknowledged += receipts.size;
  }
  expect(acknowledged).toBeGreaterThan(kills * 5);
}, 120_000);

const proof = testWith('strace', 'an acknowledged lead has reached the disk');

/** How often the process waited for the disk while it added. */
function waitsForTheDisk(count: number): number {
  const folder = temporaryFolder();
  const log = join(folder, 'strace.log');
  const tracing = ['-f', '-qq', '-e', 'trace=fsync,fdatasync', '-o', log];
  execFileSync('strace', [...tracing, ...addingCommand(folder, 'traced', count)], { stdio: 'ignore' });
  return readFileSync(log, 'utf8').match(/\b(fsync|fdatasync)\(\d+\)\s+= 0/g)?.length ?? 0;
}

proof(
  'a hundred leads, one after another, wait for the disk a hundred times',
  () => {
    const opening = waitsForTheDisk(0);
    expect(waitsForTheDisk(100) - opening).toBeGreaterThanOrEqual(100);
  },
  60_000,
);
