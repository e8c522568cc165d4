import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';
import { listen } from '../tests/support/listen.ts';
import { drain } from './drain.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

async function start(answer: (res: ServerResponse) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((_req, res) => answer(res));
  return { server, port: await listen(server) };
}

test('a draining server listens for half a second, for two seconds while requests arrive, and then cuts what hangs', async () => {
  const [idle, busy] = [await start((res) => res.end()), await start((res) => res.end())];
  const hanging = await start(() => {});
  const waiting = connect(hanging.port, '127.0.0.1');
  waiting.write(request);
  const stuck = text(waiting);
  await once(hanging.server, 'request');
  const begun = performance.now();
  const passed = () => performance.now() - begun;

  async function listeningTime(server: Server, ask = () => {}): Promise<number> {
    while (server.listening) {
      ask();
      await sleep(20);
    }
    return passed();
  }
  function asking(): void {
    const socket = connect(busy.port, '127.0.0.1').on('error', () => {});
    socket.resume().write(request);
  }
  const [, , cut = 0, alone = 0, asked = 0] = await Promise.all([
    ...[idle, busy, hanging].map(({ server }) => drain(server).then(passed)),
    listeningTime(idle.server),
    listeningTime(busy.server, asking),
  ]);
  // A busy machine may be late, and never early.
  expect([alone >= 500, alone < asked]).toEqual([true, true]);
  expect([asked >= 1_900, asked < 10_000]).toEqual([true, true]);
  expect([cut >= 5_500, cut < 20_000]).toEqual([true, true]);
  expect(await stuck).toBe('');
});

/** Runs in a worker thread, because the main thread blocks. */
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

test('a visitor who connects while the process gets no CPU time is answered', async () => {
  const { server, port } = await start((res) => void res.end('answered'));
  const gate = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(visitor, { eval: true, workerData: { port, gate, request } });
  await once(worker, 'message');
  // The drain starts to listen for requests. The next timer fires before the sockets are read.
  server.once('newListener', () =>
    setImmediate(() => {
      Atomics.store(gate, 0, 1);
      Atomics.notify(gate, 0);
      // Blocks past the time to close.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    }),
  );
  const drained = drain(server);
  const [said] = await once(worker, 'message');
  expect(said).toMatch(/answered$/);
  await drained;
  await worker.terminate();
});
