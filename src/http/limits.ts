import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { minuteMs } from '../lib/calendar.ts';

/** Per client address; a whole town may share one (CGNAT). */
export const limits = {
  /** Valid forms. */
  contact: { windowMs: 10 * minuteMs, limit: 600 },
  /** Invalid forms. */
  mistakes: { windowMs: 10 * minuteMs, limit: 300 },
  /** Pages rendered on demand. */
  onDemand: { windowMs: minuteMs, limit: 300 },
  /** The desk and the links in notifications; also limits guessing of links. */
  staff: { windowMs: minuteMs, limit: 300 },
} as const;

/** More forms in a window wait for an operator; an office of 30 people sends fewer. */
export const crowd = 60;

/** Shared by successive applications, so a new site does not reset them. */
export type Counters = Readonly<Record<keyof typeof limits, Store>>;

export function countersIn(store: (name: string) => Store): Counters {
  return Object.fromEntries(Object.keys(limits).map((name) => [name, store(name)])) as Counters;
}

export function ownCounters(): Counters {
  return countersIn(() => new MemoryStore());
}

/** Groups IPv6 addresses by /56, because each customer has a network. */
export function limiter(
  { windowMs, limit }: { windowMs: number; limit: number },
  refuse: RequestHandler,
  store: Store,
  skip: (req: Request, res: Response) => boolean = () => false,
): RequestHandler {
  return rateLimit({
    windowMs,
    limit,
    ipv6Subnet: 56,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store,
    skip,
    // Clients can forge these headers; only configured proxies are trusted.
    validate: {
      xForwardedForHeader: false,
      forwardedHeader: false,
      // The next application reuses the store.
      unsharedStore: false,
    },
    handler: (req, res, next) => {
      const left = (usageOf(req)?.resetTime?.getTime() ?? Date.now() + windowMs) - Date.now();
      res.set('Retry-After', String(Math.max(1, Math.ceil(left / 1000))));
      return refuse(req, res, next);
    },
  });
}

/** Set by the latest limiter; `undefined` if it skipped the request. */
export function usageOf(req: Request): RateLimitInfo | undefined {
  return (req as Request & { rateLimit?: RateLimitInfo }).rateLimit;
}
