import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Headers } from '../document/security-headers.ts';
import { templates } from '../document/templates.ts';
import { cacheFor } from '../lib/cache-for.ts';

/** By the error codes of Node's parser. */
const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** For requests that are malformed, too large or too slow. @param everywhere headers of all responses */
export function unparsable(everywhere: Headers): (error: Error & { code?: string }, socket: Duplex) => void {
  const lines = Object.entries({
    ...everywhere,
    Connection: 'close',
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': cacheFor.never,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error, socket) => {
    if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
    const status = statuses[error.code ?? ''] ?? 400;
    const reason = STATUS_CODES[status] ?? '';
    const body = templates.plainError({ status, message: 'Запрос не удалось прочитать. Откройте главную страницу.' });
    const length = `Content-Length: ${Buffer.byteLength(body)}\r\n`;
    socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}${length}\r\n${body}`);
  };
}
