import { Agent } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import { limits } from '../../src/http/limits.ts';
import { type Ask, asForm, ask } from '../../src/tests/support/ask.ts';
import type { Server } from '../server-process.ts';
import { compare, cpuTime, type Figure, type FilledServer, memoryOf, untilIdle, wrk } from './harness.ts';

const agent = new Agent({ keepAlive: true });

type Request = Ask & { path: string };

/** 80 bytes of brotli, whose decoder takes 16 MB. */
const bomb = brotliCompressSync(Buffer.alloc(1_000_000, 'a'), {
  params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS },
});

/** The costliest that each route lets in; `number` makes addresses and forms differ. */
const requests: Readonly<Record<string, (number: number) => Request>> = {
  'a 404': (number) => ({ path: `/nowhere-${number}` }),
  'a 404 of 4,000 characters': (number) => ({ path: `/${number}/${'korobka-'.repeat(500)}` }),
  'a 404 that accepts 200 types': (number) => ({ path: `/${number}`, headers: { accept: 'a/b,'.repeat(250) } }),
  'a 404 as JSON': (number) => ({ path: `/${number}.json` }),
  'a redirect': (number) => ({ path: `/RATES?number=${number}` }),
  'a search': (number) => ({ path: `/search?q=${number}` }),
  'a search for misspelt words': (number) => ({ path: `/search?q=${encodeURIComponent(misspelt(number))}` }),
  'a search for beginnings': (number) => ({ path: `/search?q=${encodeURIComponent('дос пал пос упа мар')}+${number}` }),
  'a page with 2,000 parameters': (number) => ({ path: `/search?q=${number}&${'a&'.repeat(2_000)}` }),
  'a calculation': (number) => ({ path: `/rates/calc?units=${number + 100}` }),
  'the form': (number) => ({ path: `/contact?preset=request&number=${number}` }),
  'the form with a calculation': (number) => ({ path: `/contact?calc=units%3D${number + 100}` }),
  'an unknown receipt': (number) => ({ path: `/contact/${number}` }),
  'the broadcast': () => ({ path: '/broadcast' }),
  'the desk': () => ({ path: '/desk', headers: { cookie: 'desk=guess; '.repeat(600) } }),
  'a link of the desk': (number) => ({ path: `/desk/link/${number}` }),
  'a link of a notification': (number) => ({ path: `/take/${number}` }),
  'a form': (number) => form({ key: `attack-${number}-${Date.now()}` }),
  'a form with mistakes': () => form({ phone: '1' }),
  'a form with a calculation': () => form({ phone: '1', calc: 'units=5000' }),
  'a form of 200 fields': () => formOf(`phone=1${'&a'.repeat(199)}`),
  'a form of 30,000 fields': () => formOf('a&'.repeat(30_000)),
  'a form of markup': () => formOf(`phone=1&message=${'<'.repeat(16_000)}`),
  'a compressed form': () => ({
    ...form({}),
    headers: { ...form({}).headers, 'content-encoding': 'br' },
    body: bomb,
  }),
  'a form without a length': () => ({ ...form({}), headers: { ...form({}).headers, 'transfer-encoding': 'chunked' } }),
  'a form of 64 KB': () => formOf(`phone=1&message=${'%D0%B0'.repeat(10_000)}`),
  'a letter with 10,000 marks': () => formOf(`phone=1&message=a${encodeURIComponent('\u0327\u0301'.repeat(5_000))}`),
  'a phone of 64 KB': () => formOf(`phone=${'1-'.repeat(30_000)}`),
  // As much as nginx lets through.
  '96 KB for an unknown address': () => ({ ...formOf('a'.repeat(96_000)), path: '/nowhere' }),
};

/** Those of which an attacker would send many. */
const floods = ['a 404', 'a search', 'the form', 'a form', 'a form with mistakes', 'a form of 30,000 fields'];

/** As many as a search reads. */
function misspelt(number: number): string {
  const words = ['упоковка', 'маркетплэйс', 'доставко', 'фулфилминт', 'паллетта', 'склат', 'возратов', 'хронение'];
  return `${words.join(' ')} ${number}`;
}

function form(fields: Record<string, string>): Request {
  const all = { preset: 'request', name: 'Анна', phone: '8 916 123-45-67', message: 'Сколько стоит?', consent: 'yes' };
  return { ...asForm({ ...all, ...fields }, {}), path: '/contact' };
}

function formOf(body: string): Request {
  return { ...form({}), body };
}

/** Requests that never end. */
const drips: Readonly<Record<string, string>> = {
  headers: 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
  'a form': `POST /contact HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 9999\r\n\r\n`,
};

/** Processor milliseconds that one request may cost: while its sender is within the limits, and beyond them. */
const allowed = { within: 10, beyond: 0.5 };

/** Megabytes that a burst within the limits may take the server to. */
const maxMemoryMb = 300;

/** The server's cost per request and its memory, and how long an honest form waits during an attack. */
export async function measureAttacks(server: FilledServer): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [index, [name, request]] of Object.entries(requests).entries()) {
    const within = await costOf(server, request, (number) => `10.1.${number >> 8}.${number & 255}`);
    figures.push(ofLimit(`processor, ${name}`, within, allowed.within));
    await exhaust(server);
    const beyond = await costOf(server, request, () => greedy);
    figures.push(ofLimit(`processor beyond the limit, ${name}`, beyond, allowed.beyond));
    await Promise.all(
      Array.from({ length: limits.requests.limit }, (_, number) =>
        send(server.port, request(number), `10.2.0.${index}`),
      ),
    );
  }

  const memory = memoryOf(server, 'VmHWM');
  figures.push({ ...ofLimit('memory, after a burst of each', memory, maxMemoryMb), unit: 'MB' });

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
  for (const name of floods) {
    figures.push(await waitDuring(`a flood of ${name}`, () => flood(server, requests[name] ?? (() => form({})))));
  }
  for (const [name, beginning] of Object.entries(drips)) {
    figures.push(await waitDuring(`1,000 connections that drip ${name}`, () => drip(server, beginning)));
  }
  return figures;
}

function ofLimit(name: string, value: number, most: number): Figure {
  return { name, unit: 'ms', value, ratio: value / most, limit: 1 };
}

/** Where floods come from. */
const greedy = '192.0.2.1';

/** Sends as many requests as one address may, and one more. */
async function exhaust({ port }: Server): Promise<void> {
  for (let sent = 0; sent <= limits.requests.limit; sent++) await send(port, { path: '/nowhere.json' }, greedy);
}

/** Processor milliseconds. */
async function costOf(
  { port, pid }: Server,
  request: (number: number) => Request,
  from: (number: number) => string,
): Promise<number> {
  const [before, end] = [cpuTime(pid), performance.now() + 1_000];
  let sent = 0;
  while (performance.now() < end) {
    sent += 1;
    await send(port, request(sent), from(sent));
  }
  return (cpuTime(pid) - before) / sent;
}

/** Up to 800 requests a second from one address. */
function flood({ port }: Server, attack: (number: number) => Request): Disposable {
  let [over, sent] = [false, 0];
  const sendAll = async () => {
    while (!over) {
      sent += 1;
      await Promise.all([send(port, attack(sent), greedy), sleep(20)]);
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
