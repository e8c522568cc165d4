import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';

declare global {
  namespace Express {
    interface Locals {
      /** Adds the request id. */
      log: Logger;
    }
  }
}

/**
 * Logs the route's pattern, because addresses may hold a receipt or phone number.
 *
 * @param trustId accepts the proxy's `X-Request-Id`
 */
export function requestLog(logger: Logger, trustId: boolean): RequestHandler {
  return (req, res, next) => {
    const given = trustId ? req.get('x-request-id') : undefined;
    const id = given !== undefined && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();
    res.setHeader('X-Request-Id', id);
    res.locals.log = logger.child({ request: id });
    const started = performance.now();
    const { method } = req;
    res.on('close', () => {
      const route = req.route?.path ?? null;
      const ms = Math.round(performance.now() - started);
      const aborted = res.writableFinished ? undefined : true;
      const fields = { method, route, status: res.statusCode, ms, aborted };
      const { log } = res.locals;
      // Polling and floods would fill the log, and draining is no error.
      if (route === '/healthz' || route === '/readyz' || res.statusCode === 429) log.debug(fields, 'request');
      else if (res.statusCode >= 500) log.error(fields, 'request');
      else if (res.statusCode >= 400) log.warn(fields, 'request');
      else log.info(fields, 'request');
    });
    next();
  };
}
