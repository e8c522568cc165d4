import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { isPrivateAddress } from '../lib/private-host.ts';

/**
 * Warns once of a proxy that `TRUST_PROXY` does not count, because the limits then count all visitors as one. A header from
 * a public address is ignored: visitors can send it too.
 */
export function watchForwarded(trustProxy: number, logger: Logger): (req: IncomingMessage) => void {
  let watching = trustProxy === 0;
  return ({ headers, socket }) => {
    if (!watching || headers['x-forwarded-for'] === undefined) return;
    if (!isPrivateAddress(socket.remoteAddress ?? '')) return;
    watching = false;
    logger.warn(
      'TRUST_PROXY: 0, but a proxy in front forwards requests, so limits count all visitors as one; ' +
        'set it to the number of proxies, 1 behind nginx',
    );
  };
}
