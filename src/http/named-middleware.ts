import type { RequestHandler } from 'express';
import type { MiddlewareName } from '../routes.ts';

export type NamedMiddleware = Readonly<Record<MiddlewareName, RequestHandler>>;

/**
 * The middleware that a route asks for by name.
 *
 * @throws if there is none of that name, which stops the start
 */
export function middlewareNamed(names: readonly string[], known: NamedMiddleware): RequestHandler[] {
  return names.map((name) => {
    if (!Object.hasOwn(known, name)) {
      const all = Object.keys(known).join(', ');
      throw new Error(`Unknown route middleware "${name}". A route may name: ${all}.`);
    }
    return known[name as MiddlewareName];
  });
}
