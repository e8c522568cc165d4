import { once } from 'node:events';
import type { Server } from 'node:http';
import { setImmediate as afterSockets, setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds: a proxy that polls readiness has a moment to notice. Together with the moment that deliveries get
 * afterwards, everything ends well within the 10 s that supervisors allow.
 */
const noticeTime = 500;
/** Milliseconds for which a server that is asked again and again still lets connections in. */
const busyTime = 1_500;
const answerTime = 5_000;
/** Milliseconds without a request after which no more seem to be on their way. */
const quietTime = 100;

/**
 * Stops a server politely: it goes on accepting for a moment, and until it is asked nothing more, then answers what it
 * has begun, then ends. Connections that are still open 5 s later are cut. A connection that comes in the very moment
 * in which listening ends is lost; nginx asks the process that has taken over, and with a form, too.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  await untilQuiet(server, busyTime);
  const closed = once(server, 'close');
  const { closeIdleConnections } = server;
  // On a connection that seems idle a request may have come that was not read yet, the more so on a busy machine.
  server.closeIdleConnections = () => {};
  server.close();
  server.closeIdleConnections = closeIdleConnections;
  const cut = setTimeout(() => server.closeAllConnections(), answerTime);
  await untilQuiet(server, answerTime);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

/** Waits until no request comes any more. @param most milliseconds */
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
    // Timers go before sockets: requests that came while this process was kept from the processor are heard first.
    await afterSockets();
  }
  server.off('request', hear);
}
