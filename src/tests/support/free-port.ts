import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A loopback port that was free a moment ago. It lies below those that the system lends to clients, so that no
 * client has taken it when the server gets there.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_000, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().on('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
