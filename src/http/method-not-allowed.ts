import type { RequestHandler } from 'express';
import type { Site } from '../site/site.ts';
import { HttpError } from './http-error.ts';

/** @param allow value of `Allow`, such as `GET, HEAD` */
export function methodNotAllowed(allow: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    next(new HttpError(405, 'Method Not Allowed'));
  };
}

/** GET and HEAD were answered before, so any request for an existing address here is a 405. */
export function siteMethods({ find, picture }: Site): RequestHandler {
  const refuse = methodNotAllowed('GET, HEAD');
  return (req, res, next) => (find(req.path) || picture(req.path) ? refuse(req, res, next) : next());
}
