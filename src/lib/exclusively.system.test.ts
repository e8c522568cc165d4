import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { exclusively } from './exclusively.ts';

const file = join(temporaryFolder(), 'lock');

test('runs one task after another, and returns the result of each', async () => {
  const events: string[] = [];
  const work = (name: string) => async () => {
    events.push(`${name} begins`);
    await sleep(50);
    events.push(`${name} ends`);
    return name;
  };
  const results = await Promise.all(['a', 'b', 'c'].map((name) => exclusively(file, work(name))));
  expect(results).toEqual(['a', 'b', 'c']);
  const order = events.filter((_, index) => index % 2 === 0).map((event) => event[0]);
  expect(events).toEqual(order.flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('waits for the task of another process until that process is killed, says so, and gives up after the longest wait', async () => {
  const module = JSON.stringify(join(import.meta.dirname, 'exclusively.ts'));
  const holding = `
    const { exclusively } = await import(${module});
    await exclusively(${JSON.stringify(file)}, () => {
      process.stdout.write('locked');
      return new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', holding], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  await expect(exclusively(file, async () => 'done', { maxWaitMs: 50 })).rejects.toThrow(
    `another process holds ${file}`,
  );
  const noticed = Promise.withResolvers<void>();
  let ran = false;
  const work = async () => {
    ran = true;
  };
  const waiting = exclusively(file, work, { onWait: noticed.resolve });
  await noticed.promise;
  expect(ran).toBe(false);
  child.kill('SIGKILL');
  await waiting;
  expect(ran).toBe(true);
});
