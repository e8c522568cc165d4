import type { RequestHandler } from 'express';

/** HEAD gets the headers of GET, including compression; Node still omits the body. */
export const headAsGet: RequestHandler = (req, _res, next) => {
  if (req.method === 'HEAD') req.method = 'GET';
  next();
};
