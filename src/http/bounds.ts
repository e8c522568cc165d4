import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** Characters of an address at most; no link of this site comes near. */
export const longestUrl = 4_096;

/** Characters of a header at most: several times what browsers send. */
const longestHeader = 300;
const longerHeaders: Readonly<Record<string, number>> = {
  accept: 1_000,
  // Other programs of the same domain may have filled it.
  cookie: 8_192,
  'if-none-match': 1_000,
  referer: 8_000,
  'user-agent': 1_000,
  // Written by the proxy in front, whose addresses are counted from its end.
  'x-forwarded-for': 16_384,
};

/** Forgets every header that is too long to be meant, before this program or a library has looked into it. */
export function boundHeaders({ headers }: IncomingMessage): void {
  for (const name in headers) {
    const length = headers[name]?.length ?? 0;
    if (length > longestHeader && length > (longerHeaders[name] ?? longestHeader)) delete headers[name];
  }
}

/** Requests that a connection may have waiting behind another one: no browser sends any, and no proxy. */
const pipelinedAtMost = 8;

/** Ends connections on which requests come faster than their answers are fetched: all of those lie in memory. */
export function boundPipelines(listener: RequestListener): RequestListener {
  const waiting = new WeakMap<Socket, number>();
  return (req, res) => {
    // An answer has its connection once all before it have been sent.
    if (res.socket === null) {
      const { socket } = req;
      const behind = (waiting.get(socket) ?? 0) + 1;
      if (behind > pipelinedAtMost) return void socket.destroy();
      waiting.set(socket, behind);
      res.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    }
    listener(req, res);
  };
}
