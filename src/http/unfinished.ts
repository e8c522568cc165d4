import type { RequestHandler } from 'express';
import type { Edition } from '../edition/open.ts';
import { HttpError } from './http-error.ts';
import { acceptedEncodings } from './prerendered.ts';

/**
 * Answers for what the edition names and does not have: a picture that is asked for before its turn is made at once;
 * what is damaged comes back when it has been made again.
 *
 * @param make makes what stands at an address, as far as it can; it must not reject
 */
export function unfinished(edition: Edition, make: (path: string) => Promise<void>): RequestHandler {
  return async (req, res, next) => {
    const page = req.method === 'GET' ? edition.find(req.path) : undefined;
    // A page is rendered from the content, with or without what was made of it before.
    if (page === undefined || page.type.startsWith('text/html')) return next();
    const accepted = acceptedEncodings(req.get('accept-encoding'));
    if (page.answer(accepted, false) === undefined) await make(req.path);
    const answer = page.answer(accepted, req.originalUrl.endsWith(`?${edition.id}`));
    if (answer === undefined) {
      res.set('Retry-After', '10');
      return next(new HttpError(503, 'Service Unavailable'));
    }
    res.writeHead(200, answer.headers as string[]);
    res.end(answer.body);
  };
}
