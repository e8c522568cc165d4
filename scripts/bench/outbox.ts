import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { alone, type Figure } from './figure.ts';
import { fill } from './fill.ts';
import { type Peers, production, start } from './servers.ts';

const deliveries = 10_000;
/** Milliseconds after which nothing more is expected. */
const patience = 120_000;

/** Deliveries that wait when the server starts, until a webhook on this machine has taken all of them. */
export async function measureOutbox({ folder }: Peers): Promise<Figure[]> {
  const dataDir = join(folder, 'outbox');
  await fill(dataDir, deliveries, ['webhook']);
  const received = new Set<string>();
  let first = 0;
  let last = 0;
  let done = () => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const receiver = createServer((req, res) => {
    req.resume().on('end', () => {
      res.writeHead(204).end();
      received.add(String(req.headers['webhook-id']));
      last = performance.now();
      first ||= last;
      if (received.size === deliveries) done();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;

  const env = {
    LEADS_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const server = await start(production(dataDir, env));
  const late = setTimeout(done, patience);
  await all;
  clearTimeout(late);
  await server.stop('SIGTERM');
  receiver.close();
  receiver.closeAllConnections();
  if (received.size < deliveries) throw new Error(`Only ${received.size} of ${deliveries} deliveries arrived.`);
  return [
    alone('deliveries taken by a local webhook', 'per s', (deliveries * 1000) / (last - first), {
      at: 'least',
      value: 300,
    }),
  ];
}
