import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, MemoryStore, type RateLimitInfo, rateLimit, type Store } from 'express-rate-limit';
import { minuteMs } from '../lib/durations.ts';
import { HttpError } from './http-error.ts';

/** Per network; a whole town may share one address (CGNAT). */
export const limits = {
  /** All that is not ready in memory, before any work but a look for the link of staff. Short, so that a burst is, too. */
  requests: {
    windowMs: 10_000,
    limit: 100,
    explanation: 'С вашего адреса пришло слишком много запросов. Подождите десять секунд и обновите страницу.',
  },
  /** Forms, valid or not. */
  forms: {
    windowMs: 10 * minuteMs,
    limit: 600,
    explanation: 'Заявка ещё не отправлена: с вашего адреса их пришло слишком много. Повторите через 10 минут.',
  },
} as const;

/** Above so many forms, an address is taken for a shared one, and notifications of its leads are batched once a minute. */
export const sharedAddressForms = 60;

export type Limiters = Readonly<Record<keyof typeof limits, RequestHandler>>;

/** @param storeOf keeps the counts of a limit */
export function createLimiters(storeOf: (name: keyof typeof limits) => Store = () => new MemoryStore()): Limiters {
  const limiter = (name: keyof typeof limits) => {
    const { windowMs, limit, explanation } = limits[name];
    return rateLimit({
      windowMs,
      limit,
      keyGenerator: networkOf,
      standardHeaders: false,
      legacyHeaders: false,
      store: storeOf(name),
      // Clients can forge these headers.
      validate: { xForwardedForHeader: false, forwardedHeader: false },
      handler(req, res, next) {
        const { used = 0, resetTime } = usageOf(req) ?? {};
        const milliseconds = resetTime === undefined ? windowMs : resetTime.getTime() - Date.now();
        res.set('Retry-After', String(Math.max(1, Math.ceil(milliseconds / 1_000))));
        // Once in a window; a line for each refusal would fill the disk.
        if (used === limit + 1) res.locals.log.warn({ limit: name }, 'a client has reached a limit');
        next(new HttpError(429, 'Too Many Requests', { explanation }));
      },
    });
  };
  return { requests: limiter('requests'), forms: limiter('forms') };
}

/** An IPv6 customer has a /56 network. */
const ipv6Subnet = 56;

/** Some proxies forward an address with its port, and some what the client claims. */
function networkOf({ ip = '', socket }: Request): string {
  const address = ip.replace(/^\[?([^\]]*?)\]?(?::\d+)?$/, '$1');
  const known = [ip, address, socket.remoteAddress ?? ''].find((one) => isIP(one) > 0) ?? '';
  return ipKeyGenerator(known, ipv6Subnet);
}

/** Set by the latest limiter. */
export function usageOf(req: Request): RateLimitInfo | undefined {
  return (req as Request & { rateLimit?: RateLimitInfo }).rateLimit;
}
