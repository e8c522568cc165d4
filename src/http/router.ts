import { Router } from 'express';
import { methodNotAllowed } from './method-not-allowed.ts';

/** Case-sensitive and strict about trailing slashes. */
export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/** Adds a 405 to each route. */
export function refusingOthers(router: Router): Router {
  for (const { route } of router.stack) {
    const posts = route?.stack.some(({ method }) => method === 'post');
    route?.all(methodNotAllowed(posts ? 'GET, HEAD, POST' : 'GET, HEAD'));
  }
  return router;
}
