import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as afterSockets, setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds: a proxy that polls readiness has a moment to notice. Together with the moment that deliveries get
 * afterwards, everything ends well within the 10 s that supervisors allow.
 */
const noticeTime = 500;
const answerTime = 6_000;
/** Milliseconds without a request after which connections without one count as idle. */
const quietTime = 100;

/**
 * Stops a server politely: it goes on accepting for a moment, then stops listening and answers what comes on the
 * connections that it has, until nothing comes any more. Those that are still open 6 s later are cut. Those that wait
 * to be accepted at the end of listening are reset; nginx then asks the process that has taken over, with a form, too.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  // Timers go before sockets: connections that came while this process was kept from the processor are accepted first.
  await afterSockets();
  const closed = once(server, 'close');
  const { closeIdleConnections } = server;
  // On a connection that seems idle a request may have come that was not read yet, the more so on a busy machine.
  server.closeIdleConnections = () => {};
  server.close();
  server.closeIdleConnections = closeIdleConnections;
  const cut = setTimeout(() => server.closeAllConnections(), answerTime);
  let heard = true;
  server.on('request', () => {
    heard = true;
  });
  while (heard) {
    heard = false;
    await sleep(quietTime);
    await afterSockets();
  }
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}
