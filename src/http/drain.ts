import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as afterSockets, setTimeout as sleep } from 'node:timers/promises';

/** The proxy needs time to notice. Supervisors allow 10 s in all. */
const proxyNoticeMs = 500;
const stillAcceptingMs = 1_500;
const maxAnswerMs = 5_000;
const quietMs = 100;

/**
 * Accepts requests until none arrive, finishes those in flight, and cuts connections after 5 s. A request
 * that is lost meanwhile is retried elsewhere by nginx, even a POST.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(proxyNoticeMs);
  await untilQuiet(server, stillAcceptingMs);
  const closed = once(server, 'close');
  const { closeIdleConnections } = server;
  // An idle connection may have an unread request.
  server.closeIdleConnections = () => {};
  server.close();
  server.closeIdleConnections = closeIdleConnections;
  const cut = setTimeout(() => server.closeAllConnections(), maxAnswerMs);
  await untilQuiet(server, maxAnswerMs);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

/** @param most milliseconds */
async function untilQuiet(server: Server, most: number): Promise<void> {
  const end = performance.now() + most;
  let heard = true;
  const hear = () => {
    heard = true;
  };
  server.on('request', hear);
  while (heard && performance.now() < end) {
    heard = false;
    await sleep(quietMs);
    // Timers run before sockets, so requests may still be unread.
    await afterSockets();
  }
  server.off('request', hear);
}
