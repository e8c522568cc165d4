import { once } from 'node:events';
import type { Server } from 'node:net';
import type { Logger } from 'pino';

type Address = { host: string; port: number };

/**
 * Logs a connection that cannot be accepted later.
 *
 * @throws names the variables that the address came from, and what to do
 */
export async function listening(
  server: Server,
  address: Address,
  variables: Record<'host' | 'port', string>,
  logger: Pick<Logger, 'error'>,
): Promise<void> {
  try {
    server.listen(address);
    await once(server, 'listening');
    server.on('error', (error) => logger.error({ err: error }, 'a connection could not be accepted'));
  } catch (error) {
    const { host, port } = address;
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new Error(
          `${variables.port}: ${port} is taken by another process; end that one, or choose another port.`,
        );
      case 'EACCES':
        throw new Error(`${variables.port}: this user may not listen on ${port}; choose a port from 1024 on.`);
      default:
        throw new Error(
          `${variables.host}: this machine cannot listen on ${host} (${(error as Error).message}); ` +
            'choose an address that is its own, or 0.0.0.0 for all of them.',
        );
    }
  }
}
