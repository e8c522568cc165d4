import type { Request, RequestHandler, Response } from 'express';
import { MemoryStore, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { minuteMs } from '../lib/calendar.ts';

/** Requests that an address may make in a window before it is refused. A whole town may share one address. */
export const limits = {
  /** Forms that can be taken. */
  contact: { windowMs: 10 * minuteMs, limit: 600 },
  /** Forms in which something is wrong. */
  mistakes: { windowMs: 10 * minuteMs, limit: 300 },
  /** Pages rendered on demand. */
  onDemand: { windowMs: minuteMs, limit: 300 },
  /** The desk and the links of notifications, for staff and for whoever guesses such links. */
  staff: { windowMs: minuteMs, limit: 300 },
} as const;

/** Forms from one address beyond which they wait for an operator: a warehouse of 30 people sends fewer in that time. */
export const crowd = 60;

/** Where requests are counted, by limit. They outlive an application, so a new site goes on counting. */
export type Counters = Readonly<Record<keyof typeof limits, Store>>;

/** A counter for each limit. @param store makes one, by its name */
export function countersIn(store: (name: string) => Store): Counters {
  return Object.fromEntries(Object.keys(limits).map((name) => [name, store(name)])) as Counters;
}

/** Counters of this process alone. */
export function ownCounters(): Counters {
  return countersIn(() => new MemoryStore());
}

/**
 * Counts requests by client address and hands those over the limit to `refuse`.
 * An IPv6 visitor owns a whole network, so addresses are counted by /56.
 *
 * @param skip what is not counted
 */
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
    // Any client can send these headers; the configuration alone says which proxies to believe.
    validate: {
      xForwardedForHeader: false,
      forwardedHeader: false,
      // The application of the next site takes over the same store.
      unsharedStore: false,
    },
    handler: (req, res, next) => {
      const left = (usageOf(req)?.resetTime?.getTime() ?? Date.now() + windowMs) - Date.now();
      res.set('Retry-After', String(Math.max(1, Math.ceil(left / 1000))));
      return refuse(req, res, next);
    },
  });
}

/** What the last limiter has counted; `undefined` if it has skipped the request. */
export function usageOf(req: Request): RateLimitInfo | undefined {
  return (req as Request & { rateLimit?: RateLimitInfo }).rateLimit;
}
