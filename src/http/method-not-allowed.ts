import type { RequestHandler } from 'express';
import type { Site } from '../site/site.ts';
import { HttpError } from './http-error.ts';

/** Refuses what a known address cannot do. @param allow methods for the `Allow` header, such as `GET, HEAD` */
export function methodNotAllowed(allow: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    next(new HttpError(405, 'Method Not Allowed'));
  };
}

/** The same for what the site holds: a request for it that comes this far is neither GET nor HEAD. */
export function siteMethods({ find, picture }: Site): RequestHandler {
  const refuse = methodNotAllowed('GET, HEAD');
  return (req, res, next) => (find(req.path) || picture(req.path) ? refuse(req, res, next) : next());
}
