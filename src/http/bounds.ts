import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';
import { HttpError } from './http-error.ts';

export const maxUrlLength = 4_096;

/** Several times what browsers send. */
const maxHeaderLength = 300;
const longerHeaders: Readonly<Record<string, number>> = {
  accept: 1_000,
  // Other applications on the domain may set cookies.
  cookie: 8_192,
  'if-none-match': 1_000,
  referer: 8_000,
  // Refused in any length.
  'transfer-encoding': Number.POSITIVE_INFINITY,
  'user-agent': 1_000,
  // Set by the proxy; trusted addresses are counted from its end.
  'x-forwarded-for': 16_384,
};

/** Browsers and proxies do not pipeline. */
const maxPipelined = 8;

/** Bounds what a request can cost before any library reads it. */
export function bounds(draining: () => boolean): RequestHandler {
  const waiting = new WeakMap<Socket, number>();
  return (req, res, next) => {
    // A response has no socket until those before it are sent.
    if (res.socket === null) {
      const { socket } = req;
      const behind = (waiting.get(socket) ?? 0) + 1;
      // It sends faster than it reads, which would fill memory.
      if (behind > maxPipelined) return void socket.destroy();
      waiting.set(socket, behind);
      res.once('close', () => waiting.set(socket, (waiting.get(socket) ?? 1) - 1));
    }
    // An open keep-alive connection would delay the exit.
    if (draining()) res.shouldKeepAlive = false;
    if (isChunked(req)) res.set('Connection', 'close').once('finish', () => req.socket.destroy());
    boundHeaders(req);
    next();
  };
}

export function boundHeaders({ headers }: IncomingMessage): void {
  for (const name in headers) {
    const length = headers[name]?.length ?? 0;
    if (length > maxHeaderLength && length > (longerHeaders[name] ?? maxHeaderLength)) delete headers[name];
  }
}

export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}

/** Refuses bodies without a length: in chunks of a byte, 64 KB cost a tenth of a second. Browsers and nginx send one. */
export const requireLength: RequestHandler = (req, _res, next) => {
  const explanation =
    'Запрос пришёл без длины, поэтому мы его не прочитали. Отправьте форму на сайте ещё раз или позвоните.';
  next(isChunked(req) ? new HttpError(411, 'Length Required', { explanation }) : undefined);
};

/** Encodes what no browser sends. Express would parse such an address by another rule, and might find no path in it. */
export function encodeAddress(req: IncomingMessage): void {
  req.url = req.url?.replace(/[#\s\u00a0\ufeff]/g, encodeURIComponent);
}
