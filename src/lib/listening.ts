import { once } from 'node:events';
import type { ListenOptions, Server } from 'node:net';

type Address = ListenOptions & { host: string; port: number };

/** @throws names the variables that the address came from, and what to do */
export async function listening(server: Server, address: Address, variables: Record<'host' | 'port', string>) {
  try {
    server.listen(address);
    await once(server, 'listening');
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
