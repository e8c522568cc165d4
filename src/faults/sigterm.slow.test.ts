import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { browserHeaders } from '../testing/ask.ts';
import { eventually } from '../testing/eventually.ts';
import { aMinuteLater, startServerProcess } from '../testing/server-process.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { deliveryTime, missingFrom, postQuestion, startWebhook, storedIn } from './testing.ts';

const start = (env: NodeJS.ProcessEnv) => startServerProcess({ TRUST_PROXY: '1', ...env });

/** A receiver that leaves every second lead without an answer, until it is told to answer. */
async function startHangingWebhook() {
  let hanging = true;
  const webhook = await startWebhook((res, { data }) => {
    if (!hanging || data.number % 2 === 0) res.writeHead(204).end();
  });
  return {
    ...webhook,
    comeBack: () => {
      hanging = false;
    },
  };
}

test('under load it fails no request, ends within 10 s, and sends later what it had to cut', async () => {
  const webhook = await startHangingWebhook();
  const DATA_DIR = temporaryFolder();
  const server = await start({ DATA_DIR, ...webhook.env });
  const acknowledged = new Map<string, string>();
  const others: unknown[] = [];

  // As a proxy does: one connection each, and no more requests once the server says that it is about to go.
  const client = async (name: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; ; count++) {
      const message = `${name}-${count}`;
      const answer = await postQuestion(server.port, message, agent).catch((error: unknown) => error);
      if (Error.isError(answer)) others.push(answer);
      else {
        const { status, headers } = answer as Awaited<ReturnType<typeof postQuestion>>;
        if (status === 303) acknowledged.set(headers.location ?? '', message);
        else others.push(status);
        if (headers.connection === 'keep-alive') continue;
      }
      agent.destroy();
      return;
    }
  };
  const clients = [1, 2, 3, 4, 5, 6, 7, 8].map(client);
  await eventually(() => acknowledged.size >= 40 && webhook.events.length >= 10, true, 'load');
  const begun = performance.now();
  server.child.kill('SIGTERM');
  await Promise.all(clients);
  expect(await server.exited).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(others).toEqual([]);

  const stored = storedIn(DATA_DIR);
  expect(missingFrom(stored, acknowledged)).toEqual([]);
  expect(stored.leads.size).toBe(acknowledged.size);
  const cut = stored.deliveries.filter(({ error }) => error !== null);
  expect(cut).toContainEqual(
    expect.objectContaining({ state: 'waiting', error: expect.stringMatching(/stopped|answer/) }),
  );

  webhook.comeBack();
  const { length } = webhook.events;
  await start({ DATA_DIR, ...webhook.env, ...aMinuteLater });
  const waiting = () => storedIn(DATA_DIR).deliveries.filter(({ state }) => state !== 'delivered');
  await eventually(() => waiting().length === 0, true, 'every delivery', deliveryTime);
  const ids = (of: typeof webhook.events) => new Map(of.map(({ id, data }) => [data.number, id]));
  const again = ids(webhook.events.slice(length));
  for (const { lead } of cut) expect([lead, again.get(lead)]).toEqual([lead, ids(webhook.events).get(lead)]);
  expect(new Set(webhook.events.map(({ data }) => data.number)).size).toBe(acknowledged.size);
  expect(new Set(webhook.events.map(({ id }) => id)).size).toBe(acknowledged.size);
}, 60_000);

test('a visitor who never finishes and a channel that hangs together hold it up for less than 10 s', async () => {
  const webhook = await startWebhook(() => {});
  const server = await start({ ...webhook.env });
  const guest = request({
    port: server.port,
    host: '127.0.0.1',
    path: '/contact',
    method: 'POST',
    agent: false,
    headers: { ...browserHeaders, 'content-type': 'application/x-www-form-urlencoded', 'content-length': 100 },
  });
  guest.on('error', () => {}); // The connection is cut.
  guest.write('preset=');
  await sleep(100);
  const begun = performance.now();
  server.child.kill('SIGTERM');
  // What comes at the last moment is still taken, and on its way when the channels have to stop.
  expect((await postQuestion(server.port, 'late', false)).status).toBe(303);
  expect(await server.exited).toBe(0);
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(webhook.events.length).toBeGreaterThan(0);
  expect(storedIn(server.dataDir).deliveries).toEqual([expect.objectContaining({ state: 'waiting', attempts: 1 })]);
}, 30_000);
