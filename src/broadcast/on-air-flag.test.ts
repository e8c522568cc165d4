import { existsSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../leads/temporary-folder.ts';
import { fakeBroadcast } from '../testing/fake-broadcast.ts';
import { until } from '../testing/until.ts';
import { keepOnAirFlag } from './on-air-flag.ts';

const live = { status: true, url: 'https://video.example/live' } as const;
const off = { status: false } as const;

const broadcast = fakeBroadcast();
let file: string;
let reports: string[];
let kept: { stop(): void } | undefined;

beforeEach(() => {
  broadcast.state = off;
  file = join(temporaryFolder(), 'editions', 'on-air');
  reports = [];
});

afterEach(() => kept?.stop());

function keep(): void {
  const report = (error: Error | undefined) => void reports.push(error?.message ?? 'mended');
  kept = keepOnAirFlag({ file, broadcast, everyMs: 10, report });
}

/** Long enough for many looks. */
const aWhile = () => sleep(200);

const appears = () => until(() => existsSync(file), 'the file');
const goes = () => until(() => !existsSync(file), 'the end of the file');

test('the file is there as long as a broadcast is on', async () => {
  keep();
  for (let time = 0; time < 2; time++) {
    broadcast.state = live;
    await appears();
    broadcast.state = off;
    await goes();
  }
  expect(reports).toEqual([]);
});

test('a file that an earlier process has left goes when there is no broadcast', async () => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
  keep();
  await goes();
});

test('a file that is right is left alone; one that someone has taken away comes back', async () => {
  broadcast.state = live;
  keep();
  await appears();
  const longAgo = new Date(0);
  utimesSync(file, longAgo, longAgo);
  await aWhile();
  expect(statSync(file).mtimeMs).toBe(0);
  rmSync(dirname(file), { recursive: true });
  await appears();
});

test('without a broadcast, no folder is made for it', async () => {
  keep();
  await aWhile();
  expect(existsSync(dirname(file))).toBe(false);
});

test('what keeps the file from being written is reported once, and once when it is mended', async () => {
  writeFileSync(dirname(file), 'no folder');
  broadcast.state = live;
  keep();
  await aWhile();
  expect(reports).toEqual([expect.stringMatching(/EEXIST|ENOTDIR/)]);
  rmSync(dirname(file));
  await appears();
  expect(reports).toEqual([expect.any(String), 'mended']);
});

test('stopped, it leaves the file to the next process', async () => {
  broadcast.state = live;
  keep();
  await appears();
  kept?.stop();
  broadcast.state = off;
  await aWhile();
  expect(existsSync(file)).toBe(true);
});

test('stopped while it asks, it leaves the file to the next process, too', async () => {
  const asked: (() => void)[] = [];
  const slow = { ...broadcast, current: () => new Promise<typeof live>((resolve) => asked.push(() => resolve(live))) };
  kept = keepOnAirFlag({ file, broadcast: slow, everyMs: 10, report: () => {} });
  kept.stop();
  for (const answer of asked) answer();
  await aWhile();
  expect(existsSync(file)).toBe(false);
});
