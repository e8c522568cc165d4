import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../testing/until.ts';
import { drain } from './drain.ts';

const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
let server: Server;
let port: number;

beforeEach(async () => {
  server = createServer((_req, res) => {
    res.shouldKeepAlive = false;
    res.end('answered');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** What comes on a connection until it ends; an error counts as what came. */
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

test('whoever has connected before the end is answered, even if the request comes after it', async () => {
  const socket = connect(port, '127.0.0.1');
  const end = endOf(socket);
  await once(server, 'connection');
  const drained = drain(server);
  await until(() => !server.listening, 'the end of listening');
  socket.write(request);
  expect(await end).toBe('answered');
  await drained;
});

test('whoever waits to be accepted at the end is answered', async () => {
  let ends: Promise<string>[] = [];
  // At the very moment at which the server has given notice for long enough; of two timers the first comes first.
  setTimeout(() => {
    ends = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request));
      return endOf(socket);
    });
  }, 500);
  await drain(server);
  expect(await Promise.all(ends)).toEqual(Array(50).fill('answered'));
});

test('whoever says nothing does not hold it up', async () => {
  const socket = connect(port, '127.0.0.1');
  const end = endOf(socket);
  await once(server, 'connection');
  await drain(server);
  expect(await end).toBe('');
});
