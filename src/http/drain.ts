import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds: a proxy that polls readiness has a moment to notice; everything ends well within 10 s. */
const noticeTime = 500;
const answerTime = 8_000;

/**
 * Stops a server politely: it goes on accepting for a moment, then answers what
 * it has begun, then ends. Connections that are still open after 8 s are cut.
 */
export async function drain(server: Server): Promise<void> {
  await sleep(noticeTime);
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), answerTime);
  await closed;
  clearTimeout(cut);
}
