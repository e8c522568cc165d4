import type { RequestHandler } from 'express';

/**
 * Lets a HEAD be answered as the GET that it asks about, compression included, so
 * that its headers are the same. Node leaves out the body by itself: it noted the
 * method when the request arrived.
 */
export const headAsGet: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') req.method = 'GET';
  next();
};
