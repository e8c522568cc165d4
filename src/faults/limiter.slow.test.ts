import { describe, expect, test } from '@jest/globals';
import { limits } from '../http/limits.ts';
import { atEnd } from '../testing/at-end.ts';
import { nginxPath, startNginx } from '../testing/nginx.ts';
import { testWith } from '../testing/requires.ts';
import { startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { post, question, storedIn } from './testing.ts';

const { limit } = limits.mistakes;

type Sender = { forwarded?: string; from?: string };

/** The status of an answer to a form that is empty unless it has a message. */
async function send(port: number, { forwarded, from }: Sender, message?: string): Promise<number> {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded, forwarded: `for="${forwarded}"` };
  const { status } = await post(port, message === undefined ? {} : question(message), {
    headers,
    ...(from && { from }),
  });
  return status;
}

/** Uses up what is left of a limit, each time as `senderAt` says; nothing of it may be refused. */
async function useUp(port: number, senderAt: (count: number) => Sender): Promise<void> {
  const statuses = new Set<number>();
  for (let count = 0; count < limit; count++) statuses.add(await send(port, senderAt(count)));
  expect([...statuses]).toEqual([422]);
}

describe.each([
  ['without a proxy', '0', {}],
  ['behind a proxy that names each visitor', '1', { forwarded: '203.0.113.30' }],
])('%s', (_, TRUST_PROXY, everybody: Sender) => {
  test('thirty people behind one address send two requests each', async () => {
    const server = await startServerProcess({ TRUST_PROXY });
    for (let person = 0; person < 30; person++) {
      for (const message of [`${person} спрашивает`, `${person} спрашивает ещё`]) {
        expect([person, await send(server.port, everybody, message)]).toEqual([person, 303]);
      }
    }
    expect(storedIn(server.dataDir).leads.size).toBe(60);
    // More than that is taken, too, and waits for an operator.
    expect(await send(server.port, everybody, 'one more')).toBe(303);
    const states = [...storedIn(server.dataDir).leads.values()].map(({ state }) => state);
    expect(states).toEqual([...Array(60).fill('new'), 'quarantined']);
  });
});

test('without a proxy, no address that a visitor claims counts', async () => {
  const { port } = await startServerProcess({ TRUST_PROXY: '0' });
  await useUp(port, (count) => ({ forwarded: `203.0.113.${count % 256}` }));
  expect(await send(port, { forwarded: '203.0.113.200' })).toBe(429);
  // Who really has another address is another visitor.
  expect(await send(port, { from: '127.0.0.7', forwarded: '203.0.113.200' })).toBe(422);
});

describe('behind one proxy, which adds the address that it sees', () => {
  test('what a visitor claims before it neither escapes the limit nor uses up that of another', async () => {
    const { port } = await startServerProcess({ TRUST_PROXY: '1' });
    await useUp(port, (count) => ({ forwarded: `198.51.100.${count % 256}, 10.0.0.${count % 256}, 203.0.113.9` }));
    expect(await send(port, { forwarded: '198.51.100.200, 203.0.113.9' })).toBe(429);
    expect(await send(port, { forwarded: '203.0.113.9, 203.0.113.10' })).toBe(422);
    expect(await send(port, { forwarded: '198.51.100.1' })).toBe(422);
  });

  test('one /56 of IPv6 is one visitor, and two are two', async () => {
    const { port } = await startServerProcess({ TRUST_PROXY: '1' });
    await useUp(port, (count) => ({
      forwarded: `2001:db8:0:aa${(count % 256).toString(16).padStart(2, '0')}::${count + 1}`,
    }));
    expect(await send(port, { forwarded: '2001:db8:0:aaff:ffff:ffff:ffff:ffff' })).toBe(429);
    expect(await send(port, { forwarded: '2001:0DB8:0000:AA00::1' })).toBe(429);
    expect(await send(port, { forwarded: '2001:db8:0:ab00::1' })).toBe(422);
    expect(await send(port, { forwarded: '2001:db8:0:a9ff::1' })).toBe(422);
  });

  test('an IPv4 address is the same in the spelling of IPv6, and its neighbours are others', async () => {
    const { port } = await startServerProcess({ TRUST_PROXY: '1' });
    await useUp(port, () => ({ forwarded: '203.0.113.9' }));
    expect(await send(port, { forwarded: '::ffff:203.0.113.9' })).toBe(429);
    expect(await send(port, { forwarded: '::ffff:203.0.113.10' })).toBe(422);
    expect(await send(port, { forwarded: '203.0.113.10' })).toBe(422);
  });
});

testWith(nginxPath, 'nginx does not let visitors forge their address')(
  'behind nginx, each visitor is who connects to it, and thirty people share an address',
  async () => {
    const dataDir = temporaryFolder();
    const server = await startServerProcess({ DATA_DIR: dataDir, TRUST_PROXY: '1' });
    const { port, stop } = await startNginx(server.port);
    atEnd(stop);
    const office = (count: number): Sender => ({ from: '127.0.0.9', forwarded: `203.0.113.${count}, 10.1.0.${count}` });
    for (let person = 0; person < 30; person++) {
      for (const message of [`${person} спрашивает`, `${person} спрашивает ещё`]) {
        expect([person, await send(port, office(person), message)]).toEqual([person, 303]);
      }
    }
    expect(await send(port, office(200), 'one more')).toBe(303);
    expect(await send(port, { from: '127.0.0.8', forwarded: '127.0.0.9' }, 'a neighbour')).toBe(303);
    const states = [...storedIn(dataDir).leads.values()].map(({ state }) => state);
    expect(states).toEqual([...Array(60).fill('new'), 'quarantined', 'new']);
  },
  60_000,
);
