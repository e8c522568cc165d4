import { createServer, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** In milliseconds. `keepAliveTimeout` exceeds nginx's 60 s, so that nginx closes idle connections first. */
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
};
/** Cuts off clients that do not read. */
const idleTimeoutMs = 30_000;

export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(timeouts, listener);
  server.timeout = idleTimeoutMs;
  server.on('clientError', answerUnreadable);
  return server;
}

type ParseError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** As Node answers; other errors are 400. */
const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
};

/** Answers what Node's parser refuses. Links with bytes that nobody encoded are redirected to their encoded address. */
function answerUnreadable(
  { code = '', rawPacket }: ParseError,
  socket: Duplex & { _httpMessage?: ServerResponse },
): void {
  // An answer in the middle of another one would be taken for its body.
  if (!socket.writable || socket._httpMessage?.headersSent) return void socket.destroy();
  const address = code === 'HPE_INVALID_URL' ? encodedAddress(rawPacket) : undefined;
  const status = address === undefined ? (statuses[code] ?? 400) : 302;
  const location = address === undefined ? '' : `Location: ${address}\r\nCache-Control: no-store\r\n`;
  const answer = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${location}Connection: close\r\n\r\n`;
  // A client that never closes would keep its socket.
  socket.end(answer, () => socket.destroy());
}

/** @returns `undefined` unless the bytes of the address are the only fault of the request line */
function encodedAddress(packet: Buffer = Buffer.alloc(0)): string | undefined {
  const line = packet.subarray(0, packet.indexOf('\r\n')).toString('latin1');
  // Two slashes would lead to another host.
  const [, address] = /^(?:GET|HEAD) (\/(?![/\\])[!-~\x80-\xff]*) HTTP\/1\.[01]$/.exec(line) ?? [];
  return address?.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
