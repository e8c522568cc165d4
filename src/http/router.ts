import { type RequestHandler, Router } from 'express';
import type { Site } from '../site/site.ts';
import { HttpError } from './http-error.ts';

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

/** GET and HEAD were answered before, so any request for an existing address here is a 405. */
export function siteMethods({ find, picture }: Site): RequestHandler {
  const refuse = methodNotAllowed('GET, HEAD');
  return (req, res, next) => (find(req.path) || picture(req.path) ? refuse(req, res, next) : next());
}

function methodNotAllowed(allow: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    next(new HttpError(405, 'Method Not Allowed'));
  };
}
