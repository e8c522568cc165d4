import type { Response } from 'express';
import { cacheFor } from '../lib/cache-for.ts';

/** Streams a file. A failure is not cached. */
export function sendFile(res: Response, path: string): void {
  res.sendFile(path, { cacheControl: false, lastModified: false, dotfiles: 'allow' }, (error) => {
    if (error === undefined || res.headersSent) return;
    const status = 'status' in error ? Number(error.status) : 500;
    res.removeHeader('ETag');
    res.status(status).set('Cache-Control', cacheFor.never).end();
  });
}
