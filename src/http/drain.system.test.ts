import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { beforeEach, expect, test } from '@jest/globals';
import { eventually } from '../testing/eventually.ts';
import { listen } from '../testing/listen.ts';
import { drain } from './drain.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((_req, res) => {
    res.shouldKeepAlive = false;
    res.end('answered');
  });
  port = await listen(server);
});

function endOf(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (error) => resolve(error.message));
    socket.on('close', () => resolve(text.split('\r\n\r\n')[1] ?? text));
  });
}

test('it accepts for a moment, and what was begun is answered', async () => {
  let answer = () => {};
  server.removeAllListeners('request').on('request', (_req, res) => {
    answer = () => res.end('answered');
  });
  const drained = drain(server);
  expect(server.listening).toBe(true);
  const socket = connect(port, '127.0.0.1', () => socket.write(request));
  const end = endOf(socket);
  await eventually(() => !server.listening, true, 'the end of listening');
  answer();
  expect(await end).toBe('answered');
  await drained;
});

test('whoever says nothing does not hold it up', async () => {
  const socket = connect(port, '127.0.0.1');
  const end = endOf(socket);
  await once(server, 'connection');
  await drain(server);
  expect(await end).toBe('');
});

/** On its own thread, because this one blocks. */
const visitor = `
  const { parentPort, workerData: { port, gate, request } } = require('node:worker_threads');
  const socket = () => require('node:net').connect(port, '127.0.0.1', function () { this.write(request); });
  parentPort.postMessage('there');
  Atomics.wait(gate, 0, 0);
  let text = '';
  socket().setEncoding('utf8')
    .on('data', (chunk) => { text += chunk; })
    .on('error', (error) => { text += error.message; })
    .on('close', () => parentPort.postMessage(text));
`;

test('who has come while the process was kept from the processor is answered', async () => {
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(visitor, { eval: true, workerData: { port, gate, request } });
  await once(worker, 'message');
  const drained = drain(server);
  setTimeout(() => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
    // Past the time to close.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
  }, 100);
  const [text] = await once(worker, 'message');
  expect(text).toMatch(/answered$/);
  await drained;
  await worker.terminate();
});

test('it goes on accepting while it is asked again and again, but not for ever', async () => {
  const began = performance.now();
  const drained = drain(server);
  const asking = setInterval(
    () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .end(request),
    30,
  );
  await eventually(() => performance.now() - began > 1_000, true, 'twice the time that a proxy needs');
  expect(server.listening).toBe(true);
  await drained;
  clearInterval(asking);
  expect(server.listening).toBe(false);
});
