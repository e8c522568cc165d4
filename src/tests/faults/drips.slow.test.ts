import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { atEnd } from '../support/at-end.ts';
import { listen } from '../support/listen.ts';
import { startServerProcess } from '../support/server-process.ts';
import { startNginx } from '../support/start-nginx.ts';
import { testIf } from '../support/test-if.ts';
import { askKeepAlive, postQuestion } from './testing.ts';

const headers = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n';
const body = `POST /contact HTTP/1.1\r\nHost: localhost\r\n${form}\r\n`;

/** Sends a piece every half second until the connection ends. */
async function drip(port: number, start: string, more: string) {
  const begun = performance.now();
  // Uses another address, because the requests of one address are limited.
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.66' });
  await once(socket, 'connect');
  socket.write(start);
  const dripping = setInterval(() => socket.write(more), 500);
  let answer = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    answer += chunk;
  });
  // A connection that is cut while it sends is reset.
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
  ['a body after 20 seconds', body, 'a', 19],
])('a hundred slow clients are disconnected (%s), and others are served meanwhile', async (_, start, more, least) => {
  const { port } = await startServerProcess();
  const dripping = await Promise.all(Array.from({ length: 100 }, () => drip(port, start, more)));
  for (const path of ['/', '/contact', '/readyz'])
    expect([path, (await askKeepAlive(port, path)).status]).toEqual([path, 200]);
  expect((await postQuestion(port, 'Между каплями')).status).toBe(303);

  const ends = await Promise.all(dripping.map(({ cut }) => cut));
  expect(Math.min(...ends.map(({ seconds }) => seconds))).toBeGreaterThan(least);
  // The server may read a piece that arrives during the cut as a malformed request.
  const told = ends.filter(({ answer }) => answer.startsWith('HTTP/1.1 408 Request Timeout\r\n'));
  expect(told.length).toBeGreaterThan(50);
});

const nginxTest = testIf({ programs: ['nginx'] });

/** A program that holds 8,600 connections to a port, each with seven bytes of a request. */
const flood = `
  import { connect } from 'node:net';
  import { setTimeout as sleep } from 'node:timers/promises';
  const begin = () => {
    const socket = connect({ port: process.argv[1], host: '127.0.0.1', localAddress: '127.0.0.66' });
    socket.on('error', () => {}).on('close', begin).resume().write('GET / H');
  };
  for (let begun = 0; begun < 8_600; begun++) {
    begin();
    if (begun % 200 === 0) await sleep(20);
  }
  console.log('begun');`;

nginxTest('thousands of connections that send nginx only seven bytes do not block other visitors', async () => {
  const { port } = await startNginx(await listen(createServer((_req, res) => res.end())));
  const attacker = spawn(process.execPath, ['--input-type=module', '--eval', flood, `${port}`]);
  atEnd(() => attacker.kill());
  await once(attacker.stdout, 'data');
  const outcomes = new Set<string | number>();
  for (let asked = 0; asked < 90; asked++) {
    outcomes.add(await askKeepAlive(port, '/', { agent: false }).then(({ status }) => status, String));
    await sleep(50);
  }
  expect(outcomes).toEqual(new Set([200]));
});
