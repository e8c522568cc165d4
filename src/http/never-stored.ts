import type { RequestHandler } from 'express';
import { cacheFor } from '../lib/cache-for.ts';

export const neverStored: RequestHandler = (_req, res, next) => {
  res.set('Cache-Control', cacheFor.never);
  next();
};
