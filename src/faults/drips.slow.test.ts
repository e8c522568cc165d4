import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from '@jest/globals';
import { startServerProcess } from '../testing/server-process.ts';
import { ask, postQuestion } from './testing.ts';

const headers = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n';
const body = `POST /contact HTTP/1.1\r\nHost: localhost\r\n${form}\r\n`;

/** Sends a piece every half second until the connection ends. */
async function drip(port: number, start: string, more: string) {
  const begun = performance.now();
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(start);
  const dripping = setInterval(() => socket.write(more), 500);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  // What is cut off while it sends is reset.
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  const cut = closed.then(() => {
    clearInterval(dripping);
    return { answer, seconds: (performance.now() - begun) / 1_000 };
  });
  return { cut };
}

test.each([
  ['headers after 10 seconds', headers, 'X-More: a\r\n', 9],
  ['a body after 20', body, 'a', 19],
])(
  'a hundred who drip are cut, %s; others are served meanwhile',
  async (_, start, more, least) => {
    const { port } = await startServerProcess();
    const dripping = await Promise.all(Array.from({ length: 100 }, () => drip(port, start, more)));
    for (const path of ['/', '/contact', '/readyz'])
      expect([path, (await ask(port, path)).status]).toEqual([path, 200]);
    expect((await postQuestion(port, 'Между каплями')).status).toBe(303);

    const ends = await Promise.all(dripping.map(({ cut }) => cut));
    expect(Math.min(...ends.map(({ seconds }) => seconds))).toBeGreaterThan(least);
    // A piece that arrives during the cut may be taken for a malformed request.
    const told = ends.filter(({ answer }) => answer.startsWith('HTTP/1.1 408 Request Timeout\r\n'));
    expect(told.length).toBeGreaterThan(50);
  },
  60_000,
);
