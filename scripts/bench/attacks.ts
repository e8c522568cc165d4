import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Ask, asForm, ask } from '../../src/testing/ask.ts';
import type { Server } from '../server-process.ts';
import { compare, cpuTime, type Figure, type FilledServer, untilIdle, wrk } from './harness.ts';

const agent = new Agent({ keepAlive: true });

type Request = Ask & { path: string };

const honest = (number: number): Request => ({ path: `/contact?preset=request&number=${number}` });

const attacks: Readonly<Record<string, (number: number) => Request>> = {
  '1,800 types in Accept': () => ({ path: '/nowhere', headers: { accept: 'a/b,'.repeat(1_800) } }),
  '4,800 marks on a letter': () => form('/contact', `preset=e${encodeURIComponent('\u0327\u0301'.repeat(2_400))}`),
  'a form of 130,000 fields': () => form('/contact', 'a&'.repeat(130_000)),
  '250 KB for an unknown address': () => form('/nowhere', 'a'.repeat(250_000)),
  'a form for an unknown address': (number) => form(`/nowhere-${number}`, 'a=b'),
  'a 404': (number) => ({ path: `/nowhere-${number}` }),
  'a search': (number) => ({ path: `/search?q=${number}` }),
};

function form(path: string, body: string): Request {
  return { ...asForm({}, {}), path, body };
}

/** Requests that never end. */
const drips: Readonly<Record<string, string>> = {
  headers: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'a form': `POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n\r\n`,
};

/** The server's cost per request, and how long an honest form waits during an attack. */
export async function measureAttacks(server: FilledServer): Promise<Figure[]> {
  const wait = async () => (await wrk(server.port, '/contact', { connections: 1, script: 'lead.lua' })).wait;
  const waitDuring = (name: string, attack: () => Disposable) =>
    compare({
      name: `form, during ${name}`,
      unit: 'ms',
      limit: 3,
      async ours() {
        using _ = attack();
        await sleep(500);
        return wait();
      },
      async other() {
        await untilIdle(server);
        return wait();
      },
    });

  const figures: Figure[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const ours = () => costOf(server, attack);
    const other = () => costOf(server, honest);
    figures.push(await compare({ name: `processor, ${name}`, unit: 'ms', limit: 5, ours, other }));
    figures.push(await waitDuring(`a flood of ${name}`, () => flood(server, attack)));
  }
  for (const [name, beginning] of Object.entries(drips)) {
    figures.push(await waitDuring(`1,000 connections that drip ${name}`, () => drip(server, beginning)));
  }
  return figures;
}

/** Processor milliseconds; each request has a new address. */
async function costOf({ port, pid }: Server, attack: (number: number) => Request): Promise<number> {
  const [before, end] = [cpuTime(pid), performance.now() + 1_000];
  let sent = 0;
  while (performance.now() < end) {
    sent += 1;
    await send(port, attack(sent), `10.1.${sent >> 8}.${sent & 255}`);
  }
  return (cpuTime(pid) - before) / sent;
}

/** Up to 800 requests a second from one address. */
function flood({ port }: Server, attack: (number: number) => Request): Disposable {
  let [over, sent] = [false, 0];
  const sendAll = async () => {
    while (!over) {
      sent += 1;
      await Promise.all([send(port, attack(sent), '192.0.2.1'), sleep(20)]);
    }
  };
  for (let connection = 0; connection < 16; connection++) void sendAll();
  return {
    [Symbol.dispose]() {
      over = true;
    },
  };
}

/** A refusal may close the connection. */
async function send(port: number, { path, ...request }: Request, from: string): Promise<void> {
  const headers = { ...request.headers, 'x-forwarded-for': from };
  await ask(port, path, { ...request, headers, agent }).catch(() => undefined);
}

function drip({ port }: Server, beginning: string): Disposable {
  const sockets = Array.from({ length: 1_000 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  for (const socket of sockets) socket.write(beginning);
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write('a');
  }, 1_000);
  return {
    [Symbol.dispose]() {
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}
