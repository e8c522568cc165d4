import type { Server } from 'node:http';
import { Server as SocketServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

/**
 * Milliseconds: a proxy that polls readiness has a moment to notice. Together with the moment that deliveries get
 * afterwards, everything ends well within the 10 s that supervisors allow.
 */
const noticeTime = 500;
const answerTime = 6_000;
/** Milliseconds in which a connection that was just made brings its request, and an old one its next. */
const silenceTime = 500;

/**
 * Stops a server politely: it goes on accepting for a moment, then answers what
 * it has begun, then ends. Connections that are still open after 6 s are cut.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  await nobodyAtTheDoor(server);
  // The HTTP server's own way would cut at once whoever has connected and was not heard yet.
  const closed = new Promise<void>((resolve) => SocketServer.prototype.close.call(server, () => resolve()));
  const silence = setInterval(() => server.closeIdleConnections(), silenceTime);
  const cut = setTimeout(() => server.closeAllConnections(), answerTime);
  await closed;
  clearInterval(silence);
  clearTimeout(cut);
}

/**
 * Resolves when no connection waits to be accepted, for the system resets those that do when listening ends. Node
 * accepts one in a turn of the event loop. Where they never cease to come, it resolves after half a second.
 */
async function nobodyAtTheDoor(server: Server): Promise<void> {
  const end = performance.now() + noticeTime;
  let came = true;
  const note = () => {
    came = true;
  };
  server.on('connection', note);
  while (came && performance.now() < end) {
    came = false;
    await nextTurn();
  }
  server.off('connection', note);
}
