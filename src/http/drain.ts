import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as afterSockets, setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds for the proxy to notice. Supervisors allow 10 s for all of the shutdown. */
const noticeTime = 500;
/** Milliseconds for which a busy server still accepts connections. */
const busyTime = 1_500;
const answerTime = 5_000;
/** Milliseconds without a request. */
const quietTime = 100;

/**
 * Accepts until no requests arrive, finishes those in flight, and cuts connections after 5 s. A connection made while
 * closing is lost; nginx retries it elsewhere, even a POST.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  await untilQuiet(server, busyTime);
  const closed = once(server, 'close');
  const { closeIdleConnections } = server;
  // An idle connection may have an unread request, especially on a busy machine.
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
    // Timers run before sockets, so requests that arrived meanwhile are still to be read.
    await afterSockets();
  }
  server.off('request', hear);
}
