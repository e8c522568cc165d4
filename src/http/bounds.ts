import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export const maxUrlLength = 4_096;

/** Several times what browsers send. */
const maxHeaderLength = 300;
const longerHeaders: Readonly<Record<string, number>> = {
  accept: 1_000,
  // Other applications on the domain may set cookies.
  cookie: 8_192,
  'if-none-match': 1_000,
  referer: 8_000,
  'user-agent': 1_000,
  // Set by the proxy; trusted addresses are counted from its end.
  'x-forwarded-for': 16_384,
};

/** Runs before any library parses headers. */
export function boundHeaders({ headers }: IncomingMessage): void {
  for (const name in headers) {
    const length = headers[name]?.length ?? 0;
    if (length > maxHeaderLength && length > (longerHeaders[name] ?? maxHeaderLength)) delete headers[name];
  }
}

/** Encodes what no browser sends. Express would parse such an address by another rule, and might find no path in it. */
export function encodeAddress(req: IncomingMessage): void {
  req.url = req.url?.replace(/[#\s\u00a0\ufeff]/g, encodeURIComponent);
}

/**
 * Refuses bodies without a length: in chunks of a byte, 64 KB cost a tenth of a second. Browsers and nginx send one.
 *
 * @returns whether it has answered
 */
export function refuseChunks(req: IncomingMessage, res: ServerResponse): boolean {
  if (req.headers['transfer-encoding'] === undefined) return false;
  res.writeHead(411, { Connection: 'close' }).end(() => req.socket.destroy());
  return true;
}

/** Browsers and proxies do not pipeline. */
const maxPipelined = 8;

/** Closes connections that send faster than they read, which would fill memory. */
export function boundPipelines(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (req, res) => {
    // A response has no socket until those before it are sent.
    if (res.socket === null) {
      const { socket } = req;
      const behind = (waiting.get(socket) ?? 0) + 1;
      if (behind > maxPipelined) return void socket.destroy();
      waiting.set(socket, behind);
      res.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    }
    listener(req, res);
  };
}
