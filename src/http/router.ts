import { type RequestHandler, Router } from 'express';
import { isReserved } from '../model/addresses.ts';
import type { Site } from '../site/site.ts';
import { HttpError } from './http-error.ts';

export function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

/**
 * Answers other methods with 405.
 *
 * @throws if editors could take one of the addresses
 */
export function refusingOthers(router: Router): Router {
  const open = router.stack.find(({ route }) => route && !isReserved(route.path));
  if (open) throw new Error(`${open.route?.path} is not reserved; add it to model/addresses.ts.`);
  return refusingOtherMethods(router);
}

export function refusingOtherMethods(router: Router): Router {
  for (const { route } of router.stack) {
    const handles = (wanted: string) => route?.stack.some(({ method }) => method === wanted);
    const allowed = [...(handles('get') ? ['GET', 'HEAD'] : []), ...(handles('post') ? ['POST'] : [])];
    route?.all(methodNotAllowed(allowed.join(', ')));
  }
  return router;
}

/** GET and HEAD are answered earlier. */
export function siteMethods({ find, picture, video }: Site): RequestHandler {
  const refuse = methodNotAllowed('GET, HEAD');
  return (req, res, next) => (find(req.path) || picture(req.path) || video(req.path) ? refuse(req, res, next) : next());
}

function methodNotAllowed(allow: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    next(new HttpError(405, 'Method Not Allowed'));
  };
}
