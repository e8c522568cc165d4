import type { RequestHandler } from 'express';

/** HEAD gets the headers of GET, compression included. Node omits the body, because it keeps the original method. */
export const headAsGet: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') req.method = 'GET';
  next();
};
