import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

declare global {
  namespace Express {
    interface Locals {
      /** Writes lines with the id of the request. */
      log: Logger;
    }
  }
}

/** A request that has its answer: by the pattern of its route, and how long it took. */
export type Answered = { route: string | null; method: string; status: number | 'aborted'; ms: number };

/**
 * Gives a request its id, sends the id back, and logs the answer. Addresses may
 * carry personal data (a receipt, a phone number typed into the address bar), so
 * only the pattern of the route is logged, never the address itself.
 *
 * @param trustId whether the proxy in front may name the id
 * @param answered told of every answer
 */
export function requestLog(logger: Logger, trustId: boolean, answered?: (answer: Answered) => void): RequestHandler {
  return (req, res, next) => {
    const given = trustId ? req.get('x-request-id') : undefined;
    const id = given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    res.setHeader('X-Request-Id', id);
    res.locals.log = logger.child({ request: id });
    const started = performance.now();
    const { method } = req;
    res.on('close', () => {
      const pattern: unknown = req.route?.path;
      const route = typeof pattern === 'string' ? pattern : null;
      const ms = performance.now() - started;
      const aborted = !res.writableFinished;
      answered?.({ route, method, status: aborted ? 'aborted' : res.statusCode, ms });
      const fields = { method, route, status: res.statusCode, ms: Math.round(ms), aborted: aborted || undefined };
      const { log } = res.locals;
      // The proxy or supervisor that polls these knows the answer, and a drain is no failure.
      if (route === '/healthz' || route === '/readyz') log.debug(fields, 'request');
      else if (res.statusCode >= 500) log.error(fields, 'request');
      else log.info(fields, 'request');
    });
    next();
  };
}
