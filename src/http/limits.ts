import type { RequestHandler } from 'express';
import { MemoryStore, rateLimit, type Store } from 'express-rate-limit';

const minute = 60_000;

/** Requests that a visitor's address may make in a window before it is refused. */
export const limits = {
  /** Forms sent: a warehouse of 30 people behind one address stays below it. */
  contact: { windowMs: 10 * minute, limit: 60 },
  /** Pages rendered on demand. */
  onDemand: { windowMs: minute, limit: 300 },
} as const;

/** Where requests are counted, by limit. They outlive an application: a new edition forgives nobody. */
export type Counters = Readonly<Record<keyof typeof limits, Store>>;

/** Counters of this process alone. */
export function ownCounters(): Counters {
  return { contact: new MemoryStore(), onDemand: new MemoryStore() };
}

/**
 * Counts requests by client address and hands those over the limit to `refuse`.
 * An IPv6 visitor owns a whole network, so addresses are counted by /56.
 */
export function limiter(
  { windowMs, limit }: { windowMs: number; limit: number },
  refuse: RequestHandler,
  store: Store,
): RequestHandler {
  return rateLimit({
    windowMs,
    limit,
    ipv6Subnet: 56,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    store,
    // Anyone can send these headers; the configuration alone says whom to believe.
    validate: {
      xForwardedForHeader: false,
      forwardedHeader: false,
      // The application for a new edition goes on counting where the last one stopped.
      unsharedStore: false,
    },
    handler: (req, res, next) => {
      res.set('Retry-After', String(Math.ceil(windowMs / 1000)));
      return refuse(req, res, next);
    },
  });
}
