import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as afterSockets, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds for the proxy to notice; supervisors allow 10 s in all. */
const noticeTime = 500;
/** Milliseconds to go on accepting connections. */
const busyTime = 1_500;
const answerTime = 5_000;
/** Milliseconds without a request. */
const quietTime = 100;

/**
 * Accepts requests until none arrive, finishes those in flight, and cuts connections after 5 s. A request
 * that is lost meanwhile is retried elsewhere by nginx, even a POST.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  await untilQuiet(server, busyTime);
  const closed = once(server, 'close');
  const { closeIdleConnections } = server;
  // An idle connection may have an unread request.
  server.closeIdleConnections = () => {};
  server.close();
  server.closeIdleConnections = closeIdleConnections;
  const cut = setTimeout(() => server.closeAllConnections(), answerTime);
  await untilQuiet(server, answerTime);
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
    await sleep(quietTime);
    // Timers run before sockets, so requests may still be unread.
    await afterSockets();
  }
  server.off('request', hear);
}
