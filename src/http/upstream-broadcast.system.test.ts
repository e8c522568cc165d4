import { createServer, type RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listen } from '../tests/support/listen.ts';
import { upstreamBroadcast } from './upstream-broadcast.ts';

const live = { status: true, url: 'https://video.example/live' } as const;
const off = { status: false } as const;

const say =
  (body: unknown, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

let answer: RequestListener;
let requests: (string | undefined)[];
const server = createServer((request, response) => {
  requests.push(request.url);
  answer(request, response);
});
const base = `http://127.0.0.1:${await listen(server)}/api`;

beforeEach(() => {
  requests = [];
  answer = say(live);
});

afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the broadcast of an upstream server', () => {
  const [long, short] = [60_000, 1];
  /** The timer of the source is set earlier and is shorter. */
  const expired = () => sleep(10);

  function source(cacheMs: number, timeoutMs = long) {
    const reports: string[] = [];
    const report = (error: Error | undefined) => void reports.push(error?.message ?? 'mended');
    return { ...upstreamBroadcast({ base, timeoutMs, cacheMs, report }), reports };
  }

  test('is requested once for all visitors within the cache period', async () => {
    const { current } = source(long);
    expect(await Promise.all(Array.from({ length: 20 }, current))).toEqual(Array(20).fill(live));
    answer = say(off);
    expect(await current()).toEqual(live);
    expect(requests).toEqual(['/api/video-broadcast']);
  });

  test('uses the address of the player when the server names a video page', async () => {
    answer = say({ status: true, url: 'https://vkvideo.ru/video-1_2' });
    expect(await source(long).current()).toEqual({ status: true, url: 'https://vkvideo.ru/video_ext.php?oid=-1&id=2' });
  });

  test.each<[string, RequestListener, RegExp]>([
    ['answers 500', say(live, 500), /answered with status 500/],
    ['answers with HTML', say('<html>'), /JSON/],
    [
      'answers with a script as the address',
      say({ status: true, url: 'javascript:alert(1)' }),
      /answered something else/,
    ],
    ['closes the connection', (_, response) => void response.destroy(), /fetch failed/],
  ])(
    'keeps its last state and reports once when the server %s, until it answers again',
    async (_, failure, message) => {
      const { current, reports } = source(short);
      expect(await current()).toEqual(live);
      answer = failure;
      for (let time = 0; time < 2; time++) {
        await expired();
        expect(await current()).toEqual(live);
      }
      // A broadcast that is off needs no address, and the result drops it.
      answer = say({ status: false, url: null });
      await expired();
      expect(await current()).toEqual(off);
      expect(reports).toEqual([expect.stringMatching(message), 'mended']);
      expect(requests).toHaveLength(4);
    },
  );

  test('is off when a slow response times out, and is not requested again within the cache period', async () => {
    answer = (_, response) => void response.write('{"status": ');
    const { current, reports } = source(long, 50);
    for (let visitor = 0; visitor < 5; visitor++) expect(await current()).toEqual(off);
    expect(reports).toEqual([expect.stringMatching(/timeout/i)]);
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  test('is off after the server has failed for too long', async () => {
    const { current } = source(short);
    expect(await current()).toEqual(live);
    answer = say('', 503);
    const now = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => now() + 300_000);
    await expired();
    expect(await current()).toEqual(off);
  });
});
