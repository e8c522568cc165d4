import { Router } from 'express';
import { methodNotAllowed } from './method-not-allowed.ts';

/** A router whose addresses differ by case and by a slash at the end. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** Lets each route of a router refuse the methods that it has no answer for. */
export function refusingOthers(router: Router): Router {
  for (const { route } of router.stack) {
    const posts = route?.stack.some(({ method }) => method === 'post');
    route?.all(methodNotAllowed(posts ? 'GET, HEAD, POST' : 'GET, HEAD'));
  }
  return router;
}
