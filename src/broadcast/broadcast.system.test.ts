import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Database, openDatabase } from '../leads/store/sqlite.ts';
import { StoreError } from '../lib/store-error.ts';
import { listen } from '../testing/listen.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { broadcastUrl, laterToday, storedBroadcast, upstreamBroadcast } from './broadcast.ts';

const live = { status: true, url: 'https://video.example/live' } as const;
const off = { status: false } as const;

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the broadcast of another server', () => {
  let base: string;
  let requests: string[];
  let answer: RequestListener;
  /** Milliseconds. */
  const [long, short] = [60_000, 30];
  const expired = () => sleep(short + 20);

  const say =
    (body: unknown, status = 200): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
  const hang: RequestListener = () => {};
  const drip: RequestListener = (_, response) => void response.write('{"status": ');

  beforeEach(async () => {
    requests = [];
    answer = say(live);
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`);
      answer(request, response);
    });
    base = `http://127.0.0.1:${await listen(server)}/api`;
  });

  function source(cacheMs: number, timeoutMs = long) {
    const reports: string[] = [];
    const report = (error: Error | undefined) => void reports.push(error?.message ?? 'mended');
    return { ...upstreamBroadcast({ base, timeoutMs, cacheMs, report }), reports };
  }

  test('is asked for at /video-broadcast below the base, and told', async () => {
    expect(await source(long).current()).toEqual(live);
    expect(requests).toEqual(['GET /api/video-broadcast']);
  });

  test('is asked for once, however many visitors want it at once and soon after', async () => {
    const { current } = source(long);
    expect(await Promise.all(Array.from({ length: 20 }, current))).toEqual(Array(20).fill(live));
    answer = say(off);
    expect(await current()).toEqual(live);
    expect(requests).toHaveLength(1);
  });

  test('is asked for again when the answer is old', async () => {
    const { current } = source(short);
    expect(await current()).toEqual(live);
    answer = say(off);
    await expired();
    expect(await current()).toEqual(off);
  });

  test.each<[string, RequestListener, RegExp]>([
    ['answers 500', say(live, 500), /answered with status 500/],
    ['answers 404', say('nothing', 404), /answered with status 404/],
    ['answers no JSON', say('<html>'), /JSON/],
    ['answers other JSON', say({ status: 'yes', url: live.url }), /answered something else/],
    ['answers a script for an address', say({ status: true, url: 'javascript:alert(1)' }), /answered something else/],
    ['answers on without an address', say({ status: true, url: '' }), /answered something else/],
    ['hangs', hang, /timeout/i],
    ['drips', drip, /timeout/i],
    ['hangs up', (_, response) => void response.destroy(), /fetch failed/],
  ])('while the server %s: the last good state, one report, and a report of recovery', async (_, failure, message) => {
    const { current, reports } = source(short, [hang, drip].includes(failure) ? 500 : long);
    expect(await current()).toEqual(live);
    answer = failure;
    for (let time = 0; time < 3; time++) {
      await expired();
      expect(await current()).toEqual(live);
    }
    expect(reports).toEqual([expect.stringMatching(message)]);
    expect(requests).toHaveLength(4);

    answer = say(off);
    await expired();
    expect(await current()).toEqual(off);
    expect(reports).toEqual([expect.stringMatching(message), 'mended']);
  });

  test('that has answered nothing good for too long is off, until it answers again', async () => {
    const { current } = source(short);
    expect(await current()).toEqual(live);
    answer = say('', 503);
    await expired();
    expect(await current()).toEqual(live);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 300_000);
    await expired();
    expect(await current()).toEqual(off);
    answer = say(live);
    await expired();
    expect(await current()).toEqual(live);
  });

  test('that was never reached is off', async () => {
    answer = say('', 503);
    const { current, reports } = source(long);
    expect(await current()).toEqual(off);
    expect(reports).toHaveLength(1);
  });

  test('a failing server is left alone for as long as an answer holds', async () => {
    answer = say('', 503);
    const { current } = source(long);
    for (let visitor = 0; visitor < 10; visitor++) await current();
    expect(requests).toHaveLength(1);
  });

  test('off needs no address, and none is passed on', async () => {
    answer = say({ status: false, url: null });
    expect(await source(long).current()).toEqual(off);
  });
});

describe('the stored broadcast', () => {
  let database: Database;

  beforeEach(() => {
    database = openDatabase(temporaryFolder());
  });

  afterEach(() => database.close());

  test('is off until it is set, and what was set last', async () => {
    const { read, set } = storedBroadcast(database);
    expect(await read()).toEqual(off);
    await set(live);
    expect(await read()).toEqual(live);
    await set({ status: true, url: 'https://video.example/other' });
    expect(await read()).toEqual({ status: true, url: 'https://video.example/other' });
    await set(off);
    expect(await read()).toEqual(off);
  });

  test('is off from its end on, with nobody to switch it, until it is set again', async () => {
    const { read, set } = storedBroadcast(database);
    const end = Date.now() + 3_600_000;
    const until = new Date(end).toISOString();
    await set({ ...live, until });
    expect(await read()).toEqual({ ...live, until });
    jest.spyOn(Date, 'now').mockReturnValue(end);
    expect(await read()).toEqual(off);
    await set(live);
    expect(await read()).toEqual(live);
  });

  test('is there after a restart, and what another process sets is seen within a second', async () => {
    const { current } = storedBroadcast(database);
    expect(await current()).toEqual(off);
    const other = openDatabase(database.path.replace(/\/[^/]*$/, ''));
    await storedBroadcast(other).set(live);
    other.close();
    await sleep(1_050);
    expect(await current()).toEqual(live);
  });

  test('that cannot be read is off and reported; reading it for an operator says why', async () => {
    const reports: (Error | undefined)[] = [];
    const { current, read } = storedBroadcast(database, { report: (error) => void reports.push(error) });
    database.close();
    expect(await current()).toEqual(off);
    expect(reports).toEqual([expect.any(StoreError)]);
    await expect(read()).rejects.toThrow(StoreError);
  });
});

test.each([
  ['https://video.example/live.mp4', 'https://video.example/live.mp4'],
  ['https://vkvideo.ru/video-1_2', 'https://vkvideo.ru/video_ext.php?oid=-1&id=2'],
  ['javascript:alert(1)', undefined],
  ['', undefined],
])('what the site makes of %s', (address, url) => {
  expect(broadcastUrl(address)).toBe(url);
});

test.each([
  ['18:00', '2026-11-20T15:00:00.000Z'],
  ['23:59', '2026-11-20T20:59:00.000Z'],
  ['12:01', '2026-11-20T09:01:00.000Z'],
  ['12:00', undefined],
  ['00:00', undefined],
  ['24:00', undefined],
  ['18:60', undefined],
  ['6', undefined],
])('%s of today in Moscow, asked at noon', (time, end) => {
  expect(laterToday(time, new Date('2026-11-20T09:00:30Z'), 'Europe/Moscow')).toBe(end);
});
