import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { templates } from '../document/templates.ts';

/** What Node's parser found wrong with a request, as a status. */
const statuses: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Answers a request that never became one: broken, too large in its headers, or too slow. */
export function answerUnparsable(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy();
  const status = statuses[error.code ?? ''] ?? 400;
  const reason = STATUS_CODES[status] ?? '';
  const body = templates.plainError({ status, message: 'Запрос не удалось прочитать. Откройте главную страницу.' });
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Type: text/html; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nCache-Control: no-store\r\n` +
      `Content-Security-Policy: default-src 'none'\r\nX-Content-Type-Options: nosniff\r\n\r\n${body}`,
  );
}
