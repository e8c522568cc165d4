import type { Request, RequestHandler } from 'express';
import { MemoryStore, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { minuteMs } from '../lib/calendar.ts';
import { HttpError } from './http-error.ts';

/** Per client address; a whole town may share one (CGNAT). */
export const limits = {
  /** Valid forms. */
  contact: { windowMs: 10 * minuteMs, limit: 600 },
  /** Invalid forms. */
  mistakes: { windowMs: 10 * minuteMs, limit: 300 },
  /** Pages rendered on demand. */
  onDemand: { windowMs: minuteMs, limit: 300 },
  /** The desk and links in notifications; also hinders guessing. */
  staff: { windowMs: minuteMs, limit: 300 },
} as const;

/** Above this, forms are told of once a minute, together. */
export const crowd = 60;

export type Limiters = Readonly<Record<keyof typeof limits, RequestHandler>>;

/** @param storeOf keeps the counts of a limit */
export function createLimiters(storeOf: (name: string) => Store = () => new MemoryStore()): Limiters {
  const limiter = (name: keyof typeof limits) =>
    rateLimit({
      ...limits[name],
      // Each customer has a network.
      ipv6Subnet: 56,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      store: storeOf(name),
      // Clients can forge these headers.
      validate: { xForwardedForHeader: false, forwardedHeader: false },
      handler: (_req, _res, next) => next(new HttpError(429, 'Too Many Requests')),
    });
  return {
    contact: limiter('contact'),
    mistakes: limiter('mistakes'),
    onDemand: limiter('onDemand'),
    staff: limiter('staff'),
  };
}

/** Set by the latest limiter. */
export function usageOf(req: Request): RateLimitInfo | undefined {
  return (req as Request & { rateLimit?: RateLimitInfo }).rateLimit;
}
