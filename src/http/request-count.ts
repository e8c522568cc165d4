import type { RequestHandler } from 'express';

declare global {
  namespace Express {
    interface Locals {
      /** Named where no route of Express is. */
      route?: string;
    }
  }
}

/** @param route the pattern of an address or a kind of file, never an address */
export type CountRequest = (route: string, status: number) => void;

export const unmatchedRoute = 'unmatched';

export function countRequests(count: CountRequest): RequestHandler {
  return (req, res, next) => {
    res.on('finish', () => count(res.locals.route ?? req.route?.path ?? unmatchedRoute, res.statusCode));
    next();
  };
}
