import { once } from 'node:events';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';

// attackers --kind NAME --port N --database FILE
//
// Does to a server what it should not mind, over and over, until it is ended (SIGTERM).

const { values } = parseArgs({
  options: { kind: { type: 'string' }, port: { type: 'string' }, database: { type: 'string' } },
});
const connections = 4;
/** Requests a second on each connection. */
const perSecond = 10;

const blanks = ' '.repeat(15_000);
const types = Array.from({ length: 1_800 }, (_, number) => `a/${number}`).join();
const marks = encodeURIComponent('\u0327\u0301'.repeat(2_400));

function head(path: string, more: readonly string[], body = ''): string {
  visitors += 1;
  const address = `X-Forwarded-For: 10.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`;
  const lines = [`${body === '' ? 'GET' : 'POST'} ${path} HTTP/1.1`, 'Host: localhost:3000', address, ...more];
  return [...lines, ...(body === '' ? [] : [`Content-Length: ${body.length}`]), '', body].join('\r\n');
}

let visitors = 0;

const requests: Readonly<Record<string, () => string>> = {
  blanks: () => head('/', [`Accept-Encoding: a${blanks}b`]),
  types: () => head('/nowhere', ['User-Agent: Mozilla/5.0', `Accept: ${types}`]),
  marks: () => head('/contact', ['Content-Type: application/x-www-form-urlencoded'], `preset=e${marks}`),
  addresses: () => head(`/${'%D1%8F'.repeat(600)}`, ['User-Agent: Mozilla/5.0']),
};

/** One request after another, as fast as is meant, each on what the last one left open. */
async function repeat(request: () => string): Promise<void> {
  for (;;) {
    const socket = connect(Number(values.port), '127.0.0.1').on('error', () => {});
    socket.resume();
    const closed = once(socket, 'close');
    while (!socket.destroyed && socket.writable) {
      socket.write(request());
      await Promise.race([sleep(1_000 / perSecond), closed]);
    }
    await closed;
  }
}

/** Many requests at once on a connection that fetches no answer. */
async function pipeline(after: number): Promise<void> {
  await sleep(after);
  for (;;) {
    const socket = connect(Number(values.port), '127.0.0.1').on('error', () => {});
    socket.write(head('/', []).repeat(2_400));
    await sleep(1_000);
    socket.destroy();
  }
}

/** Another process that does not let go of the database, while one request after another asks for readiness. */
function hold(): Promise<void> {
  const database = new DatabaseSync(values.database ?? '', { timeout: 5_000 });
  database.exec('BEGIN IMMEDIATE');
  return repeat(() => head('/readyz', []));
}

const request = requests[values.kind ?? ''];
if (values.kind === 'lock') await hold();
else if (values.kind === 'pipelines') await Promise.all(Array.from({ length: 8 }, (_, n) => pipeline(n * 125)));
else if (request) await Promise.all(Array.from({ length: connections }, () => repeat(request)));
else throw new Error(`There is no attack "${values.kind}".`);
