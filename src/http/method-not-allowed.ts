import type { RequestHandler } from 'express';
import type { Edition } from '../edition/open.ts';
import { HttpError } from './http-error.ts';

/** Refuses what a known address cannot do. @param allow methods for the `Allow` header, such as `GET, HEAD` */
export function methodNotAllowed(allow: string): RequestHandler {
  return (_req, res, next) => {
    res.set('Allow', allow);
    next(new HttpError(405, 'Method Not Allowed'));
  };
}

/** The same for what the edition holds: a request for it that comes this far is neither GET nor HEAD. */
export function editionMethods(edition: Edition): RequestHandler {
  const refuse = methodNotAllowed('GET, HEAD');
  return (req, res, next) => (edition.find(req.path) ? refuse(req, res, next) : next());
}
