import { join } from 'node:path';
import { httpServer } from '../../src/leads/delivery/testing.ts';
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
  const all = Promise.withResolvers<void>();
  await using receiver = await httpServer((res, { headers }) => {
    res.writeHead(204).end();
    received.add(headers['webhook-id'] ?? '');
    last = performance.now();
    first ||= last;
    if (received.size === deliveries) all.resolve();
  });
  const env = {
    LEADS_WEBHOOK_URL: receiver.url,
    LEADS_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  };
  const server = await start(production(dataDir, env));
  const late = setTimeout(all.resolve, patience);
  await all.promise;
  clearTimeout(late);
  await server.stop('SIGTERM');
  if (received.size < deliveries) throw new Error(`Only ${received.size} of ${deliveries} deliveries arrived.`);
  return [
    alone('deliveries taken by a local webhook', 'per s', (deliveries * 1000) / (last - first), {
      at: 'least',
      value: 300,
    }),
  ];
}
