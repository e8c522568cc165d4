import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { browserHeaders } from '../testing/ask.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { ask, postQuestion } from './testing.ts';

const common = `Host: localhost\r\nUser-Agent: ${browserHeaders['user-agent']}\r\n`;
const headers = [`GET / HTTP/1.1\r\n${common}`, 'X-More: a\r\n'] as const;
const body = [
  `POST /contact HTTP/1.1\r\n${common}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\n`,
  'a',
] as const;

/** Sends a piece every half second until the connection ends. */
async function drip(port: number, [start, more]: readonly [string, string]) {
  const begun = performance.now();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(start);
  const dripping = setInterval(() => socket.write(more), 500);
  socket.once('data', () => clearInterval(dripping));
  // What is cut off while it sends is reset.
  const cut = text(socket)
    .catch(() => '')
    .finally(() => clearInterval(dripping));
  return { ended: cut.then((answer) => ({ answer, seconds: (performance.now() - begun) / 1_000 })) };
}

test('hundreds who drip are cut, headers after 10 seconds and a body after 20; others are served meanwhile', async () => {
  const { port } = await startServerProcess();
  const dripped = await Promise.all(Array.from({ length: 300 }, (_, n) => drip(port, n % 10 === 0 ? body : headers)));
  for (const path of ['/', '/contact', '/readyz']) expect([path, (await ask(port, path)).status]).toEqual([path, 200]);
  expect((await postQuestion(port, 'Между каплями')).status).toBe(303);

  const ends = await Promise.all(dripped.map(({ ended }) => ended));
  for (const [kind, least] of [
    [ends.filter((_, n) => n % 10 === 0), 19],
    [ends.filter((_, n) => n % 10 > 0), 9],
  ] as const) {
    for (const { seconds } of kind) expect(seconds).toBeGreaterThan(least);
    // A piece that arrives during the cut resets the connection, or is taken for a malformed request.
    const told = kind.filter(({ answer }) => answer.startsWith('HTTP/1.1 408 Request Timeout\r\n'));
    expect(told.length).toBeGreaterThan(kind.length / 2);
  }
}, 60_000);
